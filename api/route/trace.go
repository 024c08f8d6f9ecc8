package route

import (
	"net/http"
	"reflect"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/feature/directions"
	"github.com/waygate/waygate/feature/mapmatch"
	"github.com/waygate/waygate/wire/native"
)

// TraceRequest asks for a match. The feature reads the body; this describes it.
type TraceRequest struct {
	Shape           []TracePosition           `json:"shape,omitempty" minItems:"2" maxItems:"20000" doc:"positions in order; this or encoded_polyline"`
	Encoded         string                    `json:"encoded_polyline,omitempty" doc:"positions as a polyline of six digits; this or shape"`
	BeginTime       *float64                  `json:"begin_time,omitempty" doc:"seconds; time of the first position, with durations"`
	Durations       []float64                 `json:"durations,omitempty" doc:"seconds from each position to the next; one fewer than positions"`
	Costing         string                    `json:"costing" enum:"auto,truck,bus,motor_scooter,motorcycle,bicycle,pedestrian" doc:"way of travel"`
	CostingOptions  map[string]map[string]any `json:"costing_options,omitempty" doc:"options by costing"`
	ShapeMatch      string                    `json:"shape_match,omitempty" enum:"edge_walk,map_snap,walk_or_snap" default:"walk_or_snap" doc:"edge_walk takes the exact line of an earlier route, map_snap noisy positions, walk_or_snap tries both"`
	UseTimestamps   bool                      `json:"use_timestamps,omitempty" doc:"times along the way are those of the positions"`
	TraceOptions    *TraceOptions             `json:"trace_options,omitempty"`
	Filters         *TraceFilters             `json:"filters,omitempty" doc:"trace_attributes only"`
	Units           string                    `json:"units,omitempty" enum:"kilometers,km,miles,mi"`
	Language        string                    `json:"language,omitempty" doc:"BCP 47 tag of the narration; the embedded engine words it in {languages}, takes the nearest for any other and says so"`
	DirectionsType  string                    `json:"directions_type,omitempty" enum:"none,maneuvers,instructions"`
	Options         *DirectionsOptions        `json:"directions_options,omitempty" doc:"former place of units, language and directions_type"`
	ShapeFormat     string                    `json:"shape_format,omitempty" enum:"polyline6,polyline5,geojson,no_shape"`
	Format          string                    `json:"format,omitempty" enum:"json,osrm" doc:"trace_route only: osrm answers with matchings and tracepoints"`
	ID              string                    `json:"id,omitempty" maxLength:"256" doc:"echoed"`
	RoundaboutExits *bool                     `json:"roundabout_exits,omitempty" default:"true" doc:"trace_route only: false makes one manoeuvre of entering a roundabout and leaving it"`
	TurnLanes       bool                      `json:"turn_lanes,omitempty" doc:"trace_route only: manoeuvres tell the lanes before them"`
	AdminCrossings  bool                      `json:"admin_crossings,omitempty" doc:"trace_route only: summaries of legs tell the countries on the way and where it crosses their borders"`
	Banners         bool                      `json:"banner_instructions,omitempty" doc:"trace_route with format osrm"`
	Voice           bool                      `json:"voice_instructions,omitempty" doc:"trace_route with format osrm"`

	Bends                // passed to a remote engine; the embedded one matches to all roads
	BestPaths        any `json:"best_paths,omitempty" doc:"passed to a remote engine"`
	LinearReferences any `json:"linear_references,omitempty" doc:"passed to a remote engine"`
	Recostings       any `json:"recostings,omitempty" doc:"passed to a remote engine"`
	Verbose          any `json:"verbose,omitempty" doc:"passed to a remote engine"`
}

// TracePosition is one position of a trace.
type TracePosition struct {
	Lat  float64  `json:"lat" minimum:"-90" maximum:"90"`
	Lon  float64  `json:"lon" minimum:"-180" maximum:"180"`
	Time *float64 `json:"time,omitempty" doc:"seconds since any moment; not before the position before"`
	Type string   `json:"type,omitempty" enum:"break,through,via,break_through" doc:"break begins a leg of trace_route"`
}

// TraceOptions tune the matching.
type TraceOptions struct {
	GPSAccuracy           *float64 `json:"gps_accuracy,omitempty" minimum:"0" maximum:"100" doc:"metres; standard deviation of the positions, 5 where not given"`
	SearchRadius          *float64 `json:"search_radius,omitempty" minimum:"0" maximum:"100" doc:"metres within which roads are looked for"`
	BreakageDistance      *float64 `json:"breakage_distance,omitempty" minimum:"0" maximum:"20000" doc:"metres; a longer gap between positions splits the trace"`
	InterpolationDistance *float64 `json:"interpolation_distance,omitempty" minimum:"0" maximum:"1000" doc:"metres; a position nearer to the last one takes no part in finding the way"`
	TurnPenaltyFactor     *float64 `json:"turn_penalty_factor,omitempty" minimum:"0" maximum:"100000" doc:"metres that turning right round counts as"`
}

// TraceFilters choose attributes.
type TraceFilters struct {
	Attributes []string `json:"attributes" maxItems:"200" doc:"names such as edge.way_id, node.type, matched.point, shape"`
	Action     string   `json:"action" enum:"include,exclude"`
}

// TraceMatchings is an answer of trace_route with format osrm.
type TraceMatchings struct {
	Code        string            `json:"code" enum:"Ok"`
	Matchings   []CompatibleRoute `json:"matchings" minItems:"1" doc:"one for each stretch without a gap, with confidence"`
	Tracepoints []any             `json:"tracepoints" doc:"one for each position, null where it was not matched"`
}

// TraceEdges is an answer of trace_attributes.
type TraceEdges struct {
	Units      string          `json:"units" enum:"kilometers,miles"`
	ID         string          `json:"id,omitempty"`
	Shape      any             `json:"shape,omitempty" doc:"of the matched way, all stretches one after another"`
	Confidence float64         `json:"confidence_score,omitempty" doc:"against the best way found, so 1 for that"`
	Score      float64         `json:"raw_score,omitempty" doc:"negative logarithm of the likelihood, up to a constant; lower is better"`
	Admins     []any           `json:"admins,omitempty"`
	Edges      []TraceEdge     `json:"edges,omitempty"`
	Points     []TraceMatched  `json:"matched_points,omitempty" doc:"one for each position"`
	Warnings   []AnswerWarning `json:"warnings,omitempty"`
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
		Body: reflect.TypeFor[TraceRequest](), Answers: answers,
	}
}

const matched = "the matched way"

func traceRouteDoc() edge.Doc {
	return traceDoc("Match a trace and guide along it",
		"Finds the way a trace was taken and answers as /route does. Where the trace has gaps, the first stretch is the trip and the others stand in alternates.",
		edge.Answer{Description: matched, Type: reflect.TypeFor[RouteAnswer](), Open: true}, edge.Answer{Type: reflect.TypeFor[TraceMatchings](), Open: true})
}

func traceAttributesDoc() edge.Doc {
	return traceDoc("Match a trace and describe the roads",
		"Finds the way a trace was taken and tells of each of its edges and of the place of each position.",
		edge.Answer{Description: matched, Type: reflect.TypeFor[TraceEdges](), Open: true})
}

func answerTraceRoute(w http.ResponseWriter, r *http.Request) error {
	service, req, err := matchRequest(r)
	if err != nil {
		return err
	}
	answer, warnings, err := service.Route(r.Context(), req)
	if err != nil {
		return err
	}
	return write(w)(native.WriteTrace(&req.Match, answer, told(warnings)...))
}

func answerTraceAttributes(w http.ResponseWriter, r *http.Request) error {
	service, req, err := matchRequest(r)
	if err != nil {
		return err
	}
	answer, warnings, err := service.Attributes(r.Context(), req)
	if err != nil {
		return err
	}
	return write(w)(native.WriteAttributes(&req.Match, answer, told(warnings)...))
}

// matchRequest reads a request to match a trace.
func matchRequest(r *http.Request) (*mapmatch.Service, *mapmatch.Request, error) {
	current, err := edge.WorldOf(r.Context())
	if err != nil {
		return nil, nil, err
	}
	service := &mapmatch.Service{Engine: current.Engine()}
	body, err := edge.Body(r)
	if err != nil {
		return nil, nil, err
	}
	doc, err := directions.Object(body)
	if err != nil {
		return nil, nil, err
	}
	req, err := service.Read(doc)
	if err != nil {
		return nil, nil, err
	}
	here, err := current.At(req.Match.Points()...)
	if err != nil {
		return nil, nil, err
	}
	service.Engine = here.Engine
	if err := reserve(r.Context(), req.Match.Costing); err != nil {
		return nil, nil, err
	}
	return service, req, nil
}
