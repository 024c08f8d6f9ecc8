package enginetest

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/towntest"
)

// stops: what happens at and between locations.
func stops() []Scenario {
	ring := towntest.Plan{
		Drawing: `
			a----b
			|    |
			|    |
			d----c`,
		Ways: towntest.Ways{{"ab", "residential"}, {"bc", "residential"}, {"cd", "residential"}, {"da", "residential"}},
	}
	arrive := func(side engine.Side, metresNorth float64) func(*towntest.Town, *engine.RouteRequest) {
		return func(town *towntest.Town, r *engine.RouteRequest) {
			p := town.Between("a", "b", 0.5)
			q := town.Offset("a", 0, metresNorth)
			p.Lat += q.Lat - town.Point("a").Lat
			r.Locations[1].Point, r.Locations[1].Side = p, side
		}
	}
	metres := func(v float64) *float64 { return &v }
	// beside sets the second location so far north of a fifth of the way
	// from a to b, which is nearer to a.
	beside := func(side engine.Side, metresNorth float64, set func(*engine.Location)) func(*towntest.Town, *engine.RouteRequest) {
		return func(town *towntest.Town, r *engine.RouteRequest) {
			l := &r.Locations[1]
			l.Point.Lat += town.Offset("a", 0, metresNorth).Lat - town.Point("a").Lat
			l.Side = side
			set(l)
		}
	}
	return []Scenario{
		{
			Name: "stops on the way",
			Plan: towntest.Plan{
				Drawing: `
					a--b--c
					   |  |
					   d--e`,
				Ways: towntest.Ways{{"ab", "residential"}, {"bc", "residential"}, {"bd", "residential"}, {"ce", "residential"}, {"de", "residential"}},
			},
			Trips: []Trip{
				{Stops: "a c e", Path: "abce"},
				{Stops: "a ce d", Path: "abced"},
				{Stops: "a >c e", Path: "abce"},
				{Stops: "a +c e d", Path: "abced"},
				{Stops: "a bc.1 ab", Path: "ab"},
				{Stops: "a bc.9 bd", Path: "ab"},
				{Stops: "a >bc.1 bd", Path: "abced"},
			},
		},
		{
			Name: "a filter on roads to start from",
			Plan: towntest.Plan{
				Cell: 20,
				Drawing: `
					a--------------------b
					|                    |
					|                    |
					|         1          |
					c--------------------d`,
				Ways: towntest.Ways{{"ab", "primary"}, {"ac", "residential"}, {"bd", "residential"}, {"cd", "residential"}},
			},
			Trips: []Trip{{Stops: "b 1", Path: "bd"}, {
				Stops: "b 1", Path: "b",
				Alter: func(_ *towntest.Town, r *engine.RouteRequest) { r.Locations[1].Filter.MinClass = "primary" },
			}},
		},
		{
			Name: "a heading", Plan: ring,
			Trips: []Trip{{Stops: "ab^90 cd", Path: "bc"}, {Stops: "ab^270 cd", Path: "ad"}},
		},
		{
			Name: "the side to arrive on where traffic keeps left", Plan: ring,
			Trips: []Trip{
				{Stops: "cd ab", Path: "da", Alter: arrive(engine.SameSide, 15)},
				{Stops: "cd ab", Path: "cb", Alter: arrive(engine.OppositeSide, 15)},
			},
		},
		{
			// Where the settings leave no side, the nearest way round is taken.
			Name: "the settings of a side", Plan: ring, Germany: true,
			Trips: []Trip{
				{Stops: "cd ab.2", Path: "da", Alter: beside(engine.SameSide, 15, func(l *engine.Location) { l.SideTolerance = metres(20) })},
				{Stops: "cd ab.2", Path: "cb", Alter: beside(engine.SameSide, 15, func(l *engine.Location) { l.SideTolerance = metres(10) })},
				{Stops: "cd ab.2", Path: "da", Alter: beside(engine.SameSide, 3, func(*engine.Location) {})},
				{Stops: "cd ab.2", Path: "cb", Alter: beside(engine.SameSide, 3, func(l *engine.Location) { l.SideTolerance = metres(1) })},
				{Stops: "cd ab.2", Path: "da", Alter: beside(engine.SameSide, 15, func(l *engine.Location) { l.SideMaxDistance = metres(10) })},
				{Stops: "cd ab.2", Path: "cb", Alter: beside(engine.SameSide, 15, func(l *engine.Location) { l.SideMaxDistance = metres(20) })},
				{Stops: "cd ab.2", Path: "da", Alter: beside(engine.SameSide, 15, func(l *engine.Location) { l.SideCutoff = "primary" })},
				{Stops: "cd ab.2", Path: "cb", Alter: beside(engine.SameSide, 15, func(l *engine.Location) { l.SideCutoff = "residential" })},
				{Stops: "cd ab.2", Path: "da", Alter: beside(engine.EitherSide, 15, func(*engine.Location) {})},
			},
		},
		{
			Name: "the side to arrive on where traffic keeps right", Plan: ring, Germany: true,
			Trips: []Trip{
				{Stops: "cd ab", Path: "cb", Alter: arrive(engine.SameSide, 15)},
				{Stops: "cd ab", Path: "da", Alter: arrive(engine.OppositeSide, 15)},
			},
		},
	}
}

// guidance: names, turns, units, and the forms of an answer.
func guidance() []Scenario {
	plan := towntest.Plan{
		Drawing: `
			a-----b-----f
			      |
			      |
			e-----c-----d`,
		Ways: towntest.Ways{
			{"ab", `primary name="High Street"`},
			{"bf", `primary name="High Street"`},
			{"bc", `residential name="Mill Lane"`},
			{"ecd", `residential name="Church Road"`},
		},
	}
	trip := func(alter func(*engine.RouteRequest), check func(*testing.T, *Route)) Trip {
		return Trip{
			Stops: "a d", Path: "abcd", Check: check,
			Alter: func(_ *towntest.Town, r *engine.RouteRequest) { alter(r) },
		}
	}
	metres := func(want float64) func(*testing.T, *Route) {
		return func(t *testing.T, r *Route) {
			t.Helper()
			if got := r.Trip.Summary.Length; !near(got, want, 0.01) {
				t.Errorf("the trip is %g %s long, want %g", got, r.Trip.Units, want)
			}
		}
	}
	mentions := func(words ...string) func(*testing.T, *Route) {
		return func(t *testing.T, r *Route) {
			t.Helper()
			var said []string
			for _, m := range r.Trip.Legs[0].Maneuvers {
				said = append(said, m.Instruction)
			}
			for _, word := range words {
				if !strings.Contains(strings.Join(said, " "), word) {
					t.Errorf("the instructions %q do not say %q", said, word)
				}
			}
		}
	}
	nothing := func(*testing.T, *Route) {}
	return []Scenario{
		{
			Name: "names and turns", Plan: plan,
			Trips: []Trip{
				{Stops: "a d", Path: "abcd", Streets: "High Street,Mill Lane,Church Road", Check: wantTurns(right, left)},
				{Stops: "a e", Path: "abce", Streets: "High Street,Mill Lane,Church Road", Check: wantTurns(right, right)},
				{Stops: "d a", Path: "dcba", Streets: "Church Road,Mill Lane,High Street", Check: wantTurns(right, left)},
				{Stops: "a f", Path: "abf", Streets: "High Street", Check: wantTurns()},
			},
		},
		{
			Name: "lanes", Plan: towntest.Plan{
				Drawing: plan.Drawing,
				Ways: towntest.Ways{
					{"ab", `primary name="High Street" oneway=yes lanes=3 turn:lanes="through|through|right"`},
					{"bf", `primary name="High Street"`},
					{"bc", `residential name="Mill Lane"`},
					{"ecd", `residential name="Church Road"`},
				},
			},
			Trips: []Trip{{Stops: "a d", Path: "abcd", Steps: wantLanes("-", "-", "right")}, {Stops: "b d", Path: "bcd", Steps: wantLanes()}},
		},
		{
			Name: "forms of the native format", Plan: plan,
			Trips: []Trip{
				trip(func(*engine.RouteRequest) {}, metres(1.5)),
				trip(func(r *engine.RouteRequest) { r.Miles = true }, metres(0.932)),
				trip(func(r *engine.RouteRequest) { r.ID = "trip 7" }, nothing),
				trip(func(r *engine.RouteRequest) { r.Directions = engine.Manoeuvres }, nothing),
				trip(func(r *engine.RouteRequest) { r.Directions = engine.NoDirections }, nothing),
				trip(func(*engine.RouteRequest) {}, mentions("High Street", "right", "left")),
				trip(func(r *engine.RouteRequest) { r.Language = "de-DE" }, mentions("High Street", "echts", "inks")),
				trip(func(r *engine.RouteRequest) { r.Language = "fr-FR" }, mentions("High Street", "droite", "gauche")),
				trip(func(r *engine.RouteRequest) { r.Language = "es-ES" }, mentions("High Street", "derecha", "izquierda")),
				trip(func(r *engine.RouteRequest) { r.Language = "it-IT" }, mentions("High Street", "destra", "sinistra")),
				trip(func(r *engine.RouteRequest) { r.Language = "pt-PT" }, mentions("High Street", "direita", "esquerda")),
				trip(func(r *engine.RouteRequest) { r.Language = "nl-NL" }, mentions("High Street", "rechts", "links")),
				trip(func(r *engine.RouteRequest) { r.Language = "pl-PL" }, mentions("High Street", "praw", "lew")),
				trip(func(r *engine.RouteRequest) { r.Language = "sv-SE" }, mentions("High Street", "höger", "vänster")),
			},
		},
		{
			Name: "forms of OSRM's format", Plan: plan,
			Trips: []Trip{
				{Stops: "a d", Path: "abcd", Forms: true},
				trip(func(r *engine.RouteRequest) {
					r.Extra = map[string]json.RawMessage{"of_no_use": json.RawMessage(`{"a": [1]}`)}
				}, nothing),
			},
		},
	}
}
