package profile

import (
	"slices"

	"github.com/waygate/waygate/road/overlay"
)

// Bent gives the costing on roads that an overlay bends: what it closes is
// Forbidden, at the ends of a path apart, and what it slows takes longer. Turns
// stay as they are.
func (c *Costing) Bent(o *overlay.Overlay) *Costing {
	bent := *c
	bent.bent = o
	return &bent
}

// Bent gives the metric of the costing c, which Bent made of the metric's own.
func (m *Metric) Bent(c *Costing) *Metric {
	bent := *m
	bent.edge = slices.Clone(m.edge)
	for e := range c.bent.Edges() {
		bent.edge[e] = c.Edge(e)
	}
	return &bent
}
