package profile

import (
	"github.com/waygate/waygate/road/overlay"
)

// WithOverlay returns the costing with an overlay applied: what is closed is Forbidden,
// except at the ends of a path, and what is slowed takes longer.
func (c *Costing) WithOverlay(o *overlay.Overlay) *Costing {
	with := *c
	with.overlay = o
	return &with
}

// WithOverlay returns the metric of costing c, which Costing.WithOverlay made from the
// metric's own costing.
func (m *Metric) WithOverlay(c *Costing) *Metric {
	with := *m
	with.changed = c
	return &with
}
