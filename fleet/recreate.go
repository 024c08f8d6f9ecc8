package fleet

import (
	"cmp"
	"math"
	"slices"
)

// ranked is a unit in the order that recreate takes.
type ranked struct {
	key  int64
	unit int32
}

// recreate puts units back in, one after the other, each where it is cheapest.
func (s *state) recreate(order []ranked) []ranked {
	order = s.rank(order[:0])
	s.round++
	for _, o := range order {
		if s.watch.spend(1) {
			break
		}
		if s.inList[o.unit] < 0 {
			continue
		}
		if g := s.m.units[o.unit].group; g >= 0 {
			s.tryGroup(g)
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
	hardest := s.lacking && s.random.below(2) == 0
	sl := &s.m.slots[0]
	s.watch.spend(4 * len(s.absent))
	for _, u := range s.absent {
		if s.hopeless[u] && s.random.below(64) > 0 {
			continue
		}
		un := &s.m.units[u]
		v := &s.m.visits[un.first]
		key := int64(0)
		switch {
		case hardest:
			key = -s.missed[u]
		case by < 4:
			key = int64(s.random.next() >> 1)
		case by < 8:
			key = -un.weight
		case by < 10:
			key = -sl.cost(sl.net.at(sl.start, v.loc))
		case by < 11:
			key = sl.cost(sl.net.at(sl.start, v.loc))
		case by < 13:
			key = v.shut - v.open
		case by < 15:
			key = v.open
		default:
			key = -v.shut
		}
		order = append(order, ranked{key, u})
	}
	// What matters more comes first.
	slices.SortFunc(order, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(s.m.units[b.unit].priority, s.m.units[a.unit].priority), cmp.Compare(a.key, b.key), cmp.Compare(a.unit, b.unit))
	})
	return order
}

// mostAgain is how large a group may be to be tried once more for each of its members, in
// other company; what a larger one takes would grow with the square of it.
const mostAgain = 8

// tryGroup puts a group in if that can be done, a large one once in each recreation.
func (s *state) tryGroup(g int32) {
	if list := s.m.groups[g]; len(list) <= mostAgain || s.tried[g] != s.round {
		s.tried[g] = s.round
		s.putGroup(list)
	}
}

// putGroup puts all units of a group on the vehicle where that is cheapest, or on
// none.
func (s *state) putGroup(g []int32) {
	best, least := int32(-1), int64(0)
	l := s.lists()
	s.beside = append(append(s.beside[:0], l.used...), l.empty...)
	for i := range s.beside {
		s.beside[i] = s.m.slots[s.beside[i]].first
	}
	slices.Sort(s.beside)
	vehicles := slices.Compact(s.beside)
	for _, r := range vehicles {
		if s.watch.spend(2 * len(g)) {
			return
		}
		before := s.cost
		s.lend(g, r)
		if s.allInto(g, r) && (best < 0 || s.cost-before < least) {
			best, least = r, s.cost-before
		}
		s.outOf(g, r)
		s.lend(g, r)
	}
	if best >= 0 && !s.allInto(g, best) {
		s.outOf(g, best) // a blink that came in between
	}
}

// manyTogether is from how many units on a group is tried in room that vehicles lend each
// other: none keeps what all of it took.
const manyTogether = 64

// lend has an empty route and the spare room change places, before a large group is tried in
// it and after.
func (s *state) lend(g []int32, r int32) {
	rt, x := &s.routes[r], &s.lent
	if len(g) < manyTogether || rt.used() {
		return
	}
	rt.stops, x.stops = x.stops[:0], rt.stops
	rt.loc, x.loc = x.loc, rt.loc
	rt.arc, x.arc = x.arc, rt.arc
	rt.hop, x.hop = x.hop, rt.hop
	rt.done, x.done = x.done, rt.done
	rt.latest, x.latest = x.latest, rt.latest
	rt.load, x.load = x.load, rt.load
	rt.before, x.before = x.before, rt.before
	rt.after, x.after = x.after, rt.after
	s.update(r)
}

// allInto puts what is not served of a group into the trips of the vehicle whose first is r.
func (s *state) allInto(g []int32, r int32) bool {
	last := s.m.slots[r].last
	for _, u := range g {
		if s.inList[u] < 0 {
			if q := s.where[s.m.units[u].first]; q < r || q > last {
				return false
			}
			continue
		}
		b := spot{delta: math.MaxInt64}
		for q := r; q <= last; q++ {
			if (q == r || s.routes[q].used() || s.routes[q-1].used()) && s.open(u, q) {
				s.into(u, q, &b)
			}
		}
		if b.delta == math.MaxInt64 {
			return false
		}
		s.touch(b.route)
		s.put(u, b)
	}
	return true
}

// outOf takes a group out of the trips of the vehicle whose first is r.
func (s *state) outOf(g []int32, r int32) {
	for _, u := range g {
		if s.inList[u] < 0 && !s.pinned(u) {
			s.drop(u)
		}
	}
	for q := r; q <= s.m.slots[r].last; q++ {
		s.close(q)
	}
}
