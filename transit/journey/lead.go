package journey

import "math"

// lead is the least that any way to the end of a search takes, of each kind apart: one way may
// take the fewest seconds and another the fewest rides. A sweep behind finds it among the hops
// from which one comes to the end in time, whenever they depart.
type lead struct {
	seconds int32
	rides   uint8
	steps   uint8 // of walking
}

var farthest = lead{never, math.MaxUint8, math.MaxUint8}

// leads are from a stop, after one left a vehicle there and where one can board one.
type leads struct{ left, ready lead }

var leadless = leads{farthest, farthest}

// least takes what is less, and reports whether there was anything.
func (l *lead) least(o lead) (less bool) {
	if o.seconds < l.seconds {
		l.seconds, less = o.seconds, true
	}
	if o.rides < l.rides {
		l.rides, less = o.rides, true
	}
	if o.steps < l.steps {
		l.steps, less = o.steps, true
	}
	return less
}

// beginLeads makes the stops of the end lead there.
func (w *sweep) beginLeads() {
	for _, a := range w.origin {
		w.touch(a.Stop)
		w.least[a.Stop].left.least(lead{a.Seconds, 0, uint8(w.step(a.Seconds))})
	}
}

// lead notes where a hop leads. What is noted by trip has the time of the arrival, in the order
// of the search, for the seconds.
func (w *sweep) lead(c *cursor, hop uint32, from, to int32) {
	left, of := 1-w.back, c.of[hop]
	comes := &w.comes[c.trips+int(c.trip[hop])]
	if of>>w.back&1 != 0 {
		if l := w.least[c.stop[w.back][hop]].left; l.seconds != never {
			l.seconds -= from
			comes.least(l)
		}
	}
	if of>>left&1 == 0 || comes.seconds == never {
		return
	}
	takes := *comes
	takes.seconds += to
	takes.rides++
	stop := c.stop[left][hop]
	l := &w.least[stop].ready
	if takes.seconds >= l.seconds && takes.rides >= l.rides && takes.steps >= l.steps {
		return
	}
	w.touch(stop)
	l.least(takes)
	ruled := of>>(ruledBit+left)&1 != 0
	for _, c := range w.n.changes[w.back].of(stop) {
		walk := c.seconds
		if !ruled {
			if c.least == never {
				continue
			}
			walk = w.needs(c.seconds, c.least)
		}
		w.touch(c.to)
		better := w.least[c.to].left.least(lead{takes.seconds + walk, takes.rides, takes.steps + uint8(w.step(c.seconds))})
		w.again = w.again || better && walk == 0 // for hops that end when they begin
	}
}
