package journey

import (
	"slices"
	"sync"
)

// mostSwept bounds the days whose hops are kept.
const mostSwept = 4

// hop is a trip between two calls, at both of which it is of use to somebody. Its ends are
// in the order of time.
type hop struct {
	at   [2]int32 // seconds of the day in the network's first zone
	stop [2]uint32
	trip uint32 // of the day
	of   uint32 // the pattern, those of the day alone after the others, with bits of rights below
}

// Rights of a hop: one bit for each end where the vehicle can be boarded or left there, and
// one where rules of lines or trips are about that.
const (
	rightBits = 4
	ruledBit  = 2
)

// hops are those of all trips of a day without headways, in the order of their departures.
func (n *Network) hops(d *day) []hop {
	n.mu.Lock()
	if at := slices.Index(n.swept, d); at >= 0 {
		n.swept = slices.Delete(n.swept, at, at+1)
	} else {
		d.hops = sync.OnceValue(func() []hop { return n.listHops(d) })
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

// listHops lists the hops of a day. They are counted by their seconds at first, for each to
// be written to its place.
func (n *Network) listHops(d *day) []hop {
	low, high := int32(never), int32(-never)
	each := func(do func(h hop)) {
		add := func(p *pattern, number, row, trip int) {
			zone := int32(d.begin[p.zone] - d.begin[0])
			calls := p.times[row*len(p.stops):][:len(p.stops)]
			for i := range len(calls) - 1 {
				rights := p.rules[i]>>forward&1 | p.rules[i+1]>>backward&1<<1
				if rights == 0 {
					continue
				}
				rights |= p.rules[i]>>(4+backward)&1<<ruledBit | p.rules[i+1]>>(4+forward)&1<<(ruledBit+1)
				do(hop{[2]int32{zone + calls[i].Depart, zone + calls[i+1].Arrive}, [2]uint32{p.stops[i], p.stops[i+1]}, uint32(trip), uint32(number)<<rightBits | uint32(rights)})
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
	each(func(h hop) { low, high = min(low, h.at[0]), max(high, h.at[0]) })
	if low > high {
		return nil
	}
	next := make([]uint32, high-low+2)
	each(func(h hop) { next[h.at[0]-low+1]++ })
	for i := range next[1:] {
		next[i+1] += next[i]
	}
	list := make([]hop, next[len(next)-1])
	each(func(h hop) {
		at := &next[h.at[0]-low]
		list[*at] = h
		*at++
	})
	return list
}
