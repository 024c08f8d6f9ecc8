package cch

import (
	"context"
	"errors"
	"math"
	"slices"
	"unsafe"

	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/profile"
)

// Never is the weight of what may not be travelled.
const Never = math.MaxUint32

// lookEvery is after how much work, in arcs, the context is looked at: some 100 us,
// for customisation is done beside requests that must not wait for it.
const lookEvery = 1 << 15

// Metric is a costing on a topology: the arcs that lie on some cheapest path,
// with their costs in milliseconds of weighted time. The cost from one edge to
// another is that of the turns between them and of every edge but the first. It
// is immutable.
type Metric struct {
	forward  searchGraph // costs of travelling up the arcs, for the search from the start
	backward searchGraph // costs of travelling down them, for the search from the end
}

// weights is what customisation works on: the label of each arc in both
// directions of travel. It can be used again for another metric of the same
// topology.
type weights struct {
	up, down []label
	below    lowerNeighbours
	parts    parts
	workers  []worker
}

// arcCosts are the costs of an arc, travelled up and down.
type arcCosts struct{ up, down uint32 }

// impassable is an arc that nobody can travel.
var impassable = arcCosts{Never, Never}

// arcVias are the ranks over which the paths of an arc lead, up and down.
type arcVias struct{ up, down Rank }

// lowered stands in the place of a rank where a path over higher ones is cheaper.
const lowered = Rank(graph.None - 1)

// split puts the labels, which it overwrites, in another order: the costs of each
// arc together, for what is cheaper over higher ranks, and apart from the ranks that
// its paths lead over.
func (w *weights) split() splitLabels {
	n := len(w.up)
	w.inShares(n, func(from, to int) {
		for a := from; a < to; a++ {
			up, down := w.up[a], w.down[a]
			costs, vias := arcCosts{uint32(up.cost()), uint32(down.cost())}, arcVias{Rank(up), Rank(down)}
			w.up[a], w.down[a] = *(*label)(unsafe.Pointer(&costs)), *(*label)(unsafe.Pointer(&vias))
		}
	})
	return splitLabels{unsafe.Slice((*arcCosts)(unsafe.Pointer(unsafe.SliceData(w.up))), n), unsafe.Slice((*arcVias)(unsafe.Pointer(unsafe.SliceData(w.down))), n)}
}

// splitLabels are the labels of all arcs in the order that split puts them in.
type splitLabels struct {
	costs []arcCosts
	vias  []arcVias
}

// label is a cost in the upper half and, in the lower half, the rank over which
// the path leads, graph.None for a single turn: the lesser label is the cheaper.
type label uint64

const unlabelled label = math.MaxUint64

func (l label) cost() uint64 { return uint64(l >> 32) }

// labelVia is the label of a path over rank u; costs are capped at Never.
func labelVia(u Rank, cost uint64) label { return label(min(cost, Never)<<32) | label(u) }

// newWeights makes room for weights that so many goroutines work on.
func newWeights(t *Topology, workers int) *weights {
	n := len(t.Head)
	ranks := len(t.Edge)
	w := &weights{
		up: make([]label, n), down: make([]label, n), parts: t.newParts(workers), workers: make([]worker, workers),
		below: lowerNeighbours{make([]Rank, ranks), make([]Rank, ranks), make([]Arc, ranks)},
	}
	for i := range w.workers {
		w.workers[i].arcTo = make([]Arc, ranks)
	}
	return w
}

// clear makes every arc impassable.
func (w *weights) clear() {
	w.inShares(len(w.up), func(from, to int) {
		for a := from; a < to; a++ {
			w.up[a], w.down[a] = unlabelled, unlabelled
		}
	})
}

// turn lowers the label of an arc, in the direction of a turn, to the turn's cost.
func (w *weights) turn(a Arc, down bool, cost uint32) {
	to := w.up
	if down {
		to = w.down
	}
	to[a] = min(to[a], labelVia(graph.None, uint64(cost)))
}

// follower tells which edge a turn leads to, as profile.Costing and
// profile.LowerBound do.
type follower interface {
	Follow(e, f graph.Edge) (to graph.Edge, ok bool)
}

// costs tells what originals and the turns between them cost, or profile.Forbidden, as
// profile.Metric does. It may be asked from several goroutines at once.
type costs interface {
	Edge(e graph.Edge) uint32
	Turn(e, f graph.Edge) uint32
}

// Customise works out the metric of a costing c, whose costs by edge and turn are
// m. Its only error is that of its context, with which it ends.
func (t *Topology) Customise(ctx context.Context, g *graph.Graph, c follower, m costs) (*Metric, error) {
	return t.customise(ctx, g, c, m, newWeights(t, 1))
}

// customise is Customise with scratch w.
func (t *Topology) customise(ctx context.Context, g *graph.Graph, c follower, m costs, w *weights) (*Metric, error) {
	r := respect{t, g, c, m, w}
	r.all(ctx)
	t.basic(ctx, w)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return t.finish(ctx, w)
}

// respect gives the arcs of turns the costs of the turns and of the edges they
// lead into. In the literature: the initial metric that respects the costing.
type respect struct {
	t *Topology
	g *graph.Graph
	c follower
	m costs
	w *weights
}

func (r *respect) all(ctx context.Context) {
	r.w.clear()
	// The labels of turns from one edge are those of none from another.
	r.w.inShares(r.g.Edges(), func(from, to int) {
		first := r.t.turnsBefore(r.g, graph.Edge(from))
		for e := graph.Edge(from); e < graph.Edge(to); e++ {
			if e%2048 == 0 && ctx.Err() != nil {
				return
			}
			r.edge(e, first)
			n := r.g.ByEdge[e].Head
			first += int(r.g.FirstOut[n+1] - r.g.FirstOut[n])
		}
	})
}

// edge is all for the turns from one edge, the first of which is given.
func (r *respect) edge(e graph.Edge, first int) {
	g, t := r.g, r.t
	n, from := g.ByEdge[e].Head, g.Original(e)
	if r.m.Edge(from) == profile.Forbidden {
		return
	}
	rank := t.Rank[e]
	for i, f := first, g.FirstOut[n]; f < g.FirstOut[n+1]; i, f = i+1, f+1 {
		edge := r.m.Edge(f)
		if edge == profile.Forbidden {
			continue
		}
		to, ok := r.c.Follow(e, f)
		if !ok || to == e {
			continue
		}
		if turn := r.m.Turn(from, f); turn != profile.Forbidden {
			a, down := t.turnArc(i, rank, t.Rank[to])
			r.w.turn(a, down, plus(edge, turn))
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

// basic lowers every arc to the cheapest path over lower ranks (basic
// customisation): from the lowest rank up, over all triangles whose third rank
// is lower than both ends of the arc.
func (t *Topology) basic(ctx context.Context, w *weights) {
	w.inShares(len(t.Edge), w.below.clear)
	w.inSubtrees(func(x *worker, s stretch) {
		x.end = s.to
		t.basicOf(ctx, w, x, s)
	})
	first := &w.workers[0]
	first.end = Rank(len(t.Edge))
	for i := range w.workers {
		x := &w.workers[i]
		for _, u := range x.beyond {
			w.below.wait(t, first, u)
		}
		x.beyond = x.beyond[:0]
	}
	for _, s := range w.parts.top {
		t.basicOf(ctx, w, first, s)
	}
}

// basicOf is basic for the arcs of some ranks.
func (t *Topology) basicOf(ctx context.Context, w *weights, x *worker, s stretch) {
	below := &w.below
	done := 0
	for v := s.from; v < s.to; v++ {
		// Where the hierarchy is dense one rank takes as long as many others do.
		if done += 1 + int(t.First[v+1]-t.First[v]); done > lookEvery {
			if done = 0; ctx.Err() != nil {
				return
			}
		}
		for a := t.First[v]; a < t.First[v+1]; a++ {
			x.arcTo[t.Head[a]] = a
		}
		for u := below.first[v]; u != graph.None; {
			uv, next := below.arc[u], below.next[u]
			// The heads of u's arcs after v are neighbours of v too.
			heads := t.Head[uv+1 : t.First[u+1]]
			done += len(heads)
			// Most arcs can be travelled in one direction only.
			if fromV := w.down[uv].cost(); fromV != Never {
				relax(w.up, w.up[uv+1:], heads, x.arcTo, fromV, u)
			}
			if toV := w.up[uv].cost(); toV != Never {
				relax(w.down, w.down[uv+1:], heads, x.arcTo, toV, u)
			}
			below.wait(t, x, waiting{u, uv + 1})
			u = next
		}
		below.wait(t, x, waiting{v, t.First[v]})
	}
}

// relax lowers the labels of the arcs to heads to those of the paths over rank u:
// cost leads to u or from it, beyond are the labels of u's arcs to heads, and at
// gives the arc to lower for each head.
func relax(labels, beyond []label, heads []Rank, at []Arc, cost uint64, u Rank) {
	beyond = beyond[:len(heads)]
	for i, head := range heads {
		a := at[head]
		labels[a] = min(labels[a], labelVia(u, cost+beyond[i].cost()))
	}
}

// finish drops the arcs that no search needs and gives the rest as a metric.
func (t *Topology) finish(ctx context.Context, w *weights) (*Metric, error) {
	arcs := w.split()
	t.perfect(ctx, w, arcs)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return t.prune(ctx, arcs)
}

// perfect lowers every arc to the cheapest path at all (perfect customisation):
// from the highest rank down, over triangles whose third rank is higher than the
// lower end of the arc.
func (t *Topology) perfect(ctx context.Context, w *weights, arcs splitLabels) {
	for _, s := range slices.Backward(w.parts.top) {
		t.perfectOf(ctx, &w.workers[0], s, arcs)
	}
	w.inSubtrees(func(x *worker, s stretch) { t.perfectOf(ctx, x, s, arcs) })
}

// perfectOf is perfect for the arcs of some ranks.
func (t *Topology) perfectOf(ctx context.Context, x *worker, s stretch, arcs splitLabels) {
	costs, vias, done := arcs.costs, arcs.vias, 0
	for u := s.to - 1; u+1 > s.from; u-- {
		if done++; done > lookEvery {
			if done = 0; ctx.Err() != nil {
				return
			}
		}
		heads, of := t.Head[t.First[u]:t.First[u+1]], costs[t.First[u]:t.First[u+1]]
		if !slices.ContainsFunc(of, func(c arcCosts) bool { return c != impassable }) {
			continue // nobody comes by here, over higher ranks neither
		}
		x.before = append(x.before[:0], of...)
		for i, v := range heads {
			first, last := t.First[v], t.First[v+1]
			done += int(last - first)
			of[i] = relaxTriangles(of[i], heads[i+1:], of[i+1:], t.Head[first:last], costs[first:last])
		}
		for i, before := range x.before {
			if of[i] == before {
				continue
			}
			via := &vias[int(t.First[u])+i]
			if of[i].up != before.up {
				via.up = lowered
			}
			if of[i].down != before.down {
				via.down = lowered
			}
		}
	}
}

// relaxTriangles relaxes the triangles of ranks u < v < w, for one u and v and all
// w in heads: uv is the arc between u and v, uw those between u and heads, and vw
// those between v and above, which holds all of heads. It lowers uw, and returns
// uv lowered.
func relaxTriangles(uv arcCosts, heads []Rank, uw []arcCosts, above []Rank, vw []arcCosts) arcCosts {
	uw, vw = uw[:len(heads)], vw[:len(above)]
	at := 0
	for i, w := range heads {
		for above[at] != w {
			at++
		}
		x, y := uw[i], vw[at]
		// From u to v over w and to w over v, each in both directions.
		uv.up = min(uv.up, plus(x.up, y.down))
		uv.down = min(uv.down, plus(y.up, x.down))
		uw[i] = arcCosts{min(x.up, plus(uv.up, y.up)), min(x.down, plus(y.down, uv.down))}
	}
	return uv
}

// prune gives the metric of the arcs whose path over lower ranks is a cheapest
// one: no search needs another.
func (t *Topology) prune(ctx context.Context, arcs splitLabels) (*Metric, error) {
	costs, vias := arcs.costs, arcs.vias
	up, down := 0, 0
	for a, c := range costs {
		if a%lookEvery == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		up += isCheapest(c.up, vias[a].up)
		down += isCheapest(c.down, vias[a].down)
	}
	m := &Metric{newSearchGraph(len(t.Edge), up), newSearchGraph(len(t.Edge), down)}
	up, down = 0, 0
	for v := range t.Edge {
		if v%4096 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		for a := t.First[v]; a < t.First[v+1]; a++ {
			depth, cost, via := t.Depth[t.Head[a]], costs[a], vias[a]
			up += m.forward.put(up, Rank(v), depth, cost.up, via.up)
			down += m.backward.put(down, Rank(v), depth, cost.down, via.down)
		}
		m.forward.end(Rank(v), up)
		m.backward.end(Rank(v), down)
	}
	return m, errors.Join(m.forward.trim(), m.backward.trim())
}
