package cch

import (
	"context"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/region"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/overlay"
	"github.com/waygate/waygate/road/profile"
)

// The section of a region with the metrics of the lower bounds of every costing, one
// for those that share theirs. No path is unpacked from them, so the ranks that
// paths lead over are left out.
const (
	BoundsSection = "bounds"
	BoundsVersion = 8
)

// boundKinds are the kinds of travellers that lower bounds are named by: each the
// first of those that share one.
func boundKinds() []costing.Costing {
	var kinds []costing.Costing
	for _, k := range costing.All {
		if profile.BoundedWith(k)[0] == k {
			kinds = append(kinds, k)
		}
	}
	return kinds
}

// WriteLowerBounds works out the metrics of lower bounds, on all cores, and writes
// them to the section file at path, each as it is made. For them all that is open at
// times counts as open. It ends with its context, whose error it gives.
func (t *Topology) WriteLowerBounds(ctx context.Context, g *graph.Graph, c *overlay.Conditions, path string) error {
	opens := func(k costing.Costing) map[graph.Edge]bool { return c.Opens(profile.Mode(k)) }
	return t.write(ctx, g, func(_ context.Context, k costing.Costing) (follower, costs, error) {
		lower := profile.NewLowerBound(g, profile.BoundedWith(k), opens)
		return lower, lower, nil
	}, metricsFile{path, boundKinds(), false})
}

// OpenBounds gives the metrics of the lower bounds of a region, by the first of the
// costings that share one.
func OpenBounds(r *region.Region, t *Topology) (map[costing.Costing]*Metric, error) {
	s, err := r.Section(BoundsSection, BoundsVersion, BoundsVersion)
	if err != nil {
		return nil, err
	}
	return t.readMetrics(s, boundKinds(), false)
}
