package fleet

import (
	"cmp"
	"math"
	"slices"
)

// begins gives vehicles the steps that they begin with, and then those of the plan to begin
// the search with as far as they can be done. It reports whether the former can.
func (s *state) begins() bool {
	if !s.starts() {
		return false
	}
	for r := range s.routes {
		if sl := &s.m.slots[r]; sl.trip == 0 && len(sl.v.Begins()) > 0 {
			s.warm(int32(r), sl.v.Begins())
		}
	}
	for _, g := range s.m.groups {
		if slices.ContainsFunc(g, func(u int32) bool { return s.inList[u] >= 0 }) || s.split(g) {
			s.abandon(g)
		}
	}
	return true
}

// starts gives vehicles the steps that they begin with.
func (s *state) starts() bool {
	for r := range s.routes {
		sl := &s.m.slots[r]
		if sl.trip > 0 || len(sl.v.First) == 0 {
			continue
		}
		rt := &s.routes[r]
		for i, st := range sl.v.First {
			v := s.m.visitOf(st)
			u := s.m.visits[v].unit
			if !s.m.kinds[sl.kind].allowed[u] {
				return false
			}
			rt.stops = append(rt.stops, v)
			rt.fixed = i + 1
			if s.inList[u] >= 0 && !s.m.units[u].half {
				s.serve(u)
			}
		}
		s.update(int32(r))
	}
	order := slices.Clone(s.m.must)
	for try := 0; ; try++ {
		for r := range s.routes {
			if s.routes[r].fixed > 0 {
				s.relieve(int32(r))
			}
		}
		s.serveAll(order)
		if !s.lacks() && s.lawful() {
			break
		}
		if len(order) == 0 || try == startTries || s.watch.over {
			return false
		}
		s.begin()
		for r := range s.routes {
			if s.m.slots[r].trip == 0 {
				s.unload(int32(r))
			}
		}
		for i := range order {
			j := i + s.random.below(len(order)-i)
			order[i], order[j] = order[j], order[i]
		}
		s.skip = 0 // other places too
	}
	s.skip = math.MaxInt
	return true
}

// startTries is how many other orders are tried to find room for what must be served.
const startTries = 32

// serveAll puts units in, each where it is cheapest, as far as they can be: one may find its
// place only when another is there.
func (s *state) serveAll(units []int32) {
	for left := -1; len(s.absent) != left; {
		left = len(s.absent)
		s.round++
		for _, u := range units {
			if s.inList[u] < 0 {
				continue
			}
			if s.watch.spend(1) {
				return
			}
			if g := s.m.units[u].group; g >= 0 && !s.m.units[u].half {
				s.tryGroup(g)
			} else if b, ok := s.best(u); ok {
				s.put(u, b)
			}
		}
	}
}

// lawful reports whether every vehicle keeps its limits.
func (s *state) lawful() bool {
	for r := range s.routes {
		if s.m.slots[r].trip == 0 && !s.sound(int32(r)) || s.crowded(int32(r)) {
			return false
		}
	}
	return !slices.ContainsFunc(s.m.groups, s.split)
}

// split reports whether several vehicles serve what must be together.
func (s *state) split(g []int32) bool {
	by := -1
	for _, u := range g {
		if s.inList[u] >= 0 {
			continue
		}
		v := s.m.slots[s.where[s.m.units[u].first]].vehicle
		if by >= 0 && v != by {
			return true
		}
		by = v
	}
	return false
}

// warm puts a given order into the trips of a vehicle, task by task as far as that can be
// done. What cannot is left for the search.
func (s *state) warm(r int32, stops []Stop) {
	sl := &s.m.slots[r]
	if sl.first == sl.last && s.asGiven(r, stops) {
		return
	}
	rank := map[int32]int{}
	for i, st := range stops {
		rank[s.m.visitOf(st)] = i
	}
	at := r
	for _, st := range stops {
		u := s.m.unitOfTask(st.Task())
		un := &s.m.units[u]
		if s.inList[u] < 0 || un.half {
			continue
		}
		if s.watch.over {
			return
		}
		if _, whole := rank[un.first+1]; un.pair && !whole {
			continue
		}
		for q := at; q <= sl.last; q++ {
			if s.open(u, q) && s.inOrder(u, q, rank) {
				at = q
				break
			}
		}
	}
}

// asGiven gives the one trip of a vehicle all of its stops at once, if that can be done: where
// ways are no metric it may not be able to have some of them alone.
func (s *state) asGiven(r int32, stops []Stop) bool {
	rt, sl := &s.routes[r], &s.m.slots[r]
	old := slices.Clone(rt.stops)
	all := slices.Clone(rt.stops[:rt.fixed])
	for _, st := range stops {
		v := s.m.visitOf(st)
		if q := s.where[v]; q >= 0 && q != r || !s.m.kinds[sl.kind].allowed[s.m.visits[v].unit] {
			return false
		}
		all = append(all, v)
	}
	at := make(map[int32]int, len(all))
	for i, v := range all {
		at[v] = i
	}
	for i, v := range all {
		un := &s.m.units[s.m.visits[v].unit]
		if !un.pair {
			continue
		}
		if k, ok := at[un.first]; !ok || v != un.first && k > i {
			return false
		}
		if k, ok := at[un.first+1]; !ok || v == un.first && k < i {
			return false
		}
	}
	for _, v := range old {
		if _, ok := at[v]; !ok {
			return false // what must be there
		}
	}
	var news []int32
	for _, v := range all {
		if u := s.m.visits[v].unit; s.inList[u] >= 0 {
			s.serve(u)
			news = append(news, u)
		}
	}
	rt.stops = append(rt.stops[:0], all...)
	s.update(r)
	if s.sound(r) && !s.crowded(r) {
		return true
	}
	for _, u := range news {
		s.drop(u)
	}
	rt.stops = append(rt.stops[:0], old...)
	s.update(r)
	return false
}

// inOrder puts a unit into a trip where its rank says, if that can be done.
func (s *state) inOrder(u, r int32, rank map[int32]int) bool {
	rt := &s.routes[r]
	un := &s.m.units[u]
	old := slices.Clone(rt.stops)
	rt.stops = append(rt.stops, un.first)
	if un.pair {
		rt.stops = append(rt.stops, un.first+1)
	}
	loose := rt.stops[rt.fixed:]
	s.watch.spend(10 * len(loose))
	slices.SortStableFunc(loose, func(a, b int32) int { return cmp.Compare(rank[a], rank[b]) })
	s.serve(u)
	s.update(r)
	if s.sound(r) && (!un.pair || s.pos[un.first] < s.pos[un.first+1]) {
		return true
	}
	s.drop(u)
	rt.stops = append(rt.stops[:0], old...)
	s.update(r)
	return false
}

// abandon takes a group out that is served in part.
func (s *state) abandon(g []int32) {
	s.begin()
	for _, u := range g {
		if s.inList[u] < 0 && !s.pinned(u) {
			s.removeOne(u)
		}
	}
	s.settle()
}
