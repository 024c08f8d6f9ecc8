package route

import (
	"context"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/costing"
)

// priceOf is what a call costs that is about one way of travel.
func priceOf(c costing.Costing) edge.Price {
	if c == costing.Truck {
		return edge.Price{Features: []string{c.String()}}
	}
	return edge.Price{}
}

func reserve(ctx context.Context, c costing.Costing) error {
	return edge.CallOf(ctx).Reserve(ctx, priceOf(c))
}
