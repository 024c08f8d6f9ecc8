package admin

import (
	"context"

	"github.com/waygate/waygate/account/overview"
	"github.com/waygate/waygate/api/edge"
)

// figures serves the operator's figures.
type figures struct{ overviews *overview.Overview }

var (
	overviewDoc   = edge.Doc{Summary: "Abuse, activation, credit, downloads and identities at a glance", Description: "Figures of this moment, worked out from the database when asked.", Tags: []string{"admin"}}
	commercialDoc = edge.Doc{Summary: "Revenue, funnel, usage and the demo lane", Description: "Figures of the business over the last thirty days and of all time.", Tags: []string{"admin"}}
)

func (h figures) overview(ctx context.Context, _ *struct{}) (*overview.Blocks, error) {
	o, err := h.overviews.Overview(ctx)
	if err != nil {
		return nil, err
	}
	return o, nil
}

func (h figures) commercial(ctx context.Context, _ *struct{}) (*overview.Commercial, error) {
	c, err := h.overviews.Commercial(ctx)
	if err != nil {
		return nil, err
	}
	return c, nil
}
