package cch

import (
	"context"
	"math"

	"github.com/waygate/waygate/road/cch/searchgraph"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/profile"
)

// Never is the weight of an arc that may not be travelled.
const Never = searchgraph.Never

// lookEvery is the work, in arcs, between two checks of the context: about 100 us, because
// customisation runs beside requests that must not wait for it.
const lookEvery = 1 << 15

// Metric is a costing on a topology: the arcs that lie on some cheapest path,
// with their costs in milliseconds of weighted time. The cost from one edge to
// another is that of the turns between them and of every edge but the first. It
// is immutable.
type Metric struct {
	forward  searchgraph.Graph // costs of travelling up the arcs, for the search from the start
	backward searchgraph.Graph // costs of travelling down them, for the search from the end
}

// arcCosts are the costs of an arc, travelled up and down.
type arcCosts struct{ up, down uint32 }

// impassable are the costs of an arc that may not be travelled.
var impassable = arcCosts{Never, Never}

// arcVias are the ranks over which the paths of an arc lead, up and down.
type arcVias struct{ up, down Rank }

// lowered stands in the place of a rank where a path over higher ranks is cheaper.
const lowered = searchgraph.Lowered

// label is a cost in the upper half and, in the lower half, the rank over which
// the path leads, graph.None for a single turn: the lesser label is the cheaper.
type label uint64

const unlabelled label = math.MaxUint64

func (l label) cost() uint64 { return uint64(l >> 32) }

// labelVia returns the label of a path over rank u; costs are capped at Never.
func labelVia(u Rank, cost uint64) label { return label(min(cost, Never)<<32) | label(u) }

// turnFollower returns the edge that a turn leads to, as profile.Costing and
// profile.LowerBound do.
type turnFollower interface {
	Follow(e, f graph.Edge) (to graph.Edge, ok bool)
}

// costs returns the costs of originals and of the turns between them, or profile.Forbidden, as
// profile.Metric does. It is safe for concurrent use.
type costs interface {
	Edge(e graph.Edge) uint32
	Turn(e, f graph.Edge) uint32
}

// Customise computes the metric of a costing c, whose costs by edge and turn are m. Its only
// error is that of its context, with which it ends. Besides the metric and, at its end, a
// copy of a part of it, it takes WorkingBytes.
func (t *Topology) Customise(ctx context.Context, g *graph.Graph, c turnFollower, m costs) (*Metric, error) {
	kept, err := t.CustomiseNext(ctx, g, c, m, nil, nil)
	if err != nil {
		return nil, err
	}
	return kept.metric, nil
}

// respect yields the costs of turns with those of the edges they lead into. The literature
// calls this the initial metric that respects the costing.
type respect struct {
	t      *Topology
	g      *graph.Graph
	c      turnFollower
	m      costs
	marked []uint64
}

func newRespect(t *Topology, g *graph.Graph, c turnFollower, m costs) *respect {
	return &respect{t, g, c, m, make([]uint64, len(t.TurnAt))}
}

func (r *respect) turns(ctx context.Context, of stretch, put func(low Rank, a Arc, down bool, cost uint32)) {
	done := 0
	r.t.inOrderOfEdges(r.g, of, r.marked, func(e graph.Edge, first int) bool {
		done++
		r.edge(e, first, put)
		return done%2048 != 0 || ctx.Err() == nil
	})
}

// edge yields the turns from an edge; first is the number of the first of them.
func (r *respect) edge(e graph.Edge, first int, put func(low Rank, a Arc, down bool, cost uint32)) {
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
			put(min(rank, t.Rank[to]), a, down, plus(edge, turn))
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

// Bytes returns the memory that a metric takes, or would take if it shared no arcs.
func (m *Metric) Bytes() int64 { return m.forward.Bytes() + m.backward.Bytes() }

// MostBytes returns the most memory that a metric of the topology can take: that of one with
// all arcs.
func (t *Topology) MostBytes() int64 {
	return 2 * searchgraph.MostBytes(len(t.Edge), len(t.Above))
}

// TurnBytes returns a lower bound of the memory that a profile.Metric of the graph takes.
func (t *Topology) TurnBytes() int64 { return wordBytes * int64(len(t.Edge)+len(t.TurnArc)) }
