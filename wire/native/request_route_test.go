package native_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/wire/native"
	"github.com/waygate/waygate/wire/schema"
)

var county = geo.Bounds{Min: geo.Point{Lon: 9, Lat: 47}, Max: geo.Point{Lon: 10, Lat: 48}}

// embedded and remote are abilities of engines: ours, and one that takes members that the
// gateway lacks.
var (
	embedded = engine.Can{AlternatesVia: true, ShapeFormats: true}
	remote   = engine.Can{UnknownMembers: true, MatchConditions: true}
)

// read reads a request in the county.
func read[T any](body string) (in T, warnings []engine.Warning, err error) {
	warnings, err = schema.Of[T]().Read(context.Background(), []byte(body), &in, schema.Options{Bounds: county})
	return in, warnings, err
}

// routed is the body of POST /route as it was read.
type routed struct {
	Route    engine.RouteRequest
	Warnings []engine.Warning
}

// route reads the body of POST /route for an engine.
func route(can engine.Can, body string) (*routed, error) {
	in, warnings, err := read[native.RouteRequest](body)
	if err != nil {
		return nil, err
	}
	q, _, more, err := in.Route(can)
	if err != nil {
		return nil, err
	}
	return &routed{*q, append(warnings, more...)}, nil
}

// with makes a valid body and puts members over it.
func with(members ...string) string {
	m := map[string]json.RawMessage{
		"locations": json.RawMessage(`[{"lat":47.1,"lon":9.5},{"lat":47.2,"lon":9.6}]`),
		"costing":   json.RawMessage(`"auto"`),
	}
	for i := 0; i+1 < len(members); i += 2 {
		if members[i+1] == "" {
			delete(m, members[i])
			continue
		}
		m[members[i]] = json.RawMessage(members[i+1])
	}
	b, err := json.Marshal(m)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// first makes a valid body whose first location has the members.
func first(members string) string {
	return with("locations", `[{"lat":47.1,"lon":9.5,`+members+`},{"lat":47.2,"lon":9.6}]`)
}

const profile = `"dimensions":{"height_m":4,"width_m":2.5,"length_m":16.5,"gross_weight_t":40}`

func lorryBody(adr string, members ...string) string {
	return with(append([]string{"costing", `"truck"`, "adr", adr}, members...)...)
}

func TestFeaturesOfAPremiumCall(t *testing.T) {
	const load = `{` + profile + `,"tunnel_code":"C","hazmat":true}`
	for body, want := range map[string]string{with(): "[]", with("costing", `"truck"`): "[truck]", lorryBody(load): "[truck adr]"} {
		in, _, err := read[native.RouteRequest](body)
		if got := fmt.Sprint(in.Features()); err != nil || got != want {
			t.Errorf("%s: %s %v", body, got, err)
		}
	}
	// Wherever a costing is given a load makes the call Premium, heeded or not.
	in, _, err := read[native.MatrixRequest](`{"costing":"truck","locations":[{"lat":1,"lon":2}],"adr":` + load + `}`)
	if got := fmt.Sprint(in.Features()); err != nil || got != "[truck adr]" {
		t.Errorf("%s %v", got, err)
	}
}

func TestRouteRefusals(t *testing.T) {
	for _, c := range []struct {
		body     string
		slug     fault.Slug
		location string // of the first violation
		says     string // in the detail
	}{
		{``, fault.BadRequest, "", "empty"},
		{`  `, fault.BadRequest, "", "empty"},
		{`[]`, fault.BadRequest, "", "JSON object"},
		{`null`, fault.BadRequest, "", "JSON object"},
		{`"x"`, fault.BadRequest, "", "JSON object"},
		{"{\n\"costing\": auto}", fault.BadRequest, "", "line 2, column 12"},
		{`{"locations":[`, fault.BadRequest, "", "line 1"},
		{"{\n\"costing\": \"\xff\"}", fault.BadRequest, "", "not UTF-8: line 2, column 13: byte 0xff"},
		{with() + `{}`, fault.BadRequest, "", "line 1, column"},
		{`{"costing":"auto","costing":"bus"}`, fault.BadRequest, "costing", "twice"},
		{first(`"name":"a","n\u0061me":"b"`), fault.BadRequest, "locations[0].name", "twice"},

		{with("costing", "", "adr", `{`+profile+`,"tunnel_code":null,"hazmat":true}`), fault.BadRequest, "adr", "needs the costing truck; the costing is auto"},
		{with("costing", `"spaceship"`), fault.BadRequest, "costing", "pedestrian"},
		{with("costing", `1`), fault.BadRequest, "costing", "pedestrian"},
		{with("locations", ""), fault.BadRequest, "locations", "is missing: it must be a list of 2 to 50 locations"},
		{with("locations", `{}`), fault.BadRequest, "locations", "list"},
		{with("locations", `[]`), fault.BadRequest, "locations", "0 of at least two"},
		{with("locations", `[{"lat":47,"lon":9}]`), fault.BadRequest, "locations", "1 of at least two"},
		{with("locations", "["+strings.Repeat(`{"lat":47,"lon":9},`, 50)+`{"lat":47,"lon":9}]`), fault.BadRequest, "locations", "51 locations and may have 50"},
		{with("locations", `[[9,47],{"lat":47,"lon":9}]`), fault.BadRequest, "locations[0]", "object"},
		{with("locations", `[{"lat":47,"lon":9},{"lon":9}]`), fault.BadRequest, "locations[1].lat", "missing"},
		{with("locations", `[{"lat":47,"lon":9},{"lat":47,"lon":null}]`), fault.BadRequest, "locations[1].lon", "missing"},
		{with("locations", `[{"lat":47,"lon":9},{"lat":91,"lon":9}]`), fault.BadRequest, "locations[1].lat", "is 91 and must be between -90 and 90"},
		{with("locations", `[{"lat":47,"lon":9},{"lat":47,"lon":-181}]`), fault.BadRequest, "locations[1].lon", "is -181 and must be between -180 and 180"},
		{with("locations", `[{"lat":47,"lon":9},{"lat":"NaN","lon":9}]`), fault.BadRequest, "locations[1].lat", "number between -90 and 90"},
		{with("locations", `[{"lat":47,"lon":9},{"lat":1e999,"lon":9}]`), fault.BadRequest, "locations[1].lat", "is 1e999 and must be between -90 and 90"},

		{first(`"type":"stop"`), fault.BadRequest, "locations[0].type", "break, through, via, break_through"},
		{first(`"heading":361`), fault.BadRequest, "locations[0].heading", "between 0 and 360"},
		{first(`"heading_tolerance":0`), fault.BadRequest, "locations[0].heading_tolerance", "between 1 and 180"},
		{first(`"radius":-1`), fault.BadRequest, "locations[0].radius", "between 0"},
		{first(`"search_cutoff":40000`), fault.BadRequest, "locations[0].search_cutoff", "35000"},
		{first(`"search_filter":[]`), fault.BadRequest, "locations[0].search_filter", "object"},
		{first(`"search_filter":{"exclude_tunnel":1}`), fault.BadRequest, "locations[0].search_filter.exclude_tunnel", "true or false"},
		{first(`"search_filter":{"min_road_class":"path"}`), fault.BadRequest, "locations[0].search_filter.min_road_class", "motorway"},
		{first(`"search_filter":{"min_road_class":"primary","max_road_class":"tertiary"}`), fault.BadRequest, "locations[0].search_filter.min_road_class", "leaves no road"},
		{first(`"preferred_side":"left"`), fault.BadRequest, "locations[0].preferred_side", "same, opposite, either"},
		{first(`"street_side_tolerance":1000`), fault.BadRequest, "locations[0].street_side_tolerance", "street_side_max_distance (1000 m)"},
		{first(`"street_side_max_distance":5`), fault.BadRequest, "locations[0].street_side_tolerance", "street_side_tolerance (5 m)"},
		{first(`"street_side_cutoff":"road"`), fault.BadRequest, "locations[0].street_side_cutoff", "service_other"},
		{first(`"name":7`), fault.BadRequest, "locations[0].name", "string"},

		{with("alternates", `4`), fault.BadRequest, "alternates", "between 0 and 3"},
		{with("alternates", `1.5`), fault.BadRequest, "alternates", "whole"},
		{with("alternates", `true`), fault.BadRequest, "alternates", "number"},
		{with("units", `"furlongs"`), fault.BadRequest, "units", "kilometers, km, miles, mi"},
		{with("directions_options", `{"units":"furlongs"}`), fault.BadRequest, "directions_options.units", "miles"},
		{with("directions_options", `7`), fault.BadRequest, "directions_options", "object"},
		{with("language", `"en GB"`), fault.BadRequest, "language", "BCP 47"},
		{with("directions_type", `"all"`), fault.BadRequest, "directions_type", "none, maneuvers, instructions"},
		{with("shape_format", `"wkt"`), fault.BadRequest, "shape_format", "polyline6"},
		{with("format", `"gpx"`), fault.BadRequest, "format", "json, osrm"},
		{with("format", `"osrm"`, "shape_format", `"no_shape"`), fault.BadRequest, "shape_format", "osrm"},
		{with("id", `{}`), fault.BadRequest, "id", "string"},
		{with("id", `"`+strings.Repeat("x", 300)+`"`), fault.BadRequest, "id", "300 characters and may have 256"},

		{with("costing_options", `[]`), fault.BadRequest, "costing_options", "object"},
		{with("costing_options", `{"auto":1}`), fault.BadRequest, "costing_options.auto", "object"},
		{with("costing_options", `{"auto":{"height":40}}`), fault.BadRequest, "costing_options.auto.height", "between 0 and 10 metres"},
		{with("costing_options", `{"auto":{"height":"4"}}`), fault.BadRequest, "costing_options.auto.height", "number"},
		{with("costing_options", `{"auto":{"shortest":1}}`), fault.BadRequest, "costing_options.auto.shortest", "true or false"},
		{with("costing_options", `{"auto":{"hazmat":true}}`), fault.BadRequest, "costing_options.auto.hazmat", "truck"},
		{with("costing", `"bus"`, "costing_options", `{"bus":{"adr_tunnel_code":"B"}}`), fault.BadRequest, "costing_options.bus.adr_tunnel_code", "truck"},

		{with("adr", `{`+profile+`,"tunnel_code":null,"hazmat":true}`), fault.BadRequest, "adr", "truck"},
		{lorryBody(`[]`), fault.BadRequest, "adr", "object"},
		{lorryBody(`{` + profile + `,"hazmat":true}`), fault.BadRequest, "adr.tunnel_code", "missing"},
		{lorryBody(`{` + profile + `,"tunnel_code":null}`), fault.BadRequest, "adr.hazmat", "missing"},
		{lorryBody(`{"tunnel_code":null,"hazmat":true}`), fault.BadRequest, "adr.dimensions", "missing"},
		{with("costing_options", `{"truck":{"height":4}}`), fault.BadRequest, "costing_options.truck", "needs the costing truck; the costing is auto"},
		{lorryBody(`{` + profile + `,"tunnel_code":"Q","hazmat":true}`), fault.BadRequest, "adr.tunnel_code", "C5000D"},
		{lorryBody(`{` + profile + `,"tunnel_code":null,"hazmat":"yes"}`), fault.BadRequest, "adr.hazmat", "true or false"},
		{lorryBody(`{` + profile + `,"tunnel_code":null,"hazmat":null}`), fault.BadRequest, "adr.hazmat", "is missing"},
		{lorryBody(`{"dimensions":{"height_m":4},"tunnel_code":null,"hazmat":true}`), fault.BadRequest, "adr.dimensions.width_m", "missing"},
		{lorryBody(`{` + strings.Replace(profile, `:4,`, `:40,`, 1) + `,"tunnel_code":null,"hazmat":true}`), fault.BadRequest, "adr.dimensions.height_m", "between 0 and 10"},
		{lorryBody(`{`+profile+`,"tunnel_code":"C","hazmat":true}`, "costing_options", `{"truck":{"adr_tunnel_code":"B"}}`), fault.CostingConflict, "", "adr_tunnel_code"},
		{lorryBody(`{`+profile+`,"tunnel_code":null,"hazmat":true}`, "costing_options", `{"truck":{"adr_tunnel_code":"B"}}`), fault.CostingConflict, "", "adr makes it null"},
		{lorryBody(`{`+profile+`,"tunnel_code":"C","hazmat":false}`, "costing_options", `{"truck":{"hazmat":true,"weight":1}}`), fault.CostingConflict, "", "and 1 more"},

		{with("avoid", `"tolls"`), fault.InvalidAvoid, "", "list"},
		{with("avoid", `[1]`), fault.InvalidAvoid, "", "list"},
		{with("avoid", `["bridges"]`), fault.InvalidAvoid, "", `"bridges" is not supported`},
		{with("avoid", `[null]`), fault.InvalidAvoid, "", "list"},
		{with("exclude", `["motorway"]`), fault.InvalidAvoid, "", "other servers call motorway is highways here"},
		{with("exclude", `["uturn"]`), fault.InvalidAvoid, "", "tolls, highways, ferries, bridges, tunnels"},
		{with("avoid", `["tolls"]`, "costing_options", `{"auto":{"use_tolls":1}}`), fault.InvalidAvoid, "", "use_tolls"},
		{with("costing", `"bicycle"`, "avoid", `["highways"]`), fault.InvalidAvoid, "", "takes ferries"},

		{with("date_time", `7`), fault.BadRequest, "date_time", "object"},
		{with("date_time", `{"value":"2026-09-01T08:00"}`), fault.BadRequest, "date_time.type", "missing"},
		{with("date_time", `{"type":4}`), fault.BadRequest, "date_time.type", "one of 0, 1, 2, 3"},
		{with("date_time", `{"type":1.5}`), fault.BadRequest, "date_time.type", "one of 0, 1, 2, 3"},
		{with("date_time", `{"type":1}`), fault.BadRequest, "date_time.value", "YYYY-MM-DDTHH:MM"},
		{with("date_time", `{"type":1,"value":"yesterday"}`), fault.BadRequest, "date_time.value", "YYYY-MM-DDTHH:MM"},
		{with("date_time", `{"type":2,"value":"2026-02-30T08:00"}`), fault.BadRequest, "date_time.value", "YYYY-MM-DDTHH:MM"},
		{with("date_time", `{"type":3,"value":1788249600}`), fault.BadRequest, "date_time.value", "must be a string"},
		{with("date_time", `{"type":1,"value":"1969-12-31T23:59"}`), fault.BadRequest, "date_time.value", "before the year 1970"},
		{with("speed_types", `"current"`), fault.BadRequest, "speed_types", "list of at most 4 freeflow, constrained, predicted, current"},
		{with("speed_types", `["fast"]`), fault.BadRequest, "speed_types[0]", "one of freeflow"},
		{with("exclude_locations", `{}`), fault.BadRequest, "exclude_locations", "list"},
		{with("exclude_locations", `[{"lat":47}]`), fault.BadRequest, "exclude_locations[0].lon", "missing"},
		{with("exclude_locations", "["+strings.Repeat(`{"lat":47,"lon":9},`, 50)+`{"lat":47,"lon":9}]`), fault.BadRequest, "exclude_locations", "51 locations and may have 50"},
		{with("exclude_polygons", `"all"`), fault.BadRequest, "exclude_polygons", "rings"},
		{with("exclude_polygons", `[[[9,47],[9.01,47]]]`), fault.BadRequest, "exclude_polygons[0]", "2 different corners"},
		{with("exclude_polygons", `[[[9,47],[9.01,47],[9,47]]]`), fault.BadRequest, "exclude_polygons[0]", "2 different corners"},
		{with("exclude_polygons", `[[[9,47],[9.01],[9,47.01]]]`), fault.BadRequest, "exclude_polygons[0][1]", "position"},
		{with("exclude_polygons", `[[[9,47],[9.01,147],[9,47.01]]]`), fault.BadRequest, "exclude_polygons[0][1]", "not on the globe"},
		{with("exclude_polygons", `[[[9,47],[9.01,47.01],[9.01,47],[9,47.01]]]`), fault.BadRequest, "exclude_polygons[0]", "crosses itself: the side from corner 0 meets the side from corner 2"},
		{with("exclude_polygons", `[[[9,47],[10,47],[10,47.5],[9,47.5]]]`), fault.BadRequest, "exclude_polygons", "may have 10000 m"},
		{with("avoid_polygons", `[7]`), fault.BadRequest, "avoid_polygons", "rings"},
		{with("exclude_polygons", "[["+strings.Repeat(`[9,47],`, 1001)+`[9,47]]]`), fault.BadRequest, "exclude_polygons", "more than 1000 corners"},
		{with("recostings", `[{}]`), "recostings-not-enabled", "", "recostings"},
		{with("rationale", `1`), fault.BadRequest, "rationale", "true or false"},
		{strings.Replace(with("rationale", `true`), `{`, `{"shape_format":"no_shape",`, 1), fault.BadRequest, "rationale", "no_shape"},
		{strings.Replace(with("landmarks", `true`), `{`, `{"shape_format":"no_shape",`, 1), fault.BadRequest, "landmarks", "no_shape"},
		{strings.Replace(with("rationale", `true`), `"auto"`, `"bus"`, 1), fault.BadRequest, "rationale", "costing bus; it is with truck"},
	} {
		_, err := route(embedded, c.body)
		var e *fault.Error
		if !errors.As(err, &e) || e.Slug != c.slug || !strings.Contains(e.Detail, c.says) {
			t.Errorf("%s\n\t%v, want %s with %q", c.body, err, c.slug, c.says)
			continue
		}
		if all, _ := e.Fields["errors"].([]fault.Violation); c.location != "" && (len(all) == 0 || all[0].Location != c.location) {
			t.Errorf("%s\n\t%v, want %s named", c.body, all, c.location)
		}
	}
}

// TestRouteReadsWhatBendsTheRoads reads every form of it.
func TestRouteReadsWhatBendsTheRoads(t *testing.T) {
	triangle := `[[9,47],[9.01,47],[9,47.01]]`
	req, err := route(embedded, with(
		"date_time", `{"type":2,"value":"2026-09-01T08:05"}`, "speed_types", `["current"]`,
		"exclude_locations", `[{"lat":47.1,"lon":9.5}]`, "exclude_polygons", `[`+triangle+`,[[9.1,47],[9.11,47],[9.1,47.01],[9.1,47]]]`,
	))
	if err != nil {
		t.Fatal(err)
	}
	r := &req.Route
	if r.When.Type != engine.Arrive || r.When.Local.Format(time.DateTime) != "2026-09-01 08:05:00" || !r.Wants("current") || r.Wants("predicted") {
		t.Errorf("%+v %v", r.When, r.SpeedTypes)
	}
	if len(r.ExcludeLocations) != 1 || r.ExcludeLocations[0].Point.Lat != 47.1 || len(r.ExcludePolygons) != 2 {
		t.Fatalf("%v %v", r.ExcludeLocations, r.ExcludePolygons)
	}
	for _, ring := range r.ExcludePolygons {
		if len(ring) != 3 {
			t.Errorf("the ring %v has other corners than three", ring)
		}
	}
	req, err = route(embedded, with("date_time", `{"type":0}`, "avoid_polygons", triangle))
	if err != nil || req.Route.When.Type != engine.Now || len(req.Route.ExcludePolygons) != 1 || !req.Route.Wants("predicted") {
		t.Errorf("%v %+v", err, req)
	}
}

// TestAssumedTunnelCode checks that a code which the caller gave is not taken for one that a
// dangerous load without one has.
func TestAssumedTunnelCode(t *testing.T) {
	for body, want := range map[string]bool{
		lorryBody(`{` + profile + `,"tunnel_code":null,"hazmat":true}`):                                  true,
		lorryBody(`{` + profile + `,"tunnel_code":"B","hazmat":true}`):                                   false,
		lorryBody(`{` + profile + `,"tunnel_code":null,"hazmat":false}`):                                 false,
		with("costing", `"truck"`, "costing_options", `{"truck":{"hazmat":true}}`):                       true,
		with("costing", `"truck"`, "costing_options", `{"truck":{"hazmat":true}}`, "avoid", `["tolls"]`): true,
		with("costing", `"truck"`, "costing_options", `{"truck":{"adr_tunnel_code":"C"}}`):               false,
	} {
		r, err := route(embedded, body)
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Route.Options.CodeAssumed; got != want {
			t.Errorf("%s: assumed %v", body, got)
		}
	}
}

func TestRouteNamesEverything(t *testing.T) {
	_, err := route(embedded, with("locations", `[{"lat":99,"lon":9},{"lat":47,"lon":999}]`, "alternates", `9`, "units", `1`))
	var e *fault.Error
	if !errors.As(err, &e) {
		t.Fatal(err)
	}
	if all := e.Fields["errors"].([]fault.Violation); len(all) != 4 {
		t.Errorf("%v", all)
	}
}

func TestRouteHintsAtSwappedCoordinates(t *testing.T) {
	_, err := route(embedded, with("locations", `[{"lat":47,"lon":9},{"lat":109,"lon":47.5}]`))
	if err == nil || strings.Contains(err.Error(), "swapped") {
		t.Errorf("exchanging them does not help: %v", err)
	}
	east := schema.Options{Bounds: geo.Bounds{Min: geo.Point{Lon: 100, Lat: 10}, Max: geo.Point{Lon: 110, Lat: 20}}}
	_, err = schema.Of[native.RouteRequest]().Read(context.Background(), []byte(with("locations", `[{"lat":15,"lon":105},{"lat":105,"lon":15}]`)), new(native.RouteRequest), east)
	if err == nil || !strings.Contains(err.Error(), "lat 15, lon 105 lies in the region") {
		t.Errorf("%v", err)
	}
}

func TestRouteReads(t *testing.T) {
	req, err := route(embedded, with(
		"locations", `[{"lat":47.1,"lon":9.5,"type":"through","heading":90,"heading_tolerance":30,"radius":20,"search_cutoff":500,"preferred_side":"curb",
			"street_side_tolerance":0,"street_side_max_distance":50,"street_side_cutoff":"primary","name":"home",
			"search_filter":{"exclude_ferry":true,"exclude_closures":false,"min_road_class":"tertiary","max_road_class":"trunk"}},
			{"lat":47.2,"lon":9.6,"preferred_side":null}]`,
		"alternates", `2`, "directions_options", `{"units":"miles","language":"fr"}`, "language", `"de-CH"`, "directions_type", `"none"`,
		"shape_format", `"geojson"`, "id", `"42"`, "costing_options", `{"auto":{"top_speed":90},"bicycle":{"use_hills":0.9}}`))
	if err != nil {
		t.Fatal(err)
	}
	r := &req.Route
	l := r.Locations[0]
	if l.Stop != engine.Through || *l.Heading != 90 || l.HeadingTolerance != 30 || l.Radius != 20 || l.SearchCutoff != 500 || l.Side != engine.SameSide ||
		*l.SideTolerance != 0 || *l.SideMaxDistance != 50 || l.SideCutoff != "primary" || l.Name != "home" ||
		!l.Filter.ExcludeFerry || l.Filter.ExcludeClosures || l.Filter.MinClass != "tertiary" || l.Filter.MaxClass != "trunk" {
		t.Errorf("%+v", l)
	}
	if r.Costing != costing.Auto || r.Alternates != 2 || !r.Miles || r.Language != "de-CH" || r.Directions != engine.NoDirections || r.ShapeFormat != "geojson" ||
		r.ID != "42" || r.Options.Of(r.Costing).TopSpeed != 90 || r.Format != engine.Native ||
		len(req.Warnings) != 1 || !strings.Contains(req.Warnings[0].Text, "costing_options.bicycle has no effect: the costing is auto") {
		t.Errorf("%+v %v", r, req.Warnings)
	}
}

func TestRouteReportsWhatHasNoEffect(t *testing.T) {
	sent := with("foo", `1`, "prioritize_bidirectional", `true`, "admin_crossings", `true`, "roundabout_exits", `false`, "translated_names", `true`, "turn_lanes", `true`, "costing_options", `{"auto":{"fly":1},"hovercraft":{}}`, "alternates", `1`,
		"locations", `[{"lat":47.1,"lon":9.5,"rank_candidates":true},{"lat":47.2,"lon":9.6},{"lat":47.2,"lon":9.7}]`)
	req, err := route(embedded, sent)
	if err != nil {
		t.Fatal(err)
	}
	if r, err := route(remote, sent); err != nil || r.Route.Alternates != 0 || !strings.Contains(fmt.Sprint(r.Warnings), "alternates between two locations") {
		t.Errorf("a remote engine: %v %v", err, r)
	}
	got := map[string]int{}
	for _, w := range req.Warnings {
		word, _, _ := strings.Cut(w.Text, " ")
		got[word] = w.Code
	}
	want := map[string]int{
		"foo": schema.UnknownMember, "prioritize_bidirectional": schema.WithoutEffect, "costing_options.auto.fly": schema.UnknownOption, "costing_options.hovercraft": schema.UnknownMember,
		"locations[0].rank_candidates": schema.UnknownMember,
	}
	if fmt.Sprint(got) != fmt.Sprint(want) || req.Route.Alternates != 1 || !req.Route.TurnLanes || !req.Route.Admins || !req.Route.JoinRoundabouts || !req.Route.TranslatedNames {
		t.Errorf("%v", req.Warnings)
	}
	if _, err := json.Marshal(req.Route.Options.Raw()); err != nil || req.Route.Extra != nil {
		t.Errorf("%v %v", err, req.Route.Extra)
	}
}

func TestNoElevationIsNothingToRefuse(t *testing.T) {
	if req, err := route(embedded, with("elevation_interval", "0")); err != nil || len(req.Warnings) != 0 {
		t.Errorf("an interval of 0 asks for no heights: %v", err)
	}
	if _, err := route(embedded, with("elevation_interval", "30")); !fault.IsNotEnabled(err) {
		t.Errorf("an interval of 30: %v", err)
	}
}

// TestRouteBoundsItsWarnings sends a thousand unknown members, one of them with a name of a
// kilobyte.
func TestRouteBoundsItsWarnings(t *testing.T) {
	var sent strings.Builder
	sent.WriteString(`{"locations":[{"lat":1,"lon":2},{"lat":1,"lon":3}],"costing":"auto","` + strings.Repeat("n", 1000) + `":1`)
	for i := range 1000 {
		fmt.Fprintf(&sent, `,"m%d":1`, i)
	}
	sent.WriteString("}")
	req, err := route(embedded, sent.String())
	if err != nil {
		t.Fatal(err)
	}
	if n := len(req.Warnings); n != schema.MostWarnings+1 || !strings.Contains(req.Warnings[n-1].Text, "more") {
		t.Errorf("%d warnings, the last %v", n, req.Warnings[n-1])
	}
	for _, w := range req.Warnings {
		if len(w.Text) > 300 {
			t.Errorf("a warning of %d bytes", len(w.Text))
		}
	}
}

func TestRemoteEnginesGetTheRest(t *testing.T) {
	req, err := route(remote, with("date_time", `{"type":1,"value":"2026-01-01T08:00"}`, "foo", `1`, "recostings", `[{}]`))
	if err != nil {
		t.Fatal(err)
	}
	if len(req.Route.Extra) != 2 || string(req.Route.Extra["recostings"]) != `[{}]` || len(req.Warnings) != 1 || req.Route.When == nil {
		t.Errorf("%s %v", req.Route.Extra, req.Warnings)
	}
}

func FuzzRoute(f *testing.F) {
	f.Add([]byte(with()))
	f.Add([]byte(with("date_time", `{"type":1,"value":"2026-09-01T08:00"}`, "exclude_polygons", `[[[9,47],[9.01,47],[9,47.01]]]`, "exclude_locations", `[{"lat":1,"lon":2}]`)))
	f.Add([]byte(lorryBody(`{` + profile + `,"tunnel_code":"(—)","hazmat":true}`)))
	f.Add([]byte(with("avoid", `["tolls"]`, "exclude", `["ferries"]`, "foo", `[{"a":"\"}"}]`)))
	f.Add([]byte(`{"locations":[{"lat":1e400,"lon":null}],"costing":"a\u0075to"}`))
	f.Fuzz(func(t *testing.T, sent []byte) {
		for _, can := range []engine.Can{embedded, remote} {
			req, err := route(can, string(sent))
			if err != nil {
				var e *fault.Error
				if !errors.As(err, &e) || e.Slug == fault.Internal || e.Detail == "" {
					t.Fatalf("%v", err)
				}
				if _, err := json.Marshal(e.Fields); err != nil {
					t.Fatalf("the problem cannot be shown: %v", err)
				}
				continue
			}
			if !json.Valid(sent) || len(req.Route.Locations) < 2 || len(req.Route.Locations) > 50 || !req.Route.Costing.Valid() {
				t.Fatalf("taken: %s", sent)
			}
			for _, l := range req.Route.Locations {
				if !l.Point.Valid() {
					t.Fatalf("off the globe: %v", l.Point)
				}
			}
		}
	})
}

// An answer to a bad list stays small whatever the list holds.
func TestABadAvoidIsAnsweredShortly(t *testing.T) {
	long := strings.Repeat("x", 5000)
	for _, b := range []string{
		with("avoid", `["`+long+`"]`), with("exclude", `[`+strings.Repeat(`"x",`, 9999)+`"x"]`),
	} {
		_, err := route(embedded, b)
		var e *fault.Error
		if !errors.As(err, &e) || e.Slug != fault.InvalidAvoid || len(e.Detail) > 2000 {
			t.Errorf("%.100s: an answer of %d bytes", b, len(err.Error()))
		}
	}
	if _, err := route(embedded, with("avoid", `["tolls"]`, "costing_options", `{"auto":{"use_tolls":null}}`)); err != nil {
		t.Errorf("null is no value of an option: %v", err)
	}
}
