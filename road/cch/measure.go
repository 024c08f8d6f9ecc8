package cch

import (
	"math"

	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/profile"
)

// Measure is what a path takes besides its cost.
type Measure struct {
	Millis     uint32 // real time
	Decimetres uint32
}

func (m Measure) plus(n Measure) Measure {
	return Measure{m.Millis + n.Millis, m.Decimetres + n.Decimetres}
}

// Measures are the measures of a metric's arcs in both directions of travel, and
// own, by rank, those of the edges themselves. They are immutable.
type Measures struct{ up, down, own []Measure }

// Measure works out the measures of a metric of the costing c in one pass from
// the lowest rank: that of a shortcut is the sum of its two halves.
func (t *Topology) Measure(c *profile.Costing, m *Metric) *Measures {
	x := &Measures{up: make([]Measure, len(m.forward.arcs)), down: make([]Measure, len(m.backward.arcs)), own: make([]Measure, len(t.Edge))}
	g := c.Graph()
	for v := range Rank(len(t.Edge)) {
		e := g.Original(t.Edge[v])
		x.own[v] = measure(c.Seconds(e), g.EdgeLength(e))
		for i := m.forward.first[v]; i < m.forward.first[v+1]; i++ {
			w, u := m.forward.arcs[i].head, m.forward.via[i]
			if u == graph.None {
				x.up[i] = turnMeasure(c, t.Edge[v], t.Edge[w])
			} else {
				x.up[i] = x.down[m.backward.find(u, v)].plus(x.up[m.forward.find(u, w)])
			}
		}
		for i := m.backward.first[v]; i < m.backward.first[v+1]; i++ {
			w, u := m.backward.arcs[i].head, m.backward.via[i]
			if u == graph.None {
				x.down[i] = turnMeasure(c, t.Edge[w], t.Edge[v])
			} else {
				x.down[i] = x.down[m.backward.find(u, w)].plus(x.up[m.forward.find(u, v)])
			}
		}
	}
	return x
}

// turnMeasure is that of a turn and the edge turned into.
func turnMeasure(c *profile.Costing, e, f graph.Edge) Measure {
	f = c.Graph().Original(f)
	return measure(c.Turn(e, f).Seconds+c.Seconds(f), c.Graph().EdgeLength(f))
}

func measure(seconds, metres float64) Measure {
	return Measure{uint32(math.Round(seconds * 1000)), uint32(math.Round(metres * 10))}
}
