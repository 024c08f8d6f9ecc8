package cch

import (
	"slices"

	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/profile"
	"github.com/waygate/waygate/road/search"
)

// Measures are the measures of a metric's arcs in both directions of travel, and
// own, by rank, those of the edges themselves. They are immutable.
type Measures struct{ up, down, own []search.Measure }

// Measure works out the measures of a metric of the costing c in one pass from
// the lowest rank: that of a shortcut is the sum of its two halves.
func (t *Topology) Measure(c *profile.Costing, m *Metric) *Measures {
	x := &Measures{up: make([]search.Measure, len(m.forward.arcs)), down: make([]search.Measure, len(m.backward.arcs)), own: make([]search.Measure, len(t.Edge))}
	g := c.Graph()
	for v := range Rank(len(t.Edge)) {
		e := g.Original(t.Edge[v])
		x.own[v] = search.MeasureOf(c.Seconds(e), g.EdgeLength(e))
		for i := m.forward.first[v]; i < m.forward.first[v+1]; i++ {
			w, u := m.forward.arcs[i].depth, m.forward.via[i]
			if u == graph.None {
				x.up[i] = turnMeasure(c, t.Edge[v], t.Edge[t.above(v, w)])
			} else {
				x.up[i] = x.down[m.backward.find(u, t.Depth[v])].Plus(x.up[m.forward.find(u, w)])
			}
		}
		for i := m.backward.first[v]; i < m.backward.first[v+1]; i++ {
			w, u := m.backward.arcs[i].depth, m.backward.via[i]
			if u == graph.None {
				x.down[i] = turnMeasure(c, t.Edge[t.above(v, w)], t.Edge[v])
			} else {
				x.down[i] = x.down[m.backward.find(u, w)].Plus(x.up[m.forward.find(u, t.Depth[v])])
			}
		}
	}
	return x
}

// turnMeasure is that of a turn and the edge turned into.
func turnMeasure(c *profile.Costing, e, f graph.Edge) search.Measure {
	f = c.Graph().Original(f)
	return search.MeasureOf(c.Turn(e, f).Seconds+c.Seconds(f), c.Graph().EdgeLength(f))
}

// start is a rank that paths begin at, with what they have taken by then.
type start struct {
	rank Rank
	Cell
}

// measure gives the measures of the paths that a search up has found, by place.
// starts are its sources.
func (s *side) measure(dst []search.Measure, t *Topology, w *searchGraph, measures []search.Measure, starts []start) []search.Measure {
	dst = slices.Grow(dst[:0], len(s.visits))[:len(s.visits)]
	for _, x := range slices.Backward(starts) { // the first of several with the same cost holds
		if at, ok := s.find(x.rank, int32(t.Depth[x.rank])); ok && s.visits[at].parent == none && s.visits[at].cost == x.Cost {
			dst[at] = x.Measure
		}
	}
	for at := range s.places {
		if p := s.visits[at].parent; p != none {
			dst[at] = dst[p].Plus(measures[w.find(s.visits[p].rank, t.Depth[s.visits[at].rank])])
		}
	}
	return dst
}
