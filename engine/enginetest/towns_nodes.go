package enginetest

import (
	"slices"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/towntest"
)

// nodes: what stands at a node without being a barrier, values that name those who
// may use a road, and restrictions that are none.
func nodes() []Scenario {
	const left, block = "abd", "abcfebd"
	turning := func(turn [4]string) towntest.Plan {
		return towntest.Plan{
			Drawing: `
				   d
				   |
				a--b--c
				   |  |
				   e--f`,
			Ways:  towntest.Ways{{"ab", "residential"}, {"bc", "residential"}, {"bd", "residential"}, {"eb", "residential oneway=yes"}, {"cfe", "residential"}},
			Turns: towntest.Turns{turn},
		}
	}
	quick := func(most float64) func(*testing.T, *Route) {
		return func(t *testing.T, r *Route) {
			t.Helper()
			if got := r.Trip.Summary.Time; got > most {
				t.Errorf("the way takes %v s, want at most %v", got, most)
			}
		}
	}
	differs := func(why string, trip Trip) Trip {
		trip.Differs = why
		return trip
	}
	// ignoring asks in every way of travel, with what is ignored.
	ignoring := func(option, path string, by ...costing.Costing) (trips []Trip) {
		for _, c := range by {
			trips = append(trips, Trip{Costing: c, Options: `"` + option + `": true`, Path: path})
		}
		return trips
	}
	// only is a town whose only way from a to c is over tags; a route that has no
	// path there is refused.
	only := func(name, tags string, trips ...[]Trip) Scenario {
		all := slices.Concat(trips...)
		for i := range all {
			if all[i].Stops = "a c"; all[i].Path == "" {
				all[i].Code = engine.CodeNoRoute
			}
		}
		return Scenario{Name: name, Trips: all, Plan: towntest.Plan{Drawing: "a--b------c--d", Ways: towntest.Ways{{"ab", "tertiary"}, {"bc", tags}, {"cd", "tertiary"}}}}
	}
	all := costing.All[:]
	motor := []costing.Costing{costing.Auto, costing.Truck, costing.Bus, costing.Motorcycle, costing.MotorScooter}
	return []Scenario{
		shortcut("against a one-way street in every way of travel", "tertiary oneway=-1", ignoring("ignore_oneways", direct, all...)...),
		only("over a footway in every way of travel", "footway", ignoring("ignore_access", "abc", all...), ignoring("ignore_oneways", "", append(motor, costing.Bicycle)...)),
		only("against a one-way motorway in every way of travel", "motorway oneway=-1",
			ignoring("ignore_oneways", "abc", costing.Auto, costing.Truck, costing.Bus, costing.Motorcycle),
			ignoring("ignore_oneways", "", costing.MotorScooter, costing.Bicycle, costing.Pedestrian), ignoring("ignore_access", "", all...)),
		only("along a one-way motorway in every way of travel", "motorway oneway=yes", ignoring("ignore_access", "abc", all...)),
		at(shortcut("a node closed to cars", "tertiary", Trip{Path: round}, Trip{Costing: costing.Bicycle, Path: direct},
			Trip{Costing: costing.Pedestrian, Path: direct}, Trip{Options: `"ignore_access": true`, Path: direct}), "motor_vehicle=no"),
		at(shortcut("a node closed to all", "tertiary", Trip{Path: round}, Trip{Costing: costing.Pedestrian, Path: round}), "access=no"),
		at(shortcut("a rising bollard", "tertiary", Trip{Path: round}, Trip{Costing: costing.Bicycle, Path: round}), "barrier=bollard bollard=rising"),
		at(shortcut("a kerb", "tertiary", differs("Valhalla reads no kerbs", Trip{Path: round}), Trip{Costing: costing.Pedestrian, Path: direct}), "barrier=kerb kerb=raised"),
		at(shortcut("a lowered kerb", "tertiary", Trip{Path: direct}), "barrier=kerb kerb=lowered"),
		shortcut("a road for taxis", "tertiary motor_vehicle=taxi",
			differs("Valhalla takes the value for no rule", Trip{Path: round}), Trip{Costing: costing.Bicycle, Path: direct}),
		shortcut("a road for emergency vehicles", "tertiary motor_vehicle=emergency_vehicle",
			differs("Valhalla takes the value for no rule", Trip{Path: round}), Trip{Costing: costing.Pedestrian, Path: direct}),
		shortcut("a road at works", "tertiary construction=yes",
			differs("Valhalla reads highway=construction alone", Trip{Path: round})),
		shortcut("a footway with something for bicycles", "footway cycleway=crossing", Trip{Costing: costing.Bicycle, Path: direct}, Trip{Path: round}),
		shortcut("a motorway with a cycle track", "motorway oneway=yes cycleway=track", Trip{Costing: costing.Bicycle, Path: direct}, Trip{Stops: "c a", Costing: costing.Bicycle, Path: "ceda"}),
		shortcut("a kind of way that nobody knows", "runway bicycle=yes", Trip{Costing: costing.Bicycle, Path: direct}, Trip{Path: round}),
		shortcut("a way that is not built", "proposed bicycle=yes", Trip{Costing: costing.Bicycle, Path: round}),
		at(shortcut("a fence of sounds", "tertiary", differs("Valhalla reads no senses", Trip{Path: direct})), "barrier=fence sensory=audible"),
		{
			Name: "a location within five metres of a junction is at it",
			Plan: towntest.Plan{
				Drawing: `
					a--b--c
					|     |
					d-----e`,
				Ways: towntest.Ways{{"ab", "tertiary oneway=yes"}, {"bc", "tertiary"}, {"adec", "tertiary"}},
			},
			Trips: []Trip{{Stops: "c ab.99", Path: "cb"}, {Stops: "c ab.9", Path: "ceda"}, {Stops: "ab.99 c", Path: "bc"}},
		},
		{
			Name: "a pier",
			Plan: towntest.Plan{Drawing: "a--b--c", Ways: towntest.Ways{{"ab", "footway"}, {"bc", "man_made=pier"}}},
			Trips: []Trip{
				differs("Valhalla reads no piers", Trip{Stops: "a c", Costing: costing.Pedestrian, Path: "abc"}),
			},
		},
		shortcut("against a one-way road that nobody may take", "motorway oneway=-1",
			Trip{Options: `"ignore_access": true`, Path: round}, Trip{Options: `"ignore_oneways": true`, Path: direct}),
		{
			Name:  "no left turn while the signal is red",
			Plan:  turning([4]string{"ab", "b", "bd", "no_left_turn_on_red"}),
			Trips: []Trip{{Stops: "a d", Path: left}},
		},
		{
			Name:  "no entry is a ban of the turn",
			Plan:  turning([4]string{"ab", "b", "bd", "no_entry"}),
			Trips: []Trip{{Stops: "a d", Path: block}},
		},
		{
			Name: "nobody stops under a toll gantry",
			Plan: towntest.Plan{
				Cell:    40,
				Drawing: "a--b--c--d",
				Ways:    towntest.Ways{{"abcd", "primary maxspeed=50"}},
				Nodes:   towntest.Nodes{{"b", "highway=toll_gantry"}, {"c", "highway=toll_gantry"}},
			},
			Trips: []Trip{{Stops: "a d", Path: "abcd", Check: quick(29)}},
		},
		{
			Name: "signals of crossings are not the drivers'",
			Plan: towntest.Plan{
				Cell: 40,
				Drawing: `
					   1  2  3  4
					   |  |  |  |
					a--b--c--d--e--f
					   |  |  |  |
					   5  6  7  8`,
				Ways: towntest.Ways{{"abcdef", "primary maxspeed=50"}, {"1b5", "footway"}, {"2c6", "footway"}, {"3d7", "footway"}, {"4e8", "footway"}},
				Nodes: towntest.Nodes{
					{"b", "highway=crossing crossing=traffic_signals"},
					{"c", "highway=crossing crossing=traffic_signals"},
					{"d", "highway=crossing crossing:signals=yes"},
					{"e", "highway=crossing crossing=traffic_signals"},
				},
			},
			Trips: []Trip{{Stops: "a f", Path: "abcdef", Check: quick(47)}},
		},
	}
}
