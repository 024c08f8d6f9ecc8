package api

import (
	"context"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/engine"
)

// priceOf is what a call costs that is about one way of travel.
func priceOf(c engine.Costing) edge.Price {
	if c == engine.Truck {
		return edge.Price{Features: []string{string(engine.Truck)}}
	}
	return edge.Price{}
}

func reserve(ctx context.Context, c engine.Costing) error {
	return edge.CallOf(ctx).Reserve(ctx, priceOf(c))
}
