package optimise

import (
	"fmt"
	"slices"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/fleet"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/wire/native/plan"
)

// mostAmount bounds what all amounts of a dimension come to, so that no load
// overflows; a vehicle without a capacity carries so much.
const mostAmount = 1 << 30

// builder puts a request into numbers, and names in an answer what they stand for.
type builder struct {
	request *plan.OptimiseRequest
	problem fleet.Problem
	points  []geo.Point
	anchors map[int]string // points that have to be on the road, by the member that says so
	stops   map[plan.FleetID]fleet.Stop
	tasks   map[plan.FleetID]fleet.Task
	aboard  map[plan.FleetID]plan.FleetID // the vehicle that has a shipment on board
	within  map[int][]int32               // the territories of points
	bad     []fault.Violation
}

func (b *builder) refuse(at string, value any, format string, args ...any) {
	b.bad = append(b.bad, fault.Violation{Location: at, Value: value, Message: fmt.Sprintf(format, args...)})
}

// newBuilder puts a request into numbers of which some shipments are on board of vehicles, by
// their ids; nil is none. The error is a bad-request.
func newBuilder(r *plan.OptimiseRequest, aboard map[plan.FleetID]plan.FleetID) (*builder, error) {
	b := &builder{request: r, aboard: aboard, anchors: map[int]string{}, within: map[int][]int32{}, stops: map[plan.FleetID]fleet.Stop{}, tasks: map[plan.FleetID]fleet.Task{}}
	all := r.Points()
	unique, number := plan.UniquePlaces(all)
	b.points = unique
	next := 0
	place := func(p *plan.FleetPlace, anchor string) int {
		if p == nil {
			return fleet.None
		}
		n := number[next]
		next++
		if anchor != "" {
			b.anchors[n] = anchor
		}
		return n
	}
	profiles := r.Profiles()
	dims := r.Dimensions()
	for i := range r.Vehicles {
		v, at := &r.Vehicles[i], fmt.Sprintf("vehicles[%d]", i)
		f := fleet.Vehicle{
			Profile: slices.Index(profiles, r.ProfileOf(v)), SpeedFactor: v.SpeedFactor, Type: v.Type, Capacity: filled(v.Capacity, dims, mostAmount), Skills: v.Skills,
			Fixed: v.Costs.Fixed, PerHour: v.Costs.PerHour, PerTaskHour: v.Costs.PerTaskHour, PerKilometre: v.Costs.PerKM,
			MaxTasks: v.MaxTasks, MaxTravelTime: v.MaxTravel, MaxDistance: v.MaxDistance, Windows: windows(v.Shifts()),
		}
		f.Start, f.End = place(v.Start, at+".start"), place(v.End, at+".end")
		own := map[string]bool{}
		for _, id := range v.Territories {
			own[id] = true
		}
		for k := range r.Territories {
			if own[r.Territories[k].ID] {
				f.Territories = append(f.Territories, int32(k)) //nolint:gosec // at most 64
			}
		}
		for k := range v.Breaks {
			f.Breaks = append(f.Breaks, breakOf(&v.Breaks[k]))
		}
		if v.Reloads != nil {
			f.Reloads = &fleet.Reloads{MaxTrips: v.Reloads.MaxTrips, Seconds: v.Reloads.Seconds, Depot: f.Start}
			if v.Reloads.Depot != nil {
				f.Reloads.Depot = place(v.Reloads.Depot, at+".reloads.depot")
			}
		}
		b.breaks(i, &f)
		b.problem.Vehicles = append(b.problem.Vehicles, f)
	}
	total := make([]int64, dims)
	for i := range r.Jobs {
		j := &r.Jobs[i]
		b.stops[j.ID], b.tasks[j.ID] = fleet.Stop{Kind: fleet.AtJob, Index: i}, fleet.Task{Index: i}
		sum(total, j.Delivery)
		sum(total, j.Pickup)
		b.problem.Jobs = append(b.problem.Jobs, fleet.Job{
			Place: b.addPlace(&j.FleetStop, place(&j.Location, "")), Delivery: filled(j.Delivery, dims, 0), Pickup: filled(j.Pickup, dims, 0), Skills: j.Skills, Priority: j.Priority,
		})
	}
	for i := range r.Shipments {
		s := &r.Shipments[i]
		t := fleet.Task{Shipment: true, Index: i}
		b.stops[s.Pickup.ID], b.stops[s.Delivery.ID] = fleet.Stop{Kind: fleet.AtPickup, Index: i}, fleet.Stop{Kind: fleet.AtDelivery, Index: i}
		b.tasks[s.ID], b.tasks[s.Pickup.ID], b.tasks[s.Delivery.ID] = t, t, t
		sum(total, s.Amount)
		b.problem.Shipments = append(b.problem.Shipments, fleet.Shipment{
			Pickup: b.addPlace(&s.Pickup.FleetStop, place(&s.Pickup.Location, "")), Delivery: b.addPlace(&s.Delivery.FleetStop, place(&s.Delivery.Location, "")),
			Amount: filled(s.Amount, dims, 0), Skills: s.Skills, Priority: s.Priority, MaxRide: s.MaxRide,
		})
	}
	for d, n := range total {
		if n > mostAmount {
			b.refuse("jobs", n, "have amounts that come to more than %d in dimension %d: use a larger unit", mostAmount, d)
		}
	}
	b.problem.SameVehicle, b.problem.Incompatible = b.groups(r.Together), b.groups(r.Apart)
	b.orders()
	if r.Stability != nil {
		b.problem.Stability = fleet.Stability{Vehicle: r.Stability.Vehicle, Position: r.Stability.Position}
	}
	return b, fault.Invalid(b.bad...)
}

// breaks refuses a break that its vehicle cannot take: no route of the vehicle could have it.
func (b *builder) breaks(vehicle int, f *fleet.Vehicle) {
	k, from := f.Misfit()
	if k < 0 {
		return
	}
	rest, at, since := &b.request.Vehicles[vehicle].Breaks[k], fmt.Sprintf("vehicles[%d].breaks[%d].", vehicle, k), "the shift of its vehicle begins"
	if k > 0 {
		since = "the breaks before it are over"
	}
	n := len(f.Windows)
	if n == 0 {
		b.refuse(at+"time_windows", rest.Windows, "end before %d, when %s: breaks are taken in the order in which they stand", from, since)
		return
	}
	switch lasts, end := rest.Seconds(), f.Windows[n-1].End; {
	case len(rest.Windows) == 0 || from+lasts > end:
		b.refuse(at+"service_s", lasts, "is too long: the break starts at %d at the earliest, when %s, and has to end within the shift, which ends at %d", from, since, end)
	default:
		b.refuse(at+"time_windows", rest.Windows, "must let it start between %d, when %s, and %d, so that its %d s end within the shift; leave it out where it is not taken on this shift", from, since, end-lasts, lasts)
	}
}

func (b *builder) addPlace(s *plan.FleetStop, at int) fleet.Place {
	return fleet.Place{
		Location: at, Setup: s.Setup, Service: s.Seconds(), Windows: windows(s.Windows), ServiceByType: s.ServicePerType, SetupByType: s.SetupPerType,
		Territories: b.territories(at),
	}
}

// territories returns those that a location lies in, worked out once for all its stops.
func (b *builder) territories(at int) []int32 {
	in, known := b.within[at]
	if !known {
		in = b.request.Territories.At(b.points[at])
		b.within[at] = in
	}
	return in
}

func breakOf(b *plan.FleetBreak) fleet.Break {
	return fleet.Break{Windows: windows(b.Windows), Service: b.Seconds(), MaxLoad: b.MaxLoad}
}

func windows(list []plan.FleetWindow) (out []fleet.Window) {
	for _, w := range list {
		out = append(out, fleet.Window{Start: w[0], End: w[1]})
	}
	return out
}

// filled returns an amount in so many dimensions; one that was left out is n in each.
func filled(list []int32, dims int, n int32) []int32 {
	if len(list) > 0 || dims == 0 {
		return list
	}
	return slices.Repeat([]int32{n}, dims)
}

func sum(total []int64, list []int32) {
	for d, n := range list {
		total[d] += int64(n)
	}
}

func (b *builder) groups(lists [][]plan.FleetID) (out [][]fleet.Task) {
	last := map[fleet.Task]int{} // the last list that a task is in, from 1
	for i, list := range lists {
		var g []fleet.Task
		for _, id := range list {
			if t := b.tasks[id]; last[t] != i+1 {
				last[t] = i + 1
				g = append(g, t)
			}
		}
		out = append(out, g)
	}
	return out
}

// orders reads the stops that vehicles begin with, and the plan to begin the search
// with.
func (b *builder) orders() {
	first, initial := b.newClaims(), b.newClaims()
	begun := map[fleet.Stop]bool{}
	loads := map[plan.FleetID][]int{}
	for k := range b.request.Shipments {
		if by, on := b.aboard[b.request.Shipments[k].ID]; on {
			loads[by] = append(loads[by], k)
		}
	}
	for i := range b.request.Vehicles {
		v, at := &b.request.Vehicles[i], fmt.Sprintf("vehicles[%d]", i)
		f := &b.problem.Vehicles[i]
		f.OnBoard = loads[v.ID]
		f.First = first.order(v.ID, at+".first_stop_ids", v.First)
		var ids []plan.FleetID
		var places []int
		for k := range v.Steps {
			s := &v.Steps[k]
			switch s.Type {
			case "job", "pickup", "delivery":
				ids, places = append(ids, b.stopID(s)), append(places, k)
			}
		}
		for k, stop := range initial.named(v.ID, ids, func(k int) string { return fmt.Sprintf("%s.steps[%d].id", at, places[k]) }) {
			if want := map[string]fleet.StopKind{"job": fleet.AtJob, "pickup": fleet.AtPickup, "delivery": fleet.AtDelivery}[v.Steps[places[k]].Type]; stop.Kind != want {
				b.refuse(fmt.Sprintf("%s.steps[%d].type", at, places[k]), v.Steps[places[k]].Type, "is not what %s is", v.Steps[places[k]].ID)
			}
			f.Initial = append(f.Initial, stop)
		}
		for _, stop := range f.First {
			begun[stop] = true
		}
	}
	// What a vehicle has to begin with is no more where the plan had it.
	for i := range b.problem.Vehicles {
		f := &b.problem.Vehicles[i]
		f.Initial = slices.DeleteFunc(f.Initial, func(s fleet.Stop) bool { return begun[s] })
	}
}

// stopID returns the id of the stop that a step is of: a shipment's stands for its pickup or
// its delivery, as the type says.
func (b *builder) stopID(s *plan.FleetStep) plan.FleetID {
	if t, ok := b.tasks[s.ID]; ok && t.Shipment {
		if _, own := b.stops[s.ID]; !own {
			x := &b.request.Shipments[t.Index]
			if s.Type == "pickup" {
				return x.Pickup.ID
			}
			return x.Delivery.ID
		}
	}
	return s.ID
}

// owners are stops that vehicles say are theirs.
type owners struct {
	b    *builder
	by   map[fleet.Stop]plan.FleetID
	done map[fleet.Stop]bool
}

func (b *builder) newClaims() *owners {
	c := &owners{b, map[fleet.Stop]plan.FleetID{}, map[fleet.Stop]bool{}}
	for id, vehicle := range b.aboard {
		pickup := fleet.Stop{Kind: fleet.AtPickup, Index: b.tasks[id].Index}
		c.by[pickup], c.done[pickup] = vehicle, true
	}
	return c
}

// order reads ids of stops in their order.
func (c *owners) order(vehicle plan.FleetID, at string, ids []plan.FleetID) []fleet.Stop {
	return c.named(vehicle, ids, func(k int) string { return fmt.Sprintf("%s[%d]", at, k) })
}

// named reads ids of stops: the id of a shipment is that of its pickup, and then that
// of its delivery. It refuses what is unknown, what another vehicle claims, what stands
// twice, and a delivery before its pickup.
func (c *owners) named(vehicle plan.FleetID, ids []plan.FleetID, at func(k int) string) (stops []fleet.Stop) {
	for k, id := range ids {
		s, known := c.b.stops[id]
		if t, task := c.b.tasks[id]; !known && task {
			s, known = fleet.Stop{Kind: fleet.AtPickup, Index: t.Index}, true
			if c.done[s] {
				s.Kind = fleet.AtDelivery
			}
		}
		switch other, claimed := c.by[s]; {
		case !known:
			c.b.refuse(at(k), string(id), "is the id of no stop")
			continue
		case claimed && other == vehicle:
			c.b.refuse(at(k), string(id), "stands twice")
			continue
		case claimed:
			c.b.refuse(at(k), string(id), "is claimed by the vehicle %s too: one vehicle serves a stop", other)
			continue
		case s.Kind == fleet.AtDelivery && c.by[fleet.Stop{Kind: fleet.AtPickup, Index: s.Index}] != vehicle:
			c.b.refuse(at(k), string(id), "is a delivery that the same vehicle has not picked up before")
			continue
		}
		c.by[s], c.done[s] = vehicle, true
		stops = append(stops, s)
	}
	return stops
}
