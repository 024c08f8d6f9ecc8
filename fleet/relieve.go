package fleet

import "slices"

// relieveTries is how many orders of deliveries are tried to relieve a vehicle.
const relieveTries = 1000

// relieve has a vehicle whose first steps cannot be done alone deliver what it has on board then,
// where they can be done with that: a break may allow less on board.
func (s *state) relieve(r int32) {
	sl := &s.m.slots[r]
	if s.sound(r) {
		return
	}
	var visits []int32
	for _, i := range sl.v.OnBoard {
		u := s.m.unitOfTask(Task{true, i})
		if s.inList[u] >= 0 && s.m.units[u].group < 0 {
			visits = append(visits, s.m.units[u].first)
		}
	}
	for _, u := range s.m.must {
		if un := &s.m.units[u]; un.half && s.inList[u] >= 0 && s.where[un.first] == r && !slices.Contains(visits, un.first+1) {
			visits = append(visits, un.first+1)
		}
	}
	for i := range visits { // another order first at another try
		j := i + s.random.below(len(visits)-i)
		visits[i], visits[j] = visits[j], visits[i]
	}
	tries := relieveTries
	s.deliver(r, visits, &tries)
}

// deliver tries to make a route sound by some of the visits at its end, in each order.
func (s *state) deliver(r int32, visits []int32, tries *int) bool {
	rt := &s.routes[r]
	for i, v := range visits {
		u := s.m.visits[v].unit
		if !s.open(u, r) {
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
