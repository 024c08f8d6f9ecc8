package cch

import (
	"math"
	"slices"
	"sync"

	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/profile"
)

// Never is the weight of what may not be travelled.
const Never = math.MaxUint32

// Metric is a costing on a topology: by arc the least cost up and down it over
// lower ranks, in milliseconds of weighted time. The cost of going from one edge to another is
// that of the turns between them and of every edge but the first. It is
// immutable.
type Metric struct {
	Up, Down []uint32
	forward  way // arcs a search from the start needs
	backward way // and one from the end
}

// way are the arcs of one direction that lie on some cheapest path: those of
// rank v are the steps from first[v] to first[v+1].
type way struct {
	first []uint32
	steps []step
}

type step struct{ head, weight uint32 }

// Customise gives a topology the weights of a costing, worked out in m.
func (t *Topology) Customise(g *graph.Graph, c *profile.Costing, m *profile.Metric) *Metric {
	w := &Metric{Up: make([]uint32, len(t.Head)), Down: make([]uint32, len(t.Head))}
	t.respect(g, c, m, w)
	t.basic(w)
	best := &Metric{Up: slices.Clone(w.Up), Down: slices.Clone(w.Down)}
	t.perfect(best)
	var both sync.WaitGroup
	both.Go(func() { w.forward = t.keep(best.Up, w.Up) })
	w.backward = t.keep(best.Down, w.Down)
	both.Wait()
	return w
}

// respect gives the arcs the costs of the turns.
func (t *Topology) respect(g *graph.Graph, c *profile.Costing, m *profile.Metric, w *Metric) {
	for a := range w.Up {
		w.Up[a], w.Down[a] = Never, Never
	}
	for e := range uint32(g.Edges()) {
		n, from := g.Head[e], g.Original(e)
		if m.Edge(from) == profile.Forbidden {
			continue
		}
		arcs := t.TurnArc[t.TurnAt[e]:t.TurnAt[e+1]]
		for i, f := 0, g.FirstOut[n]; f < g.FirstOut[n+1]; i, f = i+1, f+1 {
			edge, turn := m.Edge(f), m.Turn(from, f)
			if edge == profile.Forbidden || turn == profile.Forbidden || arcs[i] == loop {
				continue
			}
			if _, ok := c.Follow(e, f); !ok {
				continue
			}
			to := w.Up
			if arcs[i]&1 != 0 {
				to = w.Down
			}
			a := arcs[i] / 2
			to[a] = min(to[a], plus(edge, turn))
		}
	}
}

// plus adds two costs, either of which may be Never.
func plus(a, b uint32) uint32 {
	if s := a + b; s >= a {
		return s
	}
	return Never
}

// basic has every arc know the cheapest way over lower ranks.
func (t *Topology) basic(w *Metric) {
	for v := range uint32(len(t.Edge)) {
		last := t.First[v+1]
		for i := t.BelowAt[v]; i < t.BelowAt[v+1]; i++ {
			u, uv := t.Below[i], t.BelowArc[i]
			toV, fromV := w.Up[uv], w.Down[uv]
			if toV == Never && fromV == Never {
				continue
			}
			// u's arcs beyond v go to neighbours of v, both ascending.
			vw := t.First[v]
			for uw := uv + 1; uw < t.First[u+1]; uw++ {
				for vw < last && t.Head[vw] != t.Head[uw] {
					vw++
				}
				if s := plus(fromV, w.Up[uw]); s < w.Up[vw] {
					w.Up[vw] = s
				}
				if s := plus(w.Down[uw], toV); s < w.Down[vw] {
					w.Down[vw] = s
				}
			}
		}
	}
}

// perfect has every arc know the cheapest way at all: from the top down, over
// triangles whose other two arcs reach higher.
func (t *Topology) perfect(w *Metric) {
	for u := len(t.Edge) - 1; u >= 0; u-- {
		first, last := t.First[u], t.First[u+1]
		for uv := first; uv < last; uv++ {
			v := t.Head[uv]
			vw := t.First[v]
			for uw := uv + 1; uw < last; uw++ {
				for t.Head[vw] != t.Head[uw] {
					vw++
				}
				// Over w to v, and over v to w, and back.
				w.Up[uv] = min(w.Up[uv], plus(w.Up[uw], w.Down[vw]))
				w.Down[uv] = min(w.Down[uv], plus(w.Up[vw], w.Down[uw]))
				w.Up[uw] = min(w.Up[uw], plus(w.Up[uv], w.Up[vw]))
				w.Down[uw] = min(w.Down[uw], plus(w.Down[vw], w.Down[uv]))
			}
		}
	}
}

// keep takes the arcs whose way over lower ranks is a cheapest one: no search
// needs another.
func (t *Topology) keep(perfect, basic []uint32) way {
	out := way{first: make([]uint32, len(t.Edge)+1)}
	n := 0
	for a := range perfect {
		if basic[a] != Never && basic[a] == perfect[a] {
			n++
		}
	}
	out.steps = make([]step, 0, n)
	for v := range t.Edge {
		for a := t.First[v]; a < t.First[v+1]; a++ {
			if basic[a] != Never && basic[a] == perfect[a] {
				out.steps = append(out.steps, step{t.Head[a], basic[a]})
			}
		}
		out.first[v+1] = uint32(len(out.steps))
	}
	return out
}
