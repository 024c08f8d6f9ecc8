package cch

import (
	"context"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/region"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/overlay"
	"github.com/waygate/waygate/road/profile"
)

// The section of a region with the metrics of the lower bounds of every costing.
// No path is unpacked from them, so the ranks that paths lead over are left out.
const (
	BoundsSection = "bounds"
	BoundsVersion = 2
)

// LowerBounds gives the lower bound of every costing, for which all that is
// open at times counts as open.
func LowerBounds(g *graph.Graph, c *overlay.Conditions) map[costing.Costing]*profile.LowerBound {
	out := map[costing.Costing]*profile.LowerBound{}
	for _, k := range costing.All {
		out[k] = profile.NewLowerBound(g, k, c.Opens(profile.Mode(k)))
	}
	return out
}

// WriteLowerBounds works out the metrics of lower bounds, on all cores, and writes
// them to the section file at path, each as it is made. It ends with its context,
// whose error it gives.
func (t *Topology) WriteLowerBounds(ctx context.Context, g *graph.Graph, lower map[costing.Costing]*profile.LowerBound, path string) error {
	index := profile.NewTurnIndex(g)
	return t.write(ctx, g, func(ctx context.Context, k costing.Costing) (*profile.Costing, *profile.Metric, error) {
		m, err := lower[k].Metric(ctx, index)
		return lower[k].Costing(), m, err
	}, metricsFile{path, false})
}

// OpenBounds gives the metrics of the lower bounds of a region.
func OpenBounds(r *region.Region, t *Topology) (map[costing.Costing]*Metric, error) {
	s, err := r.Section(BoundsSection, BoundsVersion, BoundsVersion)
	if err != nil {
		return nil, err
	}
	return readMetrics(s, (*searchGraph).readArcs, len(t.Edge))
}
