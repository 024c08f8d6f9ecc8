package route

import (
	"context"
	"reflect"
	"slices"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/feature/report"
)

var reportDoc = edge.Doc{
	Summary: "Tell what a route or a trace is made of",
	Description: "Distance and duration by class of road, administrative area and surface, and the stretches of toll road, bridge and tunnel. " +
		"The body is a route (locations) or a trace (shape or encoded_polyline), which is matched to the roads. One metered call, whatever the length. " +
		"501 where the routing engine cannot tell of edges.",
	Tags: []string{"analysis"},
}

type reportInput struct {
	Body struct {
		Travel
		Drawn
		Bends
		Locations []Position `json:"locations,omitempty" minItems:"2" maxItems:"50" doc:"the route's stops, in place of a trace"`
	}
}

// Price is that of the costing.
func (in *reportInput) Price() edge.Price { return priceOf(costing.Named(in.Body.Costing)) }

func answerReport(ctx context.Context, in *reportInput) (*report.Report, error) {
	current, err := edge.WorldOf(ctx)
	if err != nil {
		return nil, err
	}
	b := &in.Body
	req := &report.Request{}
	if req.Stops, req.Trace, err = b.way(b.Locations); err != nil {
		return nil, err
	}
	if req.Costing, req.Options, err = b.how(); err != nil {
		return nil, err
	}
	if req.Bends, err = b.bends(current); err != nil {
		return nil, err
	}
	if b.given() && !reflect.ValueOf(b.Bends).IsZero() {
		return nil, fault.Invalid(fault.Violation{Location: "shape", Message: "stands beside what bends a route (date_time, speed_types, exclude_locations, exclude_polygons): a trace is reported as it was travelled"})
	}
	here, err := current.At(slices.Concat(req.Stops, req.Trace)...)
	if err != nil {
		return nil, err
	}
	answer, err := (&report.Service{Engine: here.Engine}).Of(ctx, req)
	if err != nil {
		return nil, err
	}
	return answer, nil
}
