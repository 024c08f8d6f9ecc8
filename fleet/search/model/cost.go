package model

import "github.com/waygate/waygate/fleet"

// Cost returns the cost of a way for the vehicle of a slot.
func (sl *Slot) Cost(w Way) int64 { return sl.Second*int64(w.Sec) + sl.Metre*int64(w.Metre) }

// Price returns the cost of a time and a distance for the vehicle of a slot.
func (sl *Slot) Price(seconds, metres int64) int64 { return sl.Second*seconds + sl.Metre*metres }

// Departure returns the charge for a visit that does not follow the same one as in the
// former plan.
func (m *Model) Departure(sl *Slot, before, v int32) int64 {
	if before < 0 {
		if sl.Of.Reloads != nil { // the trips before it may have no stops
			return 0
		}
		before = atStart(sl.Vehicle)
	}
	if m.before[v] == nothing || m.before[v] == before {
		return 0
	}
	return m.Problem.Stability.Position * fleet.CostUnit
}

// Base returns the cost of a task for a vehicle that does not depend on its place in
// the route.
func (m *Model) Base(sl *Slot, u int32) (cost int64) {
	un := &m.Tasks[u]
	k := &m.Kinds[sl.Kind]
	service := k.Service[un.First]
	if un.Pair {
		service += k.Service[un.First+1]
	}
	cost = k.Task * service
	if f := m.former[u]; f >= 0 && int(f) != sl.Vehicle {
		cost += m.Problem.Stability.Vehicle * fleet.CostUnit
	}
	return cost
}
