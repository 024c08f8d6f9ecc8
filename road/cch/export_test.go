package cch

import (
	"context"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/region/regiontest"
	"github.com/waygate/waygate/road/cch/order"
	"github.com/waygate/waygate/road/graph"
)

// Work is how many arcs a sweep of the last run went over.
func (x *Table) Work() int { return x.work }

// Plainly has tables relaxed as where the processor is none of those known.
func (x *Table) Plainly() *Table {
	x.relax = relaxPlain
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

// Dissected is the dissection of a network.
func Dissected(n order.Network) *order.Dissection {
	return without(order.Dissect(context.Background(), n))
}

// Contracted is the topology of a graph.
func Contracted(g *graph.Graph) *Topology { return ContractedBy(g, Dissected(Network(g))) }

// ContractedBy is the topology of a graph by a dissection of its network.
func ContractedBy(g *graph.Graph, d *order.Dissection) *Topology {
	return without(NewTopology(context.Background(), g, d.Roads))
}

// of is the topology of the turns alone.
func (t *Topology) of(all links) *Topology {
	return without(t, t.build(context.Background(), all, numbers{mostArcs, graph.MostNumbers, mostHeight}))
}

// customised is the metric of weights that respect a costing.
func (t *Topology) customised(w *weights) *Metric {
	t.basic(context.Background(), w)
	return without(t.finish(context.Background(), w))
}

// Customised is the metric of a costing on a topology.
func Customised(t *Topology, g *graph.Graph, c follower, m costs) *Metric {
	return without(t.Customise(context.Background(), g, c, m))
}

// usual are the metrics of the default options of all costings.
func usual(ctx context.Context, t *Topology, g *graph.Graph) map[costing.Costing]*Metric {
	out := map[costing.Costing]*Metric{}
	err := eachKind(ctx, costing.All[:], t.customiser(g, defaults(g)), func(k costing.Costing, m *Metric) error {
		out[k] = m
		return nil
	})
	return without(out, err)
}

// stored are the same with their measures, as they are in a region.
func stored(tb testing.TB, t *Topology, g *graph.Graph) (map[costing.Costing]*Metric, map[costing.Costing]*Measures) {
	tb.Helper()
	r := regiontest.Of(tb, MetricsSection, MetricsVersion, func(path string) error { return t.WriteDefaults(tb.Context(), g, path) })
	metrics := without(OpenMetrics(r, t))
	return metrics, without(OpenMeasures(r, t, metrics))
}

// SharedArcs counts the arcs of a metric, and those of them that are another's.
func (m *Metric) SharedArcs(with *Metric) (all, shared int) {
	for i, w := range m.directions() {
		all += int(w.has().arcs)
		for b := range w.blocks {
			if from, to := w.blockSpan(b); with.directions()[i].sameBlock(w, b) {
				shared += int(to - from)
			}
		}
	}
	return all, shared
}
