package cch

import (
	"math"

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
	forward  searchGraph // arcs up, which a search from the start needs
	backward searchGraph // arcs down, which one from the end needs
}

// searchGraph are the arcs of one direction: those of rank v are the steps from
// first[v] to first[v+1], by head. mid is the rank that a step's path is over,
// graph.None for a turn.
type searchGraph struct {
	first []uint32
	arcs  []weightedArc
	via   []Rank
}

type weightedArc struct {
	head   Rank
	weight uint32
}

// weights are a metric in the making: by arc the cheapest way up and down it.
// They can be used again for another metric of the same topology.
type weights struct {
	up, down []label
	best     []arcCosts // what perfect works on
	arcTo    []Arc      // by rank: the arc of the rank at work that leads there
}

// arcCosts are an arc's costs, up and down.
type arcCosts struct{ up, down uint32 }

// label is a cost, and below it in the lower half the rank that the path is
// over, graph.None for a turn: the lesser label is the cheaper.
type label uint64

const unlabelled label = math.MaxUint64

func (l label) cost() uint64 { return uint64(l >> 32) }

// labelVia is the label of a path over rank u, of any cost.
func labelVia(u Rank, cost uint64) label { return label(min(cost, Never)<<32) | label(u) }

func newWeights(t *Topology) *weights {
	n := len(t.Head)
	return &weights{up: make([]label, n), down: make([]label, n), best: make([]arcCosts, n), arcTo: make([]Arc, len(t.Edge))}
}

// clear forgets a metric.
func (w *weights) clear() {
	for a := range w.up {
		w.up[a], w.down[a] = unlabelled, unlabelled
	}
}

// turn gives an arc, as TurnArc has it, the cost of a turn.
func (w *weights) turn(arc, cost uint32) {
	to := w.up
	if arc&1 != 0 {
		to = w.down
	}
	to[arc/2] = min(to[arc/2], labelVia(graph.None, uint64(cost)))
}

// Customise gives a topology the weights of a costing, worked out in m.
func (t *Topology) Customise(g *graph.Graph, c *profile.Costing, m *profile.Metric) *Metric {
	return t.customise(g, c, m, newWeights(t))
}

// customise works in w.
func (t *Topology) customise(g *graph.Graph, c *profile.Costing, m *profile.Metric, w *weights) *Metric {
	t.respect(g, c, m, w)
	t.basic(w)
	return t.finish(w)
}

// respect gives the arcs the costs of the turns.
func (t *Topology) respect(g *graph.Graph, c *profile.Costing, m *profile.Metric, w *weights) {
	w.clear()
	for e := range graph.Edge(g.Edges()) {
		n, from := g.Head[e], g.Original(e)
		if m.Edge(from) == profile.Forbidden {
			continue
		}
		arcs := t.TurnArc[t.TurnAt[e]:t.TurnAt[e+1]]
		for i, f := 0, g.FirstOut[n]; f < g.FirstOut[n+1]; i, f = i+1, f+1 {
			edge, turn := m.Edge(f), m.Turn(from, f)
			if edge == profile.Forbidden || turn == profile.Forbidden || arcs[i] == selfLoop {
				continue
			}
			if _, ok := c.Follow(e, f); !ok {
				continue
			}
			w.turn(arcs[i], plus(edge, turn))
		}
	}
}

// plus adds two costs, either of which may be Never.
func plus(a, b uint32) uint32 {
	s := a + b
	if s < a {
		s = Never
	}
	return s
}

// basic has every arc know the cheapest way over lower ranks.
func (t *Topology) basic(w *weights) {
	for v := range Rank(len(t.Edge)) {
		for a := t.First[v]; a < t.First[v+1]; a++ {
			w.arcTo[t.Head[a]] = a
		}
		for i := t.BelowAt[v]; i < t.BelowAt[v+1]; i++ {
			u, uv := t.Below[i], t.BelowArc[i]
			// u's arcs beyond v go to neighbours of v.
			heads := t.Head[uv+1 : t.First[u+1]]
			// Most arcs lead one way only.
			if fromV := w.down[uv].cost(); fromV != Never {
				relax(w.up, w.up[uv+1:], heads, w.arcTo, fromV, u)
			}
			if toV := w.up[uv].cost(); toV != Never {
				relax(w.down, w.down[uv+1:], heads, w.arcTo, toV, u)
			}
		}
	}
}

// relax lowers the labels of the arcs at, by head, to those of the ways over
// rank u, which costs so much to get to or from and has arcs with labels beyond.
func relax(labels, beyond []label, heads []Rank, at []Arc, cost uint64, u Rank) {
	beyond = beyond[:len(heads)]
	for i, head := range heads {
		a := at[head]
		labels[a] = min(labels[a], labelVia(u, cost+beyond[i].cost()))
	}
}

// finish takes what no search needs out of the metric and gives the rest.
func (t *Topology) finish(w *weights) *Metric {
	for a := range w.best {
		w.best[a] = arcCosts{uint32(w.up[a].cost()), uint32(w.down[a].cost())}
	}
	t.perfect(w.best)
	return t.prune(w)
}

// perfect has every arc know the cheapest way at all: from the top down, over
// triangles whose other two arcs reach higher.
func (t *Topology) perfect(best []arcCosts) {
	for u := len(t.Edge) - 1; u >= 0; u-- {
		heads, of := t.Head[t.First[u]:t.First[u+1]], best[t.First[u]:t.First[u+1]]
		for i, v := range heads {
			first, last := t.First[v], t.First[v+1]
			of[i] = relaxTriangles(of[i], heads[i+1:], of[i+1:], t.Head[first:last], best[first:last])
		}
	}
}

// relaxTriangles looks at the triangles of a rank, one above it that uv leads to, and
// the heads further above, which uw leads to from the first and vw, among
// others, from the second. It lowers uw, and uv, which it returns.
func relaxTriangles(uv arcCosts, heads []Rank, uw []arcCosts, above []Rank, vw []arcCosts) arcCosts {
	uw, vw = uw[:len(heads)], vw[:len(above)]
	at := 0
	for i, w := range heads {
		for above[at] != w {
			at++
		}
		x, y := uw[i], vw[at]
		// Over w to v, and over v to w, and back.
		uv.up = min(uv.up, plus(x.up, y.down))
		uv.down = min(uv.down, plus(y.up, x.down))
		uw[i] = arcCosts{min(x.up, plus(uv.up, y.up)), min(x.down, plus(y.down, uv.down))}
	}
	return uv
}

// prune takes the arcs whose way over lower ranks is a cheapest one: no search
// needs another.
func (t *Topology) prune(w *weights) *Metric {
	up, down := 0, 0
	for a, best := range w.best {
		up += isCheapest(w.up[a], best.up)
		down += isCheapest(w.down[a], best.down)
	}
	m := &Metric{newSearchGraph(len(t.Edge), up), newSearchGraph(len(t.Edge), down)}
	up, down = 0, 0
	for v := range t.Edge {
		for a := t.First[v]; a < t.First[v+1]; a++ {
			up += m.forward.put(up, t.Head[a], w.up[a], w.best[a].up)
			down += m.backward.put(down, t.Head[a], w.down[a], w.best[a].down)
		}
		m.forward.first[v+1], m.backward.first[v+1] = uint32(up), uint32(down)
	}
	m.forward.trim()
	m.backward.trim()
	return m
}

// isCheapest is 1 where an arc's label costs no more than the cheapest way, which
// there is, and else 0.
func isCheapest(l label, best uint32) (one int) {
	if l.cost() <= uint64(min(best, Never-1)) {
		one = 1
	}
	return one
}

// newSearchGraph has room for the steps of so many ranks, and one to spare for put.
func newSearchGraph(ranks, steps int) searchGraph {
	return searchGraph{first: make([]uint32, ranks+1), arcs: make([]weightedArc, steps+1), via: make([]Rank, steps+1)}
}

// put writes an arc as the step at, to stay or be overwritten: 1 where it
// stays. Which do is hard to guess for a processor, so there is no branch.
func (w *searchGraph) put(at int, head Rank, l label, best uint32) int {
	w.arcs[at], w.via[at] = weightedArc{head, best}, Rank(l)
	return isCheapest(l, best)
}

func (w *searchGraph) trim() {
	n := len(w.arcs) - 1
	w.arcs, w.via = w.arcs[:n:n], w.via[:n:n]
}

// find finds the step from v up to head, which must be there.
func (w *searchGraph) find(v, head Rank) uint32 {
	i := w.first[v]
	for w.arcs[i].head != head {
		i++
	}
	return i
}
