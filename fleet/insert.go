package fleet

import "math"

// Of problems with more visits than granular, a unit is put into the routes of
// so many of its nearest neighbours.
const (
	granular    = 150
	granularity = 40
)

// spot is where a unit can be put in.
type spot struct {
	delta         int64
	route         int32
	first, second int32 // positions after which its visits go; of a delivery in the route without its pickup
}

// spare tells the routes that have stops from those that could have.
type spare struct {
	stale bool
	used  []int32
	empty []int32 // of those that are like each other, the first
	kinds []bool  // scratch: kinds of vehicles that are listed
}

// lists brings spare up to date.
func (s *state) lists() *spare {
	l := &s.spare
	if !l.stale {
		return l
	}
	l.stale = false
	s.watch.spend(4 * len(s.routes))
	l.used, l.empty = l.used[:0], l.empty[:0]
	l.kinds = grow(l.kinds, len(s.m.kinds))
	clear(l.kinds)
	for r := range s.routes {
		sl := &s.m.slots[r]
		switch {
		case s.routes[r].used():
			l.used = append(l.used, int32(r))
		case s.closed[r]:
		case int32(r) > sl.first:
			if s.routes[r-1].used() {
				l.empty = append(l.empty, int32(r))
			}
		case s.unusedAfter(int32(r)):
			if !l.kinds[sl.kind] {
				l.kinds[sl.kind] = true
				l.empty = append(l.empty, int32(r))
			}
		default:
			l.empty = append(l.empty, int32(r))
		}
	}
	return l
}

func (s *state) unusedAfter(r int32) bool {
	for q := r + 1; q <= s.m.slots[r].last; q++ {
		if s.routes[q].used() {
			return false
		}
	}
	return true
}

// best finds the cheapest place for a unit, passing over places by chance,
// which is how the search gets out of where it is. Of many routes it looks
// at those that hold a neighbour, and at the others where there is no place in them.
func (s *state) best(u int32) (spot, bool) {
	b := spot{delta: math.MaxInt64}
	if un := &s.m.units[u]; un.half {
		if r := s.where[un.first]; s.open(u, r) {
			s.into(u, r, &b)
		}
		return b, b.delta < math.MaxInt64
	}
	l := s.lists()
	if len(s.m.visits) <= granular {
		s.among(u, l.used, &b)
		s.amongEmpty(u, &b)
		return s.orEmpty(u, b)
	}
	s.stamp++
	s.beside = s.beside[:0]
	for _, w := range s.m.near[s.m.units[u].first][1:granularity] {
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

func (s *state) among(u int32, routes []int32, b *spot) {
	for _, r := range routes {
		if s.watch.spend(1 + s.m.words) {
			return
		}
		if s.open(u, r) {
			s.recall(u, r, b)
		}
	}
}

// open reports whether a unit may go into a route, wherever in it.
func (s *state) open(u int32, r int32) bool {
	sl, un := &s.m.slots[r], &s.m.units[u]
	if !s.m.kinds[sl.kind].allowed[u] {
		return false
	}
	if un.half {
		return r == s.where[un.first] && len(s.routes[r].stops) < sl.tasks
	}
	n := 1
	if un.pair {
		n = 2
	}
	if len(s.routes[r].stops)+n > sl.tasks {
		return false
	}
	return !s.parted(u, sl)
}

// into looks for a cheaper place in one route.
func (s *state) into(u, r int32, b *spot) {
	sl := &s.m.slots[r]
	switch {
	case sl.apart && !s.routes[r].used() && !s.alone(sl):
		s.newTrip(u, r, b)
	case s.m.units[u].pair && !s.m.units[u].half:
		s.pairInto(u, r, b)
	default:
		s.jobInto(u, r, b)
	}
}

func (s *state) alone(sl *slot) bool {
	for q := sl.first; q <= sl.last; q++ {
		if s.routes[q].used() {
			return false
		}
	}
	return true
}

// newTrip judges a trip for a unit alone where that changes how the vehicle's other
// trips start or end, by driving it.
func (s *state) newTrip(u, r int32, b *spot) {
	before := s.cost
	rt := &s.routes[r]
	f := s.m.units[u].first
	rt.stops = append(rt.stops[:0], f)
	second := int32(-1)
	if s.m.units[u].pair {
		rt.stops = append(rt.stops, f+1)
		second = 0
	}
	s.update(r)
	if delta := s.cost - before; delta < b.delta && s.sound(r) {
		*b = spot{delta, r, 0, second}
	}
	rt.stops = rt.stops[:0]
	s.update(r)
	s.where[f] = -1
	if second == 0 {
		s.where[f+1] = -1
	}
}

func (s *state) jobInto(u, r int32, b *spot) {
	rt, sl := &s.routes[r], &s.m.slots[r]
	v, net := s.m.units[u].first, sl.net
	extra := s.m.base(sl, u)
	if s.m.units[u].half { // the pickup is there, and has what is paid once
		v, extra = v+1, 0
	}
	l := int(s.m.visits[v].loc)
	out, in := net.out[l*net.n:(l+1)*net.n], net.in[l*net.n:(l+1)*net.n]
	k := len(rt.stops)
	s.watch.spend(k + 2)
	if k == 0 {
		extra += sl.fixed
		if extra >= b.delta {
			return
		}
	}
	if s.m.dims > 0 && !s.mayFit(rt, sl, v) {
		return
	}
	hard, edged, timed := s.hard(r) || s.m.units[u].half, s.m.edged, !s.m.untimed
	loc, arc := rt.loc[:k+2], rt.arc[:k+2]
	over, shut := s.m.visits[v].open+s.m.kinds[sl.kind].service[v], s.m.visits[v].shut
	for i := rt.fixed; i <= k; i++ {
		if timed {
			if rt.done[i] > shut {
				break
			}
			if i < k && rt.latest[i+1] < over {
				continue
			}
		}
		delta := sl.cost(in[loc[i]]) + sl.cost(out[loc[i+1]]) - arc[i] + extra
		if delta >= b.delta || s.blink() {
			continue
		}
		if edged {
			delta += s.edges(sl, rt, v, i)
			if delta >= b.delta {
				continue
			}
		}
		if !s.fits(rt, sl.v.Capacity, v, i) || timed && !s.inTime(rt, sl, v, i) {
			continue
		}
		if hard && !s.exactly(r, v, i, -1, 0) {
			continue
		}
		*b = spot{delta, r, int32(i), -1}
	}
}

// edges is what the ways to and from a visit after position i cost beyond the ways.
func (s *state) edges(sl *slot, rt *route, v int32, i int) int64 {
	before := int32(-1)
	if i > 0 {
		before = rt.stops[i-1]
	}
	cost := s.extra(sl, before, rt.loc[i], v)
	if i < len(rt.stops) {
		cost += s.extra(sl, v, s.m.visits[v].loc, rt.stops[i])
	}
	return cost
}

// fits reports whether a visit's load can be put in after position i: what it
// brings is on board from the start to there, what it takes from there to the
// end.
func (s *state) fits(rt *route, capacity []int32, v int32, i int) bool {
	d := s.m.dims
	if len(rt.stops) == 0 && d > 0 {
		return true // by mayFit
	}
	for x := range d {
		b, t := s.m.brings[int(v)*d+x], s.m.takes[int(v)*d+x]
		if rt.before[i*d+x]+b > capacity[x] || rt.after[i*d+x]+t > capacity[x] {
			return false
		}
	}
	return true
}

// mayFit rules out routes that are too full at every position.
func (s *state) mayFit(rt *route, sl *slot, v int32) bool {
	d, k := s.m.dims, len(rt.stops)
	for x := range d {
		if rt.load[x]+s.m.brings[int(v)*d+x] > sl.v.Capacity[x] || rt.load[k*d+x]+s.m.takes[int(v)*d+x] > sl.v.Capacity[x] {
			return false
		}
	}
	return true
}

// inTime reports whether a visit can be put in after position i with all windows and
// limits of the route kept, breaks, pauses and rides aside.
func (s *state) inTime(rt *route, sl *slot, v int32, i int) bool {
	start := s.m.visits[v].start(rt.done[i] + s.reach(sl, rt.loc[i], v))
	return start < never && s.rest(rt, sl, start+s.m.kinds[sl.kind].service[v], v, i) && s.within(rt, sl, v, i)
}

// rest reports whether what follows position i can be done if a visit put in there is
// left at t.
func (s *state) rest(rt *route, sl *slot, t int64, v int32, i int) bool {
	l, k := s.m.visits[v].loc, len(rt.stops)
	if i == k {
		return t+int64(sl.net.at(l, rt.loc[k+1]).sec) <= rt.due
	}
	return t+s.reach(sl, l, rt.stops[i]) <= rt.latest[i+1]
}

// within reports whether the limits of time and distance are kept with a detour.
func (s *state) within(rt *route, sl *slot, v int32, i int) bool {
	t, d := s.detour(rt, sl, s.m.visits[v].loc, i)
	return rt.travel+t <= sl.travel && rt.distance+d <= sl.distance
}

func (s *state) detour(rt *route, sl *slot, l int32, i int) (t, d int64) {
	a, z := rt.loc[i], rt.loc[i+1]
	to, from := sl.net.at(a, l), sl.net.at(l, z)
	t, d = int64(to.sec)+int64(from.sec), int64(to.metre)+int64(from.metre)
	if len(rt.stops) > 0 {
		old := sl.net.at(a, z)
		t, d = t-int64(old.sec), d-int64(old.metre)
	}
	return t, d
}

// exactly judges the trips of a vehicle by their full schedule, with one visit put into
// a trip after position i and another after j, or none where they are -1.
func (s *state) exactly(r, v int32, i int, w int32, j int) bool {
	sl := &s.m.slots[r]
	seq := s.seq[:0] // room that lasts
	for q := sl.first; q <= sl.last; q++ {
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
	_, ok := s.sched.run(sl, seq, sl.window.Start, sl.window.End)
	return ok
}
