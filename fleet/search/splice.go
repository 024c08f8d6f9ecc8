package search

import (
	"github.com/waygate/waygate/fleet"
	"github.com/waygate/waygate/fleet/search/model"
)

// insert inserts a task at a place that was found for it.
func (s *state) insert(u int32, b insertion) {
	rt, sl := &s.routes[b.route], &s.m.Slots[b.route]
	v := s.m.Tasks[u].First
	if s.m.Tasks[u].Half {
		v++
	}
	s.serve(u)
	s.watch.Spend(3 * (len(rt.stops) + 2) * (1 + s.m.Dimensions))
	if s.m.Edged || sl.First != sl.Last || len(rt.stops) == 0 {
		if b.second >= 0 {
			rt.stops = insertAt(rt.stops, int(b.second), v+1)
		}
		rt.stops = insertAt(rt.stops, int(b.first), v)
		s.update(b.route)
		return
	}
	s.markChanged(rt)
	s.cost -= rt.cost
	first, last := int(b.first), int(b.first)
	if b.second >= 0 {
		s.splice(rt, sl, int(b.second), v+1)
		last = int(b.second) + 1
		s.where[v+1] = b.route
	}
	s.splice(rt, sl, first, v)
	s.where[v] = b.route
	if !s.m.Tasks[u].Half {
		rt.cost += s.m.Base(sl, u)
	}
	rt.rides = rt.rides || s.m.Tasks[u].Ride < fleet.Never
	s.cost += rt.cost
	for i := first; i < len(rt.stops); i++ {
		s.pos[rt.stops[i]] = int32(i + 1)
	}
	s.later(rt, sl, first, last)
	s.earlier(rt, sl, first, last)
	rt.peaks(s.m.Dimensions)
}

// splice inserts a visit after position i of a route that has stops, and recomputes all
// but what depends on the rest of the route.
func (s *routeSet) splice(rt *route, sl *model.Slot, i int, v int32) {
	l := s.m.Visits[v].Location
	a, z := rt.loc[i], rt.loc[i+1]
	old, to, from := sl.Network.At(a, z), sl.Network.At(a, l), sl.Network.At(l, z)
	there, on := sl.Cost(to), sl.Cost(from)
	rt.cost += there + on - rt.arc[i]
	rt.travel += int64(to.Sec) + int64(from.Sec) - int64(old.Sec)
	rt.distance += int64(to.Metre) + int64(from.Metre) - int64(old.Metre)
	setup := s.m.Kinds[sl.Kind].Setup
	in, out := int64(to.Sec), int64(from.Sec)
	if a != l {
		in += setup[v]
	}
	if i < len(rt.stops) && l != z {
		out += setup[rt.stops[i]]
	}
	rt.arc[i], rt.hop[i+1] = there, out
	rt.stops, rt.loc = insertAt(rt.stops, i, v), insertAt(rt.loc, i+1, l)
	rt.arc, rt.hop = insertAt(rt.arc, i+1, on), insertAt(rt.hop, i+1, in)
	rt.done, rt.latest = insertAt(rt.done, i+1, 0), insertAt(rt.latest, i+1, 0)
	if s.m.Dimensions > 0 {
		s.lift(rt, i, v)
	}
}

// lift does the same for the loads.
func (s *routeSet) lift(rt *route, i int, v int32) {
	d := s.m.Dimensions
	n := len(rt.load) + d
	rt.load, rt.before, rt.after = longer(rt.load, n), longer(rt.before, n), longer(rt.after, n)
	copy(rt.load[(i+1)*d:], rt.load[i*d:n-d])
	for x := range d {
		brings, takes := s.m.Brings[int(v)*d+x], s.m.Takes[int(v)*d+x]
		for j := x; j <= i*d+x; j += d {
			rt.load[j] += brings
		}
		for j := (i+1)*d + x; j < n; j += d {
			rt.load[j] += takes
		}
	}
}

// peaks computes the largest load before and after each position.
func (rt *route) peaks(d int) {
	n := len(rt.load)
	if n == 0 {
		return
	}
	copy(rt.before[:d], rt.load)
	for j := d; j < n; j++ {
		rt.before[j] = max(rt.before[j-d], rt.load[j])
	}
	copy(rt.after[n-d:], rt.load[n-d:])
	for j := n - d - 1; j >= 0; j-- {
		rt.after[j] = max(rt.after[j+d], rt.load[j])
	}
}

// later recomputes the earliest times after visits were inserted after positions from
// first to last, as far as they change.
func (s *routeSet) later(rt *route, sl *model.Slot, first, last int) {
	service := s.m.Kinds[sl.Kind].Service
	t := rt.done[first]
	for i := first; i < len(rt.stops); i++ {
		v := rt.stops[i]
		t = min(fleet.Never, s.m.Visits[v].Start(t+rt.hop[i+1])+service[v])
		if i > last && t == rt.done[i+1] {
			return
		}
		rt.done[i+1] = t
	}
	rt.done[len(rt.stops)+1] = t + rt.hop[len(rt.stops)+1]
}

// earlier does the same for the latest times.
func (s *routeSet) earlier(rt *route, sl *model.Slot, first, last int) {
	service := s.m.Kinds[sl.Kind].Service
	t := rt.latest[last+2] - rt.hop[last+2]
	for i := last + 1; i > 0; i-- {
		v := rt.stops[i-1]
		l := s.m.Visits[v].Latest(t - service[v])
		if i <= first && l == rt.latest[i] {
			return
		}
		rt.latest[i] = l
		t = l - rt.hop[i]
	}
	rt.latest[0] = t
}

func insertAt[T any](a []T, i int, v T) []T {
	a = append(a, v)
	copy(a[i+1:], a[i:])
	a[i] = v
	return a
}

// longer makes room for n elements and keeps the present ones.
func longer(a []int32, n int) []int32 {
	if cap(a) < n {
		a = append(make([]int32, 0, n+n/2+8), a...)
	}
	return a[:n]
}
