package search

import (
	"slices"

	"github.com/waygate/waygate/fleet"
)

// deliveryTries is how many orders of deliveries are tried for a vehicle.
const deliveryTries = 1000

// deliverOnBoardFirst makes a vehicle whose first steps are impossible by themselves
// deliver what it has on board, if that makes them possible: a break may allow less
// load.
func (s start) deliverOnBoardFirst(r int32) {
	sl := &s.m.Slots[r]
	if s.sound(r) {
		return
	}
	var visits []int32
	for _, i := range sl.Of.OnBoard {
		u := s.m.TaskNumber(fleet.Task{Shipment: true, Index: i})
		if s.inList[u] >= 0 && s.m.Tasks[u].Group < 0 {
			visits = append(visits, s.m.Tasks[u].First)
		}
	}
	for _, u := range s.m.Must {
		if un := &s.m.Tasks[u]; un.Half && s.inList[u] >= 0 && s.where[un.First] == r && !slices.Contains(visits, un.First+1) {
			visits = append(visits, un.First+1)
		}
	}
	for i := range visits { // another order first at another try
		j := i + s.random.below(len(visits)-i)
		visits[i], visits[j] = visits[j], visits[i]
	}
	tries := deliveryTries
	s.deliver(r, visits, &tries)
}

// deliver tries to make a route valid by some of the visits at its end, in each order.
func (s start) deliver(r int32, visits []int32, tries *int) bool {
	rt := &s.routes[r]
	for i, v := range visits {
		u := s.m.Visits[v].Task
		if !s.admits(u, r) {
			continue
		}
		if *tries--; *tries < 0 {
			return false
		}
		s.serve(u)
		rt.stops = append(rt.stops, v)
		s.update(r)
		if s.sound(r) || s.deliver(r, slices.Delete(slices.Clone(visits), i, i+1), tries) {
			return true
		}
		s.drop(u)
		rt.stops = rt.stops[:len(rt.stops)-1]
		s.update(r)
	}
	return false
}
