package cch

import (
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
func Leasts(g *graph.Graph, c *overlay.Conditions) map[profile.Kind]*profile.Least {
	out := map[profile.Kind]*profile.Least{}
	for _, k := range profile.Kinds {
		out[k] = profile.NewLeast(g, k, c.Opens(k.Mode()))
	}
	return out
}

// CustomiseLeast works out the metrics of the least costings, on all cores.
func (t *Topology) CustomiseLeast(g *graph.Graph, leasts map[profile.Kind]*profile.Least) map[profile.Kind]*Metric {
	index := profile.NewTurnIndex(g)
	return t.customiseKinds(g, func(k profile.Kind) (*profile.Costing, *profile.Metric) {
		return leasts[k].Costing(), leasts[k].Metric(index)
	})
}

// WriteBounds writes the section file of the metrics of the least costings.
func WriteBounds(path string, metrics map[profile.Kind]*Metric) error {
	return writeMetrics(path, metrics, false)
}

// OpenBounds gives the metrics of the least costings of a region.
func OpenBounds(r *region.Region, t *Topology) (map[profile.Kind]*Metric, error) {
	return openMetrics(r, BoundsSection, BoundsVersion, (*searchGraph).readArcs, len(t.Edge))
}
