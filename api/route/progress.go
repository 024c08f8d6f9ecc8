package route

import (
	"context"
	"slices"
	"time"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/feature/progress"
	"github.com/waygate/waygate/feature/timezone"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/wire/native"
)

var progressDoc = edge.Doc{
	Summary: "Tell the progress on a plan", Example: `{"origin":{"lat":49.326622,"lon":-7.267471},"destination":{"lat":49.321496,"lon":-7.235719},"position":{"lat":49.324115,"lon":-7.251523},"costing":"auto"}`,
	Description: "The plan is a line (shape or encoded_polyline) or an origin and a destination. Nothing is stored. The rest is recomputed by the routing engine, " +
		"along the rest of the plan where it can be held to it; off the plan from the position itself. " +
		"Its times rest on what is live now where at is within five minutes of now, and else on what is usual at that time, as those of POST /route with a date_time do.",
	Tags: []string{"routing"}, Answers: []edge.Answer{refused()},
}

// Progress is how far a traveller has come.
type Progress struct {
	progress.Progress
	Warnings []native.AnswerWarning `json:"warnings,omitempty"`
}

// follower tells progress by a clock; nil is time.Now.
type follower struct{ now func() time.Time }

func (f follower) answer(ctx context.Context, in *edge.Question[native.ProgressRequest]) (*Progress, error) {
	b := &in.Body
	conditions, warnings, err := b.Heeded()
	if err != nil {
		return nil, err
	}
	req := &progress.Request{
		Line: b.Line.Points(), Costing: b.Costing, Options: b.Settings(), Conditions: conditions,
		Position: b.Position.Point(), Heading: b.Position.Heading, After: b.TravelledM, OffRoute: b.OffRouteThreshold,
	}
	if b.Origin != nil {
		req.Ends = [2]geo.Point{b.Origin.Point(), b.Destination.Point()}
	}
	if b.At != nil {
		req.At = *b.At
	}
	p, err := (&progress.Service{Engine: in.Region.Engine, Known: in.Region.KnownTraffic(), Now: f.now, Zone: timezone.Location}).Of(ctx, req)
	if err != nil {
		return nil, err
	}
	return &Progress{*p, native.Told(slices.Concat(in.Warnings, warnings)...)}, nil
}
