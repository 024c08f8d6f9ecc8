package embedded_test

import (
	"math"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/realdata"
)

// TestStopsDoNotJump goes over places between two roads that are equally near: a journey
// goes on from the road that it came by, so that its line is as long as it says.
func TestStopsDoNotJump(t *testing.T) {
	e := open(t, realdata.File(t, "osm/liechtenstein-bench.osm.pbf"))
	for _, places := range [][3]geo.Point{
		{{Lon: 9.52028, Lat: 47.15967}, {Lon: 9.51772, Lat: 47.12829}, {Lon: 9.52189, Lat: 47.13099}},
		{{Lon: 9.54365, Lat: 47.09834}, {Lon: 9.49093, Lat: 47.11701}, {Lon: 9.51393, Lat: 47.20522}},
		{{Lon: 9.49195, Lat: 47.12012}, {Lon: 9.49116, Lat: 47.06104}, {Lon: 9.51117, Lat: 47.08435}},
	} {
		for _, stop := range []engine.Stop{engine.Break, engine.Via, engine.Through, engine.BreakThrough} {
			for _, when := range []*engine.When{nil, {Type: engine.Arrive, Local: local(t, "08:00")}} {
				r := &engine.RouteRequest{Costing: costing.Bicycle, Conditions: engine.Conditions{When: when}, Output: engine.Output{Format: engine.Native}}
				r.Options, _, _ = costing.Parse(r.Costing, nil, "")
				for _, p := range places {
					r.Locations = append(r.Locations, engine.Location{Point: p})
				}
				r.Locations[1].Stop = stop
				a, err := e.Route(t.Context(), r)
				if err != nil {
					t.Fatal(err)
				}
				if when == nil {
					walked(t, e, r, &a.Routes[0])
				}
				line := a.Routes[0].Line()
				if length := geo.Length(line); math.Abs(length-a.Routes[0].Metres) > 0.002*length {
					t.Errorf("%v, %s: a line of %g m is said to be %g m long", places[1], stop, length, a.Routes[0].Metres)
				}
			}
		}
	}
}

// walked follows the line of a route exactly, where it turns round at its stops too.
func walked(t *testing.T, e *embedded.Engine, of *engine.RouteRequest, route *engine.Route) {
	t.Helper()
	r := &engine.MatchRequest{Costing: of.Costing, Options: of.Options, How: engine.EdgeWalk, Output: of.Output}
	for _, p := range route.Line() {
		r.Trace = append(r.Trace, engine.TracePoint{Point: p})
	}
	a, err := e.TraceRoute(t.Context(), r)
	if err != nil {
		t.Fatalf("from %v over %v: %v", of.Locations[0].Point, of.Locations[1].Point, err)
	}
	if got := a.Routes[0].Metres; len(a.Routes) != 1 || math.Abs(got-route.Metres) > 5 {
		t.Errorf("a route of %g m was walked as %d, the first of %g m", route.Metres, len(a.Routes), got)
	}
}
