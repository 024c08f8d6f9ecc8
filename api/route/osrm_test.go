package route

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/towntest"
	"github.com/waygate/waygate/wire/osrm"
	"github.com/waygate/waygate/world"
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

type coordinate struct {
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
	Sources, Destinations []coordinate
}

func TestTable(t *testing.T) {
	plan, e := town(t)
	ask := func(places, query string) table {
		t.Helper()
		body, err := inOSRM(t, e, "table", path(plan, places), query)
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
	if _, err := (matrices{cells: 8}).readTable(&osrm.URL{Profile: "driving", Coordinates: path(plan, "adx")}); code(err) != "TooBig" {
		t.Errorf("nine cells of eight: %v", err)
	}
	if _, err := inOSRM(t, e, "table", path(plan, "a")+";0,0", ""); code(err) != "NoSegment" {
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

// inOSRM puts a URL to a service, before an engine.
func inOSRM(t *testing.T, e engine.Engine, service, coordinates, query string) ([]byte, error) {
	t.Helper()
	u := &osrm.URL{Profile: "driving", Coordinates: coordinates, Query: query}
	m := matrices{}
	switch service {
	case "route":
		return answered(t, e, u, (*osrm.URL).Route, answerOSRMRoute)
	case "table":
		return answered(t, e, u, m.readTable, answerTable)
	case "nearest":
		return answered(t, e, u, (*osrm.URL).Nearest, answerNearest)
	case "match":
		return answered(t, e, u, (*osrm.URL).Match, answerMatch)
	}
	return answered(t, e, u, (*osrm.URL).Trip, answerTrip)
}

func answered[R any](t *testing.T, e engine.Engine, u *osrm.URL, read func(*osrm.URL) (R, error), answer func(context.Context, *world.Region, R) ([]byte, []engine.Warning, error)) ([]byte, error) {
	t.Helper()
	req, err := read(u)
	if err != nil {
		return nil, err
	}
	body, _, err := answer(t.Context(), &world.Region{Engine: e}, req)
	return body, err
}

func TestNearest(t *testing.T) {
	plan, e := town(t)
	const service = "nearest"
	at := plan.Offset("b", 20, 5)
	for _, n := range []int{1, 3} {
		body, err := inOSRM(t, e, service, fmt.Sprintf("%.6f,%.6f", at.Lon, at.Lat), fmt.Sprintf("number=%d", n))
		a := decode[struct {
			Code      string
			Waypoints []coordinate
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
	const service = "match"
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
		body, err := inOSRM(t, e, service, strings.Join(trace, ";"), query)
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
			Tracepoints []*coordinate
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
	if body, err := inOSRM(t, e, service, path(plan, "ax"), ""); err == nil || code(err) != "NoMatch" {
		t.Errorf("a trace over the sea: %v %s", err, body)
	}
}

// A bearing puts a position beside a crossing on the road that leads that way.
func TestMatchBearings(t *testing.T) {
	plan, e := town(t)
	const service = "match"
	c := plan.Point("c")
	beside := geo.Destination(geo.Destination(c, 270, 9), 180, 9)
	first := plan.Between("b", "c", 0.2)
	trace := fmt.Sprintf("%.6f,%.6f;%.6f,%.6f", first.Lon, first.Lat, beside.Lon, beside.Lat)
	for _, x := range []struct {
		bearings      string
		street, cross bool
	}{{";90,20", true, false}, {";180,20", false, true}, {";170", false, true}, {"90;80,30", true, false}} {
		body, err := inOSRM(t, e, service, trace, "bearings="+x.bearings)
		p := decode[struct{ Tracepoints []*coordinate }](t, body, err).Tracepoints[1]
		if p == nil || (math.Abs(p.Location[1]-c.Lat) < 1e-5) != x.street || (math.Abs(p.Location[0]-c.Lon) < 1e-5) != x.cross {
			t.Errorf("%s: %s", x.bearings, body)
		}
	}
	// No road leads north-east.
	if body, err := inOSRM(t, e, service, trace, "bearings=;45,10"); code(err) != "NoMatch" {
		t.Errorf("%v %s", err, body)
	}
}

func TestTrip(t *testing.T) {
	plan, e := town(t)
	const service = "trip"
	type trip struct {
		Code      string
		Trips     []struct{ Legs []any }
		Waypoints []coordinate
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
		body, err := inOSRM(t, e, service, path(plan, c.places), c.query)
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
	if _, err := inOSRM(t, e, service, path(plan, "axd"), ""); code(err) != "NoTrips" {
		t.Errorf("over the sea: %v", err)
	}
	if body, err := inOSRM(t, e, service, path(plan, "ad"), "skip_waypoints=true"); err != nil || strings.Contains(string(body), `"waypoints":`) {
		t.Errorf("%v %s", err, body)
	}
}
