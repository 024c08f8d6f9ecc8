package route

import (
	"context"
	"reflect"
	"slices"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/wire/native"
)

// TraceMatchings is an answer of trace_route with format osrm.
type TraceMatchings struct {
	Code        string      `json:"code" enum:"Ok"`
	Matchings   []OSRMRoute `json:"matchings" minItems:"1" doc:"one for each stretch without a gap, with confidence"`
	Tracepoints []any       `json:"tracepoints" doc:"one for each position, null where it was not matched"`
}

// TraceEdges is an answer of trace_attributes.
type TraceEdges struct {
	Units      string                 `json:"units" enum:"kilometers,miles"`
	ID         string                 `json:"id,omitempty"`
	Shape      any                    `json:"shape,omitempty" doc:"of the matched way, all stretches one after another"`
	Confidence float64                `json:"confidence_score,omitempty" doc:"against the best way found, so 1 for that"`
	Score      float64                `json:"raw_score,omitempty" doc:"negative logarithm of the likelihood, up to a constant; lower is better"`
	Admins     []any                  `json:"admins,omitempty"`
	Edges      []TraceEdge            `json:"edges,omitempty"`
	Points     []TraceMatched         `json:"matched_points,omitempty" doc:"one for each position"`
	Warnings   []native.AnswerWarning `json:"warnings,omitempty"`
}

// TraceEdge is an edge of the matched way. What is not known is left out.
type TraceEdge struct {
	Names           []string `json:"names,omitempty"`
	Length          float64  `json:"length,omitempty" doc:"of the part travelled, in units"`
	Speed           float64  `json:"speed,omitempty" doc:"that the costing expects, in units an hour"`
	SpeedLimit      float64  `json:"speed_limit,omitempty" doc:"posted, in units an hour"`
	RoadClass       string   `json:"road_class,omitempty"`
	Use             string   `json:"use,omitempty"`
	Surface         string   `json:"surface,omitempty"`
	WayID           int64    `json:"way_id,omitempty" doc:"OpenStreetMap way"`
	BeginShapeIndex int      `json:"begin_shape_index,omitempty"`
	EndShapeIndex   int      `json:"end_shape_index,omitempty"`
	EndNode         any      `json:"end_node,omitempty" doc:"the node at its end: elapsed_time, type, intersecting_edges"`
}

// TraceMatched is what became of a position.
type TraceMatched struct {
	Lat      float64  `json:"lat,omitempty"`
	Lon      float64  `json:"lon,omitempty"`
	Type     string   `json:"type,omitempty" enum:"matched,interpolated,unmatched"`
	Edge     *int     `json:"edge_index,omitempty" doc:"in edges; absent where unmatched"`
	Along    *float64 `json:"distance_along_edge,omitempty" doc:"0 to 1"`
	Distance *float64 `json:"distance_from_trace_point,omitempty" doc:"metres"`
	Begins   bool     `json:"begin_route_discontinuity,omitempty" doc:"a gap begins here"`
	Ends     bool     `json:"end_route_discontinuity,omitempty" doc:"a gap ends here"`
}

func traceDoc(summary, description string, answers ...edge.Answer) edge.Doc {
	return edge.Doc{
		Summary: summary, Tags: []string{"routing"}, Description: description +
			" A trace has 2 to 20,000 positions. A refusal by the engine is a 400 upstream-error with error_code: 171 no road near any position, " +
			"443 edge_walk and the trace does not follow the roads, 444 no way joins the positions.",
		Answers: answers,
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
		"Finds the way a trace was taken and tells of each of its edges and of the place of each position.",
		edge.Answer{Description: matched, Type: reflect.TypeFor[TraceEdges](), Open: true})
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
	return native.WriteTrace(q, a, native.Warned(slices.Concat(in.Warnings, warnings, a.Warnings))...)
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
	return native.WriteAttributes(q, a, native.Warned(slices.Concat(in.Warnings, warnings, a.Warnings))...)
}
