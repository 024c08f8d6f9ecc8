package native_test

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/wire/native"
	"github.com/waygate/waygate/wire/native/ahead"
	"github.com/waygate/waygate/wire/schema"
)

func TestLocateReads(t *testing.T) {
	in, warnings, err := read[native.LocateRequest](`{"locations":[{"lat":1,"lon":2}],"costing":"truck","costing_options":{"truck":{"height":4,"wings":2}},"verbose":true,"units":"miles","colour":"red","linear_references":false}`)
	if err != nil {
		t.Fatal(err)
	}
	q, more, err := in.Locate(remote)
	if err != nil || q.Costing != costing.Truck || q.Options.Of(q.Costing).Height != 4 || !q.Verbose {
		t.Errorf("read as %+v, %v", q, err)
	}
	if len(q.Extra) != 2 || string(q.Extra["units"]) != `"miles"` || string(q.Extra["colour"]) != `"red"` {
		t.Errorf("a remote engine gets %s", q.Extra)
	}
	if warnings = append(warnings, more...); len(warnings) != 2 { // wings and colour
		t.Errorf("the caller is warned of %+v", warnings)
	}
	if q, more, err = in.Locate(embedded); err != nil || q.Extra != nil || fmt.Sprint(more) != "[{901 colour is not known here and had no effect colour} {903 units has no effect on the routing engine here units}]" {
		t.Errorf("%v %v", more, err)
	}
	in, _, err = read[native.LocateRequest](`{"locations":[{"lat":1,"lon":2}],"costing":"auto","exclude_polygons":[[[9,47],[9.01,47],[9,47.01]]]}`)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := in.Locate(embedded); !fault.IsNotEnabled(err) {
		t.Errorf("a member that cannot be honoured: %v", err)
	}
	_, _, err = read[native.LocateRequest](`{"locations":[{"lat":1,"lon":2}],"exclude_polygons":[[1]]}`)
	refused(t, "a member that is not used", err, "exclude_polygons[0][0]", "must be a position")
	if in, _, err = read[native.LocateRequest](`{"locations":[{"lat":1,"lon":2}],"banner_instructions":"yes"}`); err != nil {
		t.Fatal(err)
	}
	_, _, err = in.Locate(embedded)
	refused(t, "a member of routes", err, "banner_instructions", "must be true or false")
}

func TestCentroidReads(t *testing.T) {
	const ends = `"costing":"auto","locations":[{"lat":1,"lon":2,"type":"via"},{"lat":1,"lon":3}]`
	in, _, err := read[native.CentroidRequest](`{` + ends + `,"units":"mi","id":"x","speed_types":["freeflow"],"directions_options":{"directions_type":"none"}}`)
	if err != nil {
		t.Fatal(err)
	}
	q, _, err := in.Centroid(embedded)
	if err != nil || !q.Miles || q.ID != "x" || q.Directions != engine.NoDirections || len(q.SpeedTypes) != 1 || q.Locations[0].Stop != engine.Via {
		t.Errorf("%+v %v", q, err)
	}
	for members, location := range map[string]string{`"format":"osrm"`: "format", `"directions_options":{"format":"osrm"}`: "directions_options.format"} {
		_, _, err := read[native.CentroidRequest](`{` + ends + `,` + members + `}`)
		refused(t, members, err, location, "must be")
	}
	if in, _, err = read[native.CentroidRequest](`{` + ends + `,"date_time":{"type":0}}`); err != nil {
		t.Fatal(err)
	}
	if _, _, err := in.Centroid(embedded); !fault.IsNotEnabled(err) {
		t.Errorf("a time: %v", err)
	}
}

func TestStopsAndLines(t *testing.T) {
	const a, b = `{"lat":1,"lon":2}`, `{"lat":1,"lon":3}`
	const line, stops = `"shape":[` + a + `,` + b + `]`, `"locations":[` + a + `,` + b + `]`
	polygon := `"exclude_polygons":[[[9,47],[9.01,47],[9,47.01]]]`
	for members, want := range map[string]string{
		``:                                       "locations: is missing: the route is given by one of locations, shape, encoded_polyline",
		stops + `,` + line:                       "shape: stands beside locations",
		`"locations":[` + a + `]`:                "locations: has 1 of at least two locations",
		line + `,` + polygon:                     "shape: stands beside what bends a route",
		`"encoded_polyline":"~"`:                 "encoded_polyline: is not a polyline",
		`"encoded_polyline":"??"`:                "encoded_polyline: has 1 of at least two",
		`"shape":[{"lat":99,"lon":9},` + a + `]`: "shape[0].lat: is 99 and must be between -90 and 90 degrees",
	} {
		body := strings.Replace(`{"costing":"auto",`+members+`}`, ",}", "}", 1)
		_, _, err := read[ahead.ReportRequest](body)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", body, err, want)
		}
	}
	plan := func(rest string) string { return `{"costing":"auto","position":` + a + `,` + rest + `}` }
	for body, want := range map[string]string{
		plan(line): "",
		plan(`"origin":` + a + `,"destination":` + b):           "",
		plan(`"origin":` + a):                                   "destination: is missing: an origin needs one",
		plan(`"destination":` + a):                              "origin: is missing: a destination needs one",
		plan(`"id":1`):                                          "is missing: the plan is given by one of geometry_polyline6, shape, origin and destination",
		plan(line + `,"origin":` + a):                           "origin and destination: stands beside shape",
		plan(line + `,"encoded_polyline":"_p~iF~ps|U_ulLnnqC"`): "shape: stands beside encoded_polyline",
	} {
		if _, _, err := read[ahead.ProgressRequest](body); (want == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", body, err, want)
		}
	}
	in, _, err := read[ahead.ProgressRequest](plan(line))
	if err != nil || in.OffRouteThreshold != 50 || len(in.Line.Points()) != 2 || len(in.Points()) != 3 {
		t.Errorf("%+v %v", in, err)
	}
}

// TestCorridorOfOwnPlaces checks that a corridor counts for own places, and that a warning is
// given where one is set for others.
func TestCorridorOfOwnPlaces(t *testing.T) {
	const others = ends + `,"places":[{"lat":1,"lon":2}]`
	for body, want := range map[string]struct {
		metres   float64
		warnings int
	}{
		others:                        {5000, 0},
		others + `,"corridor_m":5000`: {5000, 1},
		ends + `,"dataset":"own"`:     {5000, 0},
		ends + `,"dataset":"own","corridor_m":900`: {900, 0},
	} {
		in, warnings, err := read[ahead.AlongRequest](`{` + body + `}`)
		if err != nil || len(warnings) != want.warnings || in.Corridor() != want.metres {
			t.Errorf("%s: %g m, %v, %v", body, in.Corridor(), warnings, err)
		}
	}
}

// endpoints are a request of each kind, and what reads one.
var endpoints = map[string]struct {
	body string
	read func(body string) ([]engine.Warning, error)
}{
	"route":     {ends, func(b string) ([]engine.Warning, error) { out, err := route(embedded, b); return warningsOf(out), err }},
	"matrix":    {ends, func(b string) ([]engine.Warning, error) { _, w, err := matrix(embedded, b, 99); return w, err }},
	"isochrone": {`"costing":"auto",` + here + `,"contours":[{"time":1}]`, func(b string) ([]engine.Warning, error) { _, w, err := isochrone(embedded, b); return w, err }},
	"trace":     {`"costing":"auto",` + two, func(b string) ([]engine.Warning, error) { _, w, err := match(embedded, b, false); return w, err }},
	"locate": {ends, asking(func(r *native.LocateRequest) ([]engine.Warning, error) {
		_, w, err := r.Locate(embedded)
		return w, err
	})},
	"centroid": {ends, asking(func(r *native.CentroidRequest) ([]engine.Warning, error) {
		_, w, err := r.Centroid(embedded)
		return w, err
	})},
	"along":    {ends + `,"places":[{"lat":1,"lon":2}]`, asking(func(r *ahead.AlongRequest) ([]engine.Warning, error) { _, w, err := r.Heeded(); return w, err })},
	"report":   {ends, asking(func(r *ahead.ReportRequest) ([]engine.Warning, error) { _, w, err := r.Heeded(); return w, err })},
	"progress": {`"costing":"auto","position":{"lat":1,"lon":2},` + two, asking(func(r *ahead.ProgressRequest) ([]engine.Warning, error) { _, w, err := r.Heeded(); return w, err })},
}

const ends = `"costing":"auto","locations":[{"lat":47.1,"lon":9.5},{"lat":47.2,"lon":9.6}]`

func warningsOf(r *routed) []engine.Warning {
	if r == nil {
		return nil
	}
	return r.Warnings
}

func asking[T any](ask func(*T) ([]engine.Warning, error)) func(body string) ([]engine.Warning, error) {
	return func(body string) ([]engine.Warning, error) {
		in, warnings, err := read[T](body)
		if err != nil {
			return nil, err
		}
		more, err := ask(&in)
		return append(warnings, more...), err
	}
}

// TestOneSetOfManners checks that every endpoint takes the same things alike.
func TestOneSetOfManners(t *testing.T) {
	for name, e := range endpoints {
		for members, want := range map[string]string{
			`"colour":"red"`: "[{901 colour is not known here and had no effect colour}]",
			`"costing_options":{"auto":{"use_scenery":0.3}}`: "[{902 costing_options.auto.use_scenery is not an option of auto and had no effect costing_options.auto.use_scenery}]",
			`"costing_options":{"bicycle":{"use_hills":1}}`:  "[{903 costing_options.bicycle has no effect: the costing is auto costing_options.bicycle}]",
			`"costing_options":{"hovercraft":{}}`:            "[{901 costing_options.hovercraft is not one of the costings auto, truck, bus, motor_scooter, motorcycle, bicycle, pedestrian and had no effect costing_options.hovercraft}]",
			`"costing_options":{"truck":{}}`:                 "[]",
		} {
			if warnings, err := e.read(`{` + e.body + `,` + members + `}`); err != nil || fmt.Sprint(warnings) != want {
				t.Errorf("%s with %s: %v %v, want %s", name, members, warnings, err, want)
			}
		}
		without := `{` + strings.Replace(e.body, `"costing":"auto",`, ``, 1)
		if warnings, err := e.read(without + `}`); err != nil || len(warnings) > 0 {
			t.Errorf("%s without costing: %v %v", name, warnings, err)
		}
		if _, err := e.read(without + `,"costing_options":{"truck":{"height":4}}}`); err == nil || !strings.Contains(err.Error(), "costing_options.truck: needs the costing truck; the costing is auto") {
			t.Errorf("%s without costing and with a truck's options: %v", name, err)
		}
		for members, says := range map[string]string{
			`"costing_options":{"truck":{"height":4}}`:      "costing_options.truck: needs the costing truck; the costing is auto",
			`"costing_options":{"auto":{"hazmat":true}}`:    "costing_options.auto.hazmat: needs the costing truck; the costing is auto",
			`"costing_options":{"auto":{"top_speed":9000}}`: "costing_options.auto.top_speed: must be between 10 and 252 km/h",
		} {
			if _, err := e.read(`{` + e.body + `,` + members + `}`); err == nil || !strings.Contains(err.Error(), says) {
				t.Errorf("%s with %s: %v, want %q", name, members, err, says)
			}
		}
		if name == "route" {
			continue
		}
		for member, says := range map[string]string{
			`"adr":{"hazmat":true}`: "adr counts on POST /route and POST /optimise only and had no effect here; say it here with costing_options.truck",
			`"adr":{}`:              "say it here with costing_options.truck",
			`"avoid":["tolls"]`:     "avoid counts on POST /route only and had no effect here; say it here with the use_ options",
			`"exclude":["tolls"]`:   "exclude counts on POST /route only and had no effect here; say it here with the exclude_ options",
		} {
			if warnings, err := e.read(`{` + e.body + `,` + member + `}`); err != nil || len(warnings) != 1 || !strings.Contains(warnings[0].Text, says) {
				t.Errorf("%s with %s: %v %v", name, member, warnings, err)
			}
		}
	}
}

// TestSwappedPlaces checks that every endpoint hints at coordinates that are the
// wrong way round.
func TestSwappedPlaces(t *testing.T) {
	const far = `{"lat":147,"lon":9}`
	const where, line = `"locations":[` + far + `,{"lat":1,"lon":2}]`, `"shape":[` + far + `,{"lat":1,"lon":2}]`
	hinted[native.RouteRequest](t, where)
	hinted[native.MatrixRequest](t, where)
	hinted[native.IsochroneRequest](t, `"locations":[`+far+`],"contours":[{"time":1}]`)
	hinted[native.TraceRequest](t, line)
	hinted[native.LocateRequest](t, where)
	hinted[native.CentroidRequest](t, where)
	hinted[ahead.AlongRequest](t, `"places":[`+far+`],`+where)
	hinted[ahead.ReportRequest](t, line)
	hinted[ahead.ProgressRequest](t, line+`,"position":`+far)
	hinted[native.RouteRequest](t, `"exclude_locations":[`+far+`],"locations":[{"lat":1,"lon":2},{"lat":1,"lon":2}]`)
}

func hinted[T any](t *testing.T, members string) {
	t.Helper()
	_, err := schema.Of[T]().Read(context.Background(), []byte(`{"costing":"auto",`+members+`}`), new(T), schema.Options{})
	if err == nil || !strings.Contains(err.Error(), "lat: is 147 and must be between -90 and 90 degrees; are lat and lon swapped?") {
		t.Errorf("%T: %v", *new(T), err)
	}
}

// TestDimensionsAreTheTables checks that a load is taken in the ranges of the
// truck's options that it becomes.
func TestDimensionsAreTheTables(t *testing.T) {
	d := schema.NewDocument(schema.Info{})
	s := d.Resolve(d.Schema(reflect.TypeFor[native.TruckDimensions]()))
	for member, o := range map[string]costing.Option{
		"height_m": costing.Height, "width_m": costing.Width, "length_m": costing.Length, "gross_weight_t": costing.Weight, "axle_load_t": costing.AxleLoad, "axle_count": costing.AxleCount,
	} {
		if p := s.Properties[member]; *p.Minimum != o.Row().Min || *p.Maximum != o.Row().Max {
			t.Errorf("%s is from %g to %g, and %s from %g to %g", member, *p.Minimum, *p.Maximum, o, o.Row().Min, o.Row().Max)
		}
	}
	if len(s.Properties) != 6 {
		t.Errorf("%d dimensions", len(s.Properties))
	}
}

// TestDefaultsAreTheEngines checks that a location is described with what an
// engine takes where it says nothing.
func TestDefaultsAreTheEngines(t *testing.T) {
	d := schema.NewDocument(schema.Info{})
	s := d.Resolve(d.Schema(reflect.TypeFor[native.RouteLocation]()))
	for member, want := range map[string]any{
		"heading_tolerance": engine.UsualHeadingTolerance, "search_cutoff": engine.UsualCutoff,
		"street_side_tolerance": engine.UsualSideTolerance, "street_side_max_distance": engine.UsualSideMaxDistance,
	} {
		if got := s.Properties[member].Extensions["x-default"]; fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s is described with the default %v, and has %v", member, got, want)
		}
	}
}

// TestOptionsAreDescribed checks that the description has every option with its
// range.
func TestOptionsAreDescribed(t *testing.T) {
	d := schema.NewDocument(schema.Info{})
	all := d.Resolve(d.Schema(reflect.TypeFor[native.CostingOptions]()))
	for _, c := range costing.All {
		of := d.Resolve(all.Properties[c.String()])
		if len(of.Properties) != len(costing.Of(c)) {
			t.Errorf("%s has %d options, %d of them described", c, len(costing.Of(c)), len(of.Properties))
		}
	}
	text, err := json.Marshal(d.Resolve(all.Properties["truck"]).Properties["height"])
	if want := `{"description":"height of the vehicle, in metres; rounded up to 0.05; by default 4.11","maximum":10,"minimum":0,"type":"number","x-default":4.11}`; err != nil || string(text) != want {
		t.Errorf("%s %v", text, err)
	}
}

// FuzzRequests sends anything to every reader: what is taken is within the
// limits, and what is not is a fault of the caller's that can be shown.
func FuzzRequests(f *testing.F) {
	for _, e := range endpoints {
		f.Add([]byte(`{` + e.body + `}`))
	}
	f.Add([]byte(`{"costing":"truck","shape":[{"lat":1e400,"lon":0},{"lat":null,"lon":[]}],"filters":{"attributes":null},"durations":[1e308],"begin_time":1e308}`))
	f.Add([]byte(`{"costing":null,"locations":null,"sources":[{}],"targets":[null],"exclude_polygons":[[[]]],"date_time":{}}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		for name, e := range endpoints {
			_, err := e.read(string(body))
			if err == nil {
				continue
			}
			if fault.Is(err, fault.Internal) || err.Error() == "" {
				t.Fatalf("%s: %v", name, err)
			}
			if _, err := json.Marshal(err); err != nil {
				t.Fatalf("%s: the problem cannot be shown: %v", name, err)
			}
		}
		if in, _, err := read[native.TraceRequest](string(body)); err == nil {
			q, _, _ := in.Match(embedded, false)
			if n := len(q.Trace); n < 2 || n > 20_000 || !q.Costing.Valid() {
				t.Fatalf("%d positions, costing %s", n, q.Costing)
			}
			for i, p := range q.Trace {
				if !p.Point.Valid() {
					t.Fatalf("position %d is %v", i, p.Point)
				}
			}
		}
	})
}
