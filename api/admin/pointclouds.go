package admin

import (
	"context"

	"github.com/waygate/waygate/api/edge"
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
