package embedded_test

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/towntest"
)

// estate returns a street be for destinations only, from which the lane exf, under test, is
// shorter to f than the public way ebcdf. The court xy lies behind the lane.
func estate(t *testing.T, lane string, more ...towntest.Part) *towntest.Town {
	t.Helper()
	return towntest.Draw(t, `
		a--b--------c
		   |        |
		   e--x--f--d--h
		      |
		      y`,
		append([]towntest.Part{towntest.Ways{
			{"ab", "residential"},
			{"be", "residential access=destination"},
			{"bcd", "residential"},
			{"fdh", "residential"},
			{"exf", lane},
			{"xy", "service"},
		}}, more...)...)
}

// asked are ways to ask for the same journey: those that the hierarchy answers, those that
// searches on the roads do, and those at a time.
func asked(t *testing.T, by costing.Costing) []*engine.RouteRequest {
	t.Helper()
	var all []*engine.RouteRequest
	for _, o := range []string{``, `"maneuver_penalty": 6`, `"destination_only_penalty": 0`, `"shortest": true`} {
		for _, when := range []*engine.When{nil, {Type: engine.Depart, Local: local(t, "08:00")}, {Type: engine.Arrive, Local: local(t, "08:00")}} {
			r := &engine.RouteRequest{Costing: by, Options: chosen(t, by, o), Output: engine.Output{Format: engine.Native}}
			r.When = when
			all = append(all, r)
		}
	}
	return all
}

func name(r *engine.RouteRequest, options int) string {
	s := r.Costing.String() + " " + strconv.Itoa(options)
	if r.When != nil {
		s += " at a time"
	}
	return s
}

// TestPrivateRoads asks for journeys round, to, from and behind a private lane.
func TestPrivateRoads(t *testing.T) {
	for _, lane := range []string{"service access=private", "residential vehicle=private foot=private", "unclassified access=residents", "service access=no motor_vehicle=private bicycle=private foot=permit"} {
		town := estate(t, lane)
		e, err := embedded.New(town.Region(t))
		if err != nil {
			t.Fatal(err)
		}
		onLane := town.Between("e", "x", 0.5)
		for _, by := range costing.All {
			for i, r := range asked(t, by) {
				for _, c := range []struct {
					what     string
					from, to geo.Point
					metres   float64
				}{
					{"past the lane", town.Point("e"), town.Point("f"), 1600},
					{"past the lane, back", town.Point("f"), town.Point("e"), 1600},
					{"past the lane, between junctions", town.Between("b", "e", 0.5), town.Between("f", "d", 0.5), 1350},
					{"to the lane", town.Between("b", "e", 0.5), onLane, 250},
					{"from the lane", onLane, town.Between("f", "d", 0.5), 600},
					{"behind the lane", town.Between("b", "e", 0.5), town.Point("y"), 600},
					{"from behind the lane", town.Point("y"), town.Between("f", "d", 0.5), 650},
				} {
					q := *r
					q.Locations = engine.Stops([]geo.Point{c.from, c.to})
					a, err := e.Route(t.Context(), &q)
					if err != nil {
						t.Fatal(err)
					}
					if got := a.Routes[0].Metres; math.Abs(got-c.metres) > 20 {
						t.Errorf("%s, %s, %s: the route has %.0f m, want %.0f", lane, name(r, i), c.what, got, c.metres)
					}
					if warned(a.Warnings, engine.WarnPrivate) {
						t.Errorf("%s, %s, %s: warned %v", lane, name(r, i), c.what, a.Warnings)
					}
					m, err := e.Matrix(t.Context(), &engine.MatrixRequest{Costing: by, Options: r.Options, Conditions: r.Conditions, Sources: q.Locations[:1], Targets: q.Locations[1:]})
					if err != nil {
						t.Fatal(err)
					}
					if got := m.Cells[0][0].Metres; math.Abs(got-c.metres) > 20 {
						t.Errorf("%s, %s, %s: the matrix has %.0f m, want %.0f", lane, name(r, i), c.what, got, c.metres)
					}
				}
			}
		}
	}
}

func warned(list []engine.Warning, code int) bool {
	return slices.ContainsFunc(list, func(w engine.Warning) bool { return w.Code == code })
}

// TestWithinReachOfPrivateRoads asks what is within 900 m: the lane and what lies behind
// it, and not the road to which it would be the shortest way.
func TestWithinReachOfPrivateRoads(t *testing.T) {
	town := estate(t, "service access=private")
	e, err := embedded.New(town.Region(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, by := range costing.All {
		for i, r := range asked(t, by) {
			if r.When != nil && r.When.Type == engine.Arrive {
				continue
			}
			for _, reverse := range []bool{false, true} {
				q := &engine.IsochroneRequest{Costing: by, Options: r.Options, Location: engine.Location{Point: town.Between("b", "e", 0.5)}, Contours: []engine.Contour{{Kilometres: 0.9}}, Reverse: reverse}
				if !reverse {
					q.When = r.When
				}
				a, err := e.Isochrone(t.Context(), q)
				if err != nil {
					t.Fatal(err)
				}
				east, south := -180.0, 90.0
				for _, p := range a.Outlines[0].Polygons {
					for _, at := range p.Outer {
						east, south = max(east, at.Lon), min(south, at.Lat)
					}
				}
				if most := town.Between("c", "b", 0.05).Lon; east > most {
					t.Errorf("%s, back %v: comes to %.5f in the east, beyond %.5f", name(r, i), reverse, east, most)
				}
				if least := town.Between("y", "x", 0.1).Lat; south > least {
					t.Errorf("%s, back %v: comes to %.5f in the south, not to %.5f", name(r, i), reverse, south, least)
				}
			}
		}
	}
}

// TestPassedPrivateRoadsAreToldOf rules out all ways but one over a private road.
func TestPassedPrivateRoadsAreToldOf(t *testing.T) {
	town := towntest.Draw(t, `
		a--b--c--d
		|        |
		e--------f`, towntest.Ways{{"ab", "residential"}, {"bc", "residential access=private"}, {"cd", "residential"}, {"aefd", "route=ferry motor_vehicle=yes"}})
	e, err := embedded.New(town.Region(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, by := range costing.All {
		r := &engine.RouteRequest{Costing: by, Options: chosen(t, by, `"exclude_ferries": true`), Output: engine.Output{Format: engine.Native}, Locations: engine.Stops([]geo.Point{town.Between("a", "b", 0.5), town.Between("c", "d", 0.5)})}
		a, err := e.Route(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		at := slices.IndexFunc(a.Warnings, func(w engine.Warning) bool { return w.Code == engine.WarnPrivate })
		if at < 0 {
			t.Errorf("%s: no warning of the private road: %v", by, a.Warnings)
			continue
		}
		if text, way := a.Warnings[at].Text, strconv.FormatInt(town.WayID("bc"), 10); !strings.Contains(text, town.Point("b").String()) || !strings.Contains(text, way) {
			t.Errorf("%s: %q does not name %v and way %s", by, text, town.Point("b"), way)
		}
	}
}

// TestPrivateStops has a journey stop on a private lane and in a court behind it, where it
// enters the lane at one end and leaves it at the other.
func TestPrivateStops(t *testing.T) {
	town := estate(t, "service access=private")
	e, err := embedded.New(town.Region(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, by := range costing.All {
		for i, r := range asked(t, by) {
			for _, c := range []struct {
				at     geo.Point
				stop   engine.Stop
				metres float64
			}{
				{town.Between("e", "x", 0.5), engine.Break, 850},
				{town.Between("e", "x", 0.5), engine.Via, 850},
				{town.Between("e", "x", 0.5), engine.Through, 850},
				{town.Point("y"), engine.Break, 1250},
			} {
				q := *r
				q.Locations = engine.Stops([]geo.Point{town.Between("b", "e", 0.5), c.at, town.Between("f", "d", 0.5)})
				q.Locations[1].Stop = c.stop
				a, err := e.Route(t.Context(), &q)
				if err != nil {
					t.Fatal(err)
				}
				if got := a.Routes[0].Metres; math.Abs(got-c.metres) > 20 || warned(a.Warnings, engine.WarnPrivate) {
					t.Errorf("%s, %s: the route has %.0f m, want %.0f; %v", name(r, i), c.stop, got, c.metres, a.Warnings)
				}
			}
		}
	}
}
