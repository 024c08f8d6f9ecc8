package journey

import (
	"slices"

	"github.com/waygate/waygate/gtfs"
	"github.com/waygate/waygate/index/timetable"
)

// Accessible is the network of what is known to be accessible by wheelchair: trips, and stops
// where one boards or leaves them. It has no walks within stations, of which a feed does not
// say whether there are steps. It is made once, and shares what it can.
func (n *Network) Accessible() *Network { return n.accessible() }

func (n *Network) newAccessible() *Network {
	m := &Network{x: n.x, patterns: slices.Clone(n.patterns), rules: n.rules, single: n.single, of: n.of, zones: n.zones, waits: n.waits, wheelchair: true, days: map[gtfs.Date]func() *day{}}
	m.accessible = func() *Network { return m }
	for i := range m.patterns {
		p := &m.patterns[i]
		rides := false
		for trip := range uint32(len(p.times) / len(p.stops)) {
			rides = rides || n.x.TripAccessible(p.first+trip)
		}
		p.rules = slices.Clone(p.rules)
		for i, stop := range p.stops {
			if !rides || !n.x.StopAccessible(stop) {
				p.rules[i] &^= 5<<forward | 5<<backward
			}
		}
	}
	for back := range m.board {
		m.board[back] = listCalls(m.patterns, n.x.Stops(), back)
		m.repeats[back] = m.repeating(back)
		m.changes[back] = n.outside(back)
	}
	m.makeScratch()
	return m
}

// outside lists the changes that are no walks within a station.
func (n *Network) outside(back int) changeList {
	lists := make([][]change, n.x.Stops())
	for stop := range lists {
		for _, c := range n.changes[back].of(uint32(stop)) {
			from, to := uint32(stop), c.to
			if back == backward {
				from, to = to, from
			}
			if from == to || !slices.ContainsFunc(n.x.Walks(from), func(w timetable.Walk) bool { return w.To == to }) {
				lists[stop] = append(lists[stop], c)
			}
		}
	}
	return flatten(lists)
}
