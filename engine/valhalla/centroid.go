package valhalla

import (
	"context"

	"github.com/waygate/waygate/engine"
)

// Centroid passes the request on. Valhalla takes the middle of the first edge
// that all have reached when they search at the same pace: the point whose
// dearest path is the cheapest, not that of the least total cost, so the
// answer has a warning. It takes five locations unless configured otherwise.
func (e *Engine) Centroid(ctx context.Context, r *engine.RouteRequest) (*engine.RouteAnswer, error) {
	body, err := e.post(ctx, "/centroid", routeBody(r))
	if err != nil {
		return nil, err
	}
	a, err := routeAnswer(body, r.Want, &r.Output)
	if err != nil {
		return nil, err
	}
	a.Warnings = []engine.Warning{{
		Code: engine.WarnCentroid,
		Text: "this routing engine chooses the point that all reach soonest, not the one of the least total cost",
	}}
	return a, nil
}
