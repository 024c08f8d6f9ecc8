package opinion

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
)

// fixed is an engine with one route.
type fixed struct {
	engine.Unimplemented
	can   engine.Can
	route engine.Route
	err   error
}

func (f fixed) Can() engine.Can { return f.can }

func (f fixed) Route(context.Context, *engine.RouteRequest) (*engine.RouteAnswer, error) {
	return &engine.RouteAnswer{Routes: []engine.Route{f.route}}, f.err
}

func way(seconds float64, line ...geo.Point) engine.Route {
	sums := engine.Sums{Metres: geo.Length(line), Seconds: seconds}
	return engine.Route{Sums: sums, Legs: []engine.Leg{{Sums: sums, Line: line}}}
}

func TestCompare(t *testing.T) {
	a, b, c, d := geo.Point{Lon: 9, Lat: 47}, geo.Point{Lon: 9.02, Lat: 47}, geo.Point{Lon: 9.01, Lat: 47.01}, geo.Point{Lon: 9.01, Lat: 47}
	straight, round := way(60, a, b), way(100, a, d, c, b)
	truck := engine.RouteRequest{Costing: costing.Truck}
	truck.Options, _, _ = costing.Parse(costing.Truck, map[string]json.RawMessage{"adr_tunnel_code": json.RawMessage(`"B"`)}, "")
	for name, x := range map[string]struct {
		second      fixed
		r           engine.RouteRequest
		least, most float64
		says        string
	}{
		"the same":          {fixed{route: straight}, engine.RouteRequest{Costing: costing.Auto}, 1, 1, ""},
		"another speed":     {fixed{route: way(90, a, b)}, engine.RouteRequest{Costing: costing.Auto}, 1, 1, "same way"},
		"another way":       {fixed{route: round}, engine.RouteRequest{Costing: costing.Auto}, 0.45, 0.6, "unknown"},
		"without codes":     {fixed{route: round, can: engine.Can{Name: "other", Vehicles: true}}, truck, 0.45, 0.6, "other does not heed tunnel codes"},
		"it has no way":     {fixed{err: engine.Refused(engine.CodeNoRoute, "no way")}, engine.RouteRequest{Costing: costing.Auto}, -1, -1, "unknown"},
		"lines of a point":  {fixed{route: way(60, a)}, engine.RouteRequest{Costing: costing.Auto}, 0, 0.05, "unknown"},
		"the line backward": {fixed{route: way(60, b, a)}, engine.RouteRequest{Costing: costing.Auto}, 1, 1, ""},
	} {
		got, err := Compare(t.Context(), fixed{can: engine.Can{Name: "first", TunnelCodes: true, Vehicles: true}}, x.second, &x.r, &straight)
		if err != nil {
			t.Fatal(err)
		}
		if x.least < 0 {
			if got.Overlap != nil || got.Refused != "no way" {
				t.Errorf("%s: %+v", name, got)
			}
		} else if *got.Overlap < x.least || *got.Overlap > x.most {
			t.Errorf("%s: an overlap of %g", name, *got.Overlap)
		}
		if said := strings.Join(got.Causes, "; "); x.says == "" != (said == "") || !strings.Contains(said, x.says) {
			t.Errorf("%s: because %q, want %q", name, said, x.says)
		}
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Compare(gone, fixed{}, fixed{route: straight}, &engine.RouteRequest{}, &straight); err == nil {
		t.Error("a caller who went away has an answer")
	}
}
