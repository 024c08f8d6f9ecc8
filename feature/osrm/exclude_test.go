package osrm_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/waygate/waygate/engine/embedded"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/feature/osrm"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/towntest"
)

// bridged has a bridge between two banks, and a long way round.
func bridged(t *testing.T) (*towntest.Town, *embedded.Engine) {
	t.Helper()
	plan := towntest.Draw(t, `
		a---b-----c---d
		|             |
		e-------------f`,
		towntest.Ways{{"ab", "residential"}, {"bc", "residential bridge=yes"}, {"cd", "residential"}, {"aefd", "residential"}}, towntest.Cell(100))
	e, err := embedded.New(plan.Region(t))
	if err != nil {
		t.Fatal(err)
	}
	return plan, e
}

// What is excluded is left out by every service: a table and a trip go round it,
// as a route does; the nearest road is another, and a trace is not matched to it.
func TestExclude(t *testing.T) {
	plan, e := bridged(t)
	for _, c := range []struct {
		query string
		over  bool
	}{{"", true}, {"exclude=bridges", false}, {"exclude=tolls,tunnels", true}, {"exclude=tunnels,bridges", false}} {
		tables := &osrm.Tables{Engine: e}
		req, err := tables.Read("driving", path(plan, "ad"), "annotations=distance&"+c.query)
		if err != nil {
			t.Fatal(err)
		}
		body, err := tables.Answer(t.Context(), req)
		if got := *decode[table](t, body, err).Distances[0][1]; (got < 1500) != c.over {
			t.Errorf("table?%s: %g m", c.query, got)
		}
		trips := &osrm.Trips{Engine: e}
		tripped, err := trips.Read("driving", path(plan, "ad"), "roundtrip=false&source=first&"+c.query)
		if err != nil {
			t.Fatal(err)
		}
		body, err = tour(t, trips, tripped)
		trip := decode[struct{ Trips []struct{ Distance float64 } }](t, body, err)
		if got := trip.Trips[0].Distance; (got < 1500) != c.over {
			t.Errorf("trip?%s: %g m", c.query, got)
		}
		roads := &osrm.Roads{Engine: e}
		on := plan.Between("b", "c", 0.5)
		near, err := roads.Read("driving", fmt.Sprintf("%.6f,%.6f", on.Lon, on.Lat), c.query)
		if err != nil {
			t.Fatal(err)
		}
		body, err = roads.Answer(t.Context(), near)
		if got := decode[struct{ Waypoints []place }](t, body, err).Waypoints[0].Distance; (got < 1) != c.over {
			t.Errorf("nearest?%s: %g m", c.query, got)
		}
		traces := &osrm.Traces{Engine: e}
		var line []string
		for i := range 29 {
			p := geo.Destination(plan.Between("a", "d", float64(i)/28), float64(i*97), 3)
			line = append(line, fmt.Sprintf("%.6f,%.6f", p.Lon, p.Lat))
		}
		trace, err := traces.Read("driving", strings.Join(line, ";"), c.query)
		if err != nil {
			t.Fatal(err)
		}
		body, err = match(t, traces, trace)
		points := decode[struct{ Tracepoints []*place }](t, body, err).Tracepoints
		if points[0] == nil || points[28] == nil || (points[14] != nil) != c.over {
			t.Errorf("match?%s: %s", c.query, body)
		}
	}
}

// Where all that is near is excluded, the refusal says by what.
func TestNothingLeft(t *testing.T) {
	plan, e := bridged(t)
	roads := &osrm.Roads{Engine: e}
	on := plan.Between("b", "c", 0.5)
	req, err := roads.Read("driving", fmt.Sprintf("%.6f,%.6f", on.Lon, on.Lat), "exclude=bridges&radiuses=20")
	if err != nil {
		t.Fatal(err)
	}
	if body, err := roads.Answer(t.Context(), req); err == nil || !strings.Contains(err.Error(), "exclude_bridges = true") {
		t.Errorf("%v %s", err, body)
	}
	traces := &osrm.Traces{Engine: e}
	trace, err := traces.Read("driving", path(plan, "bc"), "exclude=bridges&radiuses=5;5&gaps=ignore")
	if err != nil {
		t.Fatal(err)
	}
	if body, err := match(t, traces, trace); code(err) != "NoMatch" {
		t.Errorf("%v %s", err, body)
	}
}

// The words and their refusals are those of a route; what prefers one way to
// another is refused where there is none to choose.
func TestAvoid(t *testing.T) {
	const pair = "9.5,47.1;9.6,47.2"
	type reader struct {
		name, coordinates string
		read              func(profile, coordinates, query string) error
		chooses           bool
	}
	all := []reader{
		{"table", pair, func(p, c, q string) error { _, err := new(osrm.Tables).Read(p, c, q); return err }, true},
		{"trip", pair, func(p, c, q string) error { _, err := new(osrm.Trips).Read(p, c, q); return err }, true},
		{"nearest", "9.5,47.1", func(p, c, q string) error { _, err := new(osrm.Roads).Read(p, c, q); return err }, false},
		{"match", pair, func(p, c, q string) error { _, err := new(osrm.Traces).Read(p, c, q); return err }, false},
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
			err := r.read(x.profile, r.coordinates, x.query)
			if !fault.Is(err, fault.InvalidAvoid) || code(err) != "InvalidValue" || !strings.Contains(err.Error(), x.says) || len(err.Error()) > 3000 {
				t.Errorf("%s?%s: %v, want %q", r.name, x.query, err, x.says)
			}
		}
		for _, query := range []string{"avoid=tolls,highways", "avoid_tolls=true", "avoid_motorways=true", "avoid_ferries=true"} {
			err := r.read("car", r.coordinates, query)
			if r.chooses && err != nil || !r.chooses && (code(err) != "InvalidValue" || !strings.Contains(err.Error(), strings.Split(query, "=")[0]+" is ")) {
				t.Errorf("%s?%s: %v", r.name, query, err)
			}
		}
		for _, query := range []string{"avoid=&exclude=", "exclude=tolls,tolls", "exclude=highways&avoid_ferries=false", "exclude=%74olls", "shortest=true"} {
			if err := r.read("car", r.coordinates, query); err != nil {
				t.Errorf("%s?%s: %v", r.name, query, err)
			}
		}
	}
}
