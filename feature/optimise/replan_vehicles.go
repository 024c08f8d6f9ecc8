package optimise

import (
	"slices"

	"github.com/waygate/waygate/fleet"
	"github.com/waygate/waygate/wire/native/plan"
)

const atDelivery = fleet.AtDelivery

// vehicles has those that report go on from where they are, and takes out those that do
// nothing more.
func (r *Remaining) vehicles(whole *builder, progress []plan.FleetProgress) {
	reports := map[plan.FleetID]*plan.FleetProgress{}
	for i := range progress {
		reports[progress[i].Vehicle] = &progress[i]
	}
	all := r.request.Vehicles
	r.request.Vehicles = nil
	for i := range all {
		v := all[i]
		p := reports[v.ID]
		if p != nil && p.Unavailable {
			r.withdraw(whole, &v, p)
			continue
		}
		v.Steps = slices.DeleteFunc(slices.Clone(v.Steps), func(s plan.FleetStep) bool { return r.gone(whole, whole.stopID(&s)) })
		v.First = slices.DeleteFunc(slices.Clone(v.First), func(id plan.FleetID) bool { return r.gone(whole, r.firstStop(whole, id)) })
		if p != nil {
			r.report(whole, &v, p)
		}
		r.request.Vehicles = append(r.request.Vehicles, v)
	}
	// Where a load is on board its pickup needs no place of its own.
	for i := range r.request.Shipments {
		s := &r.request.Shipments[i]
		if by, ok := r.aboard[s.ID]; ok {
			k := slices.IndexFunc(r.request.Vehicles, func(v plan.FleetVehicle) bool { return v.ID == by })
			if k >= 0 && r.request.Vehicles[k].Start != nil {
				s.Pickup.Location = *r.request.Vehicles[k].Start
			} else {
				s.Pickup.Location = s.Delivery.Location
			}
		}
	}
}

// firstStop returns the stop that an id of first_stop_ids stands for.
func (r *Remaining) firstStop(whole *builder, id plan.FleetID) plan.FleetID {
	if _, ok := whole.stops[id]; ok {
		return id
	}
	return r.stopOf(whole, id)
}

// gone reports whether a stop is done or cancelled, or none.
func (r *Remaining) gone(whole *builder, stop plan.FleetID) bool {
	s, ok := whole.stops[stop]
	if !ok {
		return stop != "" // start, break and end have no id and stay
	}
	_, done := r.completed[stop]
	task := stop
	if s.Kind != fleet.AtJob {
		task = whole.request.Shipments[s.Index].ID
	}
	return done || r.cancelled[task]
}

// report has a vehicle go on from where it is.
func (r *Remaining) report(whole *builder, v *plan.FleetVehicle, p *plan.FleetProgress) {
	l := LockedStops{Vehicle: string(v.ID), Stops: texts(r.did[v.ID]), StartBasis: "start"}
	switch n := len(r.did[v.ID]); {
	case p.Position != nil:
		v.Start, l.StartBasis = p.Position, "current_position"
	case n > 0:
		at := whole.locationOf(whole.stops[r.did[v.ID][n-1]])
		v.Start, l.StartBasis = at, "last_completed_stop"
	case v.Start == nil:
		l.StartBasis = "none"
	}
	if v.Start != nil {
		l.StartFrom = placeOf(v.Start.Point())
	}
	r.block.Locked = append(r.block.Locked, l)
	if v.MaxTasks > 0 {
		if v.MaxTasks -= len(r.did[v.ID]); v.MaxTasks <= r.loads(v.ID) {
			v.MaxTasks = fleet.None
			v.First = slices.DeleteFunc(v.First, func(id plan.FleetID) bool { return !r.delivers(whole, r.firstStop(whole, id)) })
			r.note("vehicle %s has made, or has on board, as many stops as max_tasks allows: it takes nothing more on, and delivers what it has on board", v.ID)
		}
	}
	if v.MaxTravel > 0 || v.MaxDistance > 0 {
		r.note("vehicle %s: max_travel_time and max_distance hold for the rest of its route: what it has driven is not known here", v.ID)
	}
	shifts := v.Shifts()
	if p.Now == nil {
		if len(shifts) > 0 && len(r.did[v.ID]) > 0 {
			r.note("vehicle %s has no time_s: the rest is planned as if its shift began now", v.ID)
		}
		return
	}
	var left []plan.FleetWindow
	for _, w := range shifts {
		if w[1] >= *p.Now {
			left = append(left, plan.FleetWindow{max(w[0], *p.Now), w[1]})
		}
	}
	switch {
	case len(shifts) == 0:
		left = []plan.FleetWindow{{*p.Now, lastMoment}}
	case len(left) == 0:
		left = []plan.FleetWindow{{*p.Now, *p.Now}}
		r.note("vehicle %s: its shift is over at %d", v.ID, *p.Now)
	}
	v.Window, v.Windows = nil, left
	v.Breaks = slices.DeleteFunc(slices.Clone(v.Breaks), func(b plan.FleetBreak) bool {
		n := len(b.Windows)
		past := n > 0 && b.Windows[n-1][1] < *p.Now
		if past {
			r.note("vehicle %s: the break %s is over and was left out", v.ID, b.ID)
		}
		return past
	})
	r.dropMisfits(v)
	r.noteBreaks(v, *p.Now)
}

// dropMisfits leaves out the breaks that are not over and that the rest of the shift has no room for.
func (r *Remaining) dropMisfits(v *plan.FleetVehicle) {
	f := fleet.Vehicle{Windows: windows(v.Windows)}
	for i := range v.Breaks {
		f.Breaks = append(f.Breaks, breakOf(&v.Breaks[i]))
	}
	for k, _ := f.Misfit(); k >= 0; k, _ = f.Misfit() {
		r.note("vehicle %s: the break %s does not end within what is left of the shift, and was left out", v.ID, v.Breaks[k].ID)
		v.Breaks, f.Breaks = slices.Delete(v.Breaks, k, k+1), slices.Delete(f.Breaks, k, k+1)
	}
}

// loads returns how many shipments a vehicle has on board.
func (r *Remaining) loads(vehicle plan.FleetID) (n int) {
	for _, by := range r.aboard {
		if by == vehicle {
			n++
		}
	}
	return n
}

// delivers reports whether a stop is the delivery of a load that is on board.
func (r *Remaining) delivers(whole *builder, stop plan.FleetID) bool {
	s := whole.stops[stop]
	if s.Kind != atDelivery {
		return false
	}
	_, on := r.aboard[whole.request.Shipments[s.Index].ID]
	return on
}

// noteBreaks notes the breaks of which it is not known whether they were taken.
func (r *Remaining) noteBreaks(v *plan.FleetVehicle, now int64) {
	for i := range v.Breaks {
		if b := &v.Breaks[i]; len(b.Windows) > 0 && b.Windows[0][0] < now {
			r.note("vehicle %s: the break %s could have been taken by %d and is planned: leave it out where it was taken", v.ID, b.ID, now)
		}
	}
}

// lastMoment is the end of a shift without one.
const lastMoment = 1 << 40

// withdraw takes out a vehicle that does nothing more, and releases its stops.
func (r *Remaining) withdraw(whole *builder, v *plan.FleetVehicle, p *plan.FleetProgress) {
	r.block.Applied.Unavailable++
	r.block.Locked = append(r.block.Locked, LockedStops{Vehicle: string(v.ID), Stops: texts(r.did[v.ID]), Unavailable: true, StartBasis: "none"})
	if p.Position != nil {
		r.note("vehicle %s is unavailable: its current_position has no effect", v.ID)
	}
	r.request.Shipments = slices.DeleteFunc(r.request.Shipments, func(s plan.FleetShipment) bool {
		stuck := r.aboard[s.ID] == v.ID
		if stuck {
			delete(r.aboard, s.ID)
			r.stranded = append(r.stranded, s)
			r.cancelled[s.ID] = true
			r.note("shipment %s is on board of vehicle %s, which is unavailable: add it as a new shipment from where it is, if another is to take it over", s.ID, v.ID)
		}
		return stuck
	})
	for i := range v.Steps {
		id := whole.stopID(&v.Steps[i])
		if _, is := whole.stops[id]; is && !r.gone(whole, id) {
			r.block.Released = append(r.block.Released, string(id))
		}
	}
	if v.Steps == nil {
		r.note("vehicle %s is unavailable, and its steps were not told: what of it is released is not known here", v.ID)
	}
}

func texts(ids []plan.FleetID) []string {
	out := make([]string, len(ids))
	for i, id := range ids {
		out[i] = string(id)
	}
	return out
}

// locationOf returns where a stop is.
func (b *builder) locationOf(s fleet.Stop) *plan.FleetPlace {
	switch s.Kind {
	case fleet.AtPickup:
		return &b.request.Shipments[s.Index].Pickup.Location
	case fleet.AtDelivery:
		return &b.request.Shipments[s.Index].Delivery.Location
	}
	return &b.request.Jobs[s.Index].Location
}

// reduceCapacity takes from a vehicle the room that jobs it has done fill for the rest of its
// route. What it has on board fits in, whatever was said of its capacity: it is there.
func (r *Remaining) reduceCapacity(p *fleet.Problem, i int) {
	f, id := &p.Vehicles[i], r.request.Vehicles[i].ID
	f.Capacity = slices.Clone(f.Capacity)
	full := false
	for d := range f.Capacity {
		if carried := r.carried[id]; len(carried) > d {
			f.Capacity[d] -= carried[d]
		}
		load := int32(0)
		for _, s := range f.OnBoard {
			load += p.Shipments[s].Amount[d]
		}
		full = full || f.Capacity[d] < load
		f.Capacity[d] = max(f.Capacity[d], load)
	}
	if full {
		r.note("vehicle %s has more on board than its capacity, by what it has done: it takes up no more of that", id)
	}
}

// regroup keeps groups to what is left: what was done binds the rest to the vehicle that
// did it, or keeps it from that. A skill that only the right vehicles have says so.
func (r *Remaining) regroup(whole *builder) {
	next := int32(-1)
	jobs, shipments := map[plan.FleetID]*plan.FleetJob{}, map[plan.FleetID]*plan.FleetShipment{}
	for i := range r.request.Jobs {
		j := &r.request.Jobs[i]
		j.Skills = slices.Clip(j.Skills) // what is added is this plan's alone
		jobs[j.ID] = j
	}
	for i := range r.request.Shipments {
		s := &r.request.Shipments[i]
		s.Skills = slices.Clip(s.Skills)
		shipments[s.ID] = s
	}
	for i := range r.request.Vehicles {
		r.request.Vehicles[i].Skills = slices.Clip(r.request.Vehicles[i].Skills)
	}
	// A task that a vehicle has on board is that vehicle's anyway.
	require := func(ids []plan.FleetID, skill int32, fits func(plan.FleetID) bool) {
		for i := range r.request.Vehicles {
			if v := &r.request.Vehicles[i]; fits(v.ID) {
				v.Skills = append(v.Skills, skill)
			}
		}
		for _, id := range ids {
			t := whole.tasks[id]
			if !t.Shipment {
				if j := jobs[id]; j != nil {
					j.Skills = append(j.Skills, skill)
				}
				continue
			}
			want := whole.request.Shipments[t.Index].ID
			if _, on := r.aboard[want]; !on && shipments[want] != nil {
				shipments[want].Skills = append(shipments[want].Skills, skill)
			}
		}
	}
	bind := func(groups [][]plan.FleetID, same bool) (out [][]plan.FleetID) {
		for _, g := range groups {
			var left []plan.FleetID
			by := map[plan.FleetID]bool{}
			for _, id := range g {
				vehicle, ended := r.servedBy(whole, id)
				if vehicle != "" {
					by[vehicle] = true
				}
				if !ended {
					left = append(left, id)
				}
			}
			if len(left) > 0 && len(by) > 0 {
				require(left, next, func(v plan.FleetID) bool { return by[v] == same })
				next--
			}
			if len(left) > 1 {
				out = append(out, left)
			}
		}
		return out
	}
	r.request.Together, r.request.Apart = bind(r.request.Together, true), bind(r.request.Apart, false)
}

// servedBy returns the vehicle that has begun a task, and whether nothing of it is left.
func (r *Remaining) servedBy(whole *builder, id plan.FleetID) (vehicle plan.FleetID, ended bool) {
	t := whole.tasks[id]
	if !t.Shipment {
		by, done := r.completed[id]
		return by, done || r.cancelled[id]
	}
	s := &whole.request.Shipments[t.Index]
	_, done := r.completed[s.Delivery.ID]
	return r.completed[s.Pickup.ID], done || r.cancelled[s.ID]
}
