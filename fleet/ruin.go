package fleet

// Strings are of at most longestString stops. Where there are shipments and routes are long they
// are of a share of a route: stops between a pickup and its delivery have to move with them.
// Jobs alone gain nothing by it.
const (
	meanRemoved    = 10
	longestString  = 10
	longestOfLong  = 25
	stringShare    = 1. / 3
	removedStrings = 0.75 // of the longest, on average, at least
)

// ruin takes strings of stops out of routes that lie near each other. It reports
// whether what is left keeps its limits.
func (s *state) ruin() bool {
	m := s.m
	seed := s.random.below(len(m.visits))
	if n := len(s.absent); n > 0 && s.random.below(2) == 0 {
		seed = int(m.units[s.absent[s.random.below(n)]].first)
	}
	used := len(s.lists().used)
	if used == 0 {
		return true
	}
	usual := float64(len(m.visits)) / float64(used)
	longest := max(1, min(longestString, usual))
	if len(m.visits) > len(m.units) {
		longest = max(longest, min(longestOfLong, usual*stringShare))
	}
	removed := max(meanRemoved, longest*removedStrings)
	strings := int(s.random.float()*(4*removed/(1+longest)-1) + 1)
	whole := m.mixed && s.random.below(wholeEvery) == 0
	if whole {
		strings = 1 + s.random.below(mostWhole)
	}
	for _, v := range m.near[seed] {
		if strings == 0 {
			break
		}
		r := s.where[v]
		if r < 0 || s.routes[r].touched == s.saved.change {
			continue
		}
		rt := &s.routes[r]
		loose := len(rt.stops) - rt.fixed
		if int(s.pos[v]) <= rt.fixed {
			continue
		}
		s.touch(r)
		n := int(s.random.float()*min(longest, float64(loose)) + 0.999)
		n = max(1, min(n, loose))
		if whole {
			n = loose
		}
		s.cut(r, int(s.pos[v])-1, n)
		strings--
	}
	return s.settle()
}

// settle takes what was removed out of the routes. Where ways are no metric, what is
// left may be worse than with it: then all of it is taken out.
func (s *state) settle() bool {
	for i := range s.saved.routes {
		s.close(s.saved.routes[i].route)
	}
	for i := 0; i < len(s.saved.routes); i++ {
		r := s.saved.routes[i].route
		if !s.sound(r) && !s.unload(r) {
			return false
		}
	}
	return true
}

// unload takes all stops out of the trips of a vehicle but those that it is given.
func (s *state) unload(r int32) bool {
	sl := &s.m.slots[r]
	for q := sl.first; q <= sl.last; q++ {
		rt := &s.routes[q]
		for i := rt.fixed; i < len(rt.stops); i++ {
			s.remove(s.m.visits[rt.stops[i]].unit)
		}
	}
	for i := range s.saved.routes {
		s.close(s.saved.routes[i].route)
	}
	return s.sound(r)
}

// cut drops about n stops around index at of a route, in one string or with some
// of it kept.
func (s *state) cut(r int32, at, n int) {
	rt := &s.routes[r]
	k := len(rt.stops)
	keep := 0
	if n > 1 && n < k-rt.fixed && s.random.float() < 0.5 {
		for keep = 1; n+keep < k-rt.fixed && s.random.float() < 0.01; keep++ {
		}
	}
	span := n + keep
	low, high := max(rt.fixed, at-span+1), min(at, k-span)
	from := low + s.random.below(high-low+1)
	hole := from + n // none where keep is 0
	if keep > 0 {
		hole = from + s.random.below(n+1)
	}
	for i := from; i < from+span; i++ {
		if i >= hole && i < hole+keep {
			continue
		}
		s.remove(s.m.visits[rt.stops[i]].unit)
	}
}

// remove drops a unit and those that must be with it, unless they are given to their
// route. The route still lists them until close.
func (s *state) remove(u int32) {
	if g := s.m.units[u].group; g >= 0 {
		if s.inList[u] >= 0 {
			return // with its group
		}
		s.watch.spend(len(s.m.groups[g]))
		for _, o := range s.m.groups[g] {
			if !s.pinned(o) {
				s.removeOne(o)
			}
		}
		return
	}
	if !s.pinned(u) {
		s.removeOne(u)
	}
}

func (s *state) removeOne(u int32) {
	if s.inList[u] < 0 {
		s.touch(s.where[s.m.units[u].first])
		s.drop(u)
	}
}

// pinned reports whether a unit is given to its route.
func (s *state) pinned(u int32) bool {
	un := &s.m.units[u]
	v := un.first
	if un.half {
		v++
	}
	r := s.where[v]
	return r >= 0 && int(s.pos[v]) <= s.routes[r].fixed
}

// close takes dropped visits out of a route.
func (s *state) close(r int32) {
	rt := &s.routes[r]
	n := rt.fixed
	for _, v := range rt.stops[n:] {
		if s.inList[s.m.visits[v].unit] < 0 {
			rt.stops[n] = v
			n++
		} else {
			s.where[v] = -1 // an update of another trip may have set it since
		}
	}
	if n == len(rt.stops) {
		return
	}
	rt.stops = rt.stops[:n]
	s.update(r)
}
