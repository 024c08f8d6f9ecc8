package embedded_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded"
	"github.com/waygate/waygate/engine/enginetest"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/overlay"
	"github.com/waygate/waygate/towntest"
)

// answer has the members of an answer that the tests read.
type answer struct {
	Trip       trip
	Alternates []struct{ Trip trip }
}

type trip struct {
	Locations []struct {
		DateTime string `json:"date_time"`
		Offset   string `json:"time_zone_offset"`
	}
	Legs    []struct{ Shape string }
	Summary struct {
		Time  float64
		Timed bool `json:"has_time_restrictions"`
	}
}

// passes returns the places that a trip passes, in order.
func (x *trip) passes(t *testing.T, town *towntest.Town) string {
	t.Helper()
	var out strings.Builder
	for _, l := range x.Legs {
		line, err := geo.DecodePolyline(l.Shape, 6)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range line {
			for _, place := range town.NodePlaces() {
				if geo.Distance(p, town.Point(string(place))) < 1 && !strings.HasSuffix(out.String(), string(place)) {
					out.WriteRune(place)
				}
			}
		}
	}
	return out.String()
}

// local returns a time of Tuesday, 1 September 2026.
func local(t *testing.T, clock string) time.Time {
	t.Helper()
	at, err := time.Parse("2006-01-02 15:04", "2026-09-01 "+clock)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

func ask(t *testing.T, e *embedded.Engine, r *engine.RouteRequest, options string) (*engine.RouteAnswer, *answer, error) {
	t.Helper()
	var raw map[string]json.RawMessage
	if err := json.Unmarshal([]byte("{"+options+"}"), &raw); err != nil {
		t.Fatal(err)
	}
	s, unknown, bad := costing.Parse(r.Costing, raw, "")
	if len(unknown)+len(bad) > 0 {
		t.Fatal(unknown, bad)
	}
	r.Options, r.Format = s, engine.Native
	got, err := e.Route(context.Background(), r)
	if err != nil {
		return nil, nil, err
	}
	var a answer
	if err := json.Unmarshal(enginetest.Text(t, r, got), &a); err != nil {
		t.Fatal(err)
	}
	return got, &a, nil
}

func stops(town *towntest.Town, places ...string) []engine.Location {
	var list []engine.Location
	for _, p := range places {
		l := engine.Location{Point: town.Point(p[len(p)-1:])}
		if p[0] == '>' {
			l.Stop = engine.Through
		}
		list = append(list, l)
	}
	return list
}

// TestTimes drives through a town whose roads open and close. Each of the ways
// past the middle takes about two minutes.
func TestTimes(t *testing.T) {
	t.Parallel()
	drawing := `
		a----b----c----d
		|              |
		|              |
		|              |
		e--------------f`
	around := towntest.Ways{{"ab", "primary"}, {"cd", "primary"}, {"ae", "residential"}, {"ef", "residential"}, {"fd", "residential"}}
	const straight, round = "abcd", "aefd"
	for _, c := range []struct {
		what    string
		bc      string
		turns   towntest.Turns
		costing costing.Costing
		options string
		alone   bool // without the way round

		kind  engine.TimeType
		clock string // "" gives no time
		path  string // "" is no route
		timed bool
		waits string // in minutes, of the warning
	}{
		{what: "no time given", bc: `primary motor_vehicle:conditional="no @ (07:00-09:30)"`, path: straight, timed: true},
		{what: "closed", bc: `primary motor_vehicle:conditional="no @ (07:00-09:30)"`, kind: engine.Depart, clock: "08:00", path: round},
		{what: "closed on another day", bc: `primary motor_vehicle:conditional="no @ (We 07:00-09:30)"`, kind: engine.Depart, clock: "08:00", path: straight, timed: true},
		{what: "closed to others", bc: `primary hgv:conditional="no @ (07:00-09:30)"`, kind: engine.Depart, clock: "08:00", path: straight},
		{what: "closed to lorries", bc: `primary hgv:conditional="no @ (07:00-09:30)"`, costing: costing.Truck, kind: engine.Depart, clock: "08:00", path: round},
		{what: "closed above a weight, one below", bc: `primary hgv:conditional="no @ (07:00-09:30 AND weight>7.5)"`, costing: costing.Truck, options: `"weight": 7.5`, kind: engine.Depart, clock: "08:00", path: straight, timed: true},
		{what: "closed above a weight, one above", bc: `primary hgv:conditional="no @ (07:00-09:30 AND weight>7.5)"`, costing: costing.Truck, options: `"weight": 8`, kind: engine.Depart, clock: "08:00", path: round},
		{what: "closed once one is through", bc: `primary motor_vehicle:conditional="no @ (08:02-09:30)"`, kind: engine.Depart, clock: "07:59", path: straight, timed: true},
		{what: "open again in a moment", bc: `primary motor_vehicle:conditional="no @ (07:00-08:00)"`, kind: engine.Depart, clock: "07:59", path: straight, timed: true, waits: "36s"},
		{what: "time stands still", bc: `primary motor_vehicle:conditional="no @ (08:00-09:30)"`, kind: engine.Invariant, clock: "07:59", path: straight, timed: true},
		{what: "time stands still, closed", bc: `primary motor_vehicle:conditional="no @ (08:00-09:30)"`, kind: engine.Invariant, clock: "08:00", path: round},
		{what: "to arrive while it is closed", bc: `primary motor_vehicle:conditional="no @ (07:00-09:30)"`, kind: engine.Arrive, clock: "08:00", path: round},
		{what: "to arrive soon after it closes", bc: `primary motor_vehicle:conditional="no @ (08:00-09:30)"`, kind: engine.Arrive, clock: "08:00", path: straight, timed: true},
		{what: "ignoring restrictions", bc: `primary motor_vehicle:conditional="no @ (07:00-09:30)"`, options: `"ignore_restrictions": true`, kind: engine.Depart, clock: "08:00", path: straight, timed: true},
		{what: "closed by night, in the night", bc: `primary motor_vehicle:conditional="no @ (sunset-sunrise)"`, kind: engine.Depart, clock: "02:00", path: round},
		{what: "closed by night, at noon", bc: `primary motor_vehicle:conditional="no @ (sunset-sunrise)"`, kind: engine.Depart, clock: "12:00", path: straight, timed: true},
		{what: "open at times, no time given", bc: `primary motor_vehicle=no motor_vehicle:conditional="yes @ (19:00-07:00)"`, path: round},
		{what: "open at times", bc: `primary motor_vehicle=no motor_vehicle:conditional="yes @ (19:00-07:00)"`, kind: engine.Depart, clock: "20:00", path: straight, timed: true},
		{what: "open at other times", bc: `primary motor_vehicle=no motor_vehicle:conditional="yes @ (19:00-07:00)"`, kind: engine.Depart, clock: "12:00", path: round},
		{what: "for destinations at times", bc: `primary motor_vehicle:conditional="destination @ (07:00-09:30)"`, kind: engine.Depart, clock: "08:00", path: round},
		{what: "a lane at times", bc: `primary bus:lanes:conditional="designated @ (07:00-09:30)"`, kind: engine.Depart, clock: "08:00", path: straight},
		{what: "a turn forbidden at times", bc: "primary", turns: towntest.Turns{{"ab", "b", "bc", `restriction:conditional="no_straight_on @ (07:00-09:30)"`}}, kind: engine.Depart, clock: "08:00", path: round},
		{what: "a turn forbidden at other times", bc: "primary", turns: towntest.Turns{{"ab", "b", "bc", `restriction:conditional="no_straight_on @ (07:00-09:30)"`}}, kind: engine.Depart, clock: "10:00", path: straight, timed: true},
		{what: "the only way waits", bc: `primary motor_vehicle:conditional="no @ (07:00-09:30)"`, alone: true, kind: engine.Depart, clock: "09:00", path: straight, timed: true, waits: "29m"},
		{what: "the only way is closed for days", bc: `primary motor_vehicle:conditional="no @ (Mo-Sa)"`, alone: true, kind: engine.Depart, clock: "09:00"},
		{what: "to arrive by the only way, long after it closes", bc: `primary motor_vehicle:conditional="no @ (07:00-09:30)"`, alone: true, kind: engine.Arrive, clock: "09:00", path: straight, timed: true},
	} {
		t.Run(c.what, func(t *testing.T) {
			ways := append(towntest.Ways{{"bc", c.bc}}, around...)
			if c.alone {
				ways = ways[:3]
			}
			town := towntest.Draw(t, drawing, ways, c.turns)
			e, err := embedded.New(town.Region(t))
			if err != nil {
				t.Fatal(err)
			}
			r := &engine.RouteRequest{Costing: costing.Auto, Locations: stops(town, "a", "d")}
			if c.costing.Valid() {
				r.Costing = c.costing
			}
			if c.clock != "" {
				r.When = &engine.When{Type: c.kind, Local: local(t, c.clock)}
			}
			for again := range 3 { // the first time without a metric of the options
				got, a, err := ask(t, e, r, c.options)
				if c.path == "" {
					if engine.Code(err) != engine.CodeNoRoute || !strings.Contains(err.Error(), "date_time") {
						t.Fatalf("%v, want no route because of the date", err)
					}
					continue
				}
				if err != nil {
					t.Fatal(err)
				}
				if path := a.Trip.passes(t, town); path != c.path || a.Trip.Summary.Timed != c.timed {
					t.Errorf("time %d: it passes %s, with restrictions at times: %v", again, path, a.Trip.Summary.Timed)
				}
				if said := fmt.Sprint(got.Warnings); strings.Contains(said, "waits") != (c.waits != "") || !strings.Contains(said, c.waits) {
					t.Errorf("it says %s", said)
				}
				checkTimes(t, r, &a.Trip)
				time.Sleep(5 * time.Millisecond)
			}
		})
	}
}

// checkTimes compares the times at the locations with the time of the trip.
func checkTimes(t *testing.T, r *engine.RouteRequest, x *trip) {
	t.Helper()
	if r.When == nil {
		if x.Locations[0].DateTime != "" {
			t.Error("the answer has a time and the request has none")
		}
		return
	}
	var at []time.Time
	for _, l := range x.Locations {
		v, err := time.Parse(engine.TimeForm, l.DateTime)
		if err != nil {
			t.Fatal(err)
		}
		at = append(at, v)
	}
	first, last := at[0], at[len(at)-1]
	took := last.Sub(first).Seconds()
	switch r.When.Type {
	case engine.Invariant:
		if !first.Equal(r.When.Local) || took != 0 {
			t.Errorf("from %v to %v", first, last)
		}
		return
	case engine.Depart:
		if !first.Equal(r.When.Local) {
			t.Errorf("it sets out at %v", first)
		}
	case engine.Arrive:
		if last.After(r.When.Local) {
			t.Errorf("it arrives at %v", last)
		}
	}
	if d := took - x.Summary.Time; d < -60 || d > 60 {
		t.Errorf("from %v to %v it takes %g s", first, last, x.Summary.Time)
	}
}

// TestClockChanges drives for some minutes in the nights in which clocks change: what is
// given for the places are moments that there are, as far apart as the trip takes.
func TestClockChanges(t *testing.T) {
	town := towntest.Draw(t, `
		a----b----c----d`, towntest.Ways{{"abcd", "primary"}})
	e, err := embedded.New(town.Region(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		kind    engine.TimeType
		given   string
		offsets string
	}{
		{engine.Depart, "2026-03-29T00:59", "+00:00 +01:00"},
		{engine.Arrive, "2026-03-29T02:01", "+00:00 +01:00"},
		{engine.Depart, "2026-10-25T00:59", "+01:00 +01:00"},
		{engine.Depart, "2026-09-01T01:59", "+01:00 +01:00"},
	} {
		at, err := time.Parse(engine.TimeForm, c.given)
		if err != nil {
			t.Fatal(err)
		}
		_, a, err := ask(t, e, &engine.RouteRequest{Costing: costing.Auto, Locations: stops(town, "a", "d"), Conditions: engine.Conditions{When: &engine.When{Type: c.kind, Local: at}}}, "")
		if err != nil {
			t.Fatal(err)
		}
		var moments [2]time.Time
		offsets := ""
		for i, l := range a.Trip.Locations {
			if moments[i], err = time.Parse(engine.TimeForm+"-07:00", l.DateTime+l.Offset); err != nil {
				t.Fatal(err)
			}
			offsets += " " + l.Offset
		}
		if took := moments[1].Sub(moments[0]).Seconds(); math.Abs(took-a.Trip.Summary.Time) > 60 || offsets != " "+c.offsets {
			t.Errorf("type %v, %s: %+v for %g s", c.kind, c.given, a.Trip.Locations, a.Trip.Summary.Time)
		}
	}
}

// TestTimesOverSeveralHops passes a third place: on the way back from it the
// road has closed.
func TestTimesOverSeveralHops(t *testing.T) {
	town := towntest.Draw(t, `
		a----b----c----d
		|              |
		e--------------f`,
		towntest.Ways{
			{"ab", "primary"},
			{"bc", `primary motor_vehicle:conditional="no @ (08:03-18:00)"`},
			{"cd", "primary"},
			{"ae", "residential"},
			{"ef", "residential"},
			{"fd", "residential"},
		})
	e, err := embedded.New(town.Region(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		kind        engine.TimeType
		clock, path string
	}{
		{engine.Depart, "07:30", "abcdcba"},
		{engine.Depart, "08:02", "abcdfea"},
		{engine.Depart, "08:10", "aefdfea"},
		{engine.Arrive, "08:05", "abcdcba"},
		{engine.Arrive, "08:30", "aefdfea"},
	} {
		r := &engine.RouteRequest{Costing: costing.Auto, Locations: stops(town, "a", "d", "a"), Conditions: engine.Conditions{When: &engine.When{Type: c.kind, Local: local(t, c.clock)}}}
		_, a, err := ask(t, e, r, "")
		if err != nil {
			t.Fatal(err)
		}
		if path := a.Trip.passes(t, town); path != c.path {
			t.Errorf("%d %s: it passes %s, want %s", c.kind, c.clock, path, c.path)
		}
		checkTimes(t, r, &a.Trip)
	}
}

// TestNow has the live feeds close a road and open it again.
func TestNow(t *testing.T) {
	town := towntest.Draw(t, `
		a----b----c----d
		|              |
		e--------------f`,
		towntest.Ways{{"ab", "primary"}, {"bc", "primary"}, {"cd", "primary"}, {"ae", "residential"}, {"ef", "residential"}, {"fd", "residential"}})
	e, err := embedded.New(town.Region(t))
	if err != nil {
		t.Fatal(err)
	}
	edges := e.EdgesOf(town.WayID("bc"))
	if len(edges) != 2 {
		t.Fatalf("the way has the edges %v", edges)
	}
	closed := overlay.NewSnapshot(overlay.Roads{Taken: time.Now(), Changes: []overlay.Change{{Edge: edges[0], Closed: true}, {Edge: edges[1], Closed: true}}}, nil)
	slow := overlay.NewSnapshot(overlay.Roads{Taken: time.Now(), Changes: []overlay.Change{{Edge: edges[0], Speed: 2}, {Edge: edges[1], Speed: 2}}}, nil)
	now, later := &engine.When{}, &engine.When{Type: engine.Depart, Local: local(t, "08:00")}
	for _, c := range []struct {
		what    string
		live    *overlay.Snapshot
		when    *engine.When
		speeds  []string
		options string
		path    string
	}{
		{"nothing known", nil, now, nil, "", "abcd"},
		{"closed now", closed, now, nil, "", "aefd"},
		{"closed, no time given", closed, nil, nil, "", "aefd"},
		{"closed, at another time", closed, later, nil, "", "abcd"},
		{"closed, ignored", closed, now, nil, `"ignore_closures": true`, "abcd"},
		{"closed, nothing current wanted", closed, now, []string{"freeflow"}, "", "abcd"},
		{"slow now", slow, now, nil, "", "aefd"},
		{"slow, no time given", slow, nil, nil, "", "abcd"},
		{"slow, current speeds not wanted", slow, now, []string{"predicted"}, "", "abcd"},
		{"slow, wanted alone", slow, now, []string{"current"}, "", "aefd"},
		{"over", nil, now, nil, "", "abcd"},
	} {
		e.SetLive(c.live)
		_, a, err := ask(t, e, &engine.RouteRequest{Costing: costing.Auto, Locations: stops(town, "a", "d"), Conditions: engine.Conditions{When: c.when, SpeedTypes: c.speeds}}, c.options)
		if err != nil {
			t.Fatal(err)
		}
		if path := a.Trip.passes(t, town); path != c.path {
			t.Errorf("%s: it passes %s", c.what, path)
		}
	}
}

// TestEndsOnClosures goes to a place on a road that is closed.
func TestEndsOnClosures(t *testing.T) {
	town := towntest.Draw(t, `
		a----b----c----d
		|              |
		e--------------f`,
		towntest.Ways{{"ab", "primary"}, {"bc", "primary"}, {"cd", "primary"}, {"ae", "residential"}, {"ef", "residential"}, {"fd", "residential"}})
	e, err := embedded.New(town.Region(t))
	if err != nil {
		t.Fatal(err)
	}
	edges := e.EdgesOf(town.WayID("bc"))
	e.SetLive(overlay.NewSnapshot(overlay.Roads{Taken: time.Now(), Changes: []overlay.Change{{Edge: edges[0], Closed: true}, {Edge: edges[1], Closed: true}}}, nil))
	for _, avoid := range []bool{true, false} {
		r := &engine.RouteRequest{Costing: costing.Auto, Locations: []engine.Location{{Point: town.Point("a")}, {Point: town.Between("b", "c", 0.3)}}}
		r.Locations[1].Filter.ExcludeClosures = avoid
		got, err := e.Route(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		end := got.Routes[0].Bounds.Max.Lon
		if past := end > town.Between("b", "c", 0.2).Lon; past == avoid {
			t.Errorf("avoiding closures %v, it ends at %g, past b: %v", avoid, end, past)
		}
	}
}

// TestAlternates asks for other routes between two and between three places.
func TestAlternates(t *testing.T) {
	town := towntest.Draw(t, `
		a---k---l---m---b---c---d---n---o---p---e
		|   |   |   |   |   |   |   |   |   |   |
		f---q---r---s---g---j---h---t---u---v---i`,
		towntest.Ways{
			{"aklmbcdnope", "primary"},
			{"fqrsgjhtuvi", "primary"},
			{"af", "primary"},
			{"ei", "primary"},
			{"kq", "residential"},
			{"lr", "residential"},
			{"ms", "residential"},
			{"nt", "residential"},
			{"ou", "residential"},
			{"pv", "residential"},
			{"bg", "residential"},
			{"dh", "residential"},
			{"cj", "primary"},
		}, towntest.Cell(500))
	e, err := embedded.New(town.Region(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		stops []string
		when  *engine.When
		least int
	}{
		{stops: []string{"a", "e"}, least: 1},
		{stops: []string{"a", "e", "a"}, least: 1},
		{stops: []string{"a", ">e", "a"}, least: 1},
		{stops: []string{"a", "e", "a"}, when: &engine.When{Type: engine.Depart, Local: local(t, "08:00")}, least: 1},
		{stops: []string{"a", "e", "a"}, when: &engine.When{Type: engine.Arrive, Local: local(t, "08:00")}, least: 1},
	} {
		r := &engine.RouteRequest{Costing: costing.Auto, Locations: stops(town, c.stops...), Alternates: 3, Conditions: engine.Conditions{When: c.when}}
		_, a, err := ask(t, e, r, "")
		if err != nil {
			t.Fatal(err)
		}
		paths := map[string]bool{a.Trip.passes(t, town): true}
		last := a.Trip.Summary.Time
		for _, x := range a.Alternates {
			path := x.Trip.passes(t, town)
			if paths[path] || len(x.Trip.Legs) != len(a.Trip.Legs) || path[0] != 'a' || !strings.Contains(path, "e") {
				t.Errorf("%v: the alternative %s in %d legs, after %v", c.stops, path, len(x.Trip.Legs), paths)
			}
			paths[path] = true
			if x.Trip.Summary.Time < a.Trip.Summary.Time {
				t.Errorf("%v: %s takes %g s, the best %g", c.stops, path, x.Trip.Summary.Time, last)
			}
			checkTimes(t, r, &x.Trip)
		}
		if len(a.Alternates) < c.least || len(a.Alternates) > 3 {
			t.Errorf("%v: %d alternatives", c.stops, len(a.Alternates))
		}
	}
}
