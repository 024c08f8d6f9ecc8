package fleet

// plan writes the current plan out with its times: each vehicle ends as early as it
// can, and starts as late as that allows. Where the watch ends meanwhile the plan lacks
// vehicles, and its caller must not use it.
func (s *state) plan() *Plan {
	p := &Plan{Priority: s.priority}
	for r := range s.routes {
		if int32(r) == s.m.slots[r].first && !s.alone(&s.m.slots[r]) {
			s.write(p, int32(r))
		}
	}
	for i := range p.Routes {
		p.Cost += p.Routes[i].Cost
	}
	p.Disruption = s.cost - p.Cost
	for u := range s.m.units {
		if s.inList[u] >= 0 {
			p.Unassigned = append(p.Unassigned, s.m.units[u].task)
		}
	}
	return p
}

// writer writes the trips of one vehicle.
type writer struct {
	s      *state
	sl     *slot
	plan   *Plan
	route  *Route
	loc    int32
	breaks int
}

// write appends the trips of the vehicle whose first is r.
func (s *state) write(p *Plan, r int32) {
	sl, x := &s.m.slots[r], &s.sched
	var seq []int32
	for q := sl.first; q <= sl.last; q++ {
		if s.routes[q].used() {
			if len(seq) > 0 {
				seq = append(seq, reload)
			}
			seq = append(seq, s.routes[q].stops...)
		}
	}
	end, _ := x.run(sl, seq, sl.window.Start, sl.window.End)
	// A later start is possible up to some time, and not after it.
	low, high := sl.window.Start, end
	for low < high {
		mid := low + (high-low+1)/2
		if _, ok := x.run(sl, seq, mid, end); ok {
			low = mid
		} else {
			high = mid - 1
		}
	}
	if _, ok := x.run(sl, seq, low, end); !ok {
		return // the watch has ended: the schedule has no times for this vehicle
	}
	w := &writer{s: s, sl: sl, plan: p, loc: sl.start}
	w.start(low, seq)
	for i, v := range seq {
		if v == reload {
			w.leg(i+1, sl.depot, Step{Kind: StepEnd, Location: int(sl.depot)})
			w.start(x.begin[i+1]+sl.v.Reloads.Seconds, seq[i+1:])
			continue
		}
		w.stop(i+1, v)
	}
	w.leg(len(seq)+1, sl.end, Step{Kind: StepEnd, Location: sl.v.End})
	w.finish()
}

// start begins a trip at a time; seq begins with its stops.
func (w *writer) start(t int64, seq []int32) {
	sl, d := w.sl, w.s.m.dims
	trip, at := 0, sl.v.Start
	if w.route != nil {
		w.finish()
		trip, at = w.route.Trip+1, sl.v.Reloads.Depot
		w.loc = sl.depot
	}
	load := make([]int32, d)
	if trip == 0 {
		add(load, sl.board, 1)
	}
	for _, v := range seq {
		if v == reload {
			break
		}
		add(load, w.s.m.brings[int(v)*d:int(v+1)*d], 1)
	}
	w.plan.Routes = append(w.plan.Routes, Route{Vehicle: sl.vehicle, Trip: trip, Cost: sl.fixed})
	w.route = &w.plan.Routes[len(w.plan.Routes)-1]
	w.route.Steps = append(w.route.Steps, Step{Kind: StepStart, Location: at, Arrival: t, Load: load})
}

// finish adds a route up.
func (w *writer) finish() {
	r := w.route
	for i := range r.Steps {
		st := &r.Steps[i]
		r.Setup += st.Setup
		r.Service += st.Service
		r.Waiting += st.Waiting
		if st.Kind == StepStop {
			r.Cost += w.sl.v.PerTaskHour * (CostUnit / 3600) * (st.Setup + st.Service)
		}
	}
	last := &r.Steps[len(r.Steps)-1]
	r.Travel, r.Distance = last.Travel, last.Distance
	r.Cost += w.sl.price(r.Travel, r.Distance)
}

func (sl *slot) price(seconds, metres int64) int64 { return sl.second*seconds + sl.metre*metres }

// stop writes a stop at a position.
func (w *writer) stop(i int, v int32) {
	m := w.s.m
	k, d, loc := &m.kinds[w.sl.kind], m.dims, m.visits[v].loc
	st := Step{Kind: StepStop, Stop: m.stopOf(v), Location: int(loc), Service: k.service[v]}
	if w.loc != loc {
		st.Setup = k.setup[v]
	}
	w.leg(i, loc, st)
	out := &w.route.Steps[len(w.route.Steps)-1]
	out.Waiting = w.s.sched.begin[i] - out.Arrival - out.Setup
	out.Load = append([]int32(nil), out.Load...)
	for x := range d {
		out.Load[x] += m.takes[int(v)*d+x] - m.brings[int(v)*d+x]
	}
}

// leg drives to a location, with the breaks and the pauses on the way.
func (w *writer) leg(i int, to int32, next Step) {
	way := w.sl.net.at(w.loc, to)
	w.loc = to
	last := w.route.Steps[len(w.route.Steps)-1]
	t, left, driven := last.Ends(), int64(way.sec), last.Travel
	for ; w.breaks < int(w.s.sched.taken[i]); w.breaks++ {
		b := &w.sl.v.Breaks[w.breaks]
		at := w.sl.v.rest(b, t)
		part := min(left, w.sl.v.between(t, at))
		t, driven = w.drive(t, part, driven)
		left -= part
		w.route.Steps = append(w.route.Steps, Step{Kind: StepBreak, Break: w.breaks, Location: None, Arrival: t, Waiting: at - t, Service: b.Service, Travel: driven, Distance: last.Distance, Load: last.Load})
		t = at + b.Service
	}
	t, driven = w.drive(t, left, driven)
	if whole := w.sl.v.whole(t, next.Setup); next.Kind == StepStop && whole > t {
		w.pause(t, whole, driven)
		t = whole
	}
	next.Arrival, next.Travel, next.Distance, next.Load = t, driven, last.Distance+int64(way.metre), last.Load
	w.route.Steps = append(w.route.Steps, next)
}

// drive goes on for d, with the pauses of the vehicle, and gives the time and the travel.
func (w *writer) drive(t, d, driven int64) (int64, int64) {
	ws := w.sl.v.Windows
	if len(ws) < 2 || d == 0 {
		return t + d, driven + d
	}
	for n, win := range ws {
		if t >= win.End {
			continue
		}
		if n > 0 && t < win.Start || t < win.Start {
			w.pause(t, win.Start, driven)
			t = win.Start
		}
		part := min(d, win.End-t)
		t, d, driven = t+part, d-part, driven+part
		if d == 0 {
			break
		}
	}
	return t, driven
}

// pause stands still from a time to another.
func (w *writer) pause(from, to, driven int64) {
	last := w.route.Steps[len(w.route.Steps)-1]
	w.route.Steps = append(w.route.Steps, Step{Kind: StepPause, Location: None, Arrival: from, Waiting: to - from, Travel: driven, Distance: last.Distance, Load: last.Load})
}

// Stops are those of a vehicle in a plan, over all its trips, in order.
func (p *Plan) Stops(vehicle int) (stops []Stop) {
	for i := range p.Routes {
		if p.Routes[i].Vehicle != vehicle {
			continue
		}
		for k := range p.Routes[i].Steps {
			if s := &p.Routes[i].Steps[k]; s.Kind == StepStop {
				stops = append(stops, s.Stop)
			}
		}
	}
	return stops
}
