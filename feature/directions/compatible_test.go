package directions

import (
	"errors"
	"strings"
	"testing"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
)

const pair = "9.5,47.1;9.6,47.2"

func TestProfiles(t *testing.T) {
	listed := map[string]bool{}
	for _, p := range Profiles() {
		listed[p] = true
		if _, err := embedded.Compatible(p, pair, ""); err != nil {
			t.Errorf("%s: %v", p, err)
		}
	}
	if len(listed) != len(profiles) {
		t.Errorf("%d listed, %d known", len(listed), len(profiles))
	}
}

func TestCompatibleReads(t *testing.T) {
	req, err := embedded.Compatible("truck", "9.5,47.1;9.55,47.15;9.6,47.2", strings.Join([]string{
		"overview=full", "steps=true", "geometries=geojson", "alternatives=2", "annotations=distance,duration", "continue_straight=true",
		"bearings=90,20;;180", "voice_instructions=true", "banner_instructions=true", "voice_units=british_imperial", "snapping=any", "roundabout_exits=true", "radiuses=unlimited;50;", "approaches=curb;unrestricted;opposite", "hints=;;", "generate_hints=false", "language=de",
		"height=4", "weight=40", "hazmat=false", "tunnel_code=%28%E2%80%94%29", "avoid_tolls=true", "avoid_ferries=false", "avoid=highways,tolls", "exclude=bridges", "shortest=true",
	}, "&"))
	if err != nil {
		t.Fatal(err)
	}
	r := &req.Route
	l := r.Locations
	if r.Overview != "full" || !r.Steps || r.Geometries != "geojson" || r.Language != "de" || r.Face != engine.Compatible || !req.Premium() {
		t.Errorf("%+v", r)
	}
	if !r.Voice || !r.Banners || !r.Miles || r.Annotations != engine.AnnotateDistance|engine.AnnotateDuration {
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
	if o.Number("height") != 4 || o.Number("weight") != 40 || o.Bool("hazmat") || o.Text("adr_tunnel_code") != "(—)" || o.Number("use_tolls") != 0 || !o.Given("use_tolls") ||
		o.Given("use_ferry") || o.Number("use_highways") != 0 || !o.Bool("exclude_bridges") || !o.Bool("shortest") {
		t.Errorf("%v", o.Raw())
	}
	req, err = embedded.Compatible("car", "9.5,47.1;9.55,47.15;9.6,47.2", "waypoints=0;2&alternatives=true&skip_waypoints=true")
	if err != nil || req.Route.Locations[1].Stop != engine.Via || !req.skipWaypoints {
		t.Errorf("%v %+v", err, req)
	}
}

func TestCompatibleRefusals(t *testing.T) {
	for _, c := range []struct{ profile, query, code, says string }{
		{"plane", "", invalidValue, "driving"},
		{"car", "steps=yes", invalidValue, "steps"},
		{"car", "geometries=wkt", invalidValue, "polyline6"},
		{"car", "snapping=none", invalidValue, "default, any"},
		{"car", "voice_units=nautical", invalidValue, "imperial"},
		{"car", "voice_instructions=1", invalidValue, "true or false"},
		{"car", "voice_instructions=true", invalidOptions, "steps=true"},
		{"car", "banner_instructions=true&steps=false", invalidOptions, "steps=true"},
		{"car", "annotations=", invalidValue, "annotations"},
		{"car", "annotations=speed,,nodes", invalidValue, "annotations"},
		{"car", "alternatives=99", invalidValue, "at most 3"},
		{"car", "alternatives=1.5", invalidValue, "0 to 3"},
		{"car", "alternatives=", invalidValue, "0 to 3"},
		{"car", "overview=", invalidValue, "simplified"},
		{"car", "overview=TRUE", invalidValue, "simplified"},
		{"car", "approaches=;;", invalidValue, "3 entries"},
		{"car", "bearings=90", invalidValue, "1 entries"},
		{"car", "bearings=north;", invalidValue, "bearings[0]"},
		{"car", "bearings=,20;", invalidValue, "bearings[0]"},
		{"car", "bearings=90,;", invalidValue, "range"},
		{"car", "radiuses=far;", invalidValue, "radiuses[0]"},
		{"car", "radiuses=-1;", invalidValue, "radiuses[0]"},
		{"car", "waypoints=0;;1", invalidValue, "no index"},
		{"car", "waypoints=0;x", invalidValue, "no index"},
		{"car", "skip_waypoints=maybe", invalidValue, "skip_waypoints"},
		{"car", "continue_straight=", invalidValue, "default"},
		{"car", "language=-", invalidValue, "BCP 47"},
		{"car", "steps=true&steps=true", invalidQuery, "twice"},
		{"truck", "height=", invalidValue, "number"},
		{"truck", "tunnel_code=F", invalidValue, "tunnel_code"},
		{"car", "alternatives=-1", invalidValue, "0 to 3"},
		{"car", "alternatives=9", invalidValue, "at most 3"},
		{"car", "annotations=colour", invalidValue, "colour"},
		{"car", "approaches=curb", invalidValue, "1 entries and there are 2 coordinates"},
		{"car", "approaches=curb;left", invalidValue, "approaches[1]"},
		{"car", "radiuses=;0", invalidValue, "radiuses[1]"},
		{"car", "radiuses=1;2;3", invalidValue, "3 entries and there are 2"},
		{"car", "bearings=400;", invalidValue, "bearings[0]"},
		{"car", "bearings=0,181;", invalidValue, "range between 0 and 180"},
		{"car", "waypoints=0;5", invalidValue, "no index"},
		{"car", "waypoints=1", invalidValue, "first and the last"},
		{"car", "continue_straight=maybe", invalidValue, "default"},
		{"car", "language=e%20n", invalidValue, "BCP 47"},
		{"car", "weight=3", invalidValue, "truck"},
		{"car", "hazmat=false", invalidValue, "truck"},
		{"truck", "height=NaN", invalidValue, "number"},
		{"truck", "height=1e999", invalidValue, "number"},
		{"truck", "weight=101", invalidValue, "between 0 and 100 tonnes"},
		{"truck", "hazmat=1", invalidValue, "true or false"},
		{"foot", "avoid_motorways=true", invalidValue, "motorised"},
		{"bike", "avoid_tolls=false", invalidValue, "motorised"},
		{"car", "shortest=", invalidValue, "shortest"},
		{"car", "%zz=1", invalidQuery, "malformed"},
		{"car", "a=b", invalidQuery, `"a"`},
		{"car", "landmarks=true", invalidOptions, "steps=true"},
	} {
		_, err := embedded.Compatible(c.profile, pair, c.query)
		var e *fault.Error
		if !errors.As(err, &e) || e.Fields["code"] != c.code || !strings.Contains(e.Detail, c.says) {
			t.Errorf("%s?%s: %v, want %s with %q", c.profile, c.query, err, c.code, c.says)
		}
	}
	for query, slug := range map[string]fault.Slug{"avoid=bridges": fault.InvalidAvoid, "exclude=motorway": fault.InvalidAvoid, "steps=true&landmarks=true": fault.NotEnabled} {
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

func TestCoordinates(t *testing.T) {
	line := []geo.Point{{Lon: 9.5, Lat: 47.1}, {Lon: 9.6, Lat: 47.2}}
	for _, path := range []string{pair, pair + ".json", "+9.5,47.10;9.6,472e-1", "polyline(" + geo.EncodePolyline(line, 5) + ")", "polyline6(" + geo.EncodePolyline(line, 6) + ").json"} {
		got, err := Coordinates(path, county)
		if err != nil || len(got) != 2 || geo.Distance(got[0], line[0])+geo.Distance(got[1], line[1]) > 0.1 {
			t.Errorf("%s: %v %v", path, got, err)
		}
	}
	for path, code := range map[string]string{
		"": invalidOptions, "9,47": invalidOptions, ";": invalidURL, "9,47;": invalidURL, "9,47;9": invalidURL, "9,47;9,47,1": invalidURL, "9,47;0x1,2": invalidURL,
		"9,47;Inf,2": invalidURL, "9,47;9, 47": invalidURL, "9,47;9,91": invalidValue, "polyline()": invalidOptions, "polyline(!!)": invalidURL,
		strings.Repeat("9,47;", 50) + "9,47": tooBig,
	} {
		_, err := Coordinates(path, county)
		var e *fault.Error
		if !errors.As(err, &e) || e.Fields["code"] != code {
			t.Errorf("%q: %v, want %s", path, err, code)
		}
	}
}

func FuzzCoordinates(f *testing.F) {
	for _, seed := range []string{pair, "polyline(_p~iF~ps|U_ulLnnqC)", "polyline6(??)", "9,47;NaN,1e400", ";;,,.json"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, path string) {
		line, err := Coordinates(path, county)
		if err != nil {
			var e *fault.Error
			if !errors.As(err, &e) || e.Slug != fault.BadRequest || e.Fields["code"] == nil || len(e.Detail) > 1000 {
				t.Fatalf("%v", err)
			}
			return
		}
		if len(line) < 2 || len(line) > MaxLocations {
			t.Fatalf("%d coordinates", len(line))
		}
		for _, p := range line {
			if !p.Valid() {
				t.Fatalf("off the globe: %v", p)
			}
		}
	})
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
