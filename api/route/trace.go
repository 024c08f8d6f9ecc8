package route

import (
	"context"
	"reflect"
	"slices"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/feature/receipt"
	"github.com/waygate/waygate/wire/native"
	"github.com/waygate/waygate/wire/osrm"
	"github.com/waygate/waygate/wire/valhalla"
)

// TraceMatchings is an answer of trace_route with format osrm.
type TraceMatchings struct {
	Code        string                 `json:"code" enum:"Ok"`
	Matchings   []OSRMRoute            `json:"matchings" minItems:"1" doc:"one for each stretch without a gap, with confidence"`
	Tracepoints []osrm.Tracepoint      `json:"tracepoints" doc:"one for each position, null where it was not matched"`
	Warnings    []native.AnswerWarning `json:"warnings,omitempty"`
	Receipt     *receipt.Receipt       `json:"receipt,omitempty" doc:"present when the request asked for it"`
}

// traceEdges is an answer about the edges of a trace.
type traceEdges struct {
	valhalla.TraceEdges
	Receipt *receipt.Receipt `json:"receipt,omitempty" doc:"present when the request asked for it"`
}

func traceDoc(summary, description string, answers ...edge.Answer) edge.Doc {
	return edge.Doc{
		Summary: summary, Example: `{"shape":[{"lat":49.326437,"lon":-7.267596},{"lat":49.326281,"lon":-7.26582},{"lat":49.325957,"lon":-7.263326}],"costing":"auto"}`, Tags: []string{"routing"}, Description: description +
			" A trace has 2 to 20,000 positions. A refusal by the engine is a 400 upstream-error with error_code: 171 no road near any position, " +
			"443 edge_walk and the trace does not follow the roads, 444 no way joins the positions.",
		Answers: append(answers, refused()),
	}
}

const matched = "the matched way"

func traceRouteDoc() edge.Doc {
	return traceDoc("Match a trace and guide along it",
		"Finds the way a trace was taken and answers as /route does. Where the trace has gaps, the first stretch is the trip and the others stand in alternates.",
		edge.Answer{Description: matched, Type: reflect.TypeFor[routeAnswer](), Open: true}, edge.Answer{Type: reflect.TypeFor[TraceMatchings](), Open: true})
}

func traceAttributesDoc() edge.Doc {
	return traceDoc("Match a trace and describe the roads",
		"Finds the way of a trace and returns each of its edges and the place of each position.",
		edge.Answer{Description: matched, Type: reflect.TypeFor[traceEdges](), Open: true})
}

func answerTraceRoute(ctx context.Context, in *edge.Question[native.TraceRequest]) ([]byte, error) {
	q, warnings, err := in.Body.Match(in.Region.Engine.Can(), false)
	if err != nil {
		return nil, err
	}
	a, err := in.Region.Engine.TraceRoute(ctx, q)
	if err != nil {
		return nil, err
	}
	return valhalla.WriteTrace(q, a, native.WarningBlock(slices.Concat(in.Warnings, warnings, a.Warnings))...)
}

func answerTraceAttributes(ctx context.Context, in *edge.Question[native.TraceRequest]) ([]byte, error) {
	q, warnings, err := in.Body.Match(in.Region.Engine.Can(), true)
	if err != nil {
		return nil, err
	}
	a, err := in.Region.Engine.TraceAttributes(ctx, q)
	if err != nil {
		return nil, err
	}
	return valhalla.WriteAttributes(q, a, native.WarningBlock(slices.Concat(in.Warnings, warnings, a.Warnings))...)
}
