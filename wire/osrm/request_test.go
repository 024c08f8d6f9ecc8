package osrm

import (
	"errors"
	"strings"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/wire/schema"
)

const pair = "9.5,47.1;9.6,47.2"

var county = geo.Bounds{Min: geo.Point{Lon: 9, Lat: 47}, Max: geo.Point{Lon: 10, Lat: 48}}

func TestProfiles(t *testing.T) {
	reached := map[costing.Costing]bool{}
	for _, p := range profileWords() {
		c, err := profile(p)
		if err != nil || !c.Valid() {
			t.Errorf("%s: %v %v", p, c, err)
		}
		reached[c] = true
	}
	if len(reached) != len(costing.All) {
		t.Errorf("the profiles reach %v", reached)
	}
	if _, err := profile("plane"); err == nil || !strings.Contains(err.Error(), "driving") {
		t.Errorf("plane: %v", err)
	}
}

func TestCoordinates(t *testing.T) {
	line := []geo.Point{{Lon: 9.5, Lat: 47.1}, {Lon: 9.6, Lat: 47.2}}
	for _, path := range []string{pair, pair + ".json", "+9.5,47.10;9.6,472e-1", "polyline(" + geo.EncodePolyline(line, 5) + ")", "polyline6(" + geo.EncodePolyline(line, 6) + ").json"} {
		got, err := coordinates(path, RouteService, county)
		if err != nil || len(got) != 2 || geo.Distance(got[0], line[0])+geo.Distance(got[1], line[1]) > 0.1 {
			t.Errorf("%s: %v %v", path, got, err)
		}
	}
	for path, code := range map[string]string{
		"": InvalidOptions, "9,47": InvalidOptions, ";": InvalidURL, "9,47;": InvalidURL, "9,47;9": InvalidURL, "9,47;9,47,1": InvalidURL, "9,47;0x1,2": InvalidURL,
		"9,47;Inf,2": InvalidURL, "9,47;9, 47": InvalidURL, "9,47;9,91": InvalidValue, "polyline()": InvalidOptions, "polyline(!!)": InvalidURL,
		strings.Repeat("9,47;", 50) + "9,47": TooBig,
	} {
		_, err := coordinates(path, RouteService, county)
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
		line, err := coordinates(path, RouteService, county)
		if err != nil {
			var e *fault.Error
			if !errors.As(err, &e) || e.Slug != fault.BadRequest || e.Fields["code"] == nil || len(e.Detail) > 1000 {
				t.Fatalf("%v", err)
			}
			return
		}
		if len(line) < 2 || len(line) > 50 {
			t.Fatalf("%d coordinates", len(line))
		}
		for _, p := range line {
			if !p.Valid() {
				t.Fatalf("off the globe: %v", p)
			}
		}
	})
}

func route(profile, coordinates, query string) (*Route, error) {
	return (&URL{profile, coordinates, query, county, nil, false, nil, nil, nil}).Route()
}

func TestRouteReads(t *testing.T) {
	req, err := route("truck", "9.5,47.1;9.55,47.15;9.6,47.2", strings.Join([]string{
		"overview=full", "steps=true", "geometries=geojson", "alternatives=2", "annotations=distance,duration", "continue_straight=true",
		"bearings=90,20;;180", "voice_instructions=true", "banner_instructions=true", "voice_units=british_imperial", "landmarks=true", "snapping=any", "roundabout_exits=false", "translated_names=true", "radiuses=unlimited;50;", "approaches=curb;unrestricted;opposite", "hints=;;", "generate_hints=false", "language=de",
		"height=4", "weight=40", "hazmat=false", "tunnel_code=%28%E2%80%94%29", "avoid_tolls=true", "avoid_ferries=false", "avoid=highways,tolls", "exclude=bridges", "shortest=true",
	}, "&"))
	if err != nil {
		t.Fatal(err)
	}
	r := &req.Route
	l := r.Locations
	if r.Overview != "full" || !r.Steps || r.Geometries != "geojson" || r.Language != "de" || r.Format != engine.OSRM {
		t.Errorf("%+v", r)
	}
	if !req.Landmarks || !r.JoinRoundabouts || !r.TranslatedNames || !r.Voice || !r.Banners || !r.Miles || r.Annotations != engine.AnnotateDistance|engine.AnnotateDuration {
		t.Errorf("%+v", r)
	}
	if r.Alternates != 2 {
		t.Errorf("%d alternates", r.Alternates)
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
	req, err = route("car", "9.5,47.1;9.55,47.15;9.6,47.2", "waypoints=0;2&alternatives=true&skip_waypoints=true")
	if err != nil || req.Route.Locations[1].Stop != engine.Via || !req.Route.SkipWaypoints {
		t.Errorf("%v %+v", err, req)
	}
}

func TestRouteRefusals(t *testing.T) {
	for _, c := range []struct{ profile, query, code, says string }{
		{"plane", "", InvalidValue, "driving"},
		{"car", "steps=yes", InvalidValue, "steps"},
		{"car", "geometries=wkt", InvalidValue, "polyline6"},
		{"car", "snapping=none", InvalidValue, "default, any"},
		{"car", "voice_units=nautical", InvalidValue, "imperial"},
		{"car", "voice_instructions=1", InvalidValue, "true or false"},
		{"car", "voice_instructions=true", InvalidOptions, "steps=true"},
		{"car", "banner_instructions=true&steps=false", InvalidOptions, "steps=true"},
		{"car", "annotations=", InvalidValue, "annotations"},
		{"car", "annotations=speed,,nodes", InvalidValue, "annotations"},
		{"car", "alternatives=99", InvalidValue, "at most 3"},
		{"car", "alternatives=1.5", InvalidValue, "0 to 3"},
		{"car", "alternatives=", InvalidValue, "0 to 3"},
		{"car", "overview=", InvalidValue, "simplified"},
		{"car", "overview=TRUE", InvalidValue, "simplified"},
		{"car", "approaches=;;", InvalidValue, "3 entries"},
		{"car", "bearings=90", InvalidValue, "1 entries"},
		{"car", "bearings=north;", InvalidValue, "bearings[0]"},
		{"car", "bearings=,20;", InvalidValue, "bearings[0]"},
		{"car", "bearings=90,;", InvalidValue, "range"},
		{"car", "radiuses=far;", InvalidValue, "radiuses[0]"},
		{"car", "radiuses=-1;", InvalidValue, "radiuses[0]"},
		{"car", "waypoints=0;;1", InvalidValue, "no index"},
		{"car", "waypoints=0;x", InvalidValue, "no index"},
		{"car", "skip_waypoints=maybe", InvalidValue, "skip_waypoints"},
		{"car", "continue_straight=", InvalidValue, "default"},
		{"car", "language=-", InvalidValue, "BCP 47"},
		{"car", "steps=true&steps=true", InvalidQuery, "twice"},
		{"truck", "height=", InvalidValue, "number"},
		{"truck", "tunnel_code=F", InvalidValue, "tunnel_code"},
		{"car", "alternatives=-1", InvalidValue, "0 to 3"},
		{"car", "alternatives=9", InvalidValue, "at most 3"},
		{"car", "annotations=colour", InvalidValue, "colour"},
		{"car", "approaches=curb", InvalidValue, "1 entries and there are 2 coordinates"},
		{"car", "approaches=curb;left", InvalidValue, "approaches[1]"},
		{"car", "radiuses=;0", InvalidValue, "radiuses[1]"},
		{"car", "radiuses=1;2;3", InvalidValue, "3 entries and there are 2"},
		{"car", "bearings=400;", InvalidValue, "bearings[0]"},
		{"car", "bearings=0,181;", InvalidValue, "range between 0 and 180"},
		{"car", "waypoints=0;5", InvalidValue, "no index"},
		{"car", "waypoints=1", InvalidValue, "first and the last"},
		{"car", "continue_straight=maybe", InvalidValue, "default"},
		{"car", "language=e%20n", InvalidValue, "BCP 47"},
		{"car", "weight=3", InvalidValue, "truck"},
		{"car", "hazmat=false", InvalidValue, "truck"},
		{"truck", "height=NaN", InvalidValue, "number"},
		{"truck", "height=1e999", InvalidValue, "number"},
		{"truck", "weight=101", InvalidValue, "between 0 and 100 tonnes"},
		{"truck", "hazmat=1", InvalidValue, "true or false"},
		{"foot", "avoid_motorways=true", InvalidValue, "motorised"},
		{"bike", "avoid_tolls=false", InvalidValue, "motorised"},
		{"car", "shortest=", InvalidValue, "shortest"},
		{"car", "%zz=1", InvalidQuery, "malformed"},
		{"car", "=1", InvalidQuery, "without a name"},
		{"car", "landmarks=true", InvalidOptions, "steps=true"},
	} {
		_, err := route(c.profile, pair, c.query)
		var e *fault.Error
		if !errors.As(err, &e) || e.Fields["code"] != c.code || !strings.Contains(e.Detail, c.says) {
			t.Errorf("%s?%s: %v, want %s with %q", c.profile, c.query, err, c.code, c.says)
		}
	}
	for query, slug := range map[string]fault.Slug{"avoid=bridges": fault.InvalidAvoid, "exclude=motorway": fault.InvalidAvoid} {
		if _, err := route("car", pair, query); !fault.Is(err, slug) {
			t.Errorf("%s: %v", query, err)
		}
	}
	_, err := route("car", pair, "exclude=motorway,toll&avoid=ferry")
	for _, says := range []string{"motorway is highways here", "toll is tolls here", "ferry is ferries here"} {
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %q", err, says)
		}
	}
	if _, err := route("foot", pair, "avoid_ferries=true&access_token=x&api_key=y"); err != nil {
		t.Errorf("%v", err)
	}
}

func TestRefusals(t *testing.T) {
	const pair = "9.5,47.1;9.6,47.2"
	read := map[string]func(u *URL) error{
		"table": func(u *URL) error { _, err := u.Table(250_000); return err },
		"near":  func(u *URL) error { _, err := u.Nearest(); return err },
		"match": func(u *URL) error { _, err := u.Match(); return err },
		"trip":  func(u *URL) error { _, err := u.Trip(); return err },
	}
	for _, x := range []struct{ service, profile, coordinates, query, code, says string }{
		{"table", "plane", pair, "", "InvalidValue", "driving"},
		{"table", "car", "9.5,47.1", "", "InvalidOptions", "at least two"},
		{"table", "car", strings.Repeat("9,47;", 1000) + "9,47", "", "TooBig", "1001"},
		{"table", "car", pair, "sources=2", "InvalidValue", "no index"},
		{"table", "car", pair, "destinations=0;;1", "InvalidValue", "no index"},
		{"table", "car", pair, "annotations=speed", "InvalidValue", "duration and distance"},
		{"table", "car", pair, "annotations=", "InvalidValue", "duration and distance"},
		{"table", "car", pair, "fallback_speed=0", "InvalidValue", "from 0.0"},
		{"table", "car", pair, "fallback_speed=NaN", "InvalidValue", "from 0.0"},
		{"table", "car", pair, "scale_factor=-1", "InvalidValue", "from 0.0"},
		{"table", "car", pair, "fallback_coordinate=road", "InvalidValue", "snapped"},
		{"table", "car", pair, "bearings=0", "InvalidValue", "1 entries"},
		{"table", "car", pair, "height=4", "InvalidValue", "truck"},
		{"table", "truck", pair, "height=40", "InvalidValue", "between"},
		{"near", "car", pair, "", "TooBig", "2 coordinates"},
		{"near", "car", "9.5,47.1", "number=0", "InvalidValue", "1 to 100"},
		{"near", "car", "9.5,47.1", "number=many", "InvalidValue", "1 to 100"},
		{"near", "car", "9.5,47.1", "number=101", "TooBig", "at most 100"},
		{"match", "car", "9.5,47.1", "", "InvalidOptions", "at least two"},
		{"match", "car", pair, "timestamps=5", "InvalidValue", "1 entries"},
		{"match", "car", pair, "timestamps=5;x", "InvalidValue", "timestamps[1]"},
		{"match", "car", pair, "timestamps=5;4", "InvalidValue", "before"},
		{"match", "car", pair, "timestamps=5;", "InvalidValue", "timestamps[1]"},
		{"match", "car", pair, "radiuses=0;5", "InvalidValue", "radiuses[0]"},
		{"match", "car", pair, "radiuses=NaN;5", "InvalidValue", "radiuses[0]"},
		{"match", "car", pair, "gaps=leap", "InvalidValue", "split"},
		{"match", "car", pair, "tidy=1", "InvalidValue", "tidy"},
		{"match", "car", pair, "waypoints=0", "InvalidValue", "the last"},
		{"match", "car", pair, "voice_instructions=true", "InvalidOptions", "steps"},
		{"trip", "car", pair, "roundtrip=yes", "InvalidValue", "roundtrip"},
		{"trip", "car", pair, "source=last", "InvalidValue", "first"},
		{"trip", "car", pair, "destination=first", "InvalidValue", "last"},
		{"trip", "car", strings.Repeat("9,47;", 50) + "9,47", "", "TooBig", "51"},
	} {
		err := read[x.service](&URL{x.profile, x.coordinates, x.query, county, nil, false, nil, nil, nil})
		var e *fault.Error
		if !errors.As(err, &e) || e.Fields["code"] != x.code || !strings.Contains(err.Error(), x.says) {
			t.Errorf("%s %s?%s: %v, want %s with %q", x.service, x.profile, x.query, err, x.code, x.says)
		}
	}
	if _, err := (&URL{"car", strings.Repeat("9,47;", 500) + "9,47", "", county, nil, false, nil, nil, nil}).Table(250_000); err == nil || !strings.Contains(err.Error(), "make 251001 cells, and one request may have 250000") {
		t.Errorf("%v", err)
	}
}

// TestUnknownParametersAreTold sends what only another service reads, and what
// none does.
func TestUnknownParametersAreTold(t *testing.T) {
	for _, c := range []struct {
		read  func(*URL) error
		at    string
		query string
		names []string
	}{
		{func(u *URL) error { _, err := u.Route(); return err }, pair, "colour=red&steps=true&Alternatives=2&sources=0", []string{"Alternatives", "colour", "sources"}},
		{func(u *URL) error { _, err := u.Table(10); return err }, pair, "steps=true&number=1", []string{"number", "steps"}},
		{func(u *URL) error { _, err := u.Nearest(); return err }, "9.5,47.1", "waypoints=0&number=2", []string{"waypoints"}},
		{func(u *URL) error { _, err := u.Match(); return err }, pair, "fallback_speed=1&tidy=true", []string{"fallback_speed"}},
		{func(u *URL) error { _, err := u.Trip(); return err }, pair, "alternatives=2&roundtrip=true", []string{"alternatives"}},
	} {
		u := &URL{"car", c.at, c.query, county, nil, false, nil, nil, nil}
		if err := c.read(u); err != nil || len(u.Warnings) != len(c.names) {
			t.Errorf("%s: %v %v", c.query, err, u.Warnings)
			continue
		}
		for i, name := range c.names {
			if w := u.Warnings[i]; w.Code != schema.UnknownMember || w.Text != name+" is not known here and had no effect" {
				t.Errorf("%s: %v", c.query, w)
			}
		}
	}
}

func TestServicesRead(t *testing.T) {
	table, err := (&URL{"truck", pair, "sources=1&annotations=distance&fallback_speed=5&fallback_coordinate=snapped&scale_factor=2&height=4", county, nil, false, nil, nil, nil}).Table(10)
	if err != nil || len(table.From) != 1 || table.To != nil || table.Durations || !table.Distances || table.Fallback != 5 || table.Asked || table.Scale != 2 || len(table.Matrix.Sources) != 1 || len(table.Matrix.Targets) != 2 {
		t.Errorf("%+v %v", table, err)
	}
	for words, want := range map[string][2]bool{"": {true, false}, "&annotations=duration": {true, false}, "&annotations=distance": {false, true}, "&annotations=distance,duration": {true, true}} {
		if table, err := (&URL{"car", pair, "scale_factor=1" + words, county, nil, false, nil, nil, nil}).Table(10); err != nil || table.Durations != want[0] || table.Distances != want[1] {
			t.Errorf("%s: %+v %v", words, table, err)
		}
	}
	nearest, err := (&URL{"foot", "9.5,47.1", "number=7&bearings=20,5&exclude=tolls&avoid_ferries=false", county, nil, false, nil, nil, nil}).Nearest()
	if err != nil || nearest.Nearest.Number != 7 || *nearest.Nearest.Location.Heading != 20 || nearest.Nearest.Costing != costing.Pedestrian {
		t.Errorf("%+v %v", nearest, err)
	}
	if _, err := (&URL{"car", "9.5,47.1", "avoid=tolls", county, nil, false, nil, nil, nil}).Nearest(); err == nil || !strings.Contains(err.Error(), "prefers one way to another") {
		t.Errorf("%v", err)
	}
	match, err := (&URL{"car", "9.5,47.1;9.55,47.1;9.6,47.1", "timestamps=5;6;6&radiuses=3;;7&gaps=ignore&waypoints=0;2&skip_waypoints=true", county, nil, false, nil, nil, nil}).Match()
	if err != nil || *match.Match.Trace[1].Time != 6 || *match.Match.Tuning.GPSAccuracy != 7 || *match.Match.Tuning.Breakage != 20_000 || len(match.Stops) != 2 || !match.Match.SkipWaypoints ||
		match.Match.Trace[1].Stop != engine.Via || match.Match.Trace[2].Stop != engine.BreakThrough {
		t.Errorf("%+v %v", match, err)
	}
	trip, err := (&URL{"car", pair, "roundtrip=false&source=first&destination=last", county, nil, false, nil, nil, nil}).Trip()
	if err != nil || !trip.Open || !trip.First || !trip.Last {
		t.Errorf("%+v %v", trip, err)
	}
}

// The words and their refusals are those of a route; what prefers one way to
// another is refused where there is none to choose.
func TestAvoid(t *testing.T) {
	const pair = "9.5,47.1;9.6,47.2"
	type reader struct {
		name, coordinates string
		read              func(u *URL) error
		chooses           bool
	}
	all := []reader{
		{"table", pair, func(u *URL) error { _, err := u.Table(100); return err }, true},
		{"trip", pair, func(u *URL) error { _, err := u.Trip(); return err }, true},
		{"nearest", "9.5,47.1", func(u *URL) error { _, err := u.Nearest(); return err }, false},
		{"match", pair, func(u *URL) error { _, err := u.Match(); return err }, false},
	}
	for _, r := range all {
		for _, x := range []struct{ profile, query, says string }{
			{"car", "avoid=bridges", `avoid: "bridges" is not supported for auto; it takes tolls, highways, ferries`},
			{"car", "exclude=motorway", "what other servers call motorway is highways here"},
			{"car", "exclude=tolls,", `exclude: "" is not supported`},
			{"bike", "avoid=tolls", `avoid: "tolls" is not supported for bicycle`},
			{"car", "avoid=uturn&exclude=spaceport", `avoid: "uturn" is not supported for auto; it takes tolls, highways, ferries; exclude: "spaceport"`},
			{"car", "exclude=" + strings.Repeat("x,", 500), "491 more words fail"},
		} {
			err := r.read(&URL{x.profile, r.coordinates, x.query, county, nil, false, nil, nil, nil})
			if !fault.Is(err, fault.InvalidAvoid) || code(err) != "InvalidValue" || !strings.Contains(err.Error(), x.says) || len(err.Error()) > 3000 {
				t.Errorf("%s?%s: %v, want %q", r.name, x.query, err, x.says)
			}
		}
		for _, query := range []string{"avoid=tolls,highways", "avoid_tolls=true", "avoid_motorways=true", "avoid_ferries=true"} {
			err := r.read(&URL{"car", r.coordinates, query, county, nil, false, nil, nil, nil})
			if r.chooses && err != nil || !r.chooses && (code(err) != "InvalidValue" || !strings.Contains(err.Error(), strings.Split(query, "=")[0]+" is ")) {
				t.Errorf("%s?%s: %v", r.name, query, err)
			}
		}
		for _, query := range []string{"avoid=&exclude=", "exclude=tolls,tolls", "exclude=highways&avoid_ferries=false", "exclude=%74olls", "shortest=true"} {
			if err := r.read(&URL{"car", r.coordinates, query, county, nil, false, nil, nil, nil}); err != nil {
				t.Errorf("%s?%s: %v", r.name, query, err)
			}
		}
	}
}

func code(err error) any {
	var e *fault.Error
	if errors.As(err, &e) {
		return e.Fields["code"]
	}
	return nil
}

// TestParametersAreDescribed checks that every parameter that a service reads is
// described, once and with a sentence, but those it takes to refuse them.
func TestParametersAreDescribed(t *testing.T) {
	for s := range limits {
		described := map[string]bool{}
		for _, p := range s.Parameters() {
			if described[p.Name] || p.Description == "" || p.Schema.Type == "" {
				t.Errorf("%d: %s: %+v", s, p.Name, p)
			}
			described[p.Name] = true
		}
		for i := range parameters {
			if p := &parameters[i]; p.of&s != 0 && described[p.name] == (p.prefers && s&chosen == 0) {
				t.Errorf("%d: %s is described: %v", s, p.name, described[p.name])
			}
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add("driving", pair, "overview=false&steps=true&hints=;&radiuses=;5&bearings=1,2;&approaches=curb;")
	f.Add("truck", "9,47", "height=4&tunnel_code=B%2FD&annotations=true,nodes&snapping=any&number=3")
	f.Add("foot", "polyline(_p~iF~ps|U_ulLnnqC)", "avoid_ferries=true&voice_units=imperial&language=de-CH&a=%zz")
	f.Add("car", "9,47;9,48", "sources=0&destinations=all&annotations=duration&fallback_speed=5")
	f.Add("bike", "9,47;9,48", "timestamps=1;2&gaps=split&tidy=true&waypoints=0;1&roundtrip=false&source=first")
	f.Fuzz(func(t *testing.T, profile, coordinates, query string) {
		u := URL{profile, coordinates, query, county, nil, false, nil, nil, nil}
		route, e1 := u.Route()
		table, e2 := u.Table(100)
		nearest, e3 := u.Nearest()
		match, e4 := u.Match()
		trip, e5 := u.Trip()
		for _, err := range []error{e1, e2, e3, e4, e5} {
			var e *fault.Error
			if err != nil && (!errors.As(err, &e) || e.Slug != fault.BadRequest && e.Slug != fault.InvalidAvoid || e.Fields["code"] == nil || len(e.Detail) > 2000) {
				t.Fatalf("%v", err)
			}
		}
		if e1 == nil && (!route.Route.Costing.Valid() || len(route.Route.Locations) < 2) || e2 == nil && len(table.Matrix.Sources)*len(table.Matrix.Targets) > 100 ||
			e3 == nil && nearest.Nearest.Number < 1 || e4 == nil && len(match.Match.Trace) < 2 || e5 == nil && len(trip.Route.Locations) > 50 {
			t.Fatalf("taken: %s %s %s", profile, coordinates, query)
		}
	})
}
