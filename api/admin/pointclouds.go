package admin

import (
	"context"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/feature/clearance"
	"github.com/waygate/waygate/feature/pointclouds"
)

// clouds lists the hosted point clouds.
type clouds struct{ service *pointclouds.Service }

var cloudsDoc = edge.Doc{
	Summary: "Hosted point clouds", Tags: []string{"admin"},
	Description: "The datasets of the store, what is wrong with them, and what an owner pays for hosting them in a month. A deployment without a store has none.",
}

func (c clouds) inventory(ctx context.Context, _ *struct{}) (*pointclouds.Inventory, error) {
	return c.service.Inventory(ctx)
}

// surveys lists the clearance artefacts of hosted datasets.
type surveys struct{ service *clearance.Service }

var clearancesDoc = edge.Doc{
	Summary: "Clearance artefacts", Tags: []string{"admin"},
	Description: "What was measured over roads, with how much of its sources is confirmed. A source is read for its SHA-256 once, and again when its size or time has changed. An artefact that cannot be read has the status unreadable and is not used; the others are.",
}

func (s surveys) inventory(ctx context.Context, _ *struct{}) (*clearance.Inventory, error) {
	return s.service.Inventory(ctx)
}
