package route

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/feature/progress"
	"github.com/waygate/waygate/feature/timezone"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/wire/native"
	"github.com/waygate/waygate/wire/native/ahead"
	"github.com/waygate/waygate/wire/schema"
)

var progressDoc = edge.Doc{
	Summary: "Tell the progress on a plan", Example: `{"origin":{"lat":49.326622,"lon":-7.267471},"destination":{"lat":49.321496,"lon":-7.235719},"current_position":{"lat":49.324115,"lon":-7.251523},"recent_trace":[{"lat":49.325273,"lon":-7.260641,"time":"2026-05-05T08:00:00Z"},{"lat":49.324195,"lon":-7.251563,"time":"2026-05-05T08:00:40Z"}],"costing":"auto"}`,
	Description: "The plan is a line (geometry_polyline6, encoded_polyline or shape) or an origin and a destination. Nothing is stored. Where the plan passes a place more than once, recent_trace decides which time it is, heading the way out from the way back, and travelled_m what lies behind. The rest is recomputed by the routing engine, " +
		"along the rest of the plan where it can be held to it; off the plan from the position itself. " +
		"Its times rest on what is live now where at is within five minutes of now, and else on what is usual at that time, as those of POST /route with a date_time do.",
	Tags: []string{"routing"}, Answers: []edge.Answer{refused()},
}

// Progress is how far a traveller has come.
type Progress struct {
	progress.Progress
	Warnings []native.AnswerWarning `json:"warnings,omitempty"`
}

// progressTracker computes how far a traveller has come. now is time.Now where it is nil.
type progressTracker struct{ now func() time.Time }

func (f progressTracker) answer(ctx context.Context, in *edge.Question[ahead.ProgressRequest]) (*Progress, error) {
	b := &in.Body
	conditions, warnings, err := b.Heeded()
	if err != nil {
		return nil, err
	}
	line, lineField := b.Plan()
	at, atField := b.Traveller()
	req := &progress.Request{
		Line: line, LineField: lineField, Costing: b.Costing, Options: b.Settings(), Conditions: conditions,
		Position: at.Point(), PositionField: atField, Heading: at.Heading, After: b.TravelledM, OffRoute: b.OffRouteThreshold,
	}
	for i := range b.Trace {
		fix := progress.Fix{Point: b.Trace[i].Point()}
		if t := b.Trace[i].Time; t != nil {
			fix.Seconds = &t.Seconds
		}
		req.Trace = append(req.Trace, fix)
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
	if len(p.Far) > 0 {
		warnings = append(warnings, engine.Warning{Code: schema.WithoutEffect, Text: fmt.Sprintf("recent_trace: %d of %d positions, the first of them recent_trace[%d], lie more than %g m from the plan and did not count", len(p.Far), len(req.Trace), p.Far[0], p.Threshold)})
	}
	return &Progress{*p, native.AnswerWarnings(slices.Concat(in.Warnings, warnings)...)}, nil
}
