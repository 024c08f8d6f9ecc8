package search

import (
	"math"

	"github.com/waygate/waygate/fleet"
	"github.com/waygate/waygate/fleet/search/model"
)

// In problems with more visits than granular, a task is inserted only into the routes
// of so many of its nearest neighbours.
const (
	granular    = 150
	granularity = 40
)

// insertion is a place for a task in a route, with its cost.
type insertion struct {
	delta         int64
	route         int32
	first, second int32 // positions after which its visits go; of a delivery in the route without its pickup
}

// routeLists separates the routes that have stops from the empty ones.
type routeLists struct {
	stale bool
	used  []int32
	empty []int32 // of those that are like each other, the first
	kinds []bool  // scratch: kinds of vehicles that are listed
}

// lists brings the routeLists up to date.
func (s *routeSet) lists() *routeLists {
	l := &s.byUse
	if !l.stale {
		return l
	}
	l.stale = false
	s.watch.Spend(4 * len(s.routes))
	l.used, l.empty = l.used[:0], l.empty[:0]
	l.kinds = grow(l.kinds, len(s.m.Kinds))
	clear(l.kinds)
	for r := range s.routes {
		sl := &s.m.Slots[r]
		switch {
		case s.routes[r].used():
			l.used = append(l.used, int32(r))
		case s.closed[r]:
		case int32(r) > sl.First:
			if s.routes[r-1].used() {
				l.empty = append(l.empty, int32(r))
			}
		case s.unusedAfter(int32(r)):
			if !l.kinds[sl.Kind] {
				l.kinds[sl.Kind] = true
				l.empty = append(l.empty, int32(r))
			}
		default:
			l.empty = append(l.empty, int32(r))
		}
	}
	return l
}

func (s *routeSet) unusedAfter(r int32) bool {
	for q := r + 1; q <= s.m.Slots[r].Last; q++ {
		if s.routes[q].used() {
			return false
		}
	}
	return true
}

// best finds the cheapest insertion of a task. It passes over some places by chance,
// which lets the search escape local optima. With many routes it tries those that hold
// a neighbour, and the others only if there is no place in them.
func (s *inserter) best(u int32) (insertion, bool) {
	b := insertion{delta: math.MaxInt64}
	if un := &s.m.Tasks[u]; un.Half {
		if r := s.where[un.First]; s.admits(u, r) {
			s.into(u, r, &b)
		}
		return b, b.delta < math.MaxInt64
	}
	l := s.lists()
	if len(s.m.Visits) <= granular {
		s.among(u, l.used, &b)
		s.amongEmpty(u, &b)
		return s.orEmpty(u, b)
	}
	s.stamp++
	s.beside = s.beside[:0]
	for _, w := range s.m.Near[s.m.Tasks[u].First][1:granularity] {
		if r := s.where[w]; r >= 0 && s.near[r] != s.stamp {
			s.near[r] = s.stamp
			s.beside = append(s.beside, r)
		}
	}
	s.among(u, s.beside, &b)
	s.amongEmpty(u, &b)
	if b.delta == math.MaxInt64 {
		s.among(u, l.used, &b)
	}
	return s.orEmpty(u, b)
}

func (s *inserter) among(u int32, routes []int32, b *insertion) {
	for _, r := range routes {
		if s.watch.Spend(1 + s.m.Words) {
			return
		}
		if s.admits(u, r) {
			s.cachedInto(u, r, b)
		}
	}
}

// admits reports whether a task may be in a route at all.
func (s *inserter) admits(u int32, r int32) bool {
	sl, un := &s.m.Slots[r], &s.m.Tasks[u]
	if !s.m.Kinds[sl.Kind].Allowed[u] {
		return false
	}
	if un.Half {
		return r == s.where[un.First] && len(s.routes[r].stops) < sl.Tasks
	}
	n := 1
	if un.Pair {
		n = 2
	}
	if len(s.routes[r].stops)+n > sl.Tasks {
		return false
	}
	return !s.conflicts(u, sl)
}

// into looks for a cheaper insertion in one route.
func (s *inserter) into(u, r int32, b *insertion) {
	sl := &s.m.Slots[r]
	switch {
	case sl.DepotElsewhere && !s.routes[r].used() && !s.alone(sl):
		s.newTrip(u, r, b)
	case s.m.Tasks[u].Pair && !s.m.Tasks[u].Half:
		s.pairInto(u, r, b)
	default:
		s.jobInto(u, r, b)
	}
}

func (s *routeSet) alone(sl *model.Slot) bool {
	for q := sl.First; q <= sl.Last; q++ {
		if s.routes[q].used() {
			return false
		}
	}
	return true
}

// newTrip evaluates a trip for a task alone where that changes how the vehicle's other
// trips start or end, by computing all trips.
func (s *inserter) newTrip(u, r int32, b *insertion) {
	before := s.cost
	rt := &s.routes[r]
	f := s.m.Tasks[u].First
	rt.stops = append(rt.stops[:0], f)
	second := int32(-1)
	if s.m.Tasks[u].Pair {
		rt.stops = append(rt.stops, f+1)
		second = 0
	}
	s.update(r)
	if delta := s.cost - before; delta < b.delta && s.sound(r) {
		*b = insertion{delta, r, 0, second}
	}
	rt.stops = rt.stops[:0]
	s.update(r)
	s.where[f] = -1
	if second == 0 {
		s.where[f+1] = -1
	}
}

func (s *inserter) jobInto(u, r int32, b *insertion) {
	rt, sl := &s.routes[r], &s.m.Slots[r]
	v, net := s.m.Tasks[u].First, sl.Network
	extra := s.m.Base(sl, u)
	if s.m.Tasks[u].Half { // the pickup is there, and has what is paid once
		v, extra = v+1, 0
	}
	l := int(s.m.Visits[v].Location)
	out, in := net.Out[l*net.N:(l+1)*net.N], net.In[l*net.N:(l+1)*net.N]
	k := len(rt.stops)
	s.watch.Spend(k + 2)
	if k == 0 {
		extra += sl.Fixed
		if extra >= b.delta {
			return
		}
	}
	if s.m.Dimensions > 0 && !s.mayFit(rt, sl, v) {
		return
	}
	hard, edged, timed := s.hard(r) || s.m.Tasks[u].Half, s.m.Edged, !s.m.Untimed
	loc, arc := rt.loc[:k+2], rt.arc[:k+2]
	over, shut := s.m.Visits[v].Open+s.m.Kinds[sl.Kind].Service[v], s.m.Visits[v].Shut
	for i := rt.fixed; i <= k; i++ {
		if timed {
			if rt.done[i] > shut {
				break
			}
			if i < k && rt.latest[i+1] < over {
				continue
			}
		}
		delta := sl.Cost(in[loc[i]]) + sl.Cost(out[loc[i+1]]) - arc[i] + extra
		if delta >= b.delta || s.blink() {
			continue
		}
		if edged {
			delta += s.edges(sl, rt, v, i)
			if delta >= b.delta {
				continue
			}
		}
		if !s.fits(rt, sl.Of.Capacity, v, i) || timed && !s.inTime(rt, sl, v, i) {
			continue
		}
		if hard && !s.exactly(r, v, i, -1, 0) {
			continue
		}
		*b = insertion{delta, r, int32(i), -1}
	}
}

// edges returns the cost of the ways to and from a visit inserted after position i,
// less that of the way they replace.
func (s *inserter) edges(sl *model.Slot, rt *route, v int32, i int) int64 {
	before := int32(-1)
	if i > 0 {
		before = rt.stops[i-1]
	}
	cost := s.extra(sl, before, rt.loc[i], v)
	if i < len(rt.stops) {
		cost += s.extra(sl, v, s.m.Visits[v].Location, rt.stops[i])
	}
	return cost
}

// fits reports whether a visit's load can be inserted after position i: its delivery is
// on board from the start to there, its pickup from there to the end.
func (s *inserter) fits(rt *route, capacity []int32, v int32, i int) bool {
	d := s.m.Dimensions
	if len(rt.stops) == 0 && d > 0 {
		return true // by mayFit
	}
	for x := range d {
		b, t := s.m.Brings[int(v)*d+x], s.m.Takes[int(v)*d+x]
		if rt.before[i*d+x]+b > capacity[x] || rt.after[i*d+x]+t > capacity[x] {
			return false
		}
	}
	return true
}

// mayFit rules out routes that are too full at every position.
func (s *inserter) mayFit(rt *route, sl *model.Slot, v int32) bool {
	d, k := s.m.Dimensions, len(rt.stops)
	for x := range d {
		if rt.load[x]+s.m.Brings[int(v)*d+x] > sl.Of.Capacity[x] || rt.load[k*d+x]+s.m.Takes[int(v)*d+x] > sl.Of.Capacity[x] {
			return false
		}
	}
	return true
}

// inTime reports whether a visit can be inserted after position i within all windows
// and limits of the route; breaks, pauses and rides are not checked.
func (s *inserter) inTime(rt *route, sl *model.Slot, v int32, i int) bool {
	start := s.m.Visits[v].Start(rt.done[i] + s.reach(sl, rt.loc[i], v))
	return start < fleet.Never && s.rest(rt, sl, start+s.m.Kinds[sl.Kind].Service[v], v, i) && s.withinLimits(rt, sl, v, i)
}

// rest reports whether the stops after position i can still be made if a visit inserted
// there ends at t.
func (s *inserter) rest(rt *route, sl *model.Slot, t int64, v int32, i int) bool {
	l, k := s.m.Visits[v].Location, len(rt.stops)
	if i == k {
		return t+int64(sl.Network.At(l, rt.loc[k+1]).Sec) <= rt.due
	}
	return t+s.reach(sl, l, rt.stops[i]) <= rt.latest[i+1]
}

// withinLimits reports whether a detour keeps the limits of time and distance.
func (s *inserter) withinLimits(rt *route, sl *model.Slot, v int32, i int) bool {
	t, d := s.detour(rt, sl, s.m.Visits[v].Location, i)
	return rt.travel+t <= sl.Travel && rt.distance+d <= sl.Distance
}

func (s *inserter) detour(rt *route, sl *model.Slot, l int32, i int) (t, d int64) {
	a, z := rt.loc[i], rt.loc[i+1]
	to, from := sl.Network.At(a, l), sl.Network.At(l, z)
	t, d = int64(to.Sec)+int64(from.Sec), int64(to.Metre)+int64(from.Metre)
	if len(rt.stops) > 0 {
		old := sl.Network.At(a, z)
		t, d = t-int64(old.Sec), d-int64(old.Metre)
	}
	return t, d
}

// exactly evaluates the trips of a vehicle by their full schedule, with one visit
// inserted after position i and another after j, or none where they are -1.
func (s *routeSet) exactly(r, v int32, i int, w int32, j int) bool {
	sl := &s.m.Slots[r]
	seq := s.seq[:0] // room that lasts
	for q := sl.First; q <= sl.Last; q++ {
		stops := s.routes[q].stops
		if len(stops) == 0 && (q != r || v < 0) {
			continue
		}
		if len(seq) > 0 {
			seq = append(seq, reload)
		}
		if q != r || v < 0 {
			seq = append(seq, stops...)
			continue
		}
		seq = append(append(seq, stops[:i]...), v)
		at := i
		if w >= 0 {
			seq = append(append(seq, stops[i:j]...), w)
			at = j
		}
		seq = append(seq, stops[at:]...)
	}
	_, ok := s.sched.run(sl, seq, sl.Window.Start, sl.Window.End)
	return ok
}
