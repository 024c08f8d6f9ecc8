package fleet

import (
	"fmt"
	"math"
	"slices"
)

// Verify returns one sentence for each constraint that a plan breaks. It looks at the
// problem alone, independently of the search.
func Verify(p *Problem, plan *Plan) []string {
	c := &verifier{p: p, served: map[Stop]int{}, route: map[Task]int{}, breaks: make([]int, len(p.Vehicles))}
	c.trips(plan)
	for i := range plan.Routes {
		c.vehicle = plan.Routes[i].Vehicle
		c.skills = setOf(p.Vehicles[c.vehicle].Skills, p.SharedSkills)
		c.verify(i, &plan.Routes[i])
	}
	c.rests(plan)
	c.tasks(plan)
	c.expect(plan.Disruption == Disruption(p, plan), "the plan gives a disruption of %d, which is %d", plan.Disruption, Disruption(p, plan))
	var cost int64
	for i := range plan.Routes {
		cost += plan.Routes[i].Cost
	}
	c.expect(cost == plan.Cost, "the plan costs %d, its routes %d", plan.Cost, cost)
	return c.bad
}

type verifier struct {
	p      *Problem
	served map[Stop]int
	route  map[Task]int
	bad    []string

	vehicle  int            // whose route is looked at
	skills   map[int32]bool // that it has
	breaks   []int          // by vehicle: those taken
	lastTrip []bool         // by route: its vehicle drives none after it
}

func (c *verifier) expect(ok bool, format string, args ...any) {
	if !ok {
		c.bad = append(c.bad, fmt.Sprintf(format, args...))
	}
}

// way returns the time and distance of a vehicle from one location to another.
func (c *verifier) way(v *Vehicle, a, b int) (seconds, metres int64) {
	if a == None || b == None {
		return 0, 0
	}
	m := &c.p.Matrices[v.Profile]
	s := m.Seconds[a*m.N+b]
	c.expect(s != Unreachable, "there is no way from %d to %d", a, b)
	if v.SpeedFactor != 0 {
		s = int32(math.Round(float64(s) / v.SpeedFactor))
	}
	return int64(s), int64(m.Metres[a*m.N+b])
}

func (c *verifier) verify(n int, r *Route) {
	v := &c.p.Vehicles[r.Vehicle]
	steps := r.Steps
	if len(steps) < 3 || steps[0].Kind != StepStart || steps[len(steps)-1].Kind != StepEnd {
		c.expect(false, "route %d does not go from a start over stops to an end", n)
		return
	}
	at, end := v.Start, v.End
	if v.Reloads != nil && r.Trip > 0 {
		at = v.Reloads.Depot
	}
	if v.Reloads != nil && !c.lastTrip[n] {
		end = v.Reloads.Depot
	}
	c.expect(steps[0].Location == at && steps[len(steps)-1].Location == end, "route %d starts or ends elsewhere than its vehicle", n)
	load := c.initial(r)
	stops := 0
	var driven, metres, pending, task int64 // pending: driven since the last location
	var setup, service, waiting int64       // of all steps
	for i := range steps {
		s := &steps[i]
		c.expect(s.Waiting >= 0 && s.Setup >= 0 && s.Service >= 0, "route %d step %d lasts less than nothing", n, i)
		c.expect(s.Setup == 0 || s.Kind == StepStop, "route %d step %d is no stop and has a setup", n, i)
		c.expect(s.Service == 0 || s.Kind == StepStop || s.Kind == StepBreak, "route %d step %d is neither stop nor break and has a service", n, i)
		setup, service, waiting = setup+s.Setup, service+s.Service, waiting+s.Waiting
		if i > 0 {
			drive := s.Travel - steps[i-1].Travel
			c.expect(drive >= 0 && s.Arrival == steps[i-1].Ends()+drive, "route %d step %d does not follow the one before", n, i)
			c.expect(drive == 0 || Works(v, s.Arrival-drive, s.Arrival), "route %d drives to step %d out of its vehicle's windows", n, i)
			pending += drive
		}
		switch s.Kind {
		case StepBreak:
			c.rest(n, i, v, s, load)
		case StepStop, StepEnd:
			sec, met := c.way(v, at, s.Location)
			c.expect(pending == sec, "route %d drives %d s to step %d, which takes %d", n, pending, i, sec)
			metres += met
			driven += sec
			pending = 0
			c.expect(s.Distance == metres, "route %d step %d gives %d m of %d", n, i, s.Distance, metres)
			if s.Kind == StepStop {
				c.stop(n, v, s, at, load)
				c.expect(r.Trip > 0 || stops >= len(v.First) || v.First[stops] == s.Stop, "route %d does not begin with its given steps", n)
				stops++
				task += s.Setup + s.Service
				_, repeated := c.served[s.Stop]
				c.expect(!repeated, "stop %v is done twice", s.Stop)
				c.served[s.Stop] = n
			}
			at = s.Location
		}
		c.expect(slices.Equal(s.Load, load), "route %d step %d gives a load of %v, and it is %v", n, i, s.Load, load)
		for d := range load {
			c.expect(load[d] <= v.Capacity[d] && load[d] >= 0, "route %d carries %d of %d", n, load[d], v.Capacity[d])
		}
	}
	c.expect(Works(v, steps[0].Arrival, steps[0].Arrival) && Works(v, steps[len(steps)-1].Ends(), steps[len(steps)-1].Ends()), "route %d starts or ends out of its vehicle's windows", n)
	c.expect(r.Trip > 0 || stops >= len(v.First), "vehicle %d does not do its given steps", r.Vehicle)
	c.expect(v.MaxTasks <= 0 || stops <= v.MaxTasks, "route %d has %d stops", n, stops)
	c.expect(v.MaxTravelTime == 0 || driven <= v.MaxTravelTime, "route %d drives %d s", n, driven)
	c.expect(v.MaxDistance == 0 || metres <= v.MaxDistance, "route %d drives %d m", n, metres)
	c.expect(driven == r.Travel && metres == r.Distance, "route %d gives %d s and %d m of %d and %d", n, r.Travel, r.Distance, driven, metres)
	c.expect(setup == r.Setup && service == r.Service && waiting == r.Waiting, "route %d gives %d s of setup, %d of service and %d of waiting, of %d, %d and %d", n, r.Setup, r.Service, r.Waiting, setup, service, waiting)
	c.expect(r.Cost == v.Fixed*CostUnit+(v.PerHour*driven+v.PerTaskHour*task)*(CostUnit/3600)+v.PerKilometre*metres*(CostUnit/1000), "route %d costs something else than %d", n, r.Cost)
	c.pairs(n, r, v)
}

// Works reports whether a vehicle may work from one time to another.
func Works(v *Vehicle, from, to int64) bool {
	return len(v.Windows) == 0 || slices.ContainsFunc(v.Windows, func(w Window) bool { return w.Start <= from && to <= w.End })
}

// initial returns the load at the start: what jobs have delivered, and what is on
// board.
func (c *verifier) initial(r *Route) []int32 {
	load := make([]int32, len(c.p.Vehicles[0].Capacity))
	for _, s := range r.Steps {
		if s.Kind == StepStop && s.Stop.Kind == AtJob {
			AddLoad(load, c.p.Jobs[s.Stop.Index].Delivery, 1)
		}
	}
	for _, s := range c.p.Vehicles[r.Vehicle].OnBoard {
		AddLoad(load, c.p.Shipments[s].Amount, 1)
	}
	return load
}

// AddLoad adds an amount to a load, sign times.
func AddLoad(load, amount []int32, sign int32) {
	for d, n := range amount {
		load[d] += sign * n
	}
}

// Within reports whether a time lies in one of some windows; none is any time.
func Within(ws []Window, t int64) bool {
	return len(ws) == 0 || slices.ContainsFunc(ws, func(w Window) bool { return w.Start <= t && t <= w.End })
}

func (c *verifier) rest(n, i int, v *Vehicle, s *Step, load []int32) {
	k := c.breaks[c.vehicle]
	c.breaks[c.vehicle]++
	if k >= len(v.Breaks) || s.Break != k {
		c.expect(false, "route %d step %d is not the break whose turn it is", n, i)
		return
	}
	b := &v.Breaks[k]
	c.expect(Within(b.Windows, s.Begins()) && Works(v, s.Begins(), s.Ends()) && s.Service == b.Service, "route %d has break %d at %d for %d s", n, k, s.Begins(), s.Service)
	for d, most := range b.MaxLoad {
		c.expect(load[d] <= most, "route %d has break %d with a load of %d", n, k, load[d])
	}
}

func (c *verifier) stop(n int, v *Vehicle, s *Step, from int, load []int32) {
	pl := c.p.PlaceOf(s.Stop)
	service, setup := pl.Times(v.Type)
	if from == pl.Location {
		setup = 0
	}
	c.expect(s.Location == pl.Location, "route %d does stop %v elsewhere", n, s.Stop)
	c.expect(s.Service == service && s.Setup == setup, "route %d does stop %v in %d and %d s", n, s.Stop, s.Setup, s.Service)
	c.expect(Works(v, s.Arrival, s.Arrival+s.Setup) && Works(v, s.Begins(), s.Ends()), "route %d does stop %v out of its vehicle's windows", n, s.Stop)
	c.expect(Within(pl.Windows, s.Begins()), "route %d serves stop %v at %d, out of its windows", n, s.Stop, s.Begins())
	c.expect(MayStop(v, pl), "route %d does stop %v out of its vehicle's territories", n, s.Stop)
	var skills []int32
	switch s.Stop.Kind {
	case AtJob:
		j := &c.p.Jobs[s.Stop.Index]
		skills = j.Skills
		AddLoad(load, j.Delivery, -1)
		AddLoad(load, j.Pickup, 1)
		c.route[Task{false, s.Stop.Index}] = n
	case AtPickup:
		skills = c.p.Shipments[s.Stop.Index].Skills
		AddLoad(load, c.p.Shipments[s.Stop.Index].Amount, 1)
		c.route[Task{true, s.Stop.Index}] = n
	case AtDelivery:
		AddLoad(load, c.p.Shipments[s.Stop.Index].Amount, -1)
		c.route[Task{true, s.Stop.Index}] = n
	}
	c.expect(v.MaxTasks != None || s.Stop.Kind == AtDelivery && slices.Contains(v.OnBoard, s.Stop.Index), "route %d does stop %v, and its vehicle takes nothing on", n, s.Stop)
	c.expect(!slices.ContainsFunc(skills, func(n int32) bool { return !c.skills[n] }), "route %d does stop %v without its skills", n, s.Stop)
}

// pairs checks deliveries against their pickups.
func (c *verifier) pairs(n int, r *Route, v *Vehicle) {
	left := map[int]int64{} // when its service ended, or -1 for a load on board from the start
	for _, s := range v.OnBoard {
		left[s] = -1
	}
	for _, s := range r.Steps {
		if s.Kind != StepStop {
			continue
		}
		switch s.Stop.Kind {
		case AtPickup:
			_, on := left[s.Stop.Index]
			c.expect(!on, "route %d picks up shipment %d, which is on board", n, s.Stop.Index)
			left[s.Stop.Index] = s.Ends()
		case AtDelivery:
			t, ok := left[s.Stop.Index]
			c.expect(ok, "route %d delivers shipment %d before its pickup", n, s.Stop.Index)
			most := c.p.Shipments[s.Stop.Index].MaxRide
			c.expect(most == 0 || t < 0 || s.Begins()-t <= most, "route %d has shipment %d on board for %d s", n, s.Stop.Index, s.Begins()-t)
			delete(left, s.Stop.Index)
		}
	}
	for _, s := range v.OnBoard {
		delete(left, s)
	}
	c.expect(len(left) == 0, "route %d picks up without a delivery", n)
}

// trips checks the trips of a vehicle against each other, and notes the last of each.
func (c *verifier) trips(plan *Plan) {
	c.lastTrip = make([]bool, len(plan.Routes))
	last := map[int]int{}
	for i := range plan.Routes {
		r := &plan.Routes[i]
		v := &c.p.Vehicles[r.Vehicle]
		most := 1
		if v.Reloads != nil {
			most = v.Reloads.MaxTrips
		}
		c.lastTrip[i] = true
		c.expect(r.Trip < most, "vehicle %d has trip %d", r.Vehicle, r.Trip)
		b, again := last[r.Vehicle]
		last[r.Vehicle] = i
		if !again {
			c.expect(r.Trip == 0, "vehicle %d begins with trip %d", r.Vehicle, r.Trip)
			continue
		}
		before := &plan.Routes[b]
		c.lastTrip[b] = false
		c.expect(r.Trip == before.Trip+1, "vehicle %d has trip %d after trip %d", r.Vehicle, r.Trip, before.Trip)
		if v.Reloads != nil && len(r.Steps) > 0 && len(before.Steps) > 0 {
			from, to := before.Steps[len(before.Steps)-1].Ends(), r.Steps[0].Arrival
			c.expect(to-from >= v.Reloads.Seconds && Works(v, to-v.Reloads.Seconds, to), "vehicle %d has from %d to %d for its reload", r.Vehicle, from, to)
		}
	}
	for i := range c.p.Vehicles {
		_, drives := last[i]
		c.expect(len(c.p.Vehicles[i].First) == 0 || drives, "vehicle %d does not do its given steps", i)
	}
}

// rests checks the breaks of vehicles that drive.
func (c *verifier) rests(plan *Plan) {
	for i := range plan.Routes {
		v := plan.Routes[i].Vehicle
		c.expect(c.breaks[v] == len(c.p.Vehicles[v].Breaks), "vehicle %d has %d breaks of %d", v, c.breaks[v], len(c.p.Vehicles[v].Breaks))
	}
}

// tasks checks what was served against what was left out, and groups.
func (c *verifier) tasks(plan *Plan) {
	not := map[Task]bool{}
	for _, t := range plan.Unassigned {
		not[t] = true
	}
	priority := 0
	task := func(t Task, p int) {
		_, served := c.route[t]
		c.expect(served != not[t], "task %v is served and unassigned, or neither", t)
		if served {
			priority += p
		}
	}
	for i := range c.p.Jobs {
		task(Task{false, i}, c.p.Jobs[i].Priority)
	}
	for i := range c.p.Shipments {
		task(Task{true, i}, c.p.Shipments[i].Priority)
	}
	c.expect(len(not) == len(plan.Unassigned), "the plan names %d unassigned tasks, which are %d", len(plan.Unassigned), len(not))
	c.expect(priority == plan.Priority, "the plan gives a priority of %d, which is %d", plan.Priority, priority)
	vehicle := func(t Task) int {
		if r, ok := c.route[t]; ok {
			return plan.Routes[r].Vehicle
		}
		return -1
	}
	for i, g := range c.p.SameVehicle {
		for _, t := range g[min(1, len(g)):] {
			c.expect(vehicle(t) == vehicle(g[0]), "group %d is not together", i)
		}
	}
	has := make([]int, len(c.p.Vehicles)) // the last list of which a vehicle serves something, from 1
	for i, g := range c.p.Incompatible {
		for _, t := range g {
			if v := vehicle(t); v >= 0 {
				c.expect(has[v] != i+1, "group %d is not apart", i)
				has[v] = i + 1
			}
		}
	}
}
