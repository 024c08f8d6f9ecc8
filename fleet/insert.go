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

// fits reports whether a visit's load can be put in after position i: what it
// brings is on board from the start to there, what it takes from there to the
// end.
func (s *state) fits(rt *route, capacity []int32, v int32, i int) bool {
	d := s.m.dims
	for x := range d {
		b, t := s.m.brings[int(v)*d+x], s.m.takes[int(v)*d+x]
		if rt.before[i*d+x]+b > capacity[x] || rt.after[i*d+x]+t > capacity[x] {
			return false
		}
	}
	return true
}

// open reports whether a unit may go into a route, wherever in it.
func (s *state) open(u int32, r int32) bool {
	sl := &s.m.slots[r]
	if s.forbidden[r] || !s.m.allowed[sl.kind][u] {
		return false
	}
	n := 1
	if s.m.units[u].pair {
		n = 2
	}
	if len(s.routes[r].stops)+n > sl.tasks {
		return false
	}
	for _, o := range s.m.units[u].apart {
		if s.where[s.m.units[o].first] == r {
			return false
		}
	}
	return true
}

// twin reports whether an empty route is like an earlier one that is empty too, so
// that only one of them is worth a look; or a trip whose vehicle has not done the
// one before.
func (s *state) twin(r int32) bool {
	if len(s.routes[r].stops) > 0 {
		return false
	}
	sl := &s.m.slots[r]
	if sl.previous >= 0 {
		return len(s.routes[sl.previous].stops) == 0
	}
	if r == 0 {
		return false
	}
	for q := r - 1; q >= 0; q-- {
		o := &s.m.slots[q]
		if o.kind == sl.kind && o.trip == 0 && len(s.routes[q].stops) == 0 && !s.forbidden[q] && s.unusedAfter(q) {
			return true
		}
		if o.kind != sl.kind {
			return false
		}
	}
	return false
}

func (s *state) unusedAfter(r int32) bool {
	for q := s.m.slots[r].next; q >= 0; q = s.m.slots[q].next {
		if len(s.routes[q].stops) > 0 {
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
	many := len(s.m.loc) > granular
	if many {
		s.stamp++
		for _, w := range s.m.near[s.m.units[u].first][1:granularity] {
			if r := s.where[w]; r >= 0 {
				s.near[r] = s.stamp
			}
		}
	}
	for r := range s.routes {
		if many && s.near[r] != s.stamp && len(s.routes[r].stops) > 0 {
			continue
		}
		if s.open(u, int32(r)) && !s.twin(int32(r)) {
			s.into(u, int32(r), &b)
		}
	}
	if many && b.delta == math.MaxInt64 {
		for r := range s.routes {
			if s.near[r] != s.stamp && s.open(u, int32(r)) {
				s.into(u, int32(r), &b)
			}
		}
	}
	return b, b.delta < math.MaxInt64
}

// into looks for a cheaper place in one route.
func (s *state) into(u, r int32, b *spot) {
	if s.m.units[u].pair {
		s.pairInto(u, r, b)
	} else {
		s.jobInto(u, r, b)
	}
}

func (s *state) jobInto(u, r int32, b *spot) {
	rt, sl := &s.routes[r], &s.m.slots[r]
	c, v := sl.class, s.m.units[u].first
	l := int(s.m.loc[v])
	from, to := c.cost[l*c.n:(l+1)*c.n], c.costTo[l*c.n:(l+1)*c.n]
	extra := int64(0)
	k := len(rt.stops)
	if k == 0 {
		extra = sl.fixed
		if extra >= b.delta {
			return
		}
	} else if s.m.dims > 0 && !s.mayFit(rt, sl, v) {
		return
	}
	hard := s.complex(r)
	loc, arc := rt.loc[:k+2], rt.arc[:k+2]
	for i := rt.fixed; i <= k; i++ {
		delta := to[loc[i]] + from[loc[i+1]] - arc[i] + extra
		if delta >= b.delta || s.blink() {
			continue
		}
		if !s.fits(rt, sl.v.Capacity, v, i) || !s.inTime(rt, sl, c, v, i) {
			continue
		}
		if hard && !s.exactly(r, v, i, -1, 0) {
			continue
		}
		*b = spot{delta, r, int32(i), -1}
	}
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
// limits of the route kept, breaks and rides aside.
func (s *state) inTime(rt *route, sl *slot, c *class, v int32, i int) bool {
	start := startIn(s.m.windows[v], rt.done[i]+s.reach(c, sl.kind, rt.loc[i], v))
	if start >= never {
		return false
	}
	end := start + s.m.service[sl.kind][v]
	l, next := s.m.loc[v], rt.loc[i+1]
	k := len(rt.stops)
	if k == 0 {
		if end+int64(c.sec[int(l)*c.n+int(next)]) > rt.due {
			return false
		}
	} else if i == k {
		if end+int64(c.sec[int(l)*c.n+int(next)]) > rt.latest[k+1] {
			return false
		}
	} else if end+s.reach(c, sl.kind, l, rt.stops[i]) > rt.latest[i+1] {
		return false
	}
	return s.within(rt, sl, c, l, i)
}

// within reports whether the limits of time and distance are kept with a detour.
func (s *state) within(rt *route, sl *slot, c *class, l int32, i int) bool {
	a, b, z := int(rt.loc[i])*c.n, int(l)*c.n, int(rt.loc[i+1])
	t := int64(c.sec[a+int(l)]) + int64(c.sec[b+z])
	if t >= far {
		return false
	}
	if sl.travel == never && sl.metre == never {
		return true
	}
	d := int64(c.metre[a+int(l)]) + int64(c.metre[b+z])
	if len(rt.stops) > 0 {
		t -= int64(c.sec[a+z])
		d -= int64(c.metre[a+z])
	}
	return rt.travel+t <= sl.travel && rt.metre+d <= sl.metre
}

// exactly judges a route with one or two visits put in by its full schedule.
func (s *state) exactly(r, v int32, i int, w int32, j int) bool {
	rt := &s.routes[r]
	seq := s.seq[:0] // room that lasts
	seq = append(seq, rt.stops[:i]...)
	seq = append(seq, v)
	if w >= 0 {
		seq = append(append(seq, rt.stops[i:j]...), w)
		i = j
	}
	seq = append(seq, rt.stops[i:]...)
	_, ok := s.sched.run(&s.m.slots[r], seq, rt.ready, rt.due)
	return ok
}

// pairInto looks for places of a pickup, and of its delivery at or after it.
func (s *state) pairInto(u, r int32, b *spot) {
	rt, sl := &s.routes[r], &s.m.slots[r]
	c, p := sl.class, s.m.units[u].first
	q := p + 1
	k, d := len(rt.stops), s.m.dims
	lp, lq := int(s.m.loc[p]), int(s.m.loc[q])
	fromP, toP := c.cost[lp*c.n:(lp+1)*c.n], c.costTo[lp*c.n:(lp+1)*c.n]
	fromQ, toQ := c.cost[lq*c.n:(lq+1)*c.n], c.costTo[lq*c.n:(lq+1)*c.n]
	extra := int64(0)
	if k == 0 {
		extra = sl.fixed
	}
	hard := s.complex(r) || s.m.units[u].ride < never
	direct := fromP[lq]
	s.least[k+1] = math.MaxInt64 / 2
	for j := k; j >= rt.fixed; j-- {
		s.least[j] = min(s.least[j+1], toQ[rt.loc[j]]+fromQ[rt.loc[j+1]]-rt.arc[j])
	}
	service := s.m.service[sl.kind]
	for i := rt.fixed; i <= k; i++ {
		deltaP := toP[rt.loc[i]] + fromP[rt.loc[i+1]] - rt.arc[i] + extra
		together := toP[rt.loc[i]] + direct + fromQ[rt.loc[i+1]] - rt.arc[i] + extra
		if deltaP+s.least[i+1] >= b.delta && together >= b.delta || s.blink() {
			continue
		}
		if !s.room(rt, sl, p, i) {
			continue
		}
		start := startIn(s.m.windows[p], rt.done[i]+s.reach(c, sl.kind, rt.loc[i], p))
		if start >= never || int64(c.sec[int(rt.loc[i])*c.n+lp]) >= far {
			continue
		}
		t := start + service[p] // end of the last service before the delivery
		if together < b.delta {
			e := startIn(s.m.windows[q], t+s.reach(c, sl.kind, int32(lp), q))
			if e < never && s.rest(rt, sl, e+service[q], int32(lq), i) && s.pairWithin(rt, sl, c, lp, lq, i, i) &&
				(!hard || s.exactly(r, p, i, q, i)) {
				*b = spot{together, r, int32(i), int32(i)}
			}
		}
		at := int32(lp)
		for j := i + 1; j <= k; j++ {
			v := rt.stops[j-1]
			arrive := t + s.reach(c, sl.kind, at, v)
			if arrive > rt.latest[j] {
				break
			}
			for x := range d {
				if rt.load[j*d+x]+s.m.takes[int(p)*d+x] > sl.v.Capacity[x] {
					arrive = never
				}
			}
			if arrive == never {
				// Full from here on: the delivery would have to come before this stop's load is
				// on board, or this stop is not passed with it.
				break
			}
			t = startIn(s.m.windows[v], arrive) + service[v]
			at = s.m.loc[v]
			delta := deltaP + toQ[rt.loc[j]] + fromQ[rt.loc[j+1]] - rt.arc[j]
			if delta >= b.delta || s.blink() {
				continue
			}
			e := startIn(s.m.windows[q], t+s.reach(c, sl.kind, at, q))
			if e < never && s.rest(rt, sl, e+service[q], int32(lq), j) && s.pairWithin(rt, sl, c, lp, lq, i, j) &&
				(!hard || s.exactly(r, p, i, q, j)) {
				*b = spot{delta, r, int32(i), int32(j)}
			}
		}
	}
}

// room reports whether a pickup's load fits after position i.
func (s *state) room(rt *route, sl *slot, p int32, i int) bool {
	d := s.m.dims
	for x := range d {
		if rt.load[i*d+x]+s.m.takes[int(p)*d+x] > sl.v.Capacity[x] {
			return false
		}
	}
	return true
}

// rest reports whether what follows position i can be done from a location left at t.
func (s *state) rest(rt *route, sl *slot, t int64, l int32, i int) bool {
	c, k := sl.class, len(rt.stops)
	if i == k {
		return t+int64(c.sec[int(l)*c.n+int(rt.loc[k+1])]) <= rt.due
	}
	return t+s.reach(c, sl.kind, l, rt.stops[i]) <= rt.latest[i+1]
}

func (s *state) pairWithin(rt *route, sl *slot, c *class, lp, lq, i, j int) bool {
	t, d := s.detour(rt, c, lp, i), int64(0)
	if i == j {
		t = 0
		for _, w := range [3][2]int{{int(rt.loc[i]), lp}, {lp, lq}, {lq, int(rt.loc[i+1])}} {
			t += int64(c.sec[w[0]*c.n+w[1]])
			d += int64(c.metre[w[0]*c.n+w[1]])
		}
		if t >= far {
			return false
		}
		if len(rt.stops) > 0 {
			t -= int64(c.sec[int(rt.loc[i])*c.n+int(rt.loc[i+1])])
			d -= int64(c.metre[int(rt.loc[i])*c.n+int(rt.loc[i+1])])
		}
		return rt.travel+t <= sl.travel && rt.metre+d <= sl.metre
	}
	t2 := s.detour(rt, c, lq, j)
	if t >= far || t2 >= far {
		return false
	}
	if sl.travel == never && sl.metre == never {
		return true
	}
	for _, w := range [2][2]int{{i, lp}, {j, lq}} {
		a, z := int(rt.loc[w[0]]), int(rt.loc[w[0]+1])
		d += int64(c.metre[a*c.n+w[1]]) + int64(c.metre[w[1]*c.n+z]) - int64(c.metre[a*c.n+z])
	}
	return rt.travel+t+t2 <= sl.travel && rt.metre+d <= sl.metre
}

func (s *state) detour(rt *route, c *class, l, i int) int64 {
	a, z := int(rt.loc[i]), int(rt.loc[i+1])
	t := int64(c.sec[a*c.n+l]) + int64(c.sec[l*c.n+z])
	if t >= far {
		return far
	}
	return t - int64(c.sec[a*c.n+z])
}

// put puts a unit in at a place that was found for it.
func (s *state) put(u int32, b spot) {
	rt := &s.routes[b.route]
	v := s.m.units[u].first
	if b.second >= 0 {
		rt.stops = insertAt(rt.stops, int(b.second), v+1)
	}
	rt.stops = insertAt(rt.stops, int(b.first), v)
	s.serve(u)
	s.update(b.route)
}

func insertAt(a []int32, i int, v int32) []int32 {
	a = append(a, 0)
	copy(a[i+1:], a[i:])
	a[i] = v
	return a
}
