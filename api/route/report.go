package route

import (
	"context"
	"slices"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/feature/report"
	"github.com/waygate/waygate/wire/native"
	"github.com/waygate/waygate/wire/native/ahead"
)

var reportDoc = edge.Doc{
	Summary: "Tell what a route or a trace is made of", Example: `{"locations":[{"lat":49.326622,"lon":-7.267471},{"lat":49.321496,"lon":-7.235719}],"costing":"auto"}`,
	Description: "Distance and duration by class of road, administrative area and surface, and the stretches of toll road, bridge and tunnel. " +
		"The body is a route (locations) or a trace (shape or encoded_polyline), which is matched to the roads. One metered call, whatever the length. " +
		"501 where the routing engine reports no edges.",
	Tags: []string{"analysis"}, Answers: []edge.Answer{refused()},
}

// Report describes the roads of a route or a trace.
type Report struct {
	report.Report
	Warnings []native.AnswerWarning `json:"warnings,omitempty"`
}

func answerReport(ctx context.Context, in *edge.Question[ahead.ReportRequest]) (*Report, error) {
	b := &in.Body
	conditions, warnings, err := b.Heeded()
	if err != nil {
		return nil, err
	}
	req := &report.Request{Costing: b.Costing, Options: b.Settings(), Conditions: conditions}
	req.Stops, req.Trace = b.Way()
	answer, err := (&report.Service{Engine: in.Region.Engine}).Of(ctx, req)
	if err != nil {
		return nil, err
	}
	return &Report{*answer, native.AnswerWarnings(slices.Concat(in.Warnings, warnings)...)}, nil
}
