package valhalla

import (
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
)

// tracePoint is a position as Valhalla's JSON has it.
type tracePoint struct {
	Lat  float64     `json:"lat"`
	Lon  float64     `json:"lon"`
	Time *float64    `json:"time,omitempty"`
	Type engine.Stop `json:"type,omitempty"`
}

// TraceRoute passes the request on. Body is what Valhalla answered; on the
// compatible face that is its own OSRM format, which names waypoints where our
// contract leaves names empty.
func (e *Engine) TraceRoute(ctx context.Context, r *engine.MatchRequest) (*engine.RouteAnswer, error) {
	return e.match(ctx, "/trace_route", r)
}

// TraceAttributes passes the request on. Body is what Valhalla answered.
func (e *Engine) TraceAttributes(ctx context.Context, r *engine.MatchRequest) (*engine.RouteAnswer, error) {
	return e.match(ctx, "/trace_attributes", r)
}

func (e *Engine) match(ctx context.Context, path string, r *engine.MatchRequest) (*engine.RouteAnswer, error) {
	if name := excluding(&r.Options); r.LeaveOut && name != "" {
		return nil, fault.New(fault.BadRequest, "%s cannot be heeded: the routing engine here matches a trace to the roads it lies on, excluded or not", name)
	}
	for i := range r.Trace {
		if r.Trace[i].Heading != nil {
			return nil, fault.New(fault.BadRequest, "the heading of position %d cannot be heeded: the routing engine here matches a trace by its positions and times", i)
		}
	}
	body, err := e.post(ctx, path, matchBody(r))
	if err != nil {
		return nil, err
	}
	if r.Drawing != nil {
		if body, err = matchings(body, drawn(r)); err != nil {
			return nil, fault.Wrap(err, fault.Upstream, "the routing engine's answer is not a match in OSRM's format").With("upstream_status", http.StatusOK)
		}
	}
	return &engine.RouteAnswer{Body: body, Bounds: noBounds}, nil
}

// excluding names an option that excludes roads; "" where none does.
func excluding(s *costing.Settings) string {
	for _, name := range slices.Sorted(maps.Keys(s.Raw())) {
		if strings.HasPrefix(name, "exclude_") && s.On(costing.Find(name)) {
			return name
		}
	}
	return ""
}

// drawn is what is to be drawn of a match, as of a route.
func drawn(r *engine.MatchRequest) *engine.RouteRequest {
	d := r.Drawing
	return &engine.RouteRequest{
		Steps: d.Steps, Overview: d.Overview, Geometries: d.Geometries, Annotations: d.Annotations, Voice: d.Voice, Banners: d.Banners, Miles: r.Miles,
	}
}

// matchings alters what Valhalla wrote as compatible does for routes.
func matchings(body []byte, r *engine.RouteRequest) ([]byte, error) {
	var answer map[string]json.RawMessage
	if err := json.Unmarshal(body, &answer); err != nil {
		return nil, err
	}
	if r.Overview != "full" {
		if err := each(answer, "matchings", func(route map[string]json.RawMessage) error { return overview(route, r) }); err != nil {
			return nil, err
		}
	}
	var points []map[string]json.RawMessage // null where a position was not matched
	if err := json.Unmarshal(answer["tracepoints"], &points); err != nil {
		return nil, err
	}
	for _, p := range points {
		if p != nil {
			p["name"] = json.RawMessage(`""`)
		}
	}
	var err error
	if answer["tracepoints"], err = json.Marshal(points); err != nil {
		return nil, err
	}
	return json.Marshal(answer)
}

// matchBody is the body of a request: the members the gateway has no use for
// as they came, and over them those it checked.
func matchBody(r *engine.MatchRequest) map[string]any {
	body := map[string]any{}
	for name, value := range r.Extra {
		body[name] = value
	}
	shape := make([]tracePoint, len(r.Trace))
	for i, p := range r.Trace {
		shape[i] = tracePoint{p.Point.Lat, p.Point.Lon, p.Time, p.Stop}
	}
	body["shape"], body["units"], body["language"] = shape, "kilometers", "en-GB"
	travel(body, r.Costing, &r.Options, &r.Bends)
	if r.How != "" {
		body["shape_match"] = r.How
	}
	tuning := map[string]float64{}
	for name, v := range map[string]*float64{
		"gps_accuracy": r.Tuning.GPSAccuracy, "search_radius": r.Tuning.SearchRadius, "breakage_distance": r.Tuning.Breakage,
		"interpolation_distance": r.Tuning.Interpolation, "turn_penalty_factor": r.Tuning.TurnPenalty,
	} {
		if v != nil {
			tuning[name] = *v
		}
	}
	if len(tuning) > 0 {
		body["trace_options"] = tuning
	}
	if r.UseTimestamps {
		body["use_timestamps"] = true
	}
	if len(r.Filter.Names) > 0 {
		action := "exclude"
		if r.Filter.Include {
			action = "include"
		}
		body["filters"] = map[string]any{"attributes": r.Filter.Names, "action": action}
	}
	for name, v := range map[string]string{
		"language": r.Language, "directions_type": string(r.Directions), "shape_format": r.ShapeFormat, "id": r.ID,
	} {
		if v != "" {
			body[name] = v
		}
	}
	if r.Miles {
		body["units"] = "miles"
	}
	tell(body, &r.Telling, r.Face)
	if r.Face == engine.Compatible {
		body["format"], body["voice_instructions"], body["banner_instructions"] = "osrm", r.Voice, r.Banners
	}
	if r.Drawing != nil {
		maps.Copy(body, osrmFormat(drawn(r)))
	}
	return body
}
