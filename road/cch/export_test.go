package cch

import (
	"context"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/region/regiontest"
	"github.com/waygate/waygate/road/cch/order"
	"github.com/waygate/waygate/road/cch/searchgraph"
	"github.com/waygate/waygate/road/graph"
)

// Work returns how many arcs a sweep of the last run went over.
func (x *Table) Work() int { return x.work }

// Plainly has tables relaxed as where the processor is none of those known.
func (x *Table) Plainly() *Table {
	x.relax = searchgraph.RelaxPlain
	return x
}

// Looks is at how many ranks the last search looked.
func (x *RangeQuery) Looks() int { return x.looks }

// The most work between two looks at the context.
const (
	ArcsBetween    = arcsBetween
	TargetsBetween = targetsBetween
)

// without gives what cannot fail without an end of the context.
func without[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

// Dissected returns the dissection of a network.
func Dissected(n order.Network) *order.Dissection {
	return without(order.Dissect(context.Background(), n))
}

// Contracted returns the topology of a graph.
func Contracted(g *graph.Graph) *Topology { return ContractedBy(g, Dissected(Network(g))) }

// ContractedBy returns the topology of a graph by a dissection of its network.
func ContractedBy(g *graph.Graph, d *order.Dissection) *Topology {
	return without(NewTopology(context.Background(), g, d.Roads))
}

// of returns the topology of the turns alone.
func (t *Topology) of(all links) *Topology {
	return without(t, t.build(context.Background(), all, numbers{mostArcs, graph.MostNumbers, searchgraph.MostHeight}))
}

// turnList are turns by the edge they lead from, with their costs.
type turnList struct {
	t     *Topology
	first []uint32
	to    []graph.Edge
	cost  []uint32
}

func (x turnList) turns(_ context.Context, of stretch, put func(low Rank, a Arc, down bool, cost uint32)) {
	for v := of.from; v < of.to; v++ {
		e := x.t.Edge[v]
		for i := x.first[e]; i < x.first[e+1]; i++ {
			if to := x.to[i]; to != e && x.cost[i] != Never {
				a, down := x.t.turnArc(int(i), v, x.t.Rank[to])
				put(min(v, x.t.Rank[to]), a, down, x.cost[i])
			}
		}
	}
}

// customised returns the metric of turns.
func (t *Topology) customised(of turner) *Metric { return t.inPieces(of, pieceRanks) }

// inPieces returns the same, worked out in pieces of at most so many ranks.
func (t *Topology) inPieces(of turner, most uint32) *Metric {
	return newCustomiser(t, most).whole(of)
}

// whole works out all of a metric.
func (x *customiser) whole(of turner) *Metric {
	return without(x.customise(context.Background(), of, nil, nil)).metric
}

// basic lowers all arcs to the cheapest paths over lower ranks, in one piece.
func (t *Topology) basic(of turner) {
	x := newCustomiser(t, uint32(len(t.Edge)))
	x.begin(context.Background(), of, stretch{0, Rank(len(t.Edge))})
	x.piece.basic(context.Background(), x.piece.own)
}

// Customised returns the metric of a costing on a topology.
func Customised(t *Topology, g *graph.Graph, c turnFollower, m costs) *Metric {
	return without(t.Customise(context.Background(), g, c, m))
}

// usual returns the metrics of the default options of all costings.
func usual(ctx context.Context, t *Topology, g *graph.Graph) map[costing.Costing]*Metric {
	out := map[costing.Costing]*Metric{}
	err := eachKind(ctx, costing.All[:], t.customiser(g, defaults(g)), func(k costing.Costing, m *Metric) error {
		out[k] = m
		return nil
	})
	return without(out, err)
}

// stored returns the same with their measures, as they are in a region.
func stored(tb testing.TB, t *Topology, g *graph.Graph) (map[costing.Costing]*Metric, map[costing.Costing]*Measures) {
	tb.Helper()
	r := regiontest.Of(tb, MetricsSection, MetricsVersion, func(path string) error { return t.WriteDefaults(tb.Context(), g, path) })
	metrics := without(OpenMetrics(r, t))
	return metrics, without(OpenMeasures(r, t, metrics))
}

// SharedArcs counts the arcs of a metric, and those of them that are another's.
func (m *Metric) SharedArcs(with *Metric) (all, shared int) {
	for i, w := range m.directions() {
		all += int(w.Has().Arcs)
		for b := range w.Blocks {
			if from, to := w.BlockSpan(b); with.directions()[i].SameBlock(w, b) {
				shared += int(to - from)
			}
		}
	}
	return all, shared
}
