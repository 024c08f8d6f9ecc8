package search

import (
	"math"

	"github.com/waygate/waygate/fleet"
	"github.com/waygate/waygate/fleet/search/model"
)

// pairInto looks for places of a pickup, and of its delivery at or after it.
func (s *inserter) pairInto(u, r int32, b *insertion) {
	rt, sl := &s.routes[r], &s.m.Slots[r]
	p := s.m.Tasks[u].First
	q := p + 1
	k, d, net := len(rt.stops), s.m.Dimensions, sl.Network
	s.watch.Spend(2 * (k + 2))
	lp, lq := s.m.Visits[p].Location, s.m.Visits[q].Location
	outP, inP := net.Out[int(lp)*net.N:][:net.N], net.In[int(lp)*net.N:][:net.N]
	outQ, inQ := net.Out[int(lq)*net.N:][:net.N], net.In[int(lq)*net.N:][:net.N]
	extra := s.m.Base(sl, u)
	if k == 0 {
		extra += sl.Fixed
		if extra >= b.delta {
			return
		}
	}
	hard, edged := s.hard(r) || s.m.Tasks[u].Ride < fleet.Never, s.m.Edged
	direct := sl.Cost(outP[lq])
	if edged {
		direct += s.extra(sl, p, lp, q)
	}
	service := s.m.Kinds[sl.Kind].Service
	// from has the least cost of a delivery from each position on. The pickup does not
	// make the delivery any earlier.
	from, wide := rt.span(s.m.Visits[q].Open+service[q], s.m.Visits[q].Shut)
	s.least[max(from, wide+1)] = math.MaxInt64 / 2
	for j := wide; j >= from; j-- {
		s.least[j] = s.least[j+1]
		c := sl.Cost(inQ[rt.loc[j]]) + sl.Cost(outQ[rt.loc[j+1]]) - rt.arc[j]
		if c >= s.least[j+1] {
			continue
		}
		t := max(rt.done[j]+int64(inQ[rt.loc[j]].Sec), s.m.Visits[q].Open) + service[q]
		if t+int64(outQ[rt.loc[j+1]].Sec) <= rt.latest[j+1] {
			s.least[j] = c
		}
	}
	over, shut := s.m.Visits[p].Open+service[p], s.m.Visits[p].Shut
	low, high := rt.span(over, shut)
	for j := from - 1; j >= low; j-- {
		s.least[j] = s.least[from]
	}
	for i := low; i <= min(high, wide); i++ {
		to := sl.Cost(inP[rt.loc[i]]) - rt.arc[i] + extra
		deltaP := to + sl.Cost(outP[rt.loc[i+1]])
		together := to + direct + sl.Cost(outQ[rt.loc[i+1]])
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
		start := s.m.Visits[p].Start(rt.done[i] + s.reach(sl, rt.loc[i], p))
		if start >= fleet.Never {
			continue
		}
		t := start + service[p] // end of the last service before the delivery
		if together < b.delta {
			e := s.m.Visits[q].Start(t + s.reach(sl, lp, q))
			if e < fleet.Never && s.rest(rt, sl, e+service[q], q, i) && s.pairWithin(rt, sl, p, i, i) &&
				(!hard || s.exactly(r, p, i, q, i)) {
				*b = insertion{together, r, int32(i), int32(i)}
			}
		}
		at := lp
		if s.watch.Over {
			return
		}
		for j := i + 1; j <= wide && deltaP+s.least[j] < b.delta; j++ {
			s.watch.Spend(2 + d)
			v := rt.stops[j-1]
			arrive := t + rt.hop[j]
			if j == i+1 {
				arrive = t + s.reach(sl, at, v)
			}
			if arrive > rt.latest[j] || t > s.m.Visits[q].Shut {
				break
			}
			full := false
			for x := range d {
				full = full || rt.load[j*d+x]+s.m.Takes[int(p)*d+x] > sl.Of.Capacity[x]
			}
			if full {
				break
			}
			t = s.m.Visits[v].Start(arrive) + service[v]
			at = rt.loc[j]
			delta := deltaP + sl.Cost(inQ[at]) + sl.Cost(outQ[rt.loc[j+1]]) - rt.arc[j]
			if delta >= b.delta || s.blink() {
				continue
			}
			if edged {
				if delta += s.edges(sl, rt, q, j); delta >= b.delta {
					continue
				}
			}
			e := s.m.Visits[q].Start(t + s.reach(sl, at, q))
			if e < fleet.Never && s.rest(rt, sl, e+service[q], q, j) && s.pairWithin(rt, sl, p, i, j) &&
				(!hard || s.exactly(r, p, i, q, j)) {
				*b = insertion{delta, r, int32(i), int32(j)}
			}
		}
	}
}

// span returns the first and last positions after which a visit fits whose service ends
// no earlier than over and starts no later than shut; times rise along a route.
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

// extraAt returns the cost of the way to a visit after position i, less the way itself.
func (s *inserter) extraAt(sl *model.Slot, rt *route, v int32, i int) int64 {
	before := int32(-1)
	if i > 0 {
		before = rt.stops[i-1]
	}
	return s.extra(sl, before, rt.loc[i], v)
}

// room reports whether a pickup's load fits after position i.
func (s *inserter) room(rt *route, sl *model.Slot, p int32, i int) bool {
	d := s.m.Dimensions
	for x := range d {
		if rt.load[i*d+x]+s.m.Takes[int(p)*d+x] > sl.Of.Capacity[x] {
			return false
		}
	}
	return true
}

// pairWithin reports whether a pickup after position i and its delivery after j keep
// the limits of time and distance.
func (s *inserter) pairWithin(rt *route, sl *model.Slot, p int32, i, j int) bool {
	lp, lq := s.m.Visits[p].Location, s.m.Visits[p+1].Location
	t, d := s.detour(rt, sl, lp, i)
	if i == j {
		old, between, on := sl.Network.At(lp, rt.loc[i+1]), sl.Network.At(lp, lq), sl.Network.At(lq, rt.loc[i+1])
		t += int64(between.Sec) + int64(on.Sec) - int64(old.Sec)
		d += int64(between.Metre) + int64(on.Metre) - int64(old.Metre)
	} else {
		t2, d2 := s.detour(rt, sl, lq, j)
		t, d = t+t2, d+d2
	}
	return rt.travel+t <= sl.Travel && rt.distance+d <= sl.Distance
}
