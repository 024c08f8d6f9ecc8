package directions

import (
	"errors"
	"strings"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/compatible"
	"github.com/waygate/waygate/fault"
)

const pair = "9.5,47.1;9.6,47.2"

func TestCompatibleReads(t *testing.T) {
	req, err := embedded.Compatible("truck", "9.5,47.1;9.55,47.15;9.6,47.2", strings.Join([]string{
		"overview=full", "steps=true", "geometries=geojson", "alternatives=2", "annotations=distance,duration", "continue_straight=true",
		"bearings=90,20;;180", "voice_instructions=true", "banner_instructions=true", "voice_units=british_imperial", "landmarks=true", "snapping=any", "roundabout_exits=false", "radiuses=unlimited;50;", "approaches=curb;unrestricted;opposite", "hints=;;", "generate_hints=false", "language=de",
		"height=4", "weight=40", "hazmat=false", "tunnel_code=%28%E2%80%94%29", "avoid_tolls=true", "avoid_ferries=false", "avoid=highways,tolls", "exclude=bridges", "shortest=true",
	}, "&"))
	if err != nil {
		t.Fatal(err)
	}
	r := &req.Route
	l := r.Locations
	if r.Overview != "full" || !r.Steps || r.Geometries != "geojson" || r.Language != "de" || r.Format != engine.OSRM || !req.Premium() {
		t.Errorf("%+v", r)
	}
	if !req.Landmarks || !r.JoinRoundabouts || !r.Voice || !r.Banners || !r.Miles || r.Annotations != engine.AnnotateDistance|engine.AnnotateDuration {
		t.Errorf("%+v", r)
	}
	if r.Alternates != 2 {
		t.Errorf("%d alternates", r.Alternates)
	}
	if req, err := remote.Compatible("car", "9.5,47.1;9.55,47.15;9.6,47.2", "alternatives=2"); err != nil || req.Route.Alternates != 0 {
		t.Errorf("a remote engine is asked for alternates between three coordinates: %v %v", req, err)
	}
	if *l[0].Heading != 90 || l[0].HeadingTolerance != 20 || l[1].Heading != nil || *l[2].Heading != 180 || l[1].SearchCutoff != 50 ||
		l[0].Side != engine.SameSide || l[2].Side != engine.OppositeSide || l[1].Stop != engine.BreakThrough || l[0].Stop != "" {
		t.Errorf("%+v", l)
	}
	o := &r.Options
	if v := o.Of(r.Costing); v.Height != 4 || v.Weight != 40 || v.Hazmat || o.Text(costing.ADRTunnelCode) != "(—)" || v.UseTolls != 0 || !o.Given(costing.UseTolls) ||
		o.Given(costing.UseFerry) || v.UseHighways != 0 || !v.ExcludeBridges || !v.Shortest {
		t.Errorf("%v", o.Raw())
	}
	req, err = embedded.Compatible("car", "9.5,47.1;9.55,47.15;9.6,47.2", "waypoints=0;2&alternatives=true&skip_waypoints=true")
	if err != nil || req.Route.Locations[1].Stop != engine.Via || !req.Route.SkipWaypoints {
		t.Errorf("%v %+v", err, req)
	}
}

func TestCompatibleRefusals(t *testing.T) {
	for _, c := range []struct{ profile, query, code, says string }{
		{"plane", "", compatible.InvalidValue, "driving"},
		{"car", "steps=yes", compatible.InvalidValue, "steps"},
		{"car", "geometries=wkt", compatible.InvalidValue, "polyline6"},
		{"car", "snapping=none", compatible.InvalidValue, "default, any"},
		{"car", "voice_units=nautical", compatible.InvalidValue, "imperial"},
		{"car", "voice_instructions=1", compatible.InvalidValue, "true or false"},
		{"car", "voice_instructions=true", compatible.InvalidOptions, "steps=true"},
		{"car", "banner_instructions=true&steps=false", compatible.InvalidOptions, "steps=true"},
		{"car", "annotations=", compatible.InvalidValue, "annotations"},
		{"car", "annotations=speed,,nodes", compatible.InvalidValue, "annotations"},
		{"car", "alternatives=99", compatible.InvalidValue, "at most 3"},
		{"car", "alternatives=1.5", compatible.InvalidValue, "0 to 3"},
		{"car", "alternatives=", compatible.InvalidValue, "0 to 3"},
		{"car", "overview=", compatible.InvalidValue, "simplified"},
		{"car", "overview=TRUE", compatible.InvalidValue, "simplified"},
		{"car", "approaches=;;", compatible.InvalidValue, "3 entries"},
		{"car", "bearings=90", compatible.InvalidValue, "1 entries"},
		{"car", "bearings=north;", compatible.InvalidValue, "bearings[0]"},
		{"car", "bearings=,20;", compatible.InvalidValue, "bearings[0]"},
		{"car", "bearings=90,;", compatible.InvalidValue, "range"},
		{"car", "radiuses=far;", compatible.InvalidValue, "radiuses[0]"},
		{"car", "radiuses=-1;", compatible.InvalidValue, "radiuses[0]"},
		{"car", "waypoints=0;;1", compatible.InvalidValue, "no index"},
		{"car", "waypoints=0;x", compatible.InvalidValue, "no index"},
		{"car", "skip_waypoints=maybe", compatible.InvalidValue, "skip_waypoints"},
		{"car", "continue_straight=", compatible.InvalidValue, "default"},
		{"car", "language=-", compatible.InvalidValue, "BCP 47"},
		{"car", "steps=true&steps=true", compatible.InvalidQuery, "twice"},
		{"truck", "height=", compatible.InvalidValue, "number"},
		{"truck", "tunnel_code=F", compatible.InvalidValue, "tunnel_code"},
		{"car", "alternatives=-1", compatible.InvalidValue, "0 to 3"},
		{"car", "alternatives=9", compatible.InvalidValue, "at most 3"},
		{"car", "annotations=colour", compatible.InvalidValue, "colour"},
		{"car", "approaches=curb", compatible.InvalidValue, "1 entries and there are 2 coordinates"},
		{"car", "approaches=curb;left", compatible.InvalidValue, "approaches[1]"},
		{"car", "radiuses=;0", compatible.InvalidValue, "radiuses[1]"},
		{"car", "radiuses=1;2;3", compatible.InvalidValue, "3 entries and there are 2"},
		{"car", "bearings=400;", compatible.InvalidValue, "bearings[0]"},
		{"car", "bearings=0,181;", compatible.InvalidValue, "range between 0 and 180"},
		{"car", "waypoints=0;5", compatible.InvalidValue, "no index"},
		{"car", "waypoints=1", compatible.InvalidValue, "first and the last"},
		{"car", "continue_straight=maybe", compatible.InvalidValue, "default"},
		{"car", "language=e%20n", compatible.InvalidValue, "BCP 47"},
		{"car", "weight=3", compatible.InvalidValue, "truck"},
		{"car", "hazmat=false", compatible.InvalidValue, "truck"},
		{"truck", "height=NaN", compatible.InvalidValue, "number"},
		{"truck", "height=1e999", compatible.InvalidValue, "number"},
		{"truck", "weight=101", compatible.InvalidValue, "between 0 and 100 tonnes"},
		{"truck", "hazmat=1", compatible.InvalidValue, "true or false"},
		{"foot", "avoid_motorways=true", compatible.InvalidValue, "motorised"},
		{"bike", "avoid_tolls=false", compatible.InvalidValue, "motorised"},
		{"car", "shortest=", compatible.InvalidValue, "shortest"},
		{"car", "%zz=1", compatible.InvalidQuery, "malformed"},
		{"car", "a=b", compatible.InvalidQuery, `"a"`},
		{"car", "landmarks=true", compatible.InvalidOptions, "steps=true"},
	} {
		_, err := embedded.Compatible(c.profile, pair, c.query)
		var e *fault.Error
		if !errors.As(err, &e) || e.Fields["code"] != c.code || !strings.Contains(e.Detail, c.says) {
			t.Errorf("%s?%s: %v, want %s with %q", c.profile, c.query, err, c.code, c.says)
		}
	}
	for query, slug := range map[string]fault.Slug{"avoid=bridges": fault.InvalidAvoid, "exclude=motorway": fault.InvalidAvoid} {
		if _, err := embedded.Compatible("car", pair, query); !fault.Is(err, slug) {
			t.Errorf("%s: %v", query, err)
		}
	}
	_, err := embedded.Compatible("car", pair, "exclude=motorway,toll&avoid=ferry")
	for _, says := range []string{"motorway is highways here", "toll is tolls here", "ferry is ferries here"} {
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %q", err, says)
		}
	}
	if _, err := embedded.Compatible("foot", pair, "avoid_ferries=true&access_token=x&api_key=y"); err != nil {
		t.Errorf("%v", err)
	}
}

func FuzzQuery(f *testing.F) {
	f.Add("driving", "overview=false&alternatives=true&steps=true&hints=;")
	f.Add("car", "steps=true&voice_instructions=true&annotations=true,nodes&voice_units=metric&waypoints=0;1&snapping=any")
	f.Add("truck", "height=4&tunnel_code=B%2FD&bearings=1,2;&radiuses=;unlimited&exclude=tolls,tunnels")
	f.Fuzz(func(t *testing.T, profile, query string) {
		req, err := embedded.Compatible(profile, pair, query)
		var e *fault.Error
		if err != nil && (!errors.As(err, &e) || e.Slug == fault.Internal) || err == nil && !req.Route.Costing.Known() {
			t.Fatalf("%v", err)
		}
	})
}
