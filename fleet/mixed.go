package fleet

import (
	"math"
	"slices"
)

// What is only for fleets whose vehicles are not alike: a task alone is cheapest in the smallest
// vehicle, and a plan with the wrong vehicles is hard to leave task by task. Routes change their
// vehicles as a whole, whole routes are taken out, and not every empty vehicle is offered.

const (
	wholeEvery = 24 // ruins of which one takes whole routes out
	mostWhole  = 2  // of them
	mostTrades = 24 // routes with vehicles, and without, that one may change its vehicle with
)

// mix reports whether vehicles differ in what they carry, cost, or are limited to.
func (m *model) mix() bool {
	a := &m.slots[0]
	return slices.ContainsFunc(m.slots, func(b slot) bool {
		return a.fixed != b.fixed || a.second != b.second || a.metre != b.metre || a.tasks != b.tasks || a.travel != b.travel || a.distance != b.distance ||
			!slices.Equal(a.v.Capacity, b.v.Capacity)
	})
}

// offer chooses the kinds of empty vehicles that tasks are offered until the next choice: half
// the time all, else one, or none but where a task finds no other place.
func (s *state) offer() {
	s.offered = grow(s.offered, len(s.m.kinds))
	which := s.random.below(4)
	for k := range s.offered {
		s.offered[k] = which > 1
	}
	if l := s.lists(); which == 1 && len(l.empty) > 0 {
		s.offered[s.m.slots[l.empty[s.random.below(len(l.empty))]].kind] = true
	}
}

// amongEmpty looks for a cheaper place in the empty routes that are offered, and in the others
// where there is none else.
func (s *state) amongEmpty(u int32, b *spot) {
	l := s.lists()
	if !s.m.mixed || len(s.offered) == 0 {
		s.among(u, l.empty, b)
		return
	}
	for _, r := range l.empty {
		if s.offered[s.m.slots[r].kind] && s.open(u, r) {
			s.recall(u, r, b)
		}
	}
	s.watch.spend(len(l.empty))
}

// orEmpty is a place for a unit, or where there is none one in an empty route that was not
// offered.
func (s *state) orEmpty(u int32, b spot) (spot, bool) {
	if b.delta == math.MaxInt64 && len(s.offered) > 0 {
		s.among(u, s.lists().empty, &b)
	}
	return b, b.delta < math.MaxInt64
}

// retype gives each route that a change has touched another vehicle, where one is cheaper: an
// empty one, or that of another route, which takes its.
func (s *state) retype() {
	for i := 0; i < len(s.saved.routes); i++ {
		r := s.saved.routes[i].route
		if !s.movable(r) || !s.routes[r].used() {
			continue
		}
		l := s.lists()
		best, gain := int32(-1), int64(0)
		for _, list := range [2][]int32{l.empty, l.used} {
			if len(list) == 0 {
				continue
			}
			some := min(len(list), mostTrades)
			from := s.random.below(len(list))
			s.watch.spend(4 * some)
			for n := range some {
				q := list[(from+n)%len(list)]
				if s.m.slots[q].kind == s.m.slots[r].kind || !s.movable(q) {
					continue
				}
				if g, ok := s.gain(r, q); ok && g > gain {
					best, gain = q, g
				}
			}
		}
		if best >= 0 {
			s.trade(r, best)
		}
	}
}

// movable reports whether all that a route has may be driven by another vehicle, as far as the
// route is concerned.
func (s *state) movable(r int32) bool {
	sl := &s.m.slots[r]
	return !s.m.edged && s.routes[r].fixed == 0 && sl.first == sl.last && sl.board == nil
}

// gain is how much cheaper two routes are with each other's vehicle; false where one of them
// cannot be driven so, times aside.
func (s *state) gain(r, q int32) (int64, bool) {
	a, ok := s.costWith(r, &s.m.slots[q])
	if !ok {
		return 0, false
	}
	b, ok := s.costWith(q, &s.m.slots[r])
	return s.routes[r].cost + s.routes[q].cost - a - b, ok
}

// costWith is what a route costs with another vehicle; false where that cannot drive it, times
// aside.
func (s *state) costWith(r int32, sl *slot) (cost int64, ok bool) {
	rt, own := &s.routes[r], &s.m.slots[r]
	k, d := len(rt.stops), s.m.dims
	if k == 0 {
		return 0, true
	}
	if k > sl.tasks {
		return 0, false
	}
	for x := range d {
		if rt.before[k*d+x] > sl.v.Capacity[x] {
			return 0, false
		}
	}
	travel, distance := rt.travel, rt.distance
	if sl.net != own.net || sl.start != own.start || sl.end != own.end {
		s.watch.spend(k)
		travel, distance = 0, 0
		at := sl.start
		for i := 1; i <= k+1; i++ {
			to := sl.end
			if i <= k {
				to = rt.loc[i]
			}
			w := sl.net.at(at, to)
			travel, distance, at = travel+int64(w.sec), distance+int64(w.metre), to
		}
	}
	if travel > sl.travel || distance > sl.distance {
		return 0, false
	}
	cost = sl.fixed + sl.second*travel + sl.metre*distance
	s.watch.spend(k / 4)
	for _, v := range rt.stops {
		u := s.m.visits[v].unit
		if !s.m.kinds[sl.kind].allowed[u] {
			return 0, false
		}
		if v == s.m.units[u].first {
			cost += s.m.base(sl, u)
		}
	}
	return cost, true
}

// trade has two routes change their vehicles, unless one cannot be driven in time then.
func (s *state) trade(r, q int32) {
	s.touch(r)
	s.touch(q)
	for range 2 {
		a, b := &s.routes[r], &s.routes[q]
		a.stops, b.stops = b.stops, a.stops
		s.update(r)
		s.update(q)
		if s.sound(r) && s.sound(q) {
			return
		}
	}
}
