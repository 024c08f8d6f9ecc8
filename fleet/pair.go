package fleet

import "math"

// pairInto looks for places of a pickup, and of its delivery at or after it.
func (s *state) pairInto(u, r int32, b *spot) {
	rt, sl := &s.routes[r], &s.m.slots[r]
	p := s.m.units[u].first
	q := p + 1
	k, d, net := len(rt.stops), s.m.dims, sl.net
	s.watch.spend(2 * (k + 2))
	lp, lq := s.m.visits[p].loc, s.m.visits[q].loc
	outP, inP := net.out[int(lp)*net.n:][:net.n], net.in[int(lp)*net.n:][:net.n]
	outQ, inQ := net.out[int(lq)*net.n:][:net.n], net.in[int(lq)*net.n:][:net.n]
	extra := s.m.base(sl, u)
	if k == 0 {
		extra += sl.fixed
		if extra >= b.delta {
			return
		}
	}
	hard, edged := s.hard(r) || s.m.units[u].ride < never, s.m.edged
	direct := sl.cost(outP[lq])
	if edged {
		direct += s.extra(sl, p, lp, q)
	}
	service := s.m.kinds[sl.kind].service
	// The least cost of a delivery from a position on. The pickup makes it no earlier.
	from, wide := rt.span(s.m.visits[q].open+service[q], s.m.visits[q].shut)
	s.least[max(from, wide+1)] = math.MaxInt64 / 2
	for j := wide; j >= from; j-- {
		s.least[j] = s.least[j+1]
		c := sl.cost(inQ[rt.loc[j]]) + sl.cost(outQ[rt.loc[j+1]]) - rt.arc[j]
		if c >= s.least[j+1] {
			continue
		}
		t := max(rt.done[j]+int64(inQ[rt.loc[j]].sec), s.m.visits[q].open) + service[q]
		if t+int64(outQ[rt.loc[j+1]].sec) <= rt.latest[j+1] {
			s.least[j] = c
		}
	}
	over, shut := s.m.visits[p].open+service[p], s.m.visits[p].shut
	low, high := rt.span(over, shut)
	for j := from - 1; j >= low; j-- {
		s.least[j] = s.least[from]
	}
	for i := low; i <= min(high, wide); i++ {
		to := sl.cost(inP[rt.loc[i]]) - rt.arc[i] + extra
		deltaP := to + sl.cost(outP[rt.loc[i+1]])
		together := to + direct + sl.cost(outQ[rt.loc[i+1]])
		if deltaP+s.least[i+1] >= b.delta && together >= b.delta || s.blink() {
			continue
		}
		if edged {
			deltaP += s.edges(sl, rt, p, i)
			together += s.extraAt(sl, rt, p, i)
			if i < k {
				together += s.extra(sl, q, lq, rt.stops[i])
			}
		}
		if !s.room(rt, sl, p, i) {
			continue
		}
		start := s.m.visits[p].start(rt.done[i] + s.reach(sl, rt.loc[i], p))
		if start >= never {
			continue
		}
		t := start + service[p] // end of the last service before the delivery
		if together < b.delta {
			e := s.m.visits[q].start(t + s.reach(sl, lp, q))
			if e < never && s.rest(rt, sl, e+service[q], q, i) && s.pairWithin(rt, sl, p, i, i) &&
				(!hard || s.exactly(r, p, i, q, i)) {
				*b = spot{together, r, int32(i), int32(i)}
			}
		}
		at := lp
		if s.watch.over {
			return
		}
		for j := i + 1; j <= wide && deltaP+s.least[j] < b.delta; j++ {
			s.watch.spend(2 + d)
			v := rt.stops[j-1]
			arrive := t + rt.hop[j]
			if j == i+1 {
				arrive = t + s.reach(sl, at, v)
			}
			if arrive > rt.latest[j] || t > s.m.visits[q].shut {
				break
			}
			full := false
			for x := range d {
				full = full || rt.load[j*d+x]+s.m.takes[int(p)*d+x] > sl.v.Capacity[x]
			}
			if full {
				break
			}
			t = s.m.visits[v].start(arrive) + service[v]
			at = rt.loc[j]
			delta := deltaP + sl.cost(inQ[at]) + sl.cost(outQ[rt.loc[j+1]]) - rt.arc[j]
			if delta >= b.delta || s.blink() {
				continue
			}
			if edged {
				if delta += s.edges(sl, rt, q, j); delta >= b.delta {
					continue
				}
			}
			e := s.m.visits[q].start(t + s.reach(sl, at, q))
			if e < never && s.rest(rt, sl, e+service[q], q, j) && s.pairWithin(rt, sl, p, i, j) &&
				(!hard || s.exactly(r, p, i, q, j)) {
				*b = spot{delta, r, int32(i), int32(j)}
			}
		}
	}
}

// span gives the positions after which a visit can go whose service is over at the earliest at
// a time and starts by another: times do not fall along a route.
func (rt *route) span(over, shut int64) (low, high int) {
	k := len(rt.stops)
	low, high = rt.fixed, k
	for n := k - low; n > 0; { // to the first after which there is time for what follows
		if half := n / 2; rt.latest[low+half+1] < over {
			low, n = low+half+1, n-half-1
		} else {
			n = half
		}
	}
	if rt.done[high] <= shut {
		return low, high
	}
	late := low
	for n := high - low; n > 0; { // to the first at which there is none for the visit
		if half := n / 2; rt.done[late+half] <= shut {
			late, n = late+half+1, n-half-1
		} else {
			n = half
		}
	}
	return low, late - 1
}

// extraAt is what the way to a visit after position i costs beyond the way.
func (s *state) extraAt(sl *slot, rt *route, v int32, i int) int64 {
	before := int32(-1)
	if i > 0 {
		before = rt.stops[i-1]
	}
	return s.extra(sl, before, rt.loc[i], v)
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

// pairWithin reports whether the limits of time and distance are kept with a pickup after
// position i and its delivery after j.
func (s *state) pairWithin(rt *route, sl *slot, p int32, i, j int) bool {
	lp, lq := s.m.visits[p].loc, s.m.visits[p+1].loc
	t, d := s.detour(rt, sl, lp, i)
	if i == j {
		old, between, on := sl.net.at(lp, rt.loc[i+1]), sl.net.at(lp, lq), sl.net.at(lq, rt.loc[i+1])
		t += int64(between.sec) + int64(on.sec) - int64(old.sec)
		d += int64(between.metre) + int64(on.metre) - int64(old.metre)
	} else {
		t2, d2 := s.detour(rt, sl, lq, j)
		t, d = t+t2, d+d2
	}
	return rt.travel+t <= sl.travel && rt.distance+d <= sl.distance
}
