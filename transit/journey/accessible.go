package journey

import (
	"slices"

	"github.com/waygate/waygate/gtfs"
	"github.com/waygate/waygate/index/timetable"
)

// Accessible returns the network of what is known to be accessible by wheelchair: trips, and stops
// where one boards or leaves them. Of the walks within stations it has those that are
// known to be step-free. It is made once, and shares what it can.
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
		m.changes[back] = n.stepFree(back)
	}
	m.makeReady()
	return m
}

// stepFree lists the changes without walks within a station that may have steps.
func (n *Network) stepFree(back int) changeList {
	lists := make([][]change, n.x.Stops())
	for stop := range lists {
		for _, c := range n.changes[back].of(uint32(stop)) {
			from, to := uint32(stop), c.to
			if back == backward {
				from, to = to, from
			}
			leads := func(w timetable.Walk) bool { return w.To == to }
			if from != to && slices.ContainsFunc(n.x.Walks(from), leads) {
				free := n.x.StepFree(from)
				i := slices.IndexFunc(free, leads)
				if i < 0 {
					continue
				}
				c.seconds = int32(free[i].Seconds)
			} else if from != to && (len(n.x.Doors(from, false, true)) == 0 || len(n.x.Doors(to, true, true)) == 0) {
				continue // a station without a step-free way to its entrances
			}
			lists[stop] = append(lists[stop], c)
		}
	}
	return flatten(lists)
}
