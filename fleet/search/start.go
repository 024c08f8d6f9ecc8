package search

import (
	"cmp"
	"math"
	"slices"

	"github.com/waygate/waygate/fleet"
)

// start builds the plan that a search begins with.
type start struct{ *state }

// warmStart places the given first steps of the vehicles, and then as much as possible
// of the plan that the search begins with. It reports whether the first steps are
// possible.
func (s start) warmStart() bool {
	if !s.placeFirst() {
		return false
	}
	for r := range s.routes {
		if sl := &s.m.Slots[r]; sl.Trip == 0 && len(sl.Of.Begins()) > 0 {
			s.warmStartTrips(int32(r), sl.Of.Begins())
		}
	}
	for _, g := range s.m.Groups {
		if slices.ContainsFunc(g, func(u int32) bool { return s.inList[u] >= 0 }) || s.split(g) {
			s.abandon(g)
		}
	}
	return true
}

// placeFirst places the given first steps of the vehicles, and reports whether they are
// possible.
func (s start) placeFirst() bool {
	for r := range s.routes {
		sl := &s.m.Slots[r]
		if sl.Trip > 0 || len(sl.Of.First) == 0 {
			continue
		}
		rt := &s.routes[r]
		for i, st := range sl.Of.First {
			v := s.m.VisitOf(st)
			u := s.m.Visits[v].Task
			if !s.m.Kinds[sl.Kind].Allowed[u] {
				return false
			}
			rt.stops = append(rt.stops, v)
			rt.fixed = i + 1
			if s.inList[u] >= 0 && !s.m.Tasks[u].Half {
				s.serve(u)
			}
		}
		s.update(int32(r))
	}
	order := slices.Clone(s.m.Must)
	for try := 0; ; try++ {
		for r := range s.routes {
			if s.routes[r].fixed > 0 {
				s.deliverOnBoardFirst(int32(r))
			}
		}
		s.serveAll(order)
		if !s.lacks() && s.lawful() {
			break
		}
		if len(order) == 0 || try == startTries || s.watch.Over {
			return false
		}
		s.beginChange()
		for r := range s.routes {
			if s.m.Slots[r].Trip == 0 {
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

// serveAll inserts tasks, each where it is cheapest. It repeats while that serves more,
// because a task may only fit once another is there.
func (s start) serveAll(tasks []int32) {
	for left := -1; len(s.absent) != left; {
		left = len(s.absent)
		s.round++
		for _, u := range tasks {
			if s.inList[u] < 0 {
				continue
			}
			if s.watch.Spend(1) {
				return
			}
			if g := s.m.Tasks[u].Group; g >= 0 && !s.m.Tasks[u].Half {
				groups(s).tryGroup(g)
			} else if b, ok := s.best(u); ok {
				s.insert(u, b)
			}
		}
	}
}

// lawful reports whether every vehicle keeps its limits.
func (s start) lawful() bool {
	for r := range s.routes {
		if s.m.Slots[r].Trip == 0 && !s.sound(int32(r)) || s.conflicted(int32(r)) {
			return false
		}
	}
	return !slices.ContainsFunc(s.m.Groups, s.split)
}

// split reports whether several vehicles serve one group.
func (s start) split(g []int32) bool {
	by := -1
	for _, u := range g {
		if s.inList[u] >= 0 {
			continue
		}
		v := s.m.Slots[s.where[s.m.Tasks[u].First]].Vehicle
		if by >= 0 && v != by {
			return true
		}
		by = v
	}
	return false
}

// warmStartTrips inserts a given order of stops into the trips of a vehicle, task by
// task as far as possible. The rest is left to the search.
func (s start) warmStartTrips(r int32, stops []fleet.Stop) {
	sl := &s.m.Slots[r]
	if sl.First == sl.Last && s.asGiven(r, stops) {
		return
	}
	rank := map[int32]int{}
	for i, st := range stops {
		rank[s.m.VisitOf(st)] = i
	}
	at := r
	for _, st := range stops {
		u := s.m.TaskNumber(st.Task())
		un := &s.m.Tasks[u]
		if s.inList[u] < 0 || un.Half {
			continue
		}
		if s.watch.Over {
			return
		}
		if _, whole := rank[un.First+1]; un.Pair && !whole {
			continue
		}
		for q := at; q <= sl.Last; q++ {
			if s.admits(u, q) && s.inOrder(u, q, rank) {
				at = q
				break
			}
		}
	}
}

// asGiven sets all stops of the one trip of a vehicle at once, if that is possible:
// where ways are no metric, some of the stops may be impossible without the others.
func (s start) asGiven(r int32, stops []fleet.Stop) bool {
	rt, sl := &s.routes[r], &s.m.Slots[r]
	old := slices.Clone(rt.stops)
	all := slices.Clone(rt.stops[:rt.fixed])
	for _, st := range stops {
		v := s.m.VisitOf(st)
		if q := s.where[v]; q >= 0 && q != r || !s.m.Kinds[sl.Kind].Allowed[s.m.Visits[v].Task] {
			return false
		}
		all = append(all, v)
	}
	at := make(map[int32]int, len(all))
	for i, v := range all {
		at[v] = i
	}
	for i, v := range all {
		un := &s.m.Tasks[s.m.Visits[v].Task]
		if !un.Pair {
			continue
		}
		if k, ok := at[un.First]; !ok || v != un.First && k > i {
			return false
		}
		if k, ok := at[un.First+1]; !ok || v == un.First && k < i {
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
		if u := s.m.Visits[v].Task; s.inList[u] >= 0 {
			s.serve(u)
			news = append(news, u)
		}
	}
	rt.stops = append(rt.stops[:0], all...)
	s.update(r)
	if s.sound(r) && !s.conflicted(r) {
		return true
	}
	for _, u := range news {
		s.drop(u)
	}
	rt.stops = append(rt.stops[:0], old...)
	s.update(r)
	return false
}

// inOrder inserts a task into a trip at the place that its rank gives, if that is
// possible.
func (s start) inOrder(u, r int32, rank map[int32]int) bool {
	rt := &s.routes[r]
	un := &s.m.Tasks[u]
	old := slices.Clone(rt.stops)
	rt.stops = append(rt.stops, un.First)
	if un.Pair {
		rt.stops = append(rt.stops, un.First+1)
	}
	loose := rt.stops[rt.fixed:]
	s.watch.Spend(10 * len(loose))
	slices.SortStableFunc(loose, func(a, b int32) int { return cmp.Compare(rank[a], rank[b]) })
	s.serve(u)
	s.update(r)
	if s.sound(r) && (!un.Pair || s.pos[un.First] < s.pos[un.First+1]) {
		return true
	}
	s.drop(u)
	rt.stops = append(rt.stops[:0], old...)
	s.update(r)
	return false
}

// abandon removes a group that is served in part.
func (s start) abandon(g []int32) {
	s.beginChange()
	for _, u := range g {
		if s.inList[u] < 0 && !s.pinned(u) {
			s.removeOne(u)
		}
	}
	s.applyRemovals()
}
