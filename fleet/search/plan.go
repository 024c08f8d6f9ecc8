package search

import (
	"github.com/waygate/waygate/fleet"
	"github.com/waygate/waygate/fleet/search/model"
)

// plan writes the current plan with its times: each vehicle ends as early as it can,
// and starts as late as that allows. If the watch ends meanwhile the plan lacks
// vehicles and must not be used.
func (s *state) plan() *fleet.Plan {
	p := &fleet.Plan{Priority: s.priority}
	for r := range s.routes {
		if int32(r) == s.m.Slots[r].First && !s.alone(&s.m.Slots[r]) {
			s.write(p, int32(r))
		}
	}
	for i := range p.Routes {
		p.Cost += p.Routes[i].Cost
	}
	p.Disruption = s.cost - p.Cost
	for u := range s.m.Tasks {
		if s.inList[u] >= 0 {
			p.Unassigned = append(p.Unassigned, s.m.Tasks[u].Of)
		}
	}
	return p
}

// writer writes the trips of one vehicle.
type writer struct {
	s      *state
	sl     *model.Slot
	plan   *fleet.Plan
	route  *fleet.Route
	loc    int32
	breaks int
}

// write appends the trips of the vehicle whose first is r.
func (s *state) write(p *fleet.Plan, r int32) {
	sl, x := &s.m.Slots[r], &s.sched
	var seq []int32
	for q := sl.First; q <= sl.Last; q++ {
		if s.routes[q].used() {
			if len(seq) > 0 {
				seq = append(seq, reload)
			}
			seq = append(seq, s.routes[q].stops...)
		}
	}
	end, _ := x.run(sl, seq, sl.Window.Start, sl.Window.End)
	// A later start is possible up to some time, which bisection finds.
	low, high := sl.Window.Start, end
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
	w := &writer{s: s, sl: sl, plan: p, loc: sl.Start}
	w.start(low, seq)
	for i, v := range seq {
		if v == reload {
			w.leg(i+1, sl.Depot, fleet.Step{Kind: fleet.StepEnd, Location: int(sl.Depot)})
			w.start(x.begin[i+1]+sl.Of.Reloads.Seconds, seq[i+1:])
			continue
		}
		w.stop(i+1, v)
	}
	w.leg(len(seq)+1, sl.End, fleet.Step{Kind: fleet.StepEnd, Location: sl.Of.End})
	w.finish()
}

// start begins a trip at a time; seq begins with its stops.
func (w *writer) start(t int64, seq []int32) {
	sl, d := w.sl, w.s.m.Dimensions
	trip, at := 0, sl.Of.Start
	if w.route != nil {
		w.finish()
		trip, at = w.route.Trip+1, sl.Of.Reloads.Depot
		w.loc = sl.Depot
	}
	load := make([]int32, d)
	if trip == 0 {
		fleet.AddLoad(load, sl.OnBoard, 1)
	}
	for _, v := range seq {
		if v == reload {
			break
		}
		fleet.AddLoad(load, w.s.m.Brings[int(v)*d:int(v+1)*d], 1)
	}
	w.plan.Routes = append(w.plan.Routes, fleet.Route{Vehicle: sl.Vehicle, Trip: trip, Cost: sl.Fixed})
	w.route = &w.plan.Routes[len(w.plan.Routes)-1]
	w.route.Steps = append(w.route.Steps, fleet.Step{Kind: fleet.StepStart, Location: at, Arrival: t, Load: load})
}

// finish adds up a route.
func (w *writer) finish() {
	r := w.route
	for i := range r.Steps {
		st := &r.Steps[i]
		r.Setup += st.Setup
		r.Service += st.Service
		r.Waiting += st.Waiting
		if st.Kind == fleet.StepStop {
			r.Cost += w.sl.Of.PerTaskHour * (fleet.CostUnit / 3600) * (st.Setup + st.Service)
		}
	}
	last := &r.Steps[len(r.Steps)-1]
	r.Travel, r.Distance = last.Travel, last.Distance
	r.Cost += w.sl.Price(r.Travel, r.Distance)
}

// stop writes a stop at a position.
func (w *writer) stop(i int, v int32) {
	m := w.s.m
	k, d, loc := &m.Kinds[w.sl.Kind], m.Dimensions, m.Visits[v].Location
	st := fleet.Step{Kind: fleet.StepStop, Stop: m.StopOf(v), Location: int(loc), Service: k.Service[v]}
	if w.loc != loc {
		st.Setup = k.Setup[v]
	}
	w.leg(i, loc, st)
	out := &w.route.Steps[len(w.route.Steps)-1]
	out.Waiting = w.s.sched.begin[i] - out.Arrival - out.Setup
	out.Load = append([]int32(nil), out.Load...)
	for x := range d {
		out.Load[x] += m.Takes[int(v)*d+x] - m.Brings[int(v)*d+x]
	}
}

// leg drives to a location, with the breaks and the pauses on the way.
func (w *writer) leg(i int, to int32, next fleet.Step) {
	way := w.sl.Network.At(w.loc, to)
	w.loc = to
	last := w.route.Steps[len(w.route.Steps)-1]
	t, left, driven := last.Ends(), int64(way.Sec), last.Travel
	for ; w.breaks < int(w.s.sched.taken[i]); w.breaks++ {
		b := &w.sl.Of.Breaks[w.breaks]
		at := w.sl.Of.BreakFrom(b, t)
		part := min(left, w.sl.Of.WorkBetween(t, at))
		t, driven = w.drive(t, part, driven)
		left -= part
		w.route.Steps = append(w.route.Steps, fleet.Step{Kind: fleet.StepBreak, Break: w.breaks, Location: fleet.None, Arrival: t, Waiting: at - t, Service: b.Service, Travel: driven, Distance: last.Distance, Load: last.Load})
		t = at + b.Service
	}
	t, driven = w.drive(t, left, driven)
	if whole := w.sl.Of.FitFrom(t, next.Setup); next.Kind == fleet.StepStop && whole > t {
		w.pause(t, whole, driven)
		t = whole
	}
	next.Arrival, next.Travel, next.Distance, next.Load = t, driven, last.Distance+int64(way.Metre), last.Load
	w.route.Steps = append(w.route.Steps, next)
}

// drive continues for d, with the pauses of the vehicle, and returns the new time and
// travel.
func (w *writer) drive(t, d, driven int64) (int64, int64) {
	ws := w.sl.Of.Windows
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

// pause adds a step of standing still from one time to another.
func (w *writer) pause(from, to, driven int64) {
	last := w.route.Steps[len(w.route.Steps)-1]
	w.route.Steps = append(w.route.Steps, fleet.Step{Kind: fleet.StepPause, Location: fleet.None, Arrival: from, Waiting: to - from, Travel: driven, Distance: last.Distance, Load: last.Load})
}
