package cch

import (
	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/region"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/overlay"
	"github.com/waygate/waygate/road/profile"
)

// The section of a region with the metrics of the least costing of every kind of
// traveller. They serve as lower bounds only, so the ranks that paths lead over
// are left out.
const (
	BoundsSection = "bounds"
	BoundsVersion = 1
)

// Leasts gives the least costing of every kind of traveller, for whom all that is
// open at times counts as open.
func Leasts(g *graph.Graph, c *overlay.Conditions) map[costing.Costing]*profile.Least {
	out := map[costing.Costing]*profile.Least{}
	for _, k := range costing.All {
		out[k] = profile.NewLeast(g, k, c.Opens(profile.Mode(k)))
	}
	return out
}

// CustomiseLeast works out the metrics of the least costings, on all cores.
func (t *Topology) CustomiseLeast(g *graph.Graph, leasts map[costing.Costing]*profile.Least) map[costing.Costing]*Metric {
	index := profile.NewTurnIndex(g)
	return t.customiseKinds(g, func(k costing.Costing) (*profile.Costing, *profile.Metric) {
		return leasts[k].Costing(), leasts[k].Metric(index)
	})
}

// WriteBounds writes the section file of the metrics of the least costings.
func WriteBounds(path string, metrics map[costing.Costing]*Metric) error {
	return writeMetrics(path, metrics, false)
}

// OpenBounds gives the metrics of the least costings of a region.
func OpenBounds(r *region.Region, t *Topology) (map[costing.Costing]*Metric, error) {
	return openMetrics(r, BoundsSection, BoundsVersion, (*searchGraph).readArcs, len(t.Edge))
}
