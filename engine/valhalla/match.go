package valhalla

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/wire/valhalla"
)

// tracePoint is a position as Valhalla's JSON has it.
type tracePoint struct {
	Lat  float64     `json:"lat"`
	Lon  float64     `json:"lon"`
	Time *float64    `json:"time,omitempty"`
	Type engine.Stop `json:"type,omitempty"`
}

// TraceRoute passes the request on. Raw is what Valhalla answered, and in the
// form of OSRM's match service altered as matchings says; without an overview it
// is Valhalla's own OSRM format, which names waypoints where our contract leaves
// names empty.
func (e *Engine) TraceRoute(ctx context.Context, r *engine.MatchRequest) (*engine.TraceAnswer, error) {
	body, err := e.match(ctx, "/trace_route", r)
	if err != nil {
		return nil, err
	}
	a := &engine.TraceAnswer{}
	if r.Format == engine.OSRM && r.Overview != "" {
		if body, a.Points, err = matchings(body, &r.Output); err != nil {
			return nil, fault.Wrap(err, fault.Upstream, "the routing engine's answer is not a match in OSRM's format").With("upstream_status", http.StatusOK)
		}
	}
	if r.Format == engine.OSRM { // whose matchings nobody reads
		a.Raw = body
		return a, nil
	}
	routes, err := routeAnswer(body, r.Want, &r.Output)
	if err != nil {
		return nil, err
	}
	a.RouteAnswer = *routes
	return a, nil
}

// TraceAttributes passes the request on. Raw is what Valhalla answered; of the
// edges what native.ReadAttributes reads is filled in.
func (e *Engine) TraceAttributes(ctx context.Context, r *engine.MatchRequest) (*engine.AttributesAnswer, error) {
	body, err := e.match(ctx, "/trace_attributes", r)
	if err != nil {
		return nil, err
	}
	if r.Format != engine.NoFormat && r.Want == 0 {
		return &engine.AttributesAnswer{Raw: body}, nil
	}
	a, err := valhalla.ReadAttributes(body, &r.Output)
	if err != nil {
		return nil, err
	}
	if r.Format != engine.NoFormat {
		a.Raw = body
	}
	return a, nil
}

func (e *Engine) match(ctx context.Context, path string, r *engine.MatchRequest) ([]byte, error) {
	if name := excluding(&r.Options); r.OmitExcluded && name != "" {
		return nil, fault.New(fault.BadRequest, "%s cannot be heeded: the routing engine here matches a trace to the roads it lies on, excluded or not", name)
	}
	for i := range r.Trace {
		if r.Trace[i].Heading != nil {
			return nil, fault.New(fault.BadRequest, "the heading of position %d cannot be heeded: the routing engine here matches a trace by its positions and times", i)
		}
	}
	return e.post(ctx, path, matchBody(r))
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

// matchings alters what Valhalla wrote as osrmAnswer does for routes, and tells
// which matching each position is of.
func matchings(body []byte, o *engine.Output) ([]byte, []engine.TracePlace, error) {
	var answer map[string]json.RawMessage
	if err := json.Unmarshal(body, &answer); err != nil {
		return nil, nil, err
	}
	if o.Overview != "full" {
		if err := each(answer, "matchings", func(route map[string]json.RawMessage) error { return overview(route, o) }); err != nil {
			return nil, nil, err
		}
	}
	var points []map[string]json.RawMessage // null where a position was not matched
	if err := json.Unmarshal(answer["tracepoints"], &points); err != nil {
		return nil, nil, err
	}
	matched := make([]engine.TracePlace, len(points))
	for i, p := range points {
		matched[i] = engine.TracePlace{Route: -1, Stop: -1}
		if p == nil {
			continue
		}
		p["name"] = json.RawMessage(`""`)
		matched[i].Route = 0
		if index := p["matchings_index"]; index != nil && json.Unmarshal(index, &matched[i].Route) != nil {
			return nil, nil, fmt.Errorf("tracepoints[%d] has the matchings_index %s", i, index)
		}
	}
	var err error
	if answer["tracepoints"], err = json.Marshal(points); err != nil {
		return nil, nil, err
	}
	body, err = json.Marshal(answer)
	return body, matched, err
}

// matchBody returns the body of a request: the members the gateway has no use for
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
	travel(body, r.Costing, &r.Options, &r.Conditions)
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
	addOutput(body, &r.Output)
	switch {
	case r.Format == engine.OSRM && r.Overview == "":
		body["format"], body["voice_instructions"], body["banner_instructions"] = "osrm", r.Voice, r.Banners
	case r.Format == engine.OSRM:
		maps.Copy(body, osrmFormat(&r.Output))
	}
	return body
}
