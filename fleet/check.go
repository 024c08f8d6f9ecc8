package fleet

import (
	"fmt"
	"slices"
)

// InputError describes an error in a problem: the field and the message.
type InputError struct {
	Field   string // as vehicles[2].capacity
	Message string
}

func (e *InputError) Error() string { return e.Field + ": " + e.Message }

// Bounds of times, distances, costs and amounts, so that no sum overflows.
const (
	Most       = 1 << 40 // seconds or metres of one member
	MostCost   = 1 << 20
	MostWay    = 1 << 26 // seconds or metres of a way
	MostAmount = 1 << 30 // of all tasks together, too
)

// Check returns the first error that makes a problem impossible to plan, as an
// *InputError.
func (p *Problem) Check() error { return p.CheckWithin(endless{}) }

// Work counts pieces of work, so that long loops can stop early.
type Work interface {
	// Spend counts n pieces, and reports whether the work is to end.
	Spend(n int) bool
}

// endless is a Work that never ends.
type endless struct{}

func (endless) Spend(int) bool { return false }

// CheckWithin does the same as Check, but returns early once the work is to end; nil
// then does not mean that the problem is valid.
func (p *Problem) CheckWithin(w Work) error {
	c := &check{p: p, work: w}
	c.all()
	if c.err != nil {
		return c.err
	}
	return nil
}

type check struct {
	p      *Problem
	work   Work
	dims   int
	aboard map[int]bool // shipments
	// By matrix: the longest way, in seconds and in metres.
	longest, widest []float64
	busy            float64 // seconds of setup and service of all stops, at most
	amounts         []int64 // of all tasks, by dimension
	err             *InputError
}

func (c *check) fail(field, format string, args ...any) {
	if c.err == nil {
		c.err = &InputError{field, fmt.Sprintf(format, args...)}
	}
}

func (c *check) all() {
	p := c.p
	if len(p.Vehicles) == 0 {
		c.fail("vehicles", "is empty: a plan needs one or more")
		return
	}
	if len(p.Jobs)+len(p.Shipments) == 0 {
		c.fail("jobs", "is empty, and so is shipments: there is nothing to plan")
		return
	}
	for i, m := range p.Matrices {
		if m.N <= 0 || len(m.Seconds) != m.N*m.N || len(m.Metres) != m.N*m.N {
			c.fail(fmt.Sprintf("matrices[%d]", i), "must be square")
			return
		}
		c.longest, c.widest = append(c.longest, float64(slices.Max(m.Seconds))), append(c.widest, float64(slices.Max(m.Metres)))
		for k, s := range m.Seconds {
			if k%m.N == 0 && c.work.Spend(2*m.N) {
				return
			}
			if s < Unreachable || s > MostWay || m.Metres[k] < 0 && s != Unreachable || m.Metres[k] > MostWay {
				c.fail(fmt.Sprintf("matrices[%d]", i), "holds %d s and %d m, which is out of range", s, m.Metres[k])
				return
			}
		}
	}
	c.dims, c.aboard = len(p.Vehicles[0].Capacity), map[int]bool{}
	c.amounts = make([]int64, c.dims)
	for i := range p.Vehicles {
		c.vehicle(fmt.Sprintf("vehicles[%d]", i), &p.Vehicles[i])
	}
	for i := range p.Jobs {
		j, at := &p.Jobs[i], fmt.Sprintf("jobs[%d]", i)
		c.checkPlace(at, &j.Place)
		c.load(at+".delivery", j.Delivery)
		c.load(at+".pickup", j.Pickup)
		c.priority(at, j.Priority)
	}
	for i := range p.Shipments {
		s, at := &p.Shipments[i], fmt.Sprintf("shipments[%d]", i)
		c.checkPlace(at+".pickup", &s.Pickup)
		c.checkPlace(at+".delivery", &s.Delivery)
		c.load(at+".amount", s.Amount)
		c.priority(at, s.Priority)
		c.span(at+".max_ride", s.MaxRide)
	}
	for name, n := range map[string]int64{"stability.vehicle": p.Stability.Vehicle, "stability.position": p.Stability.Position} {
		if n < 0 || n > MostCost {
			c.fail(name, "is %d: must be 0 to %d", n, MostCost)
		}
	}
	c.costs()
	c.groups("together", p.SameVehicle)
	c.groups("apart", p.Incompatible)
	c.stops()
}

func (c *check) priority(at string, n int) {
	if n < 0 || n > 100 {
		c.fail(at+".priority", "is %d: must be 0 to 100", n)
	}
}

func (c *check) span(at string, n int64) {
	if n < 0 || n > Most {
		c.fail(at, "is %d: must be 0 or more", n)
	}
}

func (c *check) location(at string, l int, none bool) {
	if none && l == None {
		return
	}
	for _, m := range c.p.Matrices {
		if l < 0 || l >= m.N {
			c.fail(at, "is %d: must be below the %d locations of the matrix", l, m.N)
		}
	}
}

func (c *check) amount(at string, a []int32, optional bool) {
	if len(a) != c.dims && (!optional || len(a) > 0) {
		c.fail(at, "has %d numbers, and vehicles[0].capacity has %d: all amounts need the same", len(a), c.dims)
	}
	for _, n := range a {
		if n < 0 || n > MostAmount {
			c.fail(at, "holds %d: must be 0 to %d", n, MostAmount)
		}
	}
}

// load adds a task's amount to the totals.
func (c *check) load(at string, a []int32) {
	c.amount(at, a, true)
	for d, n := range a[:min(len(a), c.dims)] {
		if c.amounts[d] += int64(n); c.amounts[d] > MostAmount {
			c.fail(at, "and the amounts of the tasks before come to more than %d", MostAmount)
		}
	}
}

func (c *check) windows(at string, ws []Window) {
	for i, w := range ws {
		if w.Start > w.End {
			c.fail(fmt.Sprintf("%s[%d]", at, i), "ends at %d, before its start at %d", w.End, w.Start)
		}
		if w.Start < 0 || w.End > Most {
			c.fail(fmt.Sprintf("%s[%d]", at, i), "must lie between 0 and %d", int64(Most))
		}
		if i > 0 && w.Start <= ws[i-1].End {
			c.fail(fmt.Sprintf("%s[%d]", at, i), "starts at %d, before the end of the one before it: windows are sorted and apart", w.Start)
		}
	}
}

func (c *check) checkPlace(at string, p *Place) {
	c.location(at+".location", p.Location, false)
	c.span(at+".service", p.Service)
	c.span(at+".setup", p.Setup)
	service, setup := p.Service, p.Setup
	for name, n := range p.ServiceByType {
		c.span(at+".service_per_type."+name, n)
		service = max(service, n)
	}
	for name, n := range p.SetupByType {
		c.span(at+".setup_per_type."+name, n)
		setup = max(setup, n)
	}
	c.busy += float64(service) + float64(setup)
	c.work.Spend(100 + 4*len(p.Windows) + 20*len(p.ServiceByType) + 20*len(p.SetupByType))
	c.windows(at+".time_windows", p.Windows)
}

func (c *check) vehicle(at string, v *Vehicle) {
	if v.Profile < 0 || v.Profile >= len(c.p.Matrices) {
		c.fail(at+".profile", "is %d: there are %d matrices", v.Profile, len(c.p.Matrices))
		return
	}
	c.location(at+".start", v.Start, true)
	c.location(at+".end", v.End, true)
	c.windows(at+".time_windows", v.Windows)
	c.amount(at+".capacity", v.Capacity, false)
	if !(v.SpeedFactor >= 0 && v.SpeedFactor <= 5) {
		c.fail(at+".speed_factor", "is %g: must be above 0 and at most 5", v.SpeedFactor)
	}
	for name, n := range map[string]int64{"costs.fixed": v.Fixed, "costs.per_hour": v.PerHour, "costs.per_task_hour": v.PerTaskHour, "costs.per_km": v.PerKilometre} {
		if n < 0 || n > MostCost {
			c.fail(at+"."+name, "is %d: must be 0 to %d", n, MostCost)
		}
	}
	if v.MaxTasks != None {
		c.span(at+".max_tasks", int64(v.MaxTasks))
	}
	c.span(at+".max_travel_time", v.MaxTravelTime)
	c.span(at+".max_distance", v.MaxDistance)
	for i, b := range v.Breaks {
		name := fmt.Sprintf("%s.breaks[%d]", at, i)
		c.windows(name+".time_windows", b.Windows)
		c.span(name+".service", b.Service)
		c.amount(name+".max_load", b.MaxLoad, true)
	}
	if v.Reloads != nil {
		c.reloads(at+".reloads", v)
	}
	if c.err != nil {
		return
	}
	load := make([]int64, c.dims)
	for k, n := range v.OnBoard {
		name := fmt.Sprintf("%s.on_board[%d]", at, k)
		if n < 0 || n >= len(c.p.Shipments) {
			c.fail(name, "names a shipment that is not there")
			return
		}
		if c.aboard[n] {
			c.fail(name, "names a shipment that is on board already")
		}
		c.aboard[n] = true
		for d, a := range c.p.Shipments[n].Amount {
			if d < c.dims {
				load[d] += int64(a)
			}
		}
	}
	for d, n := range load {
		if n > int64(v.Capacity[d]) {
			c.fail(at+".on_board", "is a load of %d, above the capacity of %d", n, v.Capacity[d])
		}
	}
}

func (c *check) reloads(at string, v *Vehicle) {
	if v.Reloads.MaxTrips < 2 || v.Reloads.MaxTrips > 5 {
		c.fail(at+".max_trips", "is %d: must be 2 to 5", v.Reloads.MaxTrips)
	}
	c.span(at+".reload_time_s", v.Reloads.Seconds)
	c.location(at+".depot", v.Reloads.Depot, false)
	if len(v.Windows) == 0 {
		c.fail(at, "needs a time_window")
	}
	if len(v.OnBoard) > 0 {
		c.fail(at, "cannot be planned for a vehicle with a load on board")
	}
}

// costs checks that the cost of the most expensive plan fits into a number.
func (c *check) costs() {
	for i := range c.p.Vehicles {
		v := &c.p.Vehicles[i]
		if v.Profile < 0 || v.Profile >= len(c.p.Matrices) {
			return
		}
		factor := v.SpeedFactor
		if factor == 0 {
			factor = 1
		}
		if c.longest[v.Profile]/factor > MostWay {
			c.fail(fmt.Sprintf("vehicles[%d].speed_factor", i), "is %g: a way of the matrix takes longer than %d s then", v.SpeedFactor, MostWay)
			return
		}
		dear := float64(v.PerHour)*c.longest[v.Profile]/factor*(CostUnit/3600) + float64(v.PerKilometre)*c.widest[v.Profile]*(CostUnit/1000)
		ways := float64(len(c.p.Jobs) + 2*len(c.p.Shipments) + 6*len(c.p.Vehicles))
		if dear*ways+float64(v.PerTaskHour)*c.busy*(CostUnit/3600) > 1<<61 {
			c.fail(fmt.Sprintf("vehicles[%d].costs", i), "are too dear for ways as long as those of the matrix, and for as much service")
			return
		}
	}
}

func (c *check) groups(at string, groups [][]Task) {
	last := map[Task]int{} // the last list that a task is in, from 1
	for i, g := range groups {
		for k, t := range g {
			c.work.Spend(20)
			n := len(c.p.Jobs)
			if t.Shipment {
				n = len(c.p.Shipments)
			}
			if t.Index < 0 || t.Index >= n {
				c.fail(fmt.Sprintf("%s[%d][%d]", at, i, k), "names a task that is not there")
			}
			if last[t] == i+1 {
				c.fail(fmt.Sprintf("%s[%d][%d]", at, i, k), "names a task twice")
			}
			last[t] = i + 1
		}
	}
}

// stops checks the given steps: each stop occurs once, and deliveries come after their
// pickup.
func (c *check) stops() {
	c.each(func(v *Vehicle) []Stop { return v.Initial })
	c.each(func(v *Vehicle) []Stop { return v.Begin })
}

// each calls rest for the given stops of every vehicle.
func (c *check) each(rest func(*Vehicle) []Stop) {
	seen := map[Stop]bool{}
	for i := range c.p.Vehicles {
		v := &c.p.Vehicles[i]
		for k, s := range slices.Concat(v.First, rest(v)) {
			at := fmt.Sprintf("vehicles[%d].steps[%d]", i, k)
			n := len(c.p.Jobs)
			if s.Kind != AtJob {
				n = len(c.p.Shipments)
			}
			switch {
			case s.Index < 0 || s.Index >= n || s.Kind > AtDelivery:
				c.fail(at, "names a task that is not there")
			case s.Kind == AtPickup && c.aboard[s.Index]:
				c.fail(at, "picks up what is on board already")
			case s.Kind == AtDelivery && k < len(v.First) && c.aboard[s.Index] && !slices.Contains(v.OnBoard, s.Index):
				c.fail(at, "delivers what another vehicle has on board")
			case seen[s]:
				c.fail(at, "names a stop that is given already")
			case s.Kind == AtDelivery && k < len(v.First) && !c.aboard[s.Index] && !slices.Contains(v.First[:k], Stop{AtPickup, s.Index}):
				c.fail(at, "delivers before its pickup")
			}
			seen[s] = true
		}
	}
}
