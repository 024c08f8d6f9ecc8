package route

import (
	"fmt"
	"strings"
	"testing"

	"github.com/waygate/waygate/engine/embedded"
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

// Every service leaves an excluded class out: a table and a trip go round it, as a route
// does; the nearest road is another, and a trace is not matched to it.
func TestExclude(t *testing.T) {
	plan, e := bridged(t)
	for _, c := range []struct {
		query string
		over  bool
	}{{"", true}, {"exclude=bridges", false}, {"exclude=tolls,tunnels", true}, {"exclude=tunnels,bridges", false}} {
		body, err := inOSRM(t, e, "table", path(plan, "ad"), "annotations=distance&"+c.query)
		if got := *decode[table](t, body, err).Distances[0][1]; (got < 1500) != c.over {
			t.Errorf("table?%s: %g m", c.query, got)
		}
		body, err = inOSRM(t, e, "trip", path(plan, "ad"), "roundtrip=false&source=first&"+c.query)
		trip := decode[struct{ Trips []struct{ Distance float64 } }](t, body, err)
		if got := trip.Trips[0].Distance; (got < 1500) != c.over {
			t.Errorf("trip?%s: %g m", c.query, got)
		}
		on := plan.Between("b", "c", 0.5)
		body, err = inOSRM(t, e, "nearest", fmt.Sprintf("%.6f,%.6f", on.Lon, on.Lat), c.query)
		if got := decode[struct{ Waypoints []coordinate }](t, body, err).Waypoints[0].Distance; (got < 1) != c.over {
			t.Errorf("nearest?%s: %g m", c.query, got)
		}
		var line []string
		for i := range 29 {
			p := geo.Destination(plan.Between("a", "d", float64(i)/28), float64(i*97), 3)
			line = append(line, fmt.Sprintf("%.6f,%.6f", p.Lon, p.Lat))
		}
		body, err = inOSRM(t, e, "match", strings.Join(line, ";"), c.query)
		points := decode[struct{ Tracepoints []*coordinate }](t, body, err).Tracepoints
		if points[0] == nil || points[28] == nil || (points[14] != nil) != c.over {
			t.Errorf("match?%s: %s", c.query, body)
		}
	}
}

// Where all that is near is excluded, the refusal says by what.
func TestNothingLeft(t *testing.T) {
	plan, e := bridged(t)
	on := plan.Between("b", "c", 0.5)
	if body, err := inOSRM(t, e, "nearest", fmt.Sprintf("%.6f,%.6f", on.Lon, on.Lat), "exclude=bridges&radiuses=20"); err == nil || !strings.Contains(err.Error(), "exclude_bridges = true") {
		t.Errorf("%v %s", err, body)
	}
	if body, err := inOSRM(t, e, "match", path(plan, "bc"), "exclude=bridges&radiuses=5;5&gaps=ignore"); code(err) != "NoMatch" {
		t.Errorf("%v %s", err, body)
	}
}
