package fleet

import (
	"fmt"
	"math"
	"slices"
)

// Verify looks for constraints that a plan breaks, by the problem alone. It
// gives one sentence for each.
func Verify(p *Problem, plan *Plan) []string {
	c := &verifier{p: p, served: map[Stop]int{}, route: map[Task]int{}}
	for i := range plan.Routes {
		c.verify(i, &plan.Routes[i])
	}
	c.trips(plan)
	c.tasks(plan)
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
}

func (c *verifier) expect(ok bool, format string, args ...any) {
	if !ok {
		c.bad = append(c.bad, fmt.Sprintf(format, args...))
	}
}

// way is the time and distance of a vehicle from one location to another.
func (c *verifier) way(v *Vehicle, a, b int) (seconds, metres int64) {
	if a == None || b == None {
		return 0, 0
	}
	m := &c.p.Matrices[v.Profile]
	s := m.Seconds[a*m.N+b]
	c.expect(s != Unreachable, "there is no way from %d to %d", a, b)
	if v.SpeedFactor != 0 {
		return int64(math.Round(float64(s) / v.SpeedFactor)), int64(m.Metres[a*m.N+b])
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
	c.expect(steps[0].Location == v.Start && steps[len(steps)-1].Location == v.End, "route %d starts or ends elsewhere than its vehicle", n)
	c.expect(steps[0].Arrival >= v.Window.Start, "route %d starts at %d, before its vehicle", n, steps[0].Arrival)
	c.expect(v.Window.End == 0 || steps[len(steps)-1].Ends() <= v.Window.End, "route %d ends at %d, after its vehicle", n, steps[len(steps)-1].Ends())
	load := c.initial(r)
	at, breaks, stops := v.Start, 0, 0
	var driven, metres, pending int64 // pending: driven since the last location
	for i := range steps {
		s := &steps[i]
		c.expect(s.Waiting >= 0 && s.Setup >= 0 && s.Service >= 0, "route %d step %d lasts less than nothing", n, i)
		if i > 0 {
			drive := s.Travel - steps[i-1].Travel
			c.expect(drive >= 0 && s.Arrival == steps[i-1].Ends()+drive, "route %d step %d does not follow the one before", n, i)
			pending += drive
		}
		switch s.Kind {
		case StepBreak:
			c.rest(n, i, v, breaks, s, load)
			breaks++
		case StepStop, StepEnd:
			sec, met := c.way(v, at, s.Location)
			c.expect(pending == sec, "route %d drives %d s to step %d, which takes %d", n, pending, i, sec)
			metres += met
			driven += sec
			pending = 0
			c.expect(s.Distance == metres, "route %d step %d tells %d m of %d", n, i, s.Distance, metres)
			if s.Kind == StepStop {
				c.stop(n, v, s, at, load)
				c.expect(stops >= len(v.First) || v.First[stops] == s.Stop, "route %d does not begin with its given steps", n)
				stops++
				if _, twice := c.served[s.Stop]; twice {
					c.expect(false, "a stop is done twice")
				}
				c.served[s.Stop] = n
			}
			at = s.Location
		}
		c.expect(slices.Equal(s.Load, load), "route %d step %d tells a load of %v, and it is %v", n, i, s.Load, load)
		for d := range load {
			c.expect(load[d] <= v.Capacity[d] && load[d] >= 0, "route %d carries %d of %d", n, load[d], v.Capacity[d])
		}
	}
	c.expect(breaks == len(v.Breaks), "route %d has %d breaks of %d", n, breaks, len(v.Breaks))
	c.expect(v.MaxTasks == 0 || stops <= v.MaxTasks, "route %d has %d stops", n, stops)
	c.expect(v.MaxTravelTime == 0 || driven <= v.MaxTravelTime, "route %d drives %d s", n, driven)
	c.expect(v.MaxDistance == 0 || metres <= v.MaxDistance, "route %d drives %d m", n, metres)
	c.expect(driven == r.Travel && metres == r.Distance, "route %d tells %d s and %d m of %d and %d", n, r.Travel, r.Distance, driven, metres)
	c.expect(r.Cost == v.Fixed*CostUnit+v.PerHour*driven*(CostUnit/3600)+v.PerKilometre*metres*(CostUnit/1000), "route %d costs something else than %d", n, r.Cost)
	c.pairs(n, r)
}

// initial is the load at the start: what jobs have delivered.
func (c *verifier) initial(r *Route) []int32 {
	load := make([]int32, len(c.p.Vehicles[0].Capacity))
	for _, s := range r.Steps {
		if s.Kind == StepStop && s.Stop.Kind == AtJob {
			add(load, c.p.Jobs[s.Stop.Index].Delivery, 1)
		}
	}
	return load
}

func add(load, amount []int32, sign int32) {
	for d, n := range amount {
		load[d] += sign * n
	}
}

func within(ws []Window, t int64) bool {
	return len(ws) == 0 || slices.ContainsFunc(ws, func(w Window) bool { return w.Start <= t && t <= w.End })
}

func (c *verifier) rest(n, i int, v *Vehicle, k int, s *Step, load []int32) {
	if k >= len(v.Breaks) || s.Break != k {
		c.expect(false, "route %d step %d is not the break whose turn it is", n, i)
		return
	}
	b := &v.Breaks[k]
	c.expect(within(b.Windows, s.Begins()) && s.Service == b.Service, "route %d has break %d at %d for %d s", n, k, s.Begins(), s.Service)
	for d, most := range b.MaxLoad {
		c.expect(load[d] <= most, "route %d has break %d with a load of %d", n, k, load[d])
	}
}

func (c *verifier) stop(n int, v *Vehicle, s *Step, from int, load []int32) {
	pl := c.p.place(s.Stop)
	service, setup := pl.Service, pl.Setup
	if x, ok := pl.ServiceByType[v.Type]; ok && v.Type != "" {
		service = x
	}
	if x, ok := pl.SetupByType[v.Type]; ok && v.Type != "" {
		setup = x
	}
	if from == pl.Location {
		setup = 0
	}
	c.expect(s.Location == pl.Location, "route %d does stop %v elsewhere", n, s.Stop)
	c.expect(s.Service == service && s.Setup == setup, "route %d does stop %v in %d and %d s", n, s.Stop, s.Setup, s.Service)
	c.expect(within(pl.Windows, s.Begins()), "route %d serves stop %v at %d, out of its windows", n, s.Stop, s.Begins())
	c.expect(inside(v, pl), "route %d does stop %v out of its vehicle's territories", n, s.Stop)
	var skills []int32
	switch s.Stop.Kind {
	case AtJob:
		j := &c.p.Jobs[s.Stop.Index]
		skills = j.Skills
		add(load, j.Delivery, -1)
		add(load, j.Pickup, 1)
		c.route[Task{false, s.Stop.Index}] = n
	case AtPickup:
		skills = c.p.Shipments[s.Stop.Index].Skills
		add(load, c.p.Shipments[s.Stop.Index].Amount, 1)
		c.route[Task{true, s.Stop.Index}] = n
	case AtDelivery:
		add(load, c.p.Shipments[s.Stop.Index].Amount, -1)
	}
	c.expect(skilled(v, skills), "route %d does stop %v without its skills", n, s.Stop)
}

// pairs holds deliveries against their pickups.
func (c *verifier) pairs(n int, r *Route) {
	left := map[int]int64{}
	for _, s := range r.Steps {
		if s.Kind != StepStop {
			continue
		}
		switch s.Stop.Kind {
		case AtPickup:
			left[s.Stop.Index] = s.Ends()
		case AtDelivery:
			t, ok := left[s.Stop.Index]
			c.expect(ok, "route %d delivers shipment %d before its pickup", n, s.Stop.Index)
			most := c.p.Shipments[s.Stop.Index].MaxRide
			c.expect(most == 0 || s.Begins()-t <= most, "route %d has shipment %d on board for %d s", n, s.Stop.Index, s.Begins()-t)
			delete(left, s.Stop.Index)
		}
	}
	c.expect(len(left) == 0, "route %d picks up without a delivery", n)
}

// trips holds the trips of a vehicle against each other.
func (c *verifier) trips(plan *Plan) {
	last := map[int]*Route{}
	for i := range plan.Routes {
		r := &plan.Routes[i]
		v := &c.p.Vehicles[r.Vehicle]
		if before := last[r.Vehicle]; before != nil {
			gap := r.Steps[0].Arrival - before.Steps[len(before.Steps)-1].Ends()
			c.expect(r.Trip == before.Trip+1 && gap >= v.Reload, "vehicle %d has %d s for its reload", r.Vehicle, gap)
		} else {
			c.expect(r.Trip == 0, "vehicle %d begins with trip %d", r.Vehicle, r.Trip)
		}
		c.expect(r.Trip < max(1, v.Trips), "vehicle %d has trip %d", r.Vehicle, r.Trip)
		last[r.Vehicle] = r
	}
	for i := range c.p.Vehicles {
		c.expect(len(c.p.Vehicles[i].First) == 0 || last[i] != nil, "vehicle %d does not do its given steps", i)
	}
}

// tasks holds what was served against what was not, and groups.
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
	c.expect(priority == plan.Priority && len(not) == len(plan.Unassigned), "the plan tells a priority of %d, which is %d", plan.Priority, priority)
	vehicle := func(t Task) int {
		if r, ok := c.route[t]; ok {
			return plan.Routes[r].Vehicle
		}
		return -1
	}
	for i, g := range c.p.Together {
		for _, t := range g[min(1, len(g)):] {
			c.expect(vehicle(t) == vehicle(g[0]), "group %d is not together", i)
		}
	}
	for i, g := range c.p.Apart {
		for a := range g {
			for _, b := range g[:a] {
				x, ok := c.route[g[a]]
				y, and := c.route[b]
				c.expect(!ok || !and || x != y, "group %d is not apart", i)
			}
		}
	}
}
