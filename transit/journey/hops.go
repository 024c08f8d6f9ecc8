package journey

import (
	"slices"
	"sync"
)

// mostSwept bounds the days whose hops are kept.
const mostSwept = 4

// hops are trips between two calls that follow each other, in the order of their departures.
// What a sweep reads of each lies apart from what it reads of those that it rides.
type hops struct {
	moments []secondOfDay // the last ends the list
	trip    []uint32      // of the day
	stop    [2][]uint32   // where it departs, and where it arrives
	arrive  []int32       // in seconds as those of moments
	of      []uint32      // the pattern, those of the day alone after the others, with bits of rights below
}

// secondOfDay is when hops depart, in seconds of the day in the network's first zone.
type secondOfDay struct {
	at    int32
	first uint32 // hop
}

// Rights of a hop: one bit for each end where the vehicle can be boarded or left there, and
// one where rules of lines or trips are about that.
const (
	rightBits = 4
	ruledBit  = 2
)

// hops returns those of all trips of a day without headways.
func (n *Network) hops(d *day) *hops {
	n.mu.Lock()
	if at := slices.Index(n.swept, d); at >= 0 {
		n.swept = slices.Delete(n.swept, at, at+1)
	} else {
		d.hops = sync.OnceValue(func() *hops { return n.listHops(d) })
		if len(n.swept) >= mostSwept {
			n.swept[0].hops = nil
			n.swept = slices.Delete(n.swept, 0, 1)
		}
	}
	n.swept = append(n.swept, d)
	find := d.hops
	n.mu.Unlock()
	return find()
}

// hop is a trip between two calls.
type hop struct {
	depart, arrive int32
	from, to       uint32
	trip, of       uint32
}

// listHops lists the hops of a day. They are counted by their seconds at first, for each to
// be written to its place.
func (n *Network) listHops(d *day) *hops {
	low, high := int32(never), int32(-never)
	n.eachHop(d, func(h hop) { low, high = min(low, h.depart), max(high, h.depart) })
	if low > high {
		return &hops{moments: []secondOfDay{{never, 0}}}
	}
	next := make([]uint32, high-low+2)
	n.eachHop(d, func(h hop) { next[h.depart-low+1]++ })
	l := &hops{}
	for i, count := range next[1:] {
		if count > 0 {
			l.moments = append(l.moments, secondOfDay{low + int32(i), next[i]})
		}
		next[i+1] += next[i]
	}
	count := next[len(next)-1]
	l.moments = append(l.moments, secondOfDay{never, count})
	l.trip, l.stop, l.arrive, l.of = make([]uint32, count), [2][]uint32{make([]uint32, count), make([]uint32, count)}, make([]int32, count), make([]uint32, count)
	n.eachHop(d, func(h hop) {
		at := next[h.depart-low]
		next[h.depart-low]++
		l.trip[at], l.stop[0][at], l.stop[1][at], l.arrive[at], l.of[at] = h.trip, h.from, h.to, h.arrive, h.of
	})
	return l
}

// eachHop lists the hops of a day, by trips.
func (n *Network) eachHop(d *day, do func(h hop)) {
	add := func(p *pattern, number, row, trip int) {
		zone := int32(d.begin[p.zone] - d.begin[0])
		calls := p.times[row*len(p.stops):][:len(p.stops)]
		for i := range len(calls) - 1 {
			rights := p.rules[i]>>forward&1 | p.rules[i+1]>>backward&1<<1
			if rights == 0 {
				continue
			}
			rights |= p.rules[i]>>(4+backward)&1<<ruledBit | p.rules[i+1]>>(4+forward)&1<<(ruledBit+1)
			do(hop{zone + calls[i].Depart, zone + calls[i+1].Arrive, p.stops[i], p.stops[i+1], uint32(trip), uint32(number)<<rightBits | uint32(rights)})
		}
	}
	for number := range n.patterns {
		p := &n.patterns[number]
		if len(p.headways) > 0 {
			continue
		}
		for trip := d.at[number]; trip < d.at[number+1]; trip++ {
			add(p, number, int(d.rows[trip]), int(trip))
		}
	}
	for i := range d.extra {
		p := &d.extra[i]
		for row := range len(p.times) / len(p.stops) {
			add(p, len(n.patterns)+i, row, d.extraTrip[i]+row)
		}
	}
}
