package enginetest

import (
	"time"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/towntest"
)

// conditions: what one request changes on the roads.
func conditions() []Scenario {
	plan := towntest.Plan{
		Cell: 40,
		Drawing: `
			a----b----c----d
			|    |    |    |
			e----f----g----h
			|              |
			|              |
			|              |
			|              |
			|              |
			i--------------j`,
		Ways: towntest.Ways{
			{"abcd", "primary"},
			{"ef", "residential maxspeed=15"},
			{"fg", "residential maxspeed=50"},
			{"gh", "residential maxspeed=15"},
			{"ij", "residential"},
			{"ae", "residential"},
			{"ei", "residential"},
			{"bf", "residential"},
			{"cg", "residential"},
			{"dh", "residential"},
			{"hj", "residential"},
		},
	}
	// box is a ring of so many metres to each side of a place.
	box := func(town *towntest.Town, at string, metres float64) geo.Ring {
		return geo.Ring{town.Offset(at, -metres, -metres), town.Offset(at, metres, -metres), town.Offset(at, metres, metres), town.Offset(at, -metres, metres)}
	}
	without := func(boxes ...string) func(*towntest.Town, *engine.RouteRequest) {
		return func(town *towntest.Town, r *engine.RouteRequest) {
			for _, at := range boxes {
				r.ExcludePolygons = append(r.ExcludePolygons, box(town, at, 30))
			}
		}
	}
	notAt := func(places ...string) func(*towntest.Town, *engine.RouteRequest) {
		return func(town *towntest.Town, r *engine.RouteRequest) {
			for _, at := range places {
				r.ExcludeLocations = append(r.ExcludeLocations, engine.Location{Point: town.Between(at[:1], at[1:], 0.5)})
			}
		}
	}
	at := func(kind engine.TimeType, clock string) func(*towntest.Town, *engine.RouteRequest) {
		return func(_ *towntest.Town, r *engine.RouteRequest) {
			local, err := time.Parse(engine.TimeForm, "2026-09-01T"+clock) // a Tuesday
			if err != nil {
				panic(err) // a mistake in the table
			}
			r.When = &engine.When{Type: kind, Local: local}
		}
	}
	timed := plan
	timed.Ways = append(towntest.Ways{{"ab", "primary"}, {"bc", `primary motor_vehicle:conditional="no @ (Mo-Fr 07:00-09:30)"`}, {"cd", "primary"}}, plan.Ways[1:]...)
	return []Scenario{
		{
			Name: "a road closed at times", Plan: timed,
			Trips: []Trip{
				{Stops: "a d", Path: "abcd"},
				{Stops: "a d", Path: "abfgcd", Alter: at(engine.Depart, "08:00")},
				{Stops: "a d", Path: "abcd", Alter: at(engine.Depart, "12:00")},
				{Stops: "a d", Path: "abfgcd", Alter: at(engine.Arrive, "08:30")},
				{Stops: "a d", Path: "abcd", Alter: at(engine.Arrive, "12:00")},
				{Stops: "a d", Path: "abfgcd", Alter: at(engine.Invariant, "08:00")},
			},
		},
		{
			Name: "excluded polygons", Plan: plan,
			Trips: []Trip{
				{Stops: "a d", Path: "abcd"},
				{Stops: "a d", Path: "abfghd", Alter: without("c")},
				{Stops: "a d", Path: "aeijhd", Alter: without("c", "g")},
				{Stops: "a d", Path: "aefgcd", Alter: without("b")},
				{Stops: "a d", Code: engine.CodeNoRoute, Alter: without("d")},
				{Stops: "a d", Code: engine.CodeNoRoute, Alter: without("c", "g", "j")},
			},
		},
		{
			Name: "excluded locations", Plan: plan,
			Trips: []Trip{
				{Stops: "a d", Path: "abfgcd", Alter: notAt("bc")},
				{Stops: "a d", Path: "aeijhd", Alter: notAt("bc", "fg")},
				{Stops: "a d", Code: engine.CodeNoRoute, Alter: notAt("bc", "fg", "ij")},
			},
		},
	}
}
