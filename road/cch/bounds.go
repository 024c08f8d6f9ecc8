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

// boundKinds returns the kinds of travellers that lower bounds are named by: each the
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

// WriteLowerBounds computes the metrics of lower bounds, on all cores, and writes them to
// the section file at path, each as it is made. They assume the roads at the best of times.
// The error may be that of its context.
func (t *Topology) WriteLowerBounds(ctx context.Context, g *graph.Graph, c *overlay.Conditions, path string) error {
	best := func(k costing.Costing) *overlay.BestTimes { return c.BestTimes(profile.Mode(k)) }
	return t.write(ctx, g, func(_ context.Context, k costing.Costing) (turnFollower, costs, error) {
		lower := profile.NewLowerBound(g, profile.BoundedWith(k), best)
		return lower, lower, nil
	}, metricsFile{path, boundKinds(), false})
}

// OpenBounds returns the metrics of the lower bounds of a region, by the first of the
// costings that share one.
func OpenBounds(r *region.Region, t *Topology) (map[costing.Costing]*Metric, error) {
	s, err := r.Section(BoundsSection, BoundsVersion, BoundsVersion)
	if err != nil {
		return nil, err
	}
	return t.readMetrics(s, boundKinds(), false)
}
