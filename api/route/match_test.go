package route_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/waygate/waygate/api"
	"github.com/waygate/waygate/api/apitest"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/world"
)

// matching is the straight-line engine that takes a trace for the way.
type matching struct{ *apitest.StraightLine }

func (m matching) Can() engine.Can {
	can := m.StraightLine.Can()
	can.Calls = append(can.Calls, engine.CallTraceRoute, engine.CallTraceAttributes)
	return can
}

func (m matching) TraceRoute(ctx context.Context, r *engine.MatchRequest) (*engine.TraceAnswer, error) {
	ends := []engine.TracePoint{r.Trace[0], r.Trace[len(r.Trace)-1]}
	a, err := m.Route(ctx, &engine.RouteRequest{Costing: r.Costing, Options: r.Options, Output: r.Output, Locations: []engine.Location{{Point: ends[0].Point}, {Point: ends[1].Point}}})
	if err != nil {
		return nil, err
	}
	return &engine.TraceAnswer{RouteAnswer: *a}, nil
}

func (m matching) TraceAttributes(_ context.Context, r *engine.MatchRequest) (*engine.AttributesAnswer, error) {
	if geo.Distance(r.Trace[0].Point, r.Trace[1].Point) > 100_000 {
		return nil, engine.Refused(engine.CodeNoMatch, "no way joins the positions")
	}
	body, err := json.Marshal(map[string]any{"units": "kilometers", "edges": []any{map[string]any{"way_id": 7}}, "matched_points": []any{map[string]any{"type": "unmatched"}}})
	return &engine.AttributesAnswer{Raw: body}, err
}

const trace = `"shape":[{"lat":47.1,"lon":9.5,"time":1},{"lat":47.2,"lon":9.6,"time":2}]`

func TestTrace(t *testing.T) {
	g := apitest.Start(t)
	for _, path := range []string{"/trace_route", "/trace_attributes"} {
		g.Send("POST", path, `{"costing":"auto",`+trace+`}`).Problem(t, 501, strings.ReplaceAll(path[1:], "_", "-")+"-not-enabled")
	}
	g = apitest.Start(t, func(o *api.Options) {
		o.Acquire = apitest.Changed(t, o.Acquire, func(r *world.Region) { r.Engine = matching{r.Engine.(*apitest.StraightLine)} })
	})
	if r := g.Send("POST", "/trace_route", `{"costing":"auto",`+trace+`,"units":"miles","id":"mine"}`); r.Status != 200 || r.At(t, "trip", "units") != "miles" || r.At(t, "id") != "mine" {
		t.Errorf("%d %s", r.Status, r.Body)
	}
	r := g.Send("POST", "/trace_attributes", `{"costing":"truck",`+trace+`,"foo":1}`)
	if r.Status != 200 || len(r.At(t, "edges").([]any)) != 1 || len(r.At(t, "warnings").([]any)) != 1 {
		t.Errorf("%d %s", r.Status, r.Body)
	}
	if units := r.Header.Get("X-Svc-Quota-Units"); units != "20" {
		t.Errorf("matching for a truck costs %s units", units)
	}
	for body, says := range map[string]string{
		``:  "empty",
		`{`: "not JSON",
		`{"costing":"auto","shape":[{"lat":47.1,"lon":9.5}]}`:                                                "at least two positions",
		`{"costing":"auto","shape":[{"lat":47.1,"lat":47.1,"lon":9.5},{"lat":47.2,"lon":9.6}]}`:              "stands twice",
		`{"costing":"auto","shape":[{"lat":47.1,"lon":9.5,"time":3},{"lat":47.2,"lon":9.6,"time":2}]}`:       "sort the positions by time",
		`{"costing":"auto","shape":[` + strings.Repeat(`{"lat":1,"lon":1},`, 20_000) + `{"lat":1,"lon":1}]}`: "20001 positions and may have 20000",
	} {
		for _, path := range []string{"/trace_route", "/trace_attributes"} {
			if p := g.Send("POST", path, body).Problem(t, 400, "bad-request"); !strings.Contains(p["detail"].(string), says) {
				t.Errorf("%s %.80s: %v, want %s", path, body, p["detail"], says)
			}
		}
	}
	if p := g.Send("POST", "/trace_attributes", `{"costing":"auto","shape":[{"lat":47.1,"lon":9.5},{"lat":-47.2,"lon":9.6}]}`).Problem(t, 400, "upstream-error"); p["error_code"] != 444.0 {
		t.Errorf("%v", p)
	}
}
