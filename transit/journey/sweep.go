package journey

import (
	"context"
	"sort"
)

// sweep finds when one can be where, by all hops of vehicles in the order of their departures
// (Connection Scan; Dibbelt, Pajor, Strasser and Wagner, ACM JEA 2018). It is lenient: it does
// not count rides, and where rules of lines and trips are about a change only the walk counts.
// No search comes anywhere sooner.
//
// Its times are those of the search that it is for, or the same times with the other sign
// where it goes the other way.
type sweep struct {
	frame
	limit int32
	now   int32
	stop  int32 // the sweep may end after this time, if that is before limit
	done  int32 // all hops until then were taken
	again bool  // more of what departs now can be boarded

	// By stop: when a vehicle is left there, when one can be boarded, and the seconds to the end
	// of the search, or unruled.
	left, soonest, walk []int32
	touched             []uint32

	ends  bool  // the end of the search counts: what comes more than Slack later does not
	first int32 // earliest time there

	leads bool     // where the stops lead is of use
	met   *sweep   // the one that this one is behind
	wayOf []uint32 // by stop, of ways; 0 is none
	ways  []ways
	comes []ridden // by trip

	until   []int32 // by trip: minus the first time at which it is boarded, else unused
	useful  []bool  // by pattern: it is ridden
	rode    []uint32
	boarded []uint32 // trips, of until
	ridden  []riddenHop
	cursors []cursor
	queue   []uint32 // stops at which trips of headways are to be boarded
}

const neverRidden = -never

// riddenHop is a hop and when it departs, in the order of time.
type riddenHop struct {
	cursor, hop uint32
	departs     int32
}

// cursor is a place among the hops of a day.
type cursor struct {
	*hops
	next   int   // moment
	now    int32 // its time in the order of the sweep
	begin  int32 // of the day in the first zone
	trips  int   // of the first trip, among those of all days
	number uint32
}

// open makes a sweep ready, in the direction of a search or against it.
func (w *sweep) open(f *frame, back int) {
	w.frame = *f
	if w.back != back {
		w.back, w.origin, w.target = back, w.target, w.origin
	}
	patterns, trips := f.counts()
	for len(w.left) < f.n.x.Stops() {
		w.left, w.soonest, w.walk = append(w.left, never), append(w.soonest, never), append(w.walk, unruled)
		w.wayOf = append(w.wayOf, 0)
	}
	for len(w.until) < trips {
		w.until, w.comes = append(w.until, neverRidden), append(w.comes, unridden)
	}
	if len(w.useful) < patterns {
		w.useful = append(w.useful, make([]bool, patterns-len(w.useful))...)
	}
}

// clear forgets what was found.
func (w *sweep) clear() {
	for _, stop := range w.touched {
		w.left[stop], w.soonest[stop], w.walk[stop], w.wayOf[stop] = never, never, unruled, 0
	}
	for _, trip := range w.boarded {
		w.until[trip], w.comes[trip] = neverRidden, unridden
	}
	for _, p := range w.rode {
		w.useful[p] = false
	}
	w.touched, w.ways, w.ridden, w.boarded, w.rode, w.queue = w.touched[:0], w.ways[:0], w.ridden[:0], w.boarded[:0], w.rode[:0], w.queue[:0]
}

// close gives a sweep back.
func (w *sweep) close() {
	w.clear()
	clear(w.cursors)
	n := w.n
	w.cursors, w.frame, w.ends, w.leads, w.met = w.cursors[:0], frame{}, false, false, nil
	n.sweeps.Put(w)
}

// begin makes the ends ready.
func (w *sweep) begin(at int32) {
	w.now = neverRidden
	if w.ends {
		for _, a := range w.target {
			w.touch(a.Stop)
			w.walk[a.Stop] = a.Seconds
		}
	}
	for _, a := range w.origin {
		w.ready(a.Stop, at+a.Seconds)
	}
	w.repeat()
}

// touch notes a stop of which anything is written.
func (w *sweep) touch(stop uint32) { w.touched = append(w.touched, stop) }

// ready notes when a vehicle can be boarded at a stop.
func (w *sweep) ready(stop uint32, at int32) {
	if at >= w.soonest[stop] || at > w.limit {
		return
	}
	if w.soonest[stop] == never {
		w.touch(stop)
	}
	w.soonest[stop] = at
	w.again = w.again || at <= w.now
	if len(w.n.repeats[w.back].list) > 0 && len(w.n.repeats[w.back].of(stop)) > 0 {
		w.queue = append(w.queue, stop)
	}
}

// leave notes when a vehicle is left at a stop, and walks on from there.
func (w *sweep) leave(stop uint32, at int32, ruled bool) {
	if at >= w.left[stop] || at > w.limit {
		return
	}
	if w.left[stop] == never {
		w.touch(stop)
	}
	w.left[stop] = at
	if walk := w.walk[stop]; walk != unruled && at+walk < w.first {
		w.end(at + walk)
	}
	for _, c := range w.changes[w.back].of(stop) {
		if ruled {
			w.ready(c.to, at+c.seconds)
		} else if c.least != never {
			w.ready(c.to, at+w.needs(c.seconds, c.least))
		}
	}
}

// end notes that the end of the search is come to.
func (w *sweep) end(at int32) {
	if at <= w.limit {
		w.first, w.limit = at, min(w.limit, later(at))
	}
}

// aim makes the end count, where there is a walk all the way of so many seconds, or -1.
func (w *sweep) aim(at, direct int32) {
	w.ends, w.first = true, never
	if direct >= 0 {
		w.end(at + direct)
	}
}

// later returns the last time that counts beside an earliest one.
func later(first int32) int32 {
	if first >= never-slack {
		return never
	}
	return first + slack
}

// ahead sweeps what runs from a time on. Where the end counts, it goes on until nothing comes
// there sooner, else until a time.
func (w *sweep) ahead(ctx context.Context, at, stop int32) error {
	w.begin(at)
	w.stop = stop
	w.cursors = w.cursors[:0]
	for i := range w.services {
		if c, ok := w.cursor(&w.services[i], at); ok {
			w.cursors = append(w.cursors, c)
		}
	}
	return w.run(ctx)
}

// run takes the hops that come next.
func (w *sweep) run(ctx context.Context) error {
	step := 1 - 2*w.back
	for n := 0; ; n++ {
		if n%64 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		w.now = never
		for i := range w.cursors {
			w.now = min(w.now, w.cursors[i].now)
		}
		if w.now > w.limit || w.now == never {
			w.done = never
			return nil
		}
		if w.now > w.stop || w.ends && w.now > w.first {
			w.done = w.now - 1
			return nil
		}
		for w.again = true; w.again; {
			w.again = false
			for i := range w.cursors {
				if w.cursors[i].now == w.now {
					w.rideAll(i)
				}
			}
			w.repeat()
		}
		for i := range w.cursors {
			if c := &w.cursors[i]; c.now == w.now {
				c.next += step
				c.now = w.key(c)
			}
		}
	}
}

// rideAll takes the hops of a day that there are now.
func (w *sweep) rideAll(of int) {
	c := &w.cursors[of]
	until, soonest, trips := w.until[c.trips:], w.soonest, c.trip
	first, last := c.moments[c.next].first, c.moments[c.next+1].first
	if w.back == forward {
		stops := c.stop[forward]
		for i := first; i < last; i++ {
			if until[trips[i]] != neverRidden || soonest[stops[i]] <= w.now {
				w.ride(riddenHop{uint32(of), i, w.now})
			}
		}
		return
	}
	stops := c.stop[backward]
	for i := last; i > first; {
		i--
		if until[trips[i]] != neverRidden || soonest[stops[i]] <= -c.begin-c.arrive[i] {
			w.ride(riddenHop{uint32(of), i, -w.now})
		}
	}
}

// cursor is at the first hops of a day from a time on.
func (w *sweep) cursor(d *service, at int32) (c cursor, ok bool) {
	from, until := int32(never), int32(-never)
	for _, b := range d.begin {
		from, until = min(from, b+d.all.from), max(until, b+d.all.until)
	}
	if w.back == backward {
		from, until = -until, -from
	}
	if until < at || from > w.limit {
		return c, false
	}
	c = cursor{hops: w.n.hops(d.day), begin: d.begin[0], trips: d.trips, number: uint32(d.number)}
	w.move(&c, at)
	return c, true
}

// move goes to the first hops of a day from a time on.
func (w *sweep) move(c *cursor, at int32) {
	moments := c.moments[:len(c.moments)-1]
	if w.back == forward {
		c.next = sort.Search(len(moments), func(i int) bool { return c.begin+moments[i].at >= at })
	} else {
		c.next = sort.Search(len(moments), func(i int) bool { return -(c.begin + moments[i].at) < at }) - 1
	}
	c.now = w.key(c)
}

// key returns the time of the next hops of a day by which a sweep goes: that of their departures.
func (w *sweep) key(c *cursor) int32 {
	if uint(c.next) >= uint(len(c.moments)-1) {
		return never
	}
	return w.turn(c.begin + c.moments[c.next].at)
}

// turn returns a time in the order of the sweep.
func (w *sweep) turn(at int32) int32 {
	if w.back == backward {
		return -at
	}
	return at
}

// ride takes a hop, if one is in its vehicle or can board it.
func (w *sweep) ride(r riddenHop) {
	c := &w.cursors[r.cursor]
	from, to := r.departs, c.begin+c.arrive[r.hop]
	if w.back == backward {
		from, to = -to, -from
	}
	if trip := c.trips + int(c.trip[r.hop]); w.until[trip] == neverRidden {
		if !w.mayBoard(c, r.hop, from) {
			return
		}
		w.until[trip] = -from
		w.boarded = append(w.boarded, uint32(trip))
	}
	w.ridden = append(w.ridden, r)
	if w.leads {
		w.lead(c, r.hop, from, to)
	}
	left := 1 - w.back
	if stop := c.stop[left][r.hop]; to < w.left[stop] {
		if of := c.of[r.hop] >> left; of&1 != 0 {
			w.leave(stop, to, of>>ruledBit&1 != 0)
		}
	}
}

// mayBoard reports whether a vehicle can be boarded for a hop that begins at a time. If so, its
// pattern is of use.
func (w *sweep) mayBoard(c *cursor, hop uint32, at int32) bool {
	of := c.of[hop]
	if of>>w.back&1 == 0 || w.soonest[c.stop[w.back][hop]] > at {
		return false
	}
	p := of >> rightBits
	if number := uint32(len(w.n.patterns)); p >= number {
		p += c.number - number
	}
	if !w.modes.Has(w.mode(p)) {
		return false
	}
	w.use(p)
	return true
}

func (w *sweep) use(pattern uint32) {
	if !w.useful[pattern] {
		w.useful[pattern] = true
		w.rode = append(w.rode, pattern)
	}
}

// sweepBack sweeps against the direction of another sweep: all that runs after that ended, then
// what it rode.
func (w *sweep) sweepBack(ctx context.Context, o *sweep, at int32) error {
	w.begin(at)
	w.met = o
	if w.leads {
		w.beginLeads()
	}
	w.cursors = append(w.cursors[:0], o.cursors...)
	if o.done < -at {
		for i := range w.cursors {
			w.move(&w.cursors[i], at)
		}
		w.stop = -o.done - 1
		if err := w.run(ctx); err != nil {
			return err
		}
	}
	for i, n := len(o.ridden)-1, 0; i >= 0; n++ {
		if n%64 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		departs, end := o.ridden[i].departs, i
		w.now = w.turn(departs)
		for w.again = true; w.again; {
			w.again = false
			for end = i; end >= 0 && o.ridden[end].departs == departs; end-- {
				w.ride(o.ridden[end])
			}
			w.repeat()
		}
		i = end
	}
	return nil
}

// repeat rides the trips of headways that can be boarded.
func (w *sweep) repeat() {
	for len(w.queue) > 0 {
		stop := w.queue[len(w.queue)-1]
		w.queue = w.queue[:len(w.queue)-1]
		for _, call := range w.n.repeats[w.back].of(stop) {
			if !w.modes.Has(w.n.patterns[call.pattern].mode) {
				continue
			}
			w.use(call.pattern)
			for day := range w.services {
				v := w.vehicles(call.pattern, day)
				for _, row := range v.rows {
					w.repeatTrip(&v, int(row), int(call.place), w.soonest[stop])
				}
			}
		}
	}
}

func (w *sweep) repeatTrip(v *vehicles, row, place int, at int32) {
	calls := v.times[row*v.length:][:v.length]
	start, every, ok := w.nextRepeat(v, row, calls[v.position(place)], at)
	if !ok {
		return
	}
	for place++; place < v.length; place++ {
		position := v.position(place)
		at := w.repeatLeaves(start, every, calls[position])
		if at > w.limit {
			return
		}
		if rule := v.rules[position]; rule>>(2+w.back)&1 != 0 {
			w.leave(v.stops[position], at, rule>>(4+w.back)&1 != 0)
		}
	}
}
