package search

import (
	"math"

	"github.com/waygate/waygate/fleet/search/model"
)

// This file is for fleets whose vehicles differ: a single task is cheapest in the
// smallest vehicle, and a plan with the wrong vehicles is hard to improve task by task.
// So routes change vehicles as a whole, whole routes are removed, and not every empty
// vehicle is offered.

const (
	wholeEvery = 24 // ruins of which one takes whole routes out
	mostWhole  = 2  // of them
	mostTrades = 24 // routes with vehicles, and without, that one may change its vehicle with
)

// offer chooses which kinds of empty vehicles are offered to tasks until the next
// choice: half of the time all; else one, or none unless a task finds no other place.
func (s *inserter) offer() {
	s.offered = grow(s.offered, len(s.m.Kinds))
	which := s.random.below(4)
	for k := range s.offered {
		s.offered[k] = which > 1
	}
	if l := s.lists(); which == 1 && len(l.empty) > 0 {
		s.offered[s.m.Slots[l.empty[s.random.below(len(l.empty))]].Kind] = true
	}
}

// amongEmpty looks for a cheaper insertion in the empty routes that are offered, and in
// the others if that finds none.
func (s *inserter) amongEmpty(u int32, b *insertion) {
	l := s.lists()
	if !s.m.Mixed || len(s.offered) == 0 {
		s.among(u, l.empty, b)
		return
	}
	for _, r := range l.empty {
		if s.offered[s.m.Slots[r].Kind] && s.admits(u, r) {
			s.cachedInto(u, r, b)
		}
	}
	s.watch.Spend(len(l.empty))
}

// orEmpty returns an insertion of a task; if there is none, one in an empty route that
// was not offered.
func (s *inserter) orEmpty(u int32, b insertion) (insertion, bool) {
	if b.delta == math.MaxInt64 && len(s.offered) > 0 {
		s.among(u, s.lists().empty, &b)
	}
	return b, b.delta < math.MaxInt64
}

// exchange moves whole routes to other vehicles.
type exchange struct{ *state }

// changeVehicles moves each route that a change has touched to a cheaper vehicle: an
// empty one, or that of another route, which gets its vehicle in turn.
func (s exchange) changeVehicles() {
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
			s.watch.Spend(4 * some)
			for n := range some {
				q := list[(from+n)%len(list)]
				if s.m.Slots[q].Kind == s.m.Slots[r].Kind || !s.movable(q) {
					continue
				}
				if g, ok := s.gain(r, q); ok && g > gain {
					best, gain = q, g
				}
			}
		}
		if best >= 0 {
			s.swap(r, best)
		}
	}
}

// movable reports whether another vehicle may drive a route, as far as the route itself
// decides.
func (s exchange) movable(r int32) bool {
	sl := &s.m.Slots[r]
	return !s.m.Edged && s.routes[r].fixed == 0 && sl.First == sl.Last && sl.OnBoard == nil
}

// gain returns how much cheaper two routes are with their vehicles exchanged; false if
// one of them is impossible, times not checked.
func (s exchange) gain(r, q int32) (int64, bool) {
	a, ok := s.costWith(r, &s.m.Slots[q])
	if !ok {
		return 0, false
	}
	b, ok := s.costWith(q, &s.m.Slots[r])
	return s.routes[r].cost + s.routes[q].cost - a - b, ok
}

// costWith returns the cost of a route with another vehicle; false if the vehicle
// cannot drive it, times not checked.
func (s exchange) costWith(r int32, sl *model.Slot) (cost int64, ok bool) {
	rt, own := &s.routes[r], &s.m.Slots[r]
	k, d := len(rt.stops), s.m.Dimensions
	if k == 0 {
		return 0, true
	}
	if k > sl.Tasks {
		return 0, false
	}
	for x := range d {
		if rt.before[k*d+x] > sl.Of.Capacity[x] {
			return 0, false
		}
	}
	travel, distance := rt.travel, rt.distance
	if sl.Network != own.Network || sl.Start != own.Start || sl.End != own.End {
		s.watch.Spend(k)
		travel, distance = 0, 0
		at := sl.Start
		for i := 1; i <= k+1; i++ {
			to := sl.End
			if i <= k {
				to = rt.loc[i]
			}
			w := sl.Network.At(at, to)
			travel, distance, at = travel+int64(w.Sec), distance+int64(w.Metre), to
		}
	}
	if travel > sl.Travel || distance > sl.Distance {
		return 0, false
	}
	cost = sl.Fixed + sl.Second*travel + sl.Metre*distance
	s.watch.Spend(k / 4)
	for _, v := range rt.stops {
		u := s.m.Visits[v].Task
		if !s.m.Kinds[sl.Kind].Allowed[u] {
			return 0, false
		}
		if v == s.m.Tasks[u].First {
			cost += s.m.Base(sl, u)
		}
	}
	return cost, true
}

// swap exchanges the vehicles of two routes, unless one of them then cannot be driven
// in time.
func (s exchange) swap(r, q int32) {
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
