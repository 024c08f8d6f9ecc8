package fleet

// plan writes the current plan out with its times: each route ends as early as it
// can, and starts as late as that allows.
func (s *state) plan() *Plan {
	p := &Plan{Cost: s.cost, Priority: s.priority}
	for r := range s.routes {
		if len(s.routes[r].stops) > 0 {
			p.Routes = append(p.Routes, s.write(int32(r)))
		}
	}
	for u := range s.m.units {
		if s.inList[u] >= 0 {
			p.Unassigned = append(p.Unassigned, s.m.units[u].task)
		}
	}
	return p
}

func (s *state) write(r int32) Route {
	rt, sl, x := &s.routes[r], &s.m.slots[r], &s.sched
	end, _ := x.run(sl, rt.stops, rt.ready, rt.due)
	// A later start is possible up to some time, and not after it.
	low, high := rt.ready, end
	for low < high {
		mid := low + (high-low+1)/2
		if _, ok := x.run(sl, rt.stops, mid, end); ok {
			low = mid
		} else {
			high = mid - 1
		}
	}
	x.run(sl, rt.stops, low, end)
	trip := 0
	for q := sl.previous; q >= 0; q = s.m.slots[q].previous {
		if len(s.routes[q].stops) > 0 {
			trip++
		}
	}
	out := Route{Vehicle: sl.vehicle, Trip: trip, Cost: rt.cost, Travel: rt.travel, Distance: rt.metre}
	k, d, c := len(rt.stops), s.m.dims, sl.class
	step := Step{Kind: StepStart, Location: sl.v.Start, Arrival: low}
	step.Load = append([]int32(nil), rt.load[:d]...)
	out.Steps = append(out.Steps, step)
	brk := 0
	for i := 1; i <= k+1; i++ {
		drive := int64(c.sec[int(rt.loc[i-1])*c.n+int(rt.loc[i])])
		before := out.Steps[len(out.Steps)-1]
		t, left, travelled := before.Ends(), drive, before.Travel
		for ; brk < int(x.taken[i]); brk++ {
			at := x.brk[brk]
			driven := min(left, at-t)
			left -= driven
			travelled += driven
			b := Step{Kind: StepBreak, Break: brk, Location: None, Arrival: t + driven, Waiting: at - t - driven, Service: sl.v.Breaks[brk].Service, Travel: travelled, Distance: before.Distance, Load: before.Load}
			t = b.Ends()
			out.Waiting += b.Waiting
			out.Service += b.Service
			out.Steps = append(out.Steps, b)
		}
		next := Step{Arrival: t + left, Travel: travelled + left, Distance: before.Distance + int64(c.metre[int(rt.loc[i-1])*c.n+int(rt.loc[i])])}
		if i > k {
			next.Kind, next.Location, next.Load = StepEnd, sl.v.End, before.Load
			out.Steps = append(out.Steps, next)
			break
		}
		v := rt.stops[i-1]
		next.Kind, next.Stop, next.Location = StepStop, s.m.stopOf(v), int(s.m.loc[v])
		if rt.loc[i-1] != rt.loc[i] {
			next.Setup = s.m.setup[sl.kind][v]
		}
		next.Service = s.m.service[sl.kind][v]
		next.Waiting = x.begin[i] - next.Arrival - next.Setup
		next.Load = append([]int32(nil), rt.load[i*d:(i+1)*d]...)
		out.Setup += next.Setup
		out.Service += next.Service
		out.Waiting += next.Waiting
		out.Steps = append(out.Steps, next)
	}
	return out
}
