package valhalla

import (
	"context"

	"github.com/waygate/waygate/engine"
)

var _ engine.Matcher = (*Engine)(nil)

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
	body, err := e.post(ctx, path, matchBody(r))
	if err != nil {
		return nil, err
	}
	return &engine.RouteAnswer{Body: body, Bounds: noBounds}, nil
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
	if r.Face == engine.Compatible {
		body["format"] = "osrm"
	}
	return body
}
