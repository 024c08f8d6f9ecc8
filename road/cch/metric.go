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

// Metric is a costing on a topology: the arcs that lie on some cheapest path,
// with their costs in milliseconds of weighted time. The cost of going from
// one edge to another is that of the turns between them and of every edge but
// the first. It is immutable.
type Metric struct {
	forward  way // arcs up, which a search from the start needs
	backward way // arcs down, which one from the end needs
}

// way are the arcs of one direction: those of rank v are the steps from
// first[v] to first[v+1], by head. mid is the rank that a step's path is over,
// graph.None for a turn.
type way struct {
	first []uint32
	steps []step
	mid   []uint32
}

type step struct{ head, weight uint32 }

// weights are a metric in the making: by arc the cost up and down it, and the
// rank that the path is over.
type weights struct {
	up, down       []uint32
	upMid, downMid []uint32
}

// Customise gives a topology the weights of a costing, worked out in m.
func (t *Topology) Customise(g *graph.Graph, c *profile.Costing, m *profile.Metric) *Metric {
	n := len(t.Head)
	w := &weights{up: make([]uint32, n), down: make([]uint32, n), upMid: make([]uint32, n), downMid: make([]uint32, n)}
	t.respect(g, c, m, w)
	t.basic(w)
	best := &weights{up: slices.Clone(w.up), down: slices.Clone(w.down)}
	t.perfect(best)
	out := &Metric{}
	var both sync.WaitGroup
	both.Go(func() { out.forward = t.keep(best.up, w.up, w.upMid) })
	out.backward = t.keep(best.down, w.down, w.downMid)
	both.Wait()
	return out
}

// respect gives the arcs the costs of the turns.
func (t *Topology) respect(g *graph.Graph, c *profile.Costing, m *profile.Metric, w *weights) {
	for a := range w.up {
		w.up[a], w.down[a] = Never, Never
		w.upMid[a], w.downMid[a] = graph.None, graph.None
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
			to := w.up
			if arcs[i]&1 != 0 {
				to = w.down
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
func (t *Topology) basic(w *weights) {
	for v := range uint32(len(t.Edge)) {
		last := t.First[v+1]
		for i := t.BelowAt[v]; i < t.BelowAt[v+1]; i++ {
			u, uv := t.Below[i], t.BelowArc[i]
			toV, fromV := w.up[uv], w.down[uv]
			if toV == Never && fromV == Never {
				continue
			}
			// u's arcs beyond v go to neighbours of v, both ascending.
			vw := t.First[v]
			for uw := uv + 1; uw < t.First[u+1]; uw++ {
				for vw < last && t.Head[vw] != t.Head[uw] {
					vw++
				}
				if s := plus(fromV, w.up[uw]); s < w.up[vw] {
					w.up[vw], w.upMid[vw] = s, u
				}
				if s := plus(w.down[uw], toV); s < w.down[vw] {
					w.down[vw], w.downMid[vw] = s, u
				}
			}
		}
	}
}

// perfect has every arc know the cheapest way at all: from the top down, over
// triangles whose other two arcs reach higher.
func (t *Topology) perfect(w *weights) {
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
				w.up[uv] = min(w.up[uv], plus(w.up[uw], w.down[vw]))
				w.down[uv] = min(w.down[uv], plus(w.up[vw], w.down[uw]))
				w.up[uw] = min(w.up[uw], plus(w.up[uv], w.up[vw]))
				w.down[uw] = min(w.down[uw], plus(w.down[vw], w.down[uv]))
			}
		}
	}
}

// keep takes the arcs whose way over lower ranks is a cheapest one: no search
// needs another.
func (t *Topology) keep(perfect, basic, mid []uint32) way {
	out := way{first: make([]uint32, len(t.Edge)+1)}
	n := 0
	for a := range perfect {
		if basic[a] != Never && basic[a] == perfect[a] {
			n++
		}
	}
	out.steps, out.mid = make([]step, 0, n), make([]uint32, 0, n)
	for v := range t.Edge {
		for a := t.First[v]; a < t.First[v+1]; a++ {
			if basic[a] != Never && basic[a] == perfect[a] {
				out.steps, out.mid = append(out.steps, step{t.Head[a], basic[a]}), append(out.mid, mid[a])
			}
		}
		out.first[v+1] = uint32(len(out.steps))
	}
	return out
}

// arc finds the step from v up to head, which must be there.
func (w *way) arc(v, head uint32) uint32 {
	i := w.first[v]
	for w.steps[i].head != head {
		i++
	}
	return i
}
