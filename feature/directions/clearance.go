package directions

import (
	"context"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/feature/clearance"
	"github.com/waygate/waygate/wire/json"
	"github.com/waygate/waygate/wire/schema"
)

// Surveys are the measured clearances that a caller may see.
type Surveys func(ctx context.Context, r *clearance.Request) (*clearance.Report, error)

// measure adds the report on measured clearances of the first route, where surveys cover any of it.
func (s *Service) measure(ctx context.Context, q *engine.RouteRequest, a *Answer) (err error) {
	lorry := q.Options.Of(costing.Truck)
	width := lorry.Width
	wheelbase := min(lorry.Length, clearance.UsualWheelbase)
	a.Clearance, err = s.Surveys(ctx, &clearance.Request{Line: a.Routes[0].Line(), Height: lorry.Height, Width: &width, Wheelbase: &wheelbase})
	if err != nil {
		return err
	}
	json.Shorten(a.Clearance)
	if !a.Clearance.Covers() {
		a.Clearance = nil
		a.Warnings = append(a.Warnings, engine.Warning{Code: schema.WithoutEffect, Text: "clearance had no effect: no survey covers any of the route"})
	}
	return nil
}
