package search

import "github.com/waygate/waygate/fleet/search/model"

// meets reports whether two sets of lists have one in common.
func meets(a, b []uint64) bool {
	for i, x := range a {
		if x&b[i] != 0 {
			return true
		}
	}
	return false
}

// incompatibleLists returns the lists of incompatible tasks that the stops of a route are in,
// computed again if the route has changed.
func (s *routeSet) incompatibleLists(r int32) []uint64 {
	set := s.holds[int(r)*s.m.Words:][:s.m.Words]
	rt := &s.routes[r]
	if s.holdsOf[r] != rt.content {
		s.holdsOf[r] = rt.content
		clear(set)
		for _, v := range rt.stops {
			for i, x := range s.m.IncompatibleOf(s.m.Visits[v].Task) {
				set[i] |= x
			}
		}
	}
	return set
}

// conflicts reports whether the vehicle of a slot serves something incompatible with a
// task.
func (s *routeSet) conflicts(u int32, sl *model.Slot) bool {
	if s.m.Words == 0 {
		return false
	}
	own := s.m.IncompatibleOf(u)
	for r := sl.First; r <= sl.Last; r++ {
		if meets(own, s.incompatibleLists(r)) {
			return true
		}
	}
	return false
}

// conflicted reports whether a vehicle was given incompatible tasks.
func (s *routeSet) conflicted(r int32) bool {
	if s.m.Words == 0 {
		return false
	}
	sl := &s.m.Slots[r]
	all := make([]uint64, s.m.Words)
	for q := sl.First; q <= sl.Last; q++ {
		for _, v := range s.routes[q].stops {
			u := s.m.Visits[v].Task
			if v != s.m.Tasks[u].First {
				continue // its pickup was counted
			}
			own := s.m.IncompatibleOf(u)
			if meets(own, all) {
				return true
			}
			for i, x := range own {
				all[i] |= x
			}
		}
	}
	return false
}
