package profile

import (
	"slices"

	"github.com/waygate/waygate/road/overlay"
)

// WithOverlay gives the costing with an overlay applied: what is closed is Forbidden,
// except at the ends of a path, and what is slowed takes longer. Turns stay as
// they are.
func (c *Costing) WithOverlay(o *overlay.Overlay) *Costing {
	bent := *c
	bent.overlay = o
	return &bent
}

// WithOverlay gives the metric of costing c, which Costing.WithOverlay made of
// the metric's own costing.
func (m *Metric) WithOverlay(c *Costing) *Metric {
	bent := *m
	bent.edge = slices.Clone(m.edge)
	for e := range c.overlay.Edges() {
		bent.edge[e] = c.Edge(e)
	}
	return &bent
}
