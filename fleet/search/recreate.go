package search

import (
	"cmp"
	"math"
	"slices"
)

// ranked is a task with its rank in the order of insertion.
type ranked struct {
	key  int64
	task int32
}

// recreation inserts the tasks that are left out.
type recreation struct{ *state }

// recreate inserts tasks one after the other, each where it is cheapest.
func (s recreation) recreate(order []ranked) []ranked {
	order = s.rank(order[:0])
	s.round++
	for _, o := range order {
		if s.watch.Spend(1) {
			break
		}
		if s.inList[o.task] < 0 {
			continue
		}
		if g := s.m.Tasks[o.task].Group; g >= 0 {
			groups(s).tryGroup(g)
			continue
		}
		if b, ok := s.best(o.task); ok {
			s.touch(b.route)
			s.insert(o.task, b)
		}
	}
	return order
}

// rank orders the absent tasks by chance, weight, distance or windows.
func (s recreation) rank(order []ranked) []ranked {
	by := s.random.below(17)
	hardest := s.lacking && s.random.below(2) == 0
	sl := &s.m.Slots[0]
	s.watch.Spend(4 * len(s.absent))
	for _, u := range s.absent {
		if s.unservable[u] && s.random.below(64) > 0 {
			continue
		}
		un := &s.m.Tasks[u]
		v := &s.m.Visits[un.First]
		key := int64(0)
		switch {
		case hardest:
			key = -s.missed[u]
		case by < 4:
			key = int64(s.random.next() >> 1)
		case by < 8:
			key = -un.Weight
		case by < 10:
			key = -sl.Cost(sl.Network.At(sl.Start, v.Location))
		case by < 11:
			key = sl.Cost(sl.Network.At(sl.Start, v.Location))
		case by < 13:
			key = v.Shut - v.Open
		case by < 15:
			key = v.Open
		default:
			key = -v.Shut
		}
		order = append(order, ranked{key, u})
	}
	// Higher priorities come first.
	slices.SortFunc(order, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(s.m.Tasks[b.task].Priority, s.m.Tasks[a.task].Priority), cmp.Compare(a.key, b.key), cmp.Compare(a.task, b.task))
	})
	return order
}

// mostAgain is the size up to which a group is tried again for each of its members; the
// work for larger ones would grow with the square of their size.
const mostAgain = 8

// groups inserts tasks that one vehicle must serve: all of them or none.
type groups struct{ *state }

// tryGroup inserts a group if that is possible; a large one is tried once in each
// recreation.
func (s groups) tryGroup(g int32) {
	if list := s.m.Groups[g]; len(list) <= mostAgain || s.tried[g] != s.round {
		s.tried[g] = s.round
		s.putGroup(list)
	}
}

// putGroup inserts all tasks of a group into the vehicle where that is cheapest, or
// none.
func (s groups) putGroup(g []int32) {
	best, least := int32(-1), int64(0)
	l := s.lists()
	s.beside = append(append(s.beside[:0], l.used...), l.empty...)
	for i := range s.beside {
		s.beside[i] = s.m.Slots[s.beside[i]].First
	}
	slices.Sort(s.beside)
	vehicles := slices.Compact(s.beside)
	for _, r := range vehicles {
		if s.watch.Spend(2 * len(g)) {
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

// manyTogether is the size from which a group is tried in memory that routes share:
// otherwise each route would keep what the whole group took.
const manyTogether = 64

// lend exchanges the memory of an empty route with the spare memory, before a large
// group is tried in it and after.
func (s groups) lend(g []int32, r int32) {
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

// allInto inserts what is not served of a group into the trips of the vehicle whose
// first is r.
func (s groups) allInto(g []int32, r int32) bool {
	last := s.m.Slots[r].Last
	for _, u := range g {
		if s.inList[u] < 0 {
			if q := s.where[s.m.Tasks[u].First]; q < r || q > last {
				return false
			}
			continue
		}
		b := insertion{delta: math.MaxInt64}
		for q := r; q <= last; q++ {
			if (q == r || s.routes[q].used() || s.routes[q-1].used()) && s.admits(u, q) {
				s.into(u, q, &b)
			}
		}
		if b.delta == math.MaxInt64 {
			return false
		}
		s.touch(b.route)
		s.insert(u, b)
	}
	return true
}

// outOf removes a group from the trips of the vehicle whose first is r.
func (s groups) outOf(g []int32, r int32) {
	for _, u := range g {
		if s.inList[u] < 0 && !s.pinned(u) {
			s.drop(u)
		}
	}
	for q := r; q <= s.m.Slots[r].Last; q++ {
		s.close(q)
	}
}
