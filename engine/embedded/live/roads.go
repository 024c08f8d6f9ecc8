// Package live joins the reports of live feeds to the roads of a region, and returns what
// is reported of them.
package live

import (
	"time"

	"github.com/waygate/waygate/engine/embedded/plan"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/conditional"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/overlay"
)

// Roads are the roads of a region by themselves: for what live feeds report of them.
type Roads struct{ base *plan.Base }

// New returns the roads that requests share.
func New(b *plan.Base) *Roads { return &Roads{b} }

// SetLive puts what is known of the roads at the moment in place: requests that
// begin from now on see it. Edges are those of this engine's region. Metrics that
// know what was live before are made anew in the background, as far as they are
// in use; until they are, requests are answered from them.
func (e *Roads) SetLive(s *overlay.Snapshot) {
	e.base.Current.Set(s)
	if s != nil {
		e.base.Metrics.RenewInUse(s)
	}
}

// Live returns the newest snapshot of the roads; nil where there is none.
func (e *Roads) Live() *overlay.Snapshot { return e.base.Current.Get() }

// EdgesOf lists the directed edges of an OSM way, for live feeds that know the
// roads by it. The first call sorts the roads by way, which takes 4 bytes for
// each segment from then on.
func (e *Roads) EdgesOf(way int64) []graph.Edge { return e.base.EdgesOfWay(way) }

// Edges returns how many directed edges the region has.
func (e *Roads) Edges() int { return int(e.base.Graph.Base) }

// LineOf returns the line of an original edge.
func (e *Roads) LineOf(x graph.Edge) []geo.Point { return e.base.Graph.AppendShape(nil, x) }

// Ends returns the OSM nodes at the ends of an original edge.
func (e *Roads) Ends(x graph.Edge) (from, to int64) {
	return e.base.Graph.NodeID[e.base.Graph.ByEdge[x].Tail], e.base.Graph.NodeID[e.base.Graph.ByEdge[x].Head]
}

// Zone returns the time zone of the region, by the country of its first road that has
// one; UTC where none does.
func (e *Roads) Zone() *time.Location {
	for _, country := range e.base.Graph.Country {
		if zone, ok := conditional.Zone(country); ok {
			return zone
		}
	}
	return time.UTC
}
