package route

import (
	"context"
	"slices"
	"time"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/feature/progress"
	"github.com/waygate/waygate/geo"
)

var progressDoc = edge.Doc{
	Summary: "Tell the progress on a plan",
	Description: "The plan is a line (shape or encoded_polyline) or an origin and a destination. Nothing is stored. The rest is recomputed by the routing engine, " +
		"along the rest of the plan where it can be held to it; off the plan from the position itself.",
	Tags: []string{"routing"},
}

type progressInput struct {
	Body struct {
		Travel
		Drawn
		Exclusions
		Origin      *Position `json:"origin,omitempty" doc:"with destination in place of a line"`
		Destination *Position `json:"destination,omitempty"`
		Position    struct {
			Position
			Heading *float64 `json:"heading,omitempty" minimum:"0" maximum:"360" doc:"degrees clockwise from north; tells the way out from the way back"`
		} `json:"position" doc:"where the traveller is"`
		TravelledM        float64    `json:"travelled_m,omitempty" minimum:"0" doc:"metres of the plan that are known to lie behind, as an earlier answer told"`
		OffRouteThreshold float64    `json:"off_route_threshold_m,omitempty" minimum:"1" maximum:"5000" default:"50"`
		At                *time.Time `json:"at,omitempty" doc:"time of the position; now by default"`
	}
}

// Price is that of the costing.
func (in *progressInput) Price() edge.Price { return priceOf(costing.Named(in.Body.Costing)) }

func answerProgress(ctx context.Context, in *progressInput) (*progress.Progress, error) {
	current, err := edge.WorldOf(ctx)
	if err != nil {
		return nil, err
	}
	b := &in.Body
	req := &progress.Request{Position: b.Position.point(), Heading: b.Position.Heading, After: b.TravelledM, OffRoute: b.OffRouteThreshold, At: time.Now().UTC()}
	ends := b.Origin != nil && b.Destination != nil
	if err := oneOf("the plan", map[string]bool{"shape": b.given(), "origin and destination": ends || b.Origin != nil || b.Destination != nil}, "shape", "origin and destination"); err != nil {
		return nil, err
	}
	switch {
	case ends:
		req.Ends = [2]geo.Point{b.Origin.point(), b.Destination.point()}
	case b.Origin != nil:
		return nil, missingMember("destination", "an origin needs one")
	case b.Destination != nil:
		return nil, missingMember("origin", "a destination needs one")
	default:
		if req.Line, err = b.line(); err != nil {
			return nil, err
		}
	}
	if req.Costing, req.Options, err = b.how(); err != nil {
		return nil, err
	}
	if req.Bends, err = (&Bends{Exclusions: b.Exclusions}).bends(current); err != nil {
		return nil, err
	}
	if b.At != nil {
		req.At = b.At.UTC()
	}
	plan := req.Line
	if plan == nil {
		plan = req.Ends[:]
	}
	here, err := current.At(slices.Concat(plan, []geo.Point{req.Position})...)
	if err != nil {
		return nil, err
	}
	p, err := (&progress.Service{Engine: here.Engine}).Of(ctx, req)
	if err != nil {
		return nil, err
	}
	return p, nil
}
