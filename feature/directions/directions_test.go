package directions_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded"
	"github.com/waygate/waygate/feature/directions"
	"github.com/waygate/waygate/feature/rationale"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/towntest"
)

// tunnel returns a town with two ways west to east: a short one through a tunnel of
// category C and a long one around it.
func tunnel(t *testing.T) (*embedded.Engine, *towntest.Town) {
	t.Helper()
	town := towntest.Draw(t, `
		a--b----------c--d
		   |          |
		   |          |
		   e----------f`,
		towntest.Ways{
			{"ab", "primary"},
			{"bc", "primary tunnel=yes hazmat:adr_tunnel_cat=C"},
			{"cd", "primary"},
			{"befc", "primary"},
		})
	e, err := embedded.New(town.Region(t))
	if err != nil {
		t.Fatal(err)
	}
	return e, town
}

// lenient is an engine that promises neither tunnel codes nor exclusions.
type lenient struct{ engine.Engine }

func (l lenient) Can() engine.Can {
	can := l.Engine.Can()
	can.TunnelCodes, can.Exclusions = false, false
	return can
}

func TestLoad(t *testing.T) {
	e, town := tunnel(t)
	for _, c := range []struct {
		name, code string
		harmless   bool // the caller says that the load is not dangerous
		binds      bool // the code is among the options, as it is where the engine enforces it
		engine     engine.Engine
		by         string
		tunnels    string
		caveats    int
	}{
		{name: "goods that may pass", code: "D", binds: true, engine: e, by: "engine", tunnels: "C allowed", caveats: 1},
		{name: "goods that may not go round", code: "B", binds: true, engine: e, by: "engine", caveats: 1},
		{name: "without a code they count as the most restricted", engine: lenient{e}, by: "none", tunnels: "C blocked", caveats: 3},
		{name: "a code that forbids no tunnel", code: "(—)", binds: true, engine: e, by: "engine", tunnels: "C allowed", caveats: 1},
		{name: "a code says that they are dangerous", code: "D", binds: true, harmless: true, engine: e, by: "engine", tunnels: "C allowed", caveats: 2},
		{name: "an engine that cannot is not believed", code: "B", engine: lenient{e}, by: "none", tunnels: "C blocked", caveats: 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			load := &directions.Load{Hazmat: !c.harmless}
			options := map[string]json.RawMessage{}
			if c.code != "" {
				load.TunnelCode = &c.code
			}
			if c.binds {
				options["adr_tunnel_code"] = json.RawMessage(fmt.Sprintf("%q", c.code))
			}
			settings, _, bad := costing.Parse(costing.Truck, options, "")
			if len(bad) > 0 {
				t.Fatal(bad)
			}
			r := &directions.Request{Load: load, Route: engine.RouteRequest{Costing: costing.Truck, Options: settings, Locations: from(town, "a", "d")}}
			a, err := (&directions.Service{Engine: c.engine}).Route(t.Context(), r)
			if err != nil {
				t.Fatal(err)
			}
			var tunnels []string
			for _, x := range a.ADR.Tunnels {
				tunnels = append(tunnels, x.Category+" "+x.Decision.Status)
				if x.WayID != town.WayID("bc") || (x.Decision.Reason != "") != (x.Decision.Status == "blocked") {
					t.Errorf("%+v", x)
				}
			}
			if got := strings.Join(tunnels, ", "); got != c.tunnels || a.ADR.EnforcedBy != c.by || len(a.ADR.Caveats) != c.caveats || !a.ADR.Hazmat {
				t.Errorf("tunnels %q, %+v; want %q", got, a.ADR, c.tunnels)
			}
		})
	}
}

func from(town *towntest.Town, places ...string) (list []engine.Location) {
	for _, p := range places {
		list = append(list, engine.Location{Point: town.Point(p)})
	}
	return list
}

// The answer repeats what was to be avoided, with what each list cannot promise, and has no
// such block without a list.
func TestAvoidance(t *testing.T) {
	e, town := tunnel(t)
	for _, c := range []struct {
		engine  engine.Engine
		ask     *directions.Avoidance
		caveats int
	}{
		{e, nil, 0},
		{e, &directions.Avoidance{Avoid: []string{"tolls"}}, 1},
		{e, &directions.Avoidance{Exclude: []string{"ferries"}}, 1},
		{e, &directions.Avoidance{Avoid: []string{"tolls"}, Exclude: []string{"ferries"}}, 2},
		{lenient{e}, &directions.Avoidance{Exclude: []string{"ferries"}}, 2},
	} {
		r := &directions.Request{Avoid: c.ask, Route: engine.RouteRequest{Costing: costing.Auto, Locations: from(town, "a", "d")}}
		a, err := (&directions.Service{Engine: c.engine}).Route(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		if (a.Avoid == nil) != (c.ask == nil) || a.ADR != nil {
			t.Fatalf("%+v gives %+v and %+v", c.ask, a.Avoid, a.ADR)
		}
		if c.ask == nil {
			continue
		}
		// An empty list is written as one.
		if a.Avoid.Avoid == nil || a.Avoid.Exclude == nil {
			t.Errorf("%+v has lists that are null", a.Avoid)
		}
		if len(a.Avoid.Caveats) != c.caveats || len(a.Avoid.Avoid) != len(c.ask.Avoid) || len(a.Avoid.Exclude) != len(c.ask.Exclude) || len(c.ask.Caveats) > 0 {
			t.Errorf("%+v gives %+v", c.ask, a.Avoid)
		}
	}
}

// Warnings of the caller's request come before the engine's, the request for an addition to
// the route reaches the engine, and a location far from every road is named with a hint where
// its numbers look exchanged.
func TestRoute(t *testing.T) {
	e, town := tunnel(t)
	s := &directions.Service{Engine: e, Bounds: geo.NoBounds().Extend(town.Point("a")).Extend(town.Point("f"))}
	r := &directions.Request{
		Rationale: &rationale.Price{Units: 1}, Landmarks: true, Scenic: new(float64), Warnings: []engine.Warning{{Code: 1, Text: "first"}},
		Route: engine.RouteRequest{Costing: costing.Auto, Locations: from(town, "a", "d")},
	}
	a, err := s.Route(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	leg := a.Routes[0].Legs[0]
	if len(a.Warnings) == 0 || a.Warnings[0].Text != "first" || len(leg.Line) == 0 || len(leg.Manoeuvres) == 0 {
		t.Errorf("%+v, %d points and %d manoeuvres", a.Warnings, len(leg.Line), len(leg.Manoeuvres))
	}
	var names []string
	for _, b := range a.Blocks() {
		names = append(names, b.Name)
	}
	if got := strings.Join(names, " "); got != "scenic warnings landmarks rationale" {
		t.Errorf("the blocks are %s", got)
	}
	b := town.Point("d")
	r.Route.Locations[1].Point = geo.Point{Lat: b.Lon, Lon: b.Lat}
	if _, err := s.Route(t.Context(), r); err == nil || !strings.Contains(err.Error(), "locations[1]") {
		t.Errorf("a location with its numbers exchanged gives %v", err)
	}
}
