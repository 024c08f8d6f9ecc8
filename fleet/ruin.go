package fleet

import (
	"cmp"
	"slices"
)

// saved keeps routes as they were before a change.
type saved struct {
	change int64
	stops  []int32
	routes []savedRoute
}

type savedRoute struct {
	route    int32
	from, to int
}

// begin starts a change that undo can take back.
func (s *state) begin() {
	s.saved.change++
	s.saved.stops, s.saved.routes = s.saved.stops[:0], s.saved.routes[:0]
}

// touch keeps a route before it changes.
func (s *state) touch(r int32) {
	rt := &s.routes[r]
	if rt.touched == s.saved.change {
		return
	}
	rt.touched = s.saved.change
	from := len(s.saved.stops)
	s.saved.stops = append(s.saved.stops, rt.stops...)
	s.saved.routes = append(s.saved.routes, savedRoute{r, from, len(s.saved.stops)})
}

// undo takes back what has changed since begin.
func (s *state) undo() {
	for _, o := range s.saved.routes {
		s.empty(o.route)
	}
	for _, o := range s.saved.routes {
		s.fill(o.route, s.saved.stops[o.from:o.to])
	}
}

// empty takes everything out of a route, without update.
func (s *state) empty(r int32) {
	for _, v := range s.routes[r].stops {
		if u := s.m.unitOf[v]; s.inList[u] < 0 {
			s.drop(u)
		}
	}
	s.routes[r].stops = s.routes[r].stops[:0]
}

// fill gives an empty route its stops.
func (s *state) fill(r int32, stops []int32) {
	rt := &s.routes[r]
	rt.stops = append(rt.stops[:0], stops...)
	for _, v := range stops {
		if u := s.m.unitOf[v]; s.inList[u] >= 0 {
			s.serve(u)
		}
	}
	s.update(r)
}

const (
	meanRemoved   = 10
	longestString = 10
)

// ruin takes strings of stops out of routes that lie near each other.
func (s *state) ruin() {
	m := s.m
	seed := s.random.below(len(m.loc))
	served, used := len(m.loc), 0
	for r := range s.routes {
		if len(s.routes[r].stops) > 0 {
			used++
		}
	}
	if used == 0 {
		return
	}
	longest := min(longestString, max(1, float64(served)/float64(used)))
	strings := int(s.random.float()*(4*meanRemoved/(1+longest)-1) + 1)
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
		s.cut(r, int(s.pos[v])-1, n)
		strings--
	}
	for _, o := range s.saved.routes {
		s.close(o.route)
	}
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
		s.remove(s.m.unitOf[rt.stops[i]])
	}
}

// remove drops a unit and those that must be with it, unless they are given to their
// route. The route still lists them until close.
func (s *state) remove(u int32) {
	if g := s.m.units[u].group; g >= 0 {
		for _, o := range s.m.groups[g] {
			if s.pinned(o) {
				return
			}
		}
		for _, o := range s.m.groups[g] {
			s.removeOne(o)
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

func (s *state) pinned(u int32) bool {
	f := s.m.units[u].first
	r := s.where[f]
	return r >= 0 && int(s.pos[f]) <= s.routes[r].fixed
}

// close takes dropped visits out of a route.
func (s *state) close(r int32) {
	rt := &s.routes[r]
	n := 0
	for _, v := range rt.stops {
		if s.inList[s.m.unitOf[v]] < 0 {
			rt.stops[n] = v
			n++
		}
	}
	rt.stops = rt.stops[:n]
	s.update(r)
}

// ranked is a unit in the order that recreate takes.
type ranked struct {
	key  int64
	unit int32
}

// recreate puts units back in, one after the other, each where it is cheapest.
func (s *state) recreate(order []ranked) []ranked {
	order = s.rank(order[:0])
	for _, o := range order {
		if s.inList[o.unit] < 0 {
			continue
		}
		if g := s.m.units[o.unit].group; g >= 0 {
			s.putGroup(s.m.groups[g])
			continue
		}
		if b, ok := s.best(o.unit); ok {
			s.touch(b.route)
			s.put(o.unit, b)
		}
	}
	return order
}

// rank orders the absent by chance, weight, distance or windows.
func (s *state) rank(order []ranked) []ranked {
	by := s.random.below(17)
	c := &s.m.classes[0]
	start := int(s.m.slots[0].start)
	for _, u := range s.absent {
		un := &s.m.units[u]
		v := un.first
		ws := s.m.windows[v]
		key := int64(0)
		switch {
		case by < 4:
			key = int64(s.random.next() >> 1)
		case by < 8:
			key = -un.weight
		case by < 10:
			key = -c.cost[start*c.n+int(s.m.loc[v])]
		case by < 11:
			key = c.cost[start*c.n+int(s.m.loc[v])]
		case by < 13:
			key = ws[len(ws)-1].End - ws[0].Start
		case by < 15:
			key = ws[0].Start
		default:
			key = -ws[len(ws)-1].End
		}
		order = append(order, ranked{key, u})
	}
	slices.SortFunc(order, func(a, b ranked) int { return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.unit, b.unit)) })
	// What matters more comes first.
	slices.SortStableFunc(order, func(a, b ranked) int {
		return cmp.Compare(s.m.units[b.unit].priority, s.m.units[a.unit].priority)
	})
	return order
}

// putGroup puts all units of a group into the route where that is cheapest, or
// none.
func (s *state) putGroup(g []int32) {
	best, least := int32(-1), int64(0)
	for r := range int32(len(s.routes)) {
		if s.twin(r) {
			continue
		}
		before := s.cost
		s.touch(r)
		if s.allInto(g, r) && (best < 0 || s.cost-before < least) {
			best, least = r, s.cost-before
		}
		s.outOf(g, r)
	}
	if best >= 0 && !s.allInto(g, best) {
		s.outOf(g, best) // a blink that came in between
	}
}

func (s *state) allInto(g []int32, r int32) bool {
	for _, u := range g {
		if s.inList[u] < 0 {
			if s.where[s.m.units[u].first] != r {
				return false
			}
			continue
		}
		b := spot{delta: 1 << 62}
		if s.open(u, r) {
			s.into(u, r, &b)
		}
		if b.delta == 1<<62 {
			return false
		}
		s.put(u, b)
	}
	return true
}

func (s *state) outOf(g []int32, r int32) {
	for _, u := range g {
		if s.inList[u] < 0 && !s.pinned(u) {
			s.drop(u)
		}
	}
	s.close(r)
}
