package journey

import (
	"math"
	"slices"
)

// ways are those from a stop to the end of a search. A sweep behind finds them among the hops
// from which one comes to the end in time: what they take of each kind is counted apart, since
// one way may arrive first and another have the fewest rides.
type ways struct {
	left  way     // after one left a vehicle there
	ready lead    // where one can board one
	added arrival // from where one can board one: what came last to left of where one can walk from
	walk  int32   // seconds to the end, or never
}

// way has the earliest arrivals at the end, by when one has to be at a stop for them, the last
// first, and the least of all else.
type way struct {
	lead
	last     arrival // of them: most is read of that alone
	arrivals []arrival
}

type arrival struct{ from, end int32 }

// lead is the fewest rides and steps of walking.
type lead struct{ rides, steps uint8 }

var farthest = lead{math.MaxUint8, math.MaxUint8}

// least takes what is less, and reports whether there was anything.
func (l *lead) least(o lead) (less bool) {
	less = o.rides < l.rides || o.steps < l.steps
	l.rides, l.steps = min(l.rides, o.rides), min(l.steps, o.steps)
	return less
}

// end returns the earliest arrival of who is at the stop at a time.
func (y *way) end(at int32) int32 {
	if y.last.from >= at {
		return y.last.end
	}
	low, high := 0, len(y.arrivals)
	for low < high {
		if mid := int(uint(low+high) / 2); y.arrivals[mid].from >= at {
			low = mid + 1
		} else {
			high = mid
		}
	}
	if low == 0 {
		return never
	}
	return y.arrivals[low-1].end
}

// add notes an arrival, and reports whether no other is as good.
func (y *way) add(a arrival) bool {
	if y.last.from > a.from { // in the order of most
		if y.last.end <= a.end {
			return false
		}
		y.last, y.arrivals = a, append(y.arrivals, a)
		return true
	}
	n := len(y.arrivals)
	for n > 0 && y.arrivals[n-1].from < a.from {
		n--
	}
	if n > 0 && y.arrivals[n-1].end <= a.end {
		return false
	}
	last := n
	for last < len(y.arrivals) && y.arrivals[last].end >= a.end {
		last++
	}
	if n > 0 && y.arrivals[n-1].from == a.from {
		n--
	}
	if n < last {
		y.arrivals[n] = a
		y.arrivals = slices.Delete(y.arrivals, n+1, last)
	} else {
		y.arrivals = slices.Insert(y.arrivals, n, a)
	}
	y.last = y.arrivals[len(y.arrivals)-1]
	return true
}

// ridden is what is known of a trip: the earliest arrival of who is in it, and the least of
// all else.
type ridden struct {
	lead
	end int32
}

var unridden = ridden{farthest, never}

// beginLeads makes the stops of the end lead there.
func (w *sweep) beginLeads() {
	for _, a := range w.origin {
		y := &w.ways[w.way(a.Stop)]
		y.walk = a.Seconds
		y.left.least(lead{0, uint8(w.step(a.Seconds))})
	}
}

// way returns the number of the ways from a stop, which it gets if it has none.
func (w *sweep) way(stop uint32) uint32 {
	if n := w.wayOf[stop]; n != 0 {
		return n
	}
	w.touch(stop)
	if len(w.ways) == 0 {
		w.ways = oneMore(w.ways) // none
	}
	w.wayOf[stop] = uint32(len(w.ways))
	w.ways = oneMore(w.ways)
	return w.wayOf[stop]
}

// oneMore adds ways to nowhere, in the memory of earlier ones.
func oneMore(list []ways) []ways {
	n := len(list)
	list = slices.Grow(list, 1)[:n+1]
	y := &list[n]
	*y = ways{way{farthest, arrival{never, never}, y.left.arrivals[:0]}, farthest, arrival{-never, never}, never}
	return list
}

// late reports whether nobody is anywhere at a time who can first be there at another, of a
// sweep that took all hops until a time.
func late(first, at, done int32) bool { return first > at && at <= done }

// lead notes where a hop leads that begins and ends at times in the order of the sweep.
func (w *sweep) lead(c *cursor, hop uint32, from, to int32) {
	left, of := 1-w.back, c.of[hop]
	trip := &w.comes[c.trips+int(c.trip[hop])]
	if of>>w.back&1 != 0 {
		if n := w.wayOf[c.stop[w.back][hop]]; n != 0 {
			y := &w.ways[n]
			trip.end = min(trip.end, y.left.end(-from))
			if y.walk != never {
				trip.end = min(trip.end, y.walk-from)
			}
			trip.least(y.left.lead)
		}
	}
	if of>>left&1 == 0 || trip.end == never {
		return
	}
	takes := lead{trip.rides + 1, trip.steps}
	stop := c.stop[left][hop]
	if late(w.met.soonest[stop], -to, w.met.done) {
		return
	}
	y := &w.ways[w.way(stop)]
	fewer, sooner := y.ready.least(takes), y.added.from < -to || y.added.end > trip.end
	if !fewer && !sooner {
		return
	}
	if sooner {
		y.added = arrival{-to, trip.end}
	}
	ruled := of>>(ruledBit+left)&1 != 0
	for _, c := range w.changes[w.back].of(stop) {
		walk := c.seconds
		if !ruled {
			if c.least == never {
				continue
			}
			walk = w.needs(c.seconds, c.least)
		}
		if late(w.met.left[c.to], -to-walk, w.met.done) {
			continue
		}
		y := &w.ways[w.way(c.to)].left
		better := y.least(lead{takes.rides, takes.steps + uint8(w.step(c.seconds))})
		if sooner {
			better = y.add(arrival{-to - walk, trip.end}) || better
		}
		w.again = w.again || better && walk == 0 // for hops that end when they begin
	}
}

// leads reports whether a journey that left a vehicle at a stop at a time, or can board one
// there, can still be better than those that are known.
func (s *search) leads(stop uint32, left bool, round, level int, at int32) bool {
	n := s.guide.wayOf[stop]
	if n == 0 {
		return false
	}
	y := &s.guide.ways[n]
	l := y.ready
	if left {
		l = y.left.lead
	}
	round += int(l.rides)
	if round > s.rides {
		return false
	}
	bound := min(s.limit, s.best[round*s.levels+min(level+int(l.steps), s.levels-1)]-1)
	return at <= bound && (!left || y.left.end(at) <= bound || y.walk != never && at+y.walk <= bound)
}
