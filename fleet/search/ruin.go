package search

// Strings have at most longestString stops. In problems with shipments and long routes
// they are a share of a route, because stops between a pickup and its delivery have to
// move with them. Problems with jobs alone gain nothing by that.
const (
	meanRemoved    = 10
	longestString  = 10
	longestOfLong  = 25
	stringShare    = 1. / 3
	removedStrings = 0.75 // of the longest, on average, at least
)

// ruin removes tasks from the routes.
type ruin struct{ *state }

// ruin removes strings of stops from routes that are near each other. It reports
// whether what is left keeps its limits.
func (s ruin) ruin() bool {
	m := s.m
	seed := s.random.below(len(m.Visits))
	if n := len(s.absent); n > 0 && s.random.below(2) == 0 {
		seed = int(m.Tasks[s.absent[s.random.below(n)]].First)
	}
	used := len(s.lists().used)
	if used == 0 {
		return true
	}
	usual := float64(len(m.Visits)) / float64(used)
	longest := max(1, min(longestString, usual))
	if len(m.Visits) > len(m.Tasks) {
		longest = max(longest, min(longestOfLong, usual*stringShare))
	}
	removed := max(meanRemoved, longest*removedStrings)
	strings := int(s.random.float()*(4*removed/(1+longest)-1) + 1)
	whole := m.Mixed && s.random.below(wholeEvery) == 0
	if whole {
		strings = 1 + s.random.below(mostWhole)
	}
	for _, v := range m.Near[seed] {
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
	return s.applyRemovals()
}

// applyRemovals takes the removed stops out of the routes. Where ways are no metric the
// rest may be worse than before; the whole route is then emptied.
func (s *state) applyRemovals() bool {
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

// unload removes all stops from the trips of a vehicle but those that are given to it.
func (s *state) unload(r int32) bool {
	sl := &s.m.Slots[r]
	for q := sl.First; q <= sl.Last; q++ {
		rt := &s.routes[q]
		for i := rt.fixed; i < len(rt.stops); i++ {
			s.remove(s.m.Visits[rt.stops[i]].Task)
		}
	}
	for i := range s.saved.routes {
		s.close(s.saved.routes[i].route)
	}
	return s.sound(r)
}

// cut removes about n stops around index at of a route, in one string or in two with
// some stops kept between.
func (s ruin) cut(r int32, at, n int) {
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
		s.remove(s.m.Visits[rt.stops[i]].Task)
	}
}

// remove drops a task and its group, unless they are given to their route. The route
// still lists them until close.
func (s *state) remove(u int32) {
	if g := s.m.Tasks[u].Group; g >= 0 {
		if s.inList[u] >= 0 {
			return // with its group
		}
		s.watch.Spend(len(s.m.Groups[g]))
		for _, o := range s.m.Groups[g] {
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
		s.touch(s.where[s.m.Tasks[u].First])
		s.drop(u)
	}
}

// pinned reports whether a task is given to its route.
func (s *state) pinned(u int32) bool {
	un := &s.m.Tasks[u]
	v := un.First
	if un.Half {
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
		if s.inList[s.m.Visits[v].Task] < 0 {
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
