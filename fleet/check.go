package fleet

import (
	"fmt"
	"slices"
)

// InputError says what is wrong with a problem.
type InputError struct {
	Field   string // as vehicles[2].capacity
	Message string
}

func (e *InputError) Error() string { return e.Field + ": " + e.Message }

// most bounds times, distances and amounts, so that no sum overflows.
const most = 1 << 40

// Check looks for what no plan can be made of. It gives the first fault that it
// finds, as an *InputError.
func (p *Problem) Check() error {
	c := &check{p: p}
	c.all()
	if c.err != nil {
		return c.err
	}
	return nil
}

type check struct {
	p    *Problem
	dims int
	err  *InputError
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
		for k, s := range m.Seconds {
			if s < Unreachable || s > 1<<29 || m.Metres[k] < 0 && s != Unreachable || m.Metres[k] > 1<<30 {
				c.fail(fmt.Sprintf("matrices[%d]", i), "holds %d s and %d m, which is out of range", s, m.Metres[k])
				return
			}
		}
	}
	c.dims = len(p.Vehicles[0].Capacity)
	for i := range p.Vehicles {
		c.vehicle(fmt.Sprintf("vehicles[%d]", i), &p.Vehicles[i])
	}
	for i := range p.Jobs {
		j, at := &p.Jobs[i], fmt.Sprintf("jobs[%d]", i)
		c.place(at, &j.Place)
		c.amount(at+".delivery", j.Delivery, true)
		c.amount(at+".pickup", j.Pickup, true)
		c.priority(at, j.Priority)
	}
	for i := range p.Shipments {
		s, at := &p.Shipments[i], fmt.Sprintf("shipments[%d]", i)
		c.place(at+".pickup", &s.Pickup)
		c.place(at+".delivery", &s.Delivery)
		c.amount(at+".amount", s.Amount, true)
		c.priority(at, s.Priority)
		c.span(at+".max_ride", s.MaxRide)
	}
	c.groups("together", p.Together)
	c.groups("apart", p.Apart)
	c.stops()
}

func (c *check) priority(at string, n int) {
	if n < 0 || n > 100 {
		c.fail(at+".priority", "is %d: must be 0 to 100", n)
	}
}

func (c *check) span(at string, n int64) {
	if n < 0 || n > most {
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
		if n < 0 || n > 1<<30 {
			c.fail(at, "holds %d: must be 0 to %d", n, 1<<30)
		}
	}
}

func (c *check) windows(at string, ws []Window) {
	for i, w := range ws {
		if w.Start > w.End {
			c.fail(fmt.Sprintf("%s[%d]", at, i), "ends at %d, before its start at %d", w.End, w.Start)
		}
		if w.Start < 0 || w.End > most {
			c.fail(fmt.Sprintf("%s[%d]", at, i), "must lie between 0 and %d", int64(most))
		}
		if i > 0 && w.Start <= ws[i-1].End {
			c.fail(fmt.Sprintf("%s[%d]", at, i), "starts at %d, before the end of the one before it: windows are sorted and apart", w.Start)
		}
	}
}

func (c *check) place(at string, p *Place) {
	c.location(at+".location", p.Location, false)
	c.span(at+".service", p.Service)
	c.span(at+".setup", p.Setup)
	for name, n := range p.ServiceByType {
		c.span(at+".service_per_type."+name, n)
	}
	for name, n := range p.SetupByType {
		c.span(at+".setup_per_type."+name, n)
	}
	c.windows(at+".time_windows", p.Windows)
}

func (c *check) vehicle(at string, v *Vehicle) {
	if v.Profile < 0 || v.Profile >= len(c.p.Matrices) {
		c.fail(at+".profile", "is %d: there are %d matrices", v.Profile, len(c.p.Matrices))
		return
	}
	c.location(at+".start", v.Start, true)
	c.location(at+".end", v.End, true)
	if v.Window.End != 0 {
		c.windows(at+".time_window", []Window{v.Window})
	}
	c.amount(at+".capacity", v.Capacity, false)
	if !(v.SpeedFactor >= 0 && v.SpeedFactor <= 5) {
		c.fail(at+".speed_factor", "is %g: must be above 0 and at most 5", v.SpeedFactor)
	}
	for name, n := range map[string]int64{"costs.fixed": v.Fixed, "costs.per_hour": v.PerHour, "costs.per_km": v.PerKilometre} {
		if n < 0 || n > 1<<24 {
			c.fail(at+"."+name, "is %d: must be 0 to %d", n, 1<<24)
		}
	}
	c.span(at+".max_tasks", int64(v.MaxTasks))
	c.span(at+".max_travel_time", v.MaxTravelTime)
	c.span(at+".max_distance", v.MaxDistance)
	c.span(at+".reloads.reload_time_s", v.Reload)
	for i, b := range v.Breaks {
		name := fmt.Sprintf("%s.breaks[%d]", at, i)
		c.windows(name+".time_windows", b.Windows)
		c.span(name+".service", b.Service)
		c.amount(name+".max_load", b.MaxLoad, true)
	}
	if v.Trips < 0 || v.Trips > 5 {
		c.fail(at+".reloads.max_trips", "is %d: must be 2 to 5", v.Trips)
	}
	if v.Trips > 1 {
		switch {
		case v.Window.End == 0:
			c.fail(at+".reloads", "needs a time_window")
		case len(v.Breaks) > 0:
			c.fail(at+".breaks", "cannot be planned for a vehicle with reloads")
		case v.Start == None || v.Start != v.End:
			c.fail(at+".reloads.depot", "must be where the vehicle starts and ends")
		case len(v.First)+len(v.Initial) > 0:
			c.fail(at+".steps", "cannot be given for a vehicle with reloads")
		}
	}
}

func (c *check) groups(at string, groups [][]Task) {
	for i, g := range groups {
		for k, t := range g {
			n := len(c.p.Jobs)
			if t.Shipment {
				n = len(c.p.Shipments)
			}
			if t.Index < 0 || t.Index >= n {
				c.fail(fmt.Sprintf("%s[%d][%d]", at, i, k), "names a task that is not there")
			}
			if slices.Contains(g[:k], t) {
				c.fail(fmt.Sprintf("%s[%d][%d]", at, i, k), "names a task twice")
			}
		}
	}
}

// stops looks at the given steps: each stop once, deliveries after their pickup.
func (c *check) stops() {
	seen := map[Stop]bool{}
	for i := range c.p.Vehicles {
		v := &c.p.Vehicles[i]
		for k, s := range slices.Concat(v.First, v.Initial) {
			at := fmt.Sprintf("vehicles[%d].steps[%d]", i, k)
			n := len(c.p.Jobs)
			if s.Kind != AtJob {
				n = len(c.p.Shipments)
			}
			switch {
			case s.Index < 0 || s.Index >= n || s.Kind > AtDelivery:
				c.fail(at, "names a task that is not there")
			case seen[s]:
				c.fail(at, "names a stop that is given already")
			case s.Kind == AtDelivery && k < len(v.First) && !slices.Contains(v.First[:k], Stop{AtPickup, s.Index}):
				c.fail(at, "delivers before its pickup")
			}
			seen[s] = true
		}
	}
}
