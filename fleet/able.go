package fleet

import "slices"

// CanServe reports whether a vehicle has the skills for a task, may stop at its places, and
// can drive there and on to its end. A task that is on board of a vehicle can be served
// by that vehicle only.
func (p *Problem) CanServe(vehicle int, t Task) bool {
	if !p.MayServe(vehicle, t) {
		return false
	}
	stops := []*Place{}
	switch {
	case !t.Shipment:
		stops = append(stops, &p.Jobs[t.Index].Place)
	case p.Carrier(t.Index) < 0:
		stops = append(stops, &p.Shipments[t.Index].Pickup, &p.Shipments[t.Index].Delivery)
	default:
		stops = append(stops, &p.Shipments[t.Index].Delivery)
	}
	return p.Reaches(&p.Vehicles[vehicle], stops)
}

// MayServe reports whether a vehicle has the skills for a task and may stop at its
// places. A task that is on board of a vehicle can be served by that vehicle only.
func (p *Problem) MayServe(vehicle int, t Task) bool {
	v := &p.Vehicles[vehicle]
	if !t.Shipment {
		j := &p.Jobs[t.Index]
		return v.MaxTasks != None && HasSkills(v, j.Skills) && MayStop(v, &j.Place)
	}
	s := &p.Shipments[t.Index]
	if !HasSkills(v, s.Skills) || !MayStop(v, &s.Delivery) {
		return false
	}
	if on := p.Carrier(t.Index); on >= 0 {
		return on == vehicle
	}
	return v.MaxTasks != None && MayStop(v, &s.Pickup)
}

// Reaches reports whether a vehicle can drive from its start through places, in their
// order, to its end.
func (p *Problem) Reaches(v *Vehicle, stops []*Place) bool {
	m, at := &p.Matrices[v.Profile], v.Start
	for i := 0; i <= len(stops); i++ {
		to := v.End
		if i < len(stops) {
			to = stops[i].Location
		}
		if at != None && to != None && m.Seconds[at*m.N+to] == Unreachable {
			return false
		}
		at = to
	}
	return true
}

// Carrier returns the vehicle that has a shipment on board, -1 for none.
func (p *Problem) Carrier(shipment int) int {
	return slices.IndexFunc(p.Vehicles, func(v Vehicle) bool { return slices.Contains(v.OnBoard, shipment) })
}

// HasSkills reports whether a vehicle has all of the skills in needs.
func HasSkills(v *Vehicle, needs []int32) bool {
	const few = 64
	if len(needs)*len(v.Skills) <= few {
		return !slices.ContainsFunc(needs, func(n int32) bool { return !slices.Contains(v.Skills, n) })
	}
	has := setOf(v.Skills)
	return !slices.ContainsFunc(needs, func(n int32) bool { return !has[n] })
}

// setOf returns the set of the numbers in some lists.
func setOf(lists ...[]int32) map[int32]bool {
	set := map[int32]bool{}
	for _, list := range lists {
		for _, n := range list {
			set[n] = true
		}
	}
	return set
}

// MayStop reports whether a vehicle may stop at a place.
func MayStop(v *Vehicle, p *Place) bool {
	return len(v.Territories) == 0 || slices.ContainsFunc(p.Territories, func(t int32) bool { return slices.Contains(v.Territories, t) })
}

// MostTasks returns how many stops a vehicle may make; 0 where that has no limit.
func (v *Vehicle) MostTasks() int {
	if v.MaxTasks == None {
		return len(v.OnBoard)
	}
	return v.MaxTasks
}
