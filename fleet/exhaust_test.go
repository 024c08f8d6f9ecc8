package fleet

import (
	"math/bits"
	"slices"
)

// exhaust finds the best plan by trying every one.
type exhaust struct {
	p     *Problem
	best  score
	any   bool
	seqs  [][]Stop
	tasks []Task
}

func newExhaust(p *Problem) *exhaust {
	e := &exhaust{p: p, seqs: make([][]Stop, len(p.Vehicles))}
	for i := range p.Jobs {
		e.tasks = append(e.tasks, Task{false, i})
	}
	for i := range p.Shipments {
		e.tasks = append(e.tasks, Task{true, i})
	}
	return e
}

func (e *exhaust) try(i, priority, absent int) {
	if i == len(e.tasks) {
		if !e.groups() {
			return
		}
		var cost int64
		for v, seq := range e.seqs {
			if len(seq) > 0 || len(e.p.Vehicles[v].First) > 0 {
				c, ok := slowCost(e.p, v, seq)
				if !ok {
					return
				}
				cost += c
			}
		}
		if s := (score{priority, absent, cost}); !e.any || s.better(e.best) {
			e.best, e.any = s, true
		}
		return
	}
	t := e.tasks[i]
	e.try(i+1, priority, absent+1)
	for v := range e.seqs {
		old := e.seqs[v]
		for a := 0; a <= len(old); a++ {
			if !t.Shipment {
				e.seqs[v] = slices.Insert(slices.Clone(old), a, Stop{AtJob, t.Index})
				e.try(i+1, priority+e.p.Jobs[t.Index].Priority, absent)
				continue
			}
			if e.p.carrier(t.Index) >= 0 {
				e.seqs[v] = slices.Insert(slices.Clone(old), a, Stop{AtDelivery, t.Index})
				e.try(i+1, priority+e.p.Shipments[t.Index].Priority, absent)
				continue
			}
			for b := a; b <= len(old); b++ {
				seq := slices.Insert(slices.Clone(old), b, Stop{AtDelivery, t.Index})
				e.seqs[v] = slices.Insert(seq, a, Stop{AtPickup, t.Index})
				e.try(i+1, priority+e.p.Shipments[t.Index].Priority, absent)
			}
		}
		e.seqs[v] = old
	}
}

func (e *exhaust) vehicle(t Task) int {
	return slices.IndexFunc(e.seqs, func(seq []Stop) bool {
		return slices.ContainsFunc(seq, func(s Stop) bool { return s.Task() == t })
	})
}

func (e *exhaust) groups() bool {
	for _, g := range e.p.Together {
		for _, t := range g {
			if e.vehicle(t) != e.vehicle(g[0]) {
				return false
			}
		}
	}
	for _, g := range e.p.Apart {
		for a := range g {
			for b := range a {
				if v := e.vehicle(g[a]); v >= 0 && v == e.vehicle(g[b]) {
					return false
				}
			}
		}
	}
	return true
}

// slowCost judges one vehicle by its definition: every way to cut its stops into trips and to
// place its breaks is tried.
func slowCost(p *Problem, vehicle int, seq []Stop) (int64, bool) {
	v := &p.Vehicles[vehicle]
	if len(seq) < len(v.First) || !slices.Equal(seq[:len(v.First)], v.First) {
		return 0, false
	}
	trips := 1
	if v.Reloads != nil {
		trips = v.Reloads.MaxTrips
	}
	best, any := int64(0), false
	for cuts := range 1 << (len(seq) - 1) { // bit i: a reload after stop i
		if bits.OnesCount(uint(cuts)) >= trips || cuts&(1<<max(0, len(v.First)-1)-1) != 0 {
			continue
		}
		if c, ok := slowTrips(p, vehicle, seq, cuts); ok && (!any || c < best) {
			best, any = c, true
		}
	}
	return best, any
}

// slowTrips does so with the cuts given.
func slowTrips(p *Problem, vehicle int, seq []Stop, cuts int) (int64, bool) {
	v := &p.Vehicles[vehicle]
	load := make([]int32, len(v.Capacity))
	for _, s := range v.OnBoard {
		add(load, p.Shipments[s].Amount, 1)
	}
	bring := func(i int) { // loads what the trip of stop i delivers
		for ; i < len(seq); i++ {
			if seq[i].Kind == AtJob {
				add(load, p.Jobs[seq[i].Index].Delivery, 1)
			}
			if cuts>>i&1 == 1 {
				return
			}
		}
	}
	bring(0)
	loads := [][]int32{slices.Clone(load)} // before each leg
	at := v.Start
	var cost, sec, met int64
	var plan Plan
	route := Route{Vehicle: vehicle}
	c := &verifier{p: p, route: map[Task]int{}}
	ways := []int64{}
	drive := func(to int) {
		s, m := c.way(v, at, to)
		sec, met, at = sec+s, met+m, to
		ways = append(ways, s)
		cost += v.PerHour*s*(CostUnit/3600) + v.PerKilometre*m*(CostUnit/1000)
	}
	within := func() bool {
		stops := len(route.Steps)
		plan.Routes = append(plan.Routes, route)
		route = Route{Vehicle: vehicle, Trip: route.Trip + 1}
		ok := len(c.bad) == 0 && (v.MaxTasks <= 0 || stops <= v.MaxTasks) && (v.MaxTravelTime == 0 || sec <= v.MaxTravelTime) && (v.MaxDistance == 0 || met <= v.MaxDistance)
		sec, met, cost = 0, 0, cost+v.Fixed*CostUnit
		return ok
	}
	for i, s := range seq {
		pl := p.place(s)
		trip := len(plan.Routes)
		switch s.Kind {
		case AtJob:
			add(load, p.Jobs[s.Index].Delivery, -1)
			add(load, p.Jobs[s.Index].Pickup, 1)
		case AtPickup:
			if p.carrier(s.Index) >= 0 {
				return 0, false
			}
			c.route[s.Task()] = trip
			add(load, p.Shipments[s.Index].Amount, 1)
		case AtDelivery:
			if r, ok := c.route[s.Task()]; (!ok || r != trip) && p.carrier(s.Index) != vehicle {
				return 0, false
			}
			add(load, p.Shipments[s.Index].Amount, -1)
		}
		c.route[s.Task()] = trip
		if !p.mayServe(vehicle, s.Task()) {
			return 0, false
		}
		service, setup := pl.times(v.Type)
		if at == pl.Location {
			setup = 0
		}
		cost += v.PerTaskHour * (service + setup) * (CostUnit / 3600)
		drive(pl.Location)
		route.Steps = append(route.Steps, Step{Kind: StepStop, Stop: s})
		loads = append(loads, slices.Clone(load))
		if cuts>>i&1 == 1 {
			for _, x := range seq[:i+1] {
				if x.Kind == AtPickup && !slices.Contains(seq[:i+1], Stop{AtDelivery, x.Index}) {
					return 0, false
				}
			}
			drive(v.Reloads.Depot)
			if !within() {
				return 0, false
			}
			clear(load)
			bring(i + 1)
			loads = append(loads, slices.Clone(load))
		}
	}
	drive(v.End)
	if !within() {
		return 0, false
	}
	for _, l := range loads {
		for d := range l {
			if l[d] > v.Capacity[d] {
				return 0, false
			}
		}
	}
	gaps := make([]int, len(v.Breaks))
	var place func(k, from int) bool
	place = func(k, from int) bool {
		if k == len(gaps) {
			return slowTimes(p, v, seq, cuts, ways, gaps)
		}
		for g := from; g < len(ways); g++ {
			light := true
			for d, n := range v.Breaks[k].MaxLoad {
				light = light && loads[g][d] <= n
			}
			gaps[k] = g
			if light && place(k+1, g) {
				return true
			}
		}
		return false
	}
	if !place(0, 0) {
		return 0, false
	}
	return cost + c.disruption(&plan), true
}

// slowTimes reports whether stops can be timed with each break in its gap, second by second.
func slowTimes(p *Problem, v *Vehicle, seq []Stop, cuts int, ways []int64, gaps []int) bool {
	const late = 1000
	wait := make([]int64, len(seq)) // least start of each service
	for range 10000 {
		begin, end := make([]int64, len(seq)), make([]int64, len(seq))
		t, leg := int64(0), 0
		if len(v.Windows) > 0 {
			t = v.Windows[0].Start
		}
		drive := func() bool {
			left := ways[leg]
			for k, g := range gaps {
				if g != leg {
					continue
				}
				for !within(v.Breaks[k].Windows, t) || !works(v, t, t+v.Breaks[k].Service) {
					if works(v, t, t+1) {
						left = max(0, left-1)
					}
					if t++; t > late {
						return false
					}
				}
				t += v.Breaks[k].Service
			}
			for ; left > 0; t++ {
				if works(v, t, t+1) {
					left--
				}
				if t > late {
					return false
				}
			}
			leg++
			return true
		}
		do := func(d int64, ws []Window) bool {
			for ; !within(ws, t) || !works(v, t, t+d); t++ {
				if t > late {
					return false
				}
			}
			t += d
			return true
		}
		at := v.Start
		for i, s := range seq {
			pl := p.place(s)
			service, setup := pl.times(v.Type)
			if !drive() || at != pl.Location && !do(setup, nil) {
				return false
			}
			at = pl.Location
			t = max(t, wait[i])
			if !do(service, pl.Windows) {
				return false
			}
			begin[i], end[i] = t-service, t
			if cuts>>i&1 == 1 {
				if !drive() || !do(v.Reloads.Seconds, nil) {
					return false
				}
				at = v.Reloads.Depot
			}
		}
		if !drive() || !works(v, t, t) {
			return false
		}
		again := false
		for i, s := range seq {
			if s.Kind != AtPickup || p.Shipments[s.Index].MaxRide == 0 {
				continue
			}
			d := slices.Index(seq, Stop{AtDelivery, s.Index})
			if begin[d]-end[i] > p.Shipments[s.Index].MaxRide {
				wait[i], again = begin[i]+1, true
			}
		}
		if !again {
			return true
		}
	}
	return false
}
