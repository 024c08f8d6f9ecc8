package enginetest

import (
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/towntest"
)

// costs: speeds, tolls, ferries and what a caller would rather avoid.
func costs() []Scenario {
	pace := func(lo, hi float64) func(*testing.T, *Route) {
		return func(t *testing.T, r *Route) {
			t.Helper()
			kmh := 3600 * r.Trip.Summary.Length / r.Trip.Summary.Time
			if kmh < lo || kmh > hi {
				t.Errorf("the average speed is %.1f km/h, want %g to %g", kmh, lo, hi)
			}
		}
	}
	return []Scenario{
		{
			Name: "a fast bypass around a slow centre",
			Plan: towntest.Plan{
				Drawing: `
					a--------b
					|        |
					c--------d`,
				Ways: towntest.Ways{{"ab", "residential maxspeed=20"}, {"acdb", "primary maxspeed=90"}},
			},
			Trips: []Trip{{Stops: "a b", Path: "acdb"}, {Stops: "a b", Options: `"shortest": true`, Path: "ab"}, {Stops: "a b", Costing: costing.Pedestrian, Path: "ab"}},
		},
		{
			Name: "speeds are plausible",
			Plan: towntest.Plan{Cell: 1000, Drawing: "a-----b", Ways: towntest.Ways{{"ab", "primary maxspeed=50"}}},
			Trips: []Trip{
				{Stops: "a b", Path: "ab", Check: pace(35, 55)},
				{Stops: "a b", Costing: costing.Truck, Path: "ab", Check: pace(30, 55)},
				{Stops: "a b", Costing: costing.Bicycle, Path: "ab", Check: pace(10, 30)},
				{Stops: "a b", Costing: costing.Pedestrian, Path: "ab", Check: pace(4.6, 5.6)},
				{Stops: "a b", Costing: costing.Pedestrian, Options: `"walking_speed": 2.5`, Path: "ab", Check: pace(2.2, 2.8)},
				{Stops: "a b", Options: `"top_speed": 20`, Path: "ab", Check: pace(10, 21)},
			},
		},
		shortcut("a toll road", "tertiary toll=yes",
			Trip{Options: `"use_tolls": 1`, Path: direct, Check: wantSummary("a toll", func(s Summary) bool { return s.HasToll })},
			Trip{Options: `"use_tolls": 0`, Path: round, Check: wantSummary("no toll", func(s Summary) bool { return !s.HasToll })},
			excluding("tolls"), Trip{Costing: costing.Bicycle, Path: direct}),
		shortcut("a bridge to exclude", "tertiary bridge=yes", Trip{Path: direct}, excluding("bridges")),
		shortcut("a tunnel to exclude", "tertiary tunnel=yes", Trip{Path: direct}, excluding("tunnels")),
		shortcut("a motorway to exclude", "motorway", excluding("highways"),
			Trip{Path: direct, Check: wantSummary("a motorway", func(s Summary) bool { return s.HasHighway })}),
		shortcut("an unpaved road to exclude", "tertiary surface=gravel", excluding("unpaved")),
		{
			Name: "a ferry or a long way round",
			Plan: towntest.Plan{
				Cell: 2000,
				Drawing: `
					a---b~~~c---d
					|           |
					|           |
					|           |
					|           |
					e-----------f`,
				Ways: towntest.Ways{
					{"ab", "primary"},
					{"cd", "primary"},
					{"aefd", "primary"},
					{"bc", `route=ferry name="Chain Ferry" motor_vehicle=yes foot=yes bicycle=yes duration=00:05`},
				},
			},
			Trips: []Trip{
				{Stops: "a d", Options: `"use_ferry": 1`, Path: "abcd", Streets: "ab,Chain Ferry,cd", Check: wantFerry()},
				{Stops: "a d", Options: `"exclude_ferries": true`, Path: "aefd", Check: wantSummary("no ferry", func(s Summary) bool { return !s.HasFerry })},
				{Stops: "a d", Costing: costing.Pedestrian, Path: "abcd"},
			},
		},
		{
			Name: "a ferry is the only way",
			Plan: towntest.Plan{
				Cell: 500, Drawing: "a---b~~~c---d",
				Ways: towntest.Ways{{"ab", "primary"}, {"cd", "primary"}, {"bc", "route=ferry motor_vehicle=yes duration=00:10"}},
			},
			Trips: []Trip{{Stops: "a d", Path: "abcd", Check: wantFerry()}, {Stops: "a d", Options: `"exclude_ferries": true`, Code: engine.CodeNoRoute}},
		},
		{
			Name: "another road is offered",
			Plan: towntest.Plan{
				Cell: 1000,
				Drawing: `
					      1   2
					      |   |
					  c---g---h---d
					 /             \
					a               b
					 \             /
					  \           /
					   e--i---j--f
					      |   |
					      3   4`,
				Ways: towntest.Ways{
					{"ac", "primary"},
					{"cghd", "primary"},
					{"db", "primary"},
					{"ae", "primary"},
					{"eijf", "primary"},
					{"fb", "primary"},
					{"1g", "residential"},
					{"2h", "residential"},
					{"3i", "residential"},
					{"4j", "residential"},
				},
			},
			Trips: []Trip{{
				Stops: "a b", Path: "acghdb", Check: wantAlternate,
				Alter: func(_ *towntest.Town, r *engine.RouteRequest) { r.Alternates = 2 },
				Steps: func(t *testing.T, r *OSRMRoute) {
					if len(r.Routes) < 2 {
						t.Errorf("%d routes, want one or two more than the best", len(r.Routes))
					}
				},
			}},
		},
	}
}

// excluding returns a trip through a shortcut town that rules its direct way out.
// It ends beyond the shortcut: an exclusion does not hold at the very ends.
func excluding(what string) Trip {
	return Trip{Stops: "a ce", Options: `"exclude_` + what + `": true`, Path: "ade"}
}
