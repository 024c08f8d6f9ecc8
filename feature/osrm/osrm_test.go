package osrm_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/waygate/waygate/engine/embedded"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/feature/osrm"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/towntest"
	wire "github.com/waygate/waygate/wire/osrm"
)

// town has a street with a one-way end, and an island.
func town(t testing.TB) (*towntest.Town, *embedded.Engine) {
	t.Helper()
	plan := towntest.Draw(t, `
		a---b---c---d
		|   |   |   |
		e---f---g---h
		|           |
		i-----------j          x---y`,
		towntest.Ways{
			{"abcd", "residential"},
			{"efgh", "residential"},
			{"ij", "residential"},
			{"aei", "residential"},
			{"dhj", "residential"},
			{"bf", "residential oneway=yes"},
			{"cg", "residential"},
			{"xy", "residential"},
		}, towntest.Cell(100))
	e, err := embedded.New(plan.Region(t))
	if err != nil {
		t.Fatal(err)
	}
	return plan, e
}

func path(town *towntest.Town, places string) string {
	var list []string
	for _, p := range places {
		at := town.Point(string(p))
		list = append(list, fmt.Sprintf("%.6f,%.6f", at.Lon, at.Lat))
	}
	return strings.Join(list, ";")
}

func decode[T any](t *testing.T, body []byte, err error) (v T) {
	t.Helper()
	if err == nil {
		err = json.Unmarshal(body, &v)
	}
	if err != nil {
		t.Fatalf("%v in %s", err, body)
	}
	return v
}

type place struct {
	Name     *string
	Location [2]float64
	Distance float64
	Trip     *int `json:"trips_index"`
	At       *int `json:"waypoint_index"`
	Matching *int `json:"matchings_index"`
	Nodes    []int64
}

type table struct {
	Code                  string
	Durations, Distances  [][]*float64
	Fallback              [][2]int `json:"fallback_speed_cells"`
	Sources, Destinations []place
}

func TestTable(t *testing.T) {
	plan, e := town(t)
	s := &osrm.Tables{Engine: e}
	ask := func(places, query string) table {
		t.Helper()
		req, err := s.Read("driving", path(plan, places), query)
		if err != nil {
			t.Fatal(err)
		}
		body, err := s.Answer(t.Context(), req)
		return decode[table](t, body, err)
	}
	a := ask("adx", "")
	if a.Code != "Ok" || len(a.Durations) != 3 || a.Distances != nil || *a.Durations[0][0] != 0 || *a.Durations[0][1] <= 0 || a.Durations[0][2] != nil || a.Durations[2][1] != nil || a.Fallback != nil {
		t.Errorf("%+v", a)
	}
	for _, p := range a.Sources {
		if p.Name == nil || *p.Name != "" || p.Distance > 1 {
			t.Errorf("source %+v", p)
		}
	}
	b := ask("adx", "sources=1&destinations=2;0&annotations=distance,duration&radiuses=50;50;50")
	if len(b.Durations) != 1 || len(b.Durations[0]) != 2 || b.Durations[0][0] != nil || math.Abs(*b.Distances[0][1]-1200) > 10 || len(b.Destinations) != 2 {
		t.Errorf("%+v", b)
	}
	c := ask("adx", "fallback_speed=10&annotations=duration,distance&scale_factor=2")
	straight := geo.Distance(plan.Point("a"), plan.Point("x"))
	if math.Abs(*c.Durations[0][2]-straight/10*2) > 0.2 || math.Abs(*c.Distances[0][2]-straight) > 1 || len(c.Fallback) != 4 || c.Fallback[0] != [2]int{0, 2} || math.Abs(*c.Durations[0][1]-2**a.Durations[0][1]) > 0.2 {
		t.Errorf("%+v", c)
	}
	s.Cells = 8
	if _, err := s.Read("driving", path(plan, "adx"), ""); code(err) != "TooBig" {
		t.Errorf("nine cells of eight: %v", err)
	}
	req, err := s.Read("driving", path(plan, "a")+";0,0", "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Answer(t.Context(), req); code(err) != "NoSegment" {
		t.Errorf("a place in the sea: %v", err)
	}
}

func code(err error) any {
	var e *fault.Error
	if errors.As(err, &e) {
		return e.Fields["code"]
	}
	return nil
}

// match and tour are answers as they are written.
func match(t *testing.T, s *osrm.Traces, r *osrm.Trace) ([]byte, error) {
	t.Helper()
	a, err := s.Answer(t.Context(), r)
	if err != nil {
		return nil, err
	}
	return wire.WriteMatch(&r.Match, a)
}

func tour(t *testing.T, s *osrm.Trips, r *osrm.Trip) ([]byte, error) {
	t.Helper()
	a, err := s.Answer(t.Context(), r)
	if err != nil {
		return nil, err
	}
	return wire.WriteTrip(&r.Route, a.RouteAnswer, a.Order)
}

func TestNearest(t *testing.T) {
	plan, e := town(t)
	s := &osrm.Roads{Engine: e}
	at := plan.Offset("b", 20, 5)
	for _, n := range []int{1, 3} {
		req, err := s.Read("driving", fmt.Sprintf("%.6f,%.6f", at.Lon, at.Lat), fmt.Sprintf("number=%d", n))
		if err != nil {
			t.Fatal(err)
		}
		body, err := s.Answer(t.Context(), req)
		a := decode[struct {
			Code      string
			Waypoints []place
		}](t, body, err)
		if a.Code != "Ok" || len(a.Waypoints) != n || math.Abs(a.Waypoints[0].Distance-5) > 0.5 {
			t.Fatalf("%+v", a)
		}
		for i, w := range a.Waypoints {
			if len(w.Nodes) != 2 || w.Nodes[0] == 0 || i > 0 && w.Distance < a.Waypoints[i-1].Distance {
				t.Errorf("%+v", w)
			}
		}
	}
}

func TestMatch(t *testing.T) {
	plan, e := town(t)
	s := &osrm.Traces{Engine: e}
	var trace []string
	for i := range 13 {
		p := geo.Destination(plan.Between("a", "d", float64(i)/12), float64(i*97), 3)
		trace = append(trace, fmt.Sprintf("%.6f,%.6f", p.Lon, p.Lat))
	}
	for query, legs := range map[string]int{
		"": 12, "waypoints=0;6;12": 2, "tidy=true&gaps=ignore&radiuses=" + strings.Repeat("5;", 12) + "8": 12,
		"steps=true&annotations=true&geometries=geojson&overview=full&waypoints=0;12":     1,
		"timestamps=0;5;10;15;20;25;30;35;40;45;50;55;60&overview=false&waypoints=0;3;12": 2,
	} {
		req, err := s.Read("driving", strings.Join(trace, ";"), query)
		if err != nil {
			t.Fatal(err)
		}
		body, err := match(t, s, req)
		a := decode[struct {
			Code      string
			Matchings []struct {
				Confidence float64
				Distance   float64
				Geometry   any
				Legs       []struct {
					Steps      []any
					Annotation any
				}
			}
			Tracepoints []*place
		}](t, body, err)
		if a.Code != "Ok" || len(a.Matchings) != 1 || len(a.Matchings[0].Legs) != legs || len(a.Tracepoints) != 13 {
			t.Fatalf("%s: %s", query, body)
		}
		m := a.Matchings[0]
		if m.Confidence < 0.7 || m.Confidence > 1 || math.Abs(m.Distance-1200) > 60 {
			t.Errorf("%s: %+v", query, m)
		}
		if steps := strings.Contains(query, "steps"); steps != (len(m.Legs[0].Steps) > 0) || steps != (m.Legs[0].Annotation != nil) || (m.Geometry == nil) != strings.Contains(query, "overview=false") {
			t.Errorf("%s: %+v", query, m)
		}
		for i, p := range a.Tracepoints {
			if p == nil || *p.Name != "" || *p.Matching != 0 || legs == 12 && p.At == nil {
				t.Errorf("%s: position %d is %+v", query, i, p)
			}
		}
	}
	req, err := s.Read("driving", path(plan, "ax"), "")
	if err != nil {
		t.Fatal(err)
	}
	if body, err := match(t, s, req); err == nil || code(err) != "NoMatch" {
		t.Errorf("a trace over the sea: %v %s", err, body)
	}
}

// A bearing puts a position beside a crossing on the road that leads that way.
func TestMatchBearings(t *testing.T) {
	plan, e := town(t)
	s := &osrm.Traces{Engine: e}
	c := plan.Point("c")
	beside := geo.Destination(geo.Destination(c, 270, 9), 180, 9)
	first := plan.Between("b", "c", 0.2)
	trace := fmt.Sprintf("%.6f,%.6f;%.6f,%.6f", first.Lon, first.Lat, beside.Lon, beside.Lat)
	for _, x := range []struct {
		bearings      string
		street, cross bool
	}{{";90,20", true, false}, {";180,20", false, true}, {";170", false, true}, {"90;80,30", true, false}} {
		req, err := s.Read("driving", trace, "bearings="+x.bearings)
		if err != nil {
			t.Fatal(err)
		}
		body, err := match(t, s, req)
		p := decode[struct{ Tracepoints []*place }](t, body, err).Tracepoints[1]
		if p == nil || (math.Abs(p.Location[1]-c.Lat) < 1e-5) != x.street || (math.Abs(p.Location[0]-c.Lon) < 1e-5) != x.cross {
			t.Errorf("%s: %s", x.bearings, body)
		}
	}
	// No road leads north-east.
	req, err := s.Read("driving", trace, "bearings=;45,10")
	if err != nil {
		t.Fatal(err)
	}
	if body, err := match(t, s, req); code(err) != "NoMatch" {
		t.Errorf("%v %s", err, body)
	}
}

func TestTrip(t *testing.T) {
	plan, e := town(t)
	s := &osrm.Trips{Engine: e}
	type trip struct {
		Code      string
		Trips     []struct{ Legs []any }
		Waypoints []place
	}
	for _, c := range []struct{ places, query, order string }{
		{"acbd", "roundtrip=false&source=first&destination=last", "abcd"},
		{"acdb", "roundtrip=false&source=first", "abcd"},
		{"dbac", "roundtrip=false&destination=last&source=any", "abdc"},
		{"ajdi", "source=first", ""},
		{"ajdi", "source=first&destination=last&steps=true", ""},
		{"abcdefghij", "", ""},
		{"jihgfedcba", "roundtrip=true&destination=last", ""},
		{"abcdefghijabcdef", "roundtrip=false", ""},
	} {
		req, err := s.Read("driving", path(plan, c.places), c.query)
		if err != nil {
			t.Fatal(err)
		}
		body, err := tour(t, s, req)
		a := decode[trip](t, body, err)
		legs := len(c.places)
		if strings.Contains(c.query, "roundtrip=false") {
			legs--
		}
		if a.Code != "Ok" || len(a.Trips) != 1 || len(a.Trips[0].Legs) != legs || len(a.Waypoints) != len(c.places) {
			t.Fatalf("%+v: %s", c, body)
		}
		order := make([]rune, len(c.places))
		for i, w := range a.Waypoints {
			at := plan.Point(string(c.places[i]))
			if d := geo.Distance(at, geo.Point{Lon: w.Location[0], Lat: w.Location[1]}); d > 1 || *w.Trip != 0 {
				t.Errorf("%+v: waypoint %d is %+v", c, i, w)
			}
			order[*w.At] = rune(c.places[i])
		}
		if got := string(order); c.order != "" && got != c.order || strings.ContainsRune(got, 0) {
			t.Errorf("%+v goes %q", c, got)
		}
		if strings.Contains(c.query, "source=first") && order[0] != rune(c.places[0]) || strings.Contains(c.query, "destination=last") && order[len(order)-1] != rune(c.places[len(c.places)-1]) {
			t.Errorf("%+v goes %q", c, string(order))
		}
	}
	req, err := s.Read("driving", path(plan, "axd"), "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tour(t, s, req); code(err) != "NoTrips" {
		t.Errorf("over the sea: %v", err)
	}
	req, err = s.Read("driving", path(plan, "ad"), "skip_waypoints=true")
	if err != nil {
		t.Fatal(err)
	}
	if body, err := tour(t, s, req); err != nil || strings.Contains(string(body), `"waypoints":`) {
		t.Errorf("%v %s", err, body)
	}
}

func TestRefusals(t *testing.T) {
	const pair = "9.5,47.1;9.6,47.2"
	read := map[string]func(profile, coordinates, query string) error{
		"table": func(p, c, q string) error { _, err := new(osrm.Tables).Read(p, c, q); return err },
		"near":  func(p, c, q string) error { _, err := new(osrm.Roads).Read(p, c, q); return err },
		"match": func(p, c, q string) error { _, err := new(osrm.Traces).Read(p, c, q); return err },
		"trip":  func(p, c, q string) error { _, err := new(osrm.Trips).Read(p, c, q); return err },
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
		{"table", "car", pair, "steps=true", "InvalidQuery", "steps"},
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
		{"trip", "car", pair, "alternatives=2", "InvalidQuery", "alternatives"},
		{"trip", "car", strings.Repeat("9,47;", 50) + "9,47", "", "TooBig", "51"},
	} {
		err := read[x.service](x.profile, x.coordinates, x.query)
		if code(err) != x.code || !strings.Contains(err.Error(), x.says) {
			t.Errorf("%s %s?%s: %v, want %s with %q", x.service, x.profile, x.query, err, x.code, x.says)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add("car", "9,47;9,48", "sources=0&destinations=all&annotations=duration&fallback_speed=5")
	f.Add("foot", "9,47", "number=3&radiuses=;")
	f.Add("bike", "9,47;9,48", "timestamps=1;2&gaps=split&tidy=true&waypoints=0;1&roundtrip=false&source=first")
	f.Fuzz(func(t *testing.T, profile, coordinates, query string) {
		_, e1 := new(osrm.Tables).Read(profile, coordinates, query)
		_, e2 := new(osrm.Roads).Read(profile, coordinates, query)
		_, e3 := new(osrm.Traces).Read(profile, coordinates, query)
		_, e4 := new(osrm.Trips).Read(profile, coordinates, query)
		for _, err := range []error{e1, e2, e3, e4} {
			var e *fault.Error
			if err != nil && (!errors.As(err, &e) || e.Slug == fault.Internal || e.Fields["code"] == nil) {
				t.Fatalf("%v", err)
			}
		}
	})
}
