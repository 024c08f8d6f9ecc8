package apitest

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
)

// StraightLine is an engine that flies, with words of its own: every route is the straight line
// at 50 km/h. It has a region, refuses what lies outside, and has one tunnel.
type StraightLine struct {
	engine.Unimplemented
	region  geo.Bounds
	tunnels []engine.Tunnel
	Down    error           // what Status says
	Costs   engine.Estimate // what calls would take; nothing is another server's work
	Hold    chan struct{}   // where not nil, Route waits for it or for the end of its context

	mu   sync.Mutex
	last *engine.RouteRequest
	Ends chan error // receives the error of a held Route
}

// Can is routes.
func (s *StraightLine) Can() engine.Can {
	return engine.Can{Name: "embedded", Calls: []engine.Call{engine.CallRoute}, TunnelCodes: true, Exclusions: true, AlternatesVia: true, ShapeFormats: true, SpeedSources: []string{"default"}}
}

// Estimate returns the value that the test set.
func (s *StraightLine) Estimate(engine.Call, any) engine.Estimate { return s.Costs }

// Status returns the value that the test set.
func (s *StraightLine) Status(context.Context) (engine.Status, error) {
	return engine.Status{Version: "1"}, s.Down
}

// Route flies. A location named panic, broken, gone or failed does what it says.
func (s *StraightLine) Route(ctx context.Context, r *engine.RouteRequest) (*engine.RouteAnswer, error) {
	s.mu.Lock()
	s.last = r
	s.mu.Unlock()
	if s.Hold != nil {
		select {
		case <-s.Hold:
		case <-ctx.Done():
			s.Ends <- ctx.Err()
			return nil, ctx.Err()
		}
	}
	var line []geo.Point
	for i, l := range r.Locations {
		if l.Name == "panic" {
			panic("secret of the engine")
		}
		if l.Name == "broken" {
			return nil, fmt.Errorf("secret of the engine")
		}
		if l.Name == "gone" {
			return nil, fault.New(fault.UpstreamUnavailable, "the engine does not answer")
		}
		if l.Name == "failed" {
			return nil, fault.New(fault.Upstream, "the engine failed").With("upstream_status", 503)
		}
		if !s.region.Contains(l.Point) {
			return nil, engine.Refused(engine.CodeNoSegment, "no road near locations[%d]", i)
		}
		line = append(line, l.Point)
	}
	if r.Options.On(costing.ExcludeTunnels) {
		return nil, engine.Refused(engine.CodeNoRoute, "no way between locations[0] and locations[1]")
	}
	metres := geo.Length(line)
	body, err := json.Marshal(s.native(r, line, metres, metres/50*3.6))
	if r.Format == engine.OSRM {
		body, err = json.Marshal(s.compatible(r, line, metres, metres/50*3.6))
	}
	sums := engine.Sums{Metres: metres, Seconds: metres / 50 * 3.6}
	route := engine.Route{Sums: sums, Tunnels: s.tunnels, Legs: []engine.Leg{{Sums: sums, Line: line}}}
	return &engine.RouteAnswer{Raw: body, Language: "en-GB", Routes: []engine.Route{route}}, err
}

func (s *StraightLine) native(r *engine.RouteRequest, line []geo.Point, metres, seconds float64) any {
	type object = map[string]any
	unit, length := "kilometers", metres/1000
	if r.Miles {
		unit, length = "miles", metres/1609.344
	}
	summary := object{"length": length, "time": seconds, "has_toll": false}
	var locations []any
	for i, l := range r.Locations {
		locations = append(locations, object{"type": "break", "lat": l.Point.Lat, "lon": l.Point.Lon, "original_index": i})
	}
	answer := object{"trip": object{
		"status": 0, "status_message": "Found route between points", "units": unit, "language": "en-GB", "summary": summary,
		"locations": locations, "legs": []any{object{"summary": summary, "maneuvers": []any{}, "shape": geo.EncodePolyline(line, 6)}},
	}, "warnings": []any{object{"code": 1, "text": "this engine flies"}}}
	if r.ID != "" {
		answer["id"] = r.ID
	}
	return answer
}

func (s *StraightLine) compatible(r *engine.RouteRequest, line []geo.Point, metres, seconds float64) any {
	type object = map[string]any
	var waypoints, legs []any
	for i, l := range r.Locations {
		waypoints = append(waypoints, object{"name": "", "location": []float64{l.Point.Lon, l.Point.Lat}, "distance": 0})
		if i > 0 {
			legs = append(legs, object{"distance": metres, "duration": seconds, "weight": seconds, "summary": "", "steps": []any{}})
		}
	}
	route := object{"distance": metres, "duration": seconds, "weight": seconds, "weight_name": "duration", "legs": legs}
	if r.Overview != "false" {
		route["geometry"] = geo.EncodePolyline(line, 5)
	}
	return object{"code": "Ok", "routes": []any{route}, "waypoints": waypoints}
}

// Asked returns the request that the engine was asked last.
func (s *StraightLine) Asked() *engine.RouteRequest {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.last
}
