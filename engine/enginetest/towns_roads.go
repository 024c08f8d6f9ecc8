package enginetest

import (
	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/towntest"
)

// roads: the shape of the network, one-ways and roundabouts.
func roads() []Scenario {
	ring := towntest.Plan{
		Drawing: `
			a----b
			|    |
			d----c`,
		Ways: towntest.Ways{{"ab", "residential oneway=yes"}, {"bcda", "residential"}},
	}
	against := ring
	against.Ways = towntest.Ways{{"ba", "residential oneway=-1"}, {"bcda", "residential"}}
	contraflow := ring
	contraflow.Ways = towntest.Ways{{"ab", "residential oneway=yes oneway:bicycle=no"}, {"bcda", "residential"}}
	return []Scenario{
		{
			Name: "the shorter of two ways",
			Plan: towntest.Plan{
				Drawing: `
					a-----b
					 \    |
					  \   |
					   c--d`,
				Ways: towntest.Ways{{"ab", "residential"}, {"bd", "residential"}, {"ac", "residential"}, {"cd", "residential"}},
			},
			Trips: []Trip{{Stops: "a d", Path: "acd"}, {Stops: "d a", Path: "dca"}, {Stops: "ab d", Path: "bd"}},
		},
		{
			Name: "the country is named", Plan: ring, Germany: true,
			Trips: []Trip{{
				Stops: "a d", Path: "ad", Check: wantCountry("DE"), Steps: wantCountrySteps("DE", "DEU"),
				Alter: func(_ *towntest.Town, r *engine.RouteRequest) { r.Admins = true },
			}},
		},
		{
			Name: "a one-way street", Plan: ring,
			Trips: []Trip{
				{Stops: "a b", Path: "ab"},
				{Stops: "b a", Path: "bcda"},
				{Stops: "b a", Costing: costing.Bicycle, Path: "bcda"},
				{Stops: "b a", Costing: costing.Pedestrian, Path: "ba"},
				{Stops: "b a", Options: `"ignore_oneways": true`, Path: "ba"},
			},
		},
		{
			Name: "a one-way street drawn backwards", Plan: against,
			Trips: []Trip{{Stops: "a b", Path: "ab"}, {Stops: "b a", Path: "bcda"}},
		},
		{
			Name: "a contraflow for bicycles", Plan: contraflow,
			Trips: []Trip{{Stops: "b a", Path: "bcda"}, {Stops: "b a", Costing: costing.Bicycle, Path: "ba"}},
		},
		{
			Name: "two points on one street", Plan: ring,
			Trips: []Trip{
				{Stops: "bc.2 bc.8", Path: ""},
				{Stops: "bc.8 bc.2", Path: ""},
				{Stops: "ab.2 ab.8", Path: ""},
				{Stops: "ab.8 ab.2", Path: "bcda"},
			},
		},
		{
			Name: "a bridge over a road is no crossing",
			Plan: towntest.Plan{
				Drawing: `
					   c
					   |
					a--+--b
					   |  |
					   d--e`,
				Ways: towntest.Ways{{"ab", "residential"}, {"cd", "residential bridge=yes layer=1"}, {"bed", "residential"}},
			},
			Trips: []Trip{{Stops: "a c", Path: "abedc"}},
		},
		{
			Name: "two roads between the same crossings",
			Plan: towntest.Plan{
				Drawing: `
					   c
					a-----b
					   d`,
				Ways: towntest.Ways{{"acb", "residential"}, {"ab", "residential motor_vehicle=no"}, {"adb", "residential oneway=yes"}},
			},
			Trips: []Trip{{Stops: "b a", Path: "bca"}, {Stops: "b a", Costing: costing.Bicycle, Path: "ba"}},
		},
		{
			Name: "a closed way", Plan: towntest.Plan{
				Drawing: `
					s--a----b
					   |    |
					   d----c`,
				Ways: towntest.Ways{{"sa", "residential"}, {"abcda", "residential"}},
			},
			Trips: []Trip{{Stops: "s b", Path: "sab"}, {Stops: "s d", Path: "sad"}, {Stops: "da b", Path: "ab"}},
		},
		roundabout("a roundabout where traffic keeps left", false, "12341", "s34w", 1),
		roundabout("a roundabout where traffic keeps right", true, "14321", "s3214w", 3),
		{
			Name: "an island",
			Plan: towntest.Plan{
				Drawing: `
					a--b   c--d`,
				Ways: towntest.Ways{{"ab", "residential"}, {"cd", "residential"}},
			},
			Trips: []Trip{{Stops: "a d", Code: engine.CodeNoRoute}, {Stops: "ab cd", Costing: costing.Pedestrian, Code: engine.CodeNoRoute}, {Stops: "c d", Path: "cd"}},
		},
		{
			Name: "the open sea",
			Plan: towntest.Plan{Drawing: "a--b", Ways: towntest.Ways{{"ab", "residential"}}},
			Trips: []Trip{{
				Stops: "a b", Code: engine.CodeNoSegment,
				Alter: func(_ *towntest.Town, r *engine.RouteRequest) {
					r.Locations[1].Point.Lat, r.Locations[1].Point.Lon = 56.2, 2.2
				},
			}},
		},
	}
}

// roundabout returns a roundabout with four arms; ring is the order of its nodes,
// path the way from s to w, which leaves by the exit.
func roundabout(name string, germany bool, ring, path string, exit int) Scenario {
	return Scenario{
		Name: name, Germany: germany,
		Plan: towntest.Plan{
			Cell: 20,
			Drawing: `
				      n
				      |
				      |
				      1
				     / \
				w---4   2---e
				     \ /
				      3
				      |
				      |
				      s`,
			Ways: towntest.Ways{
				{ring, "residential junction=roundabout name=Circus"},
				{"n1", "residential"},
				{"e2", "residential"},
				{"s3", "residential"},
				{"w4", "residential"},
			},
		},
		Trips: []Trip{
			{Stops: "s w", Path: path, Check: wantRoundabout(exit), Steps: wantSide(germany)},
			{
				Stops: "s w", Path: path, Check: wantJoined(exit), Steps: wantJoinedStep(exit),
				Alter: func(_ *towntest.Town, r *engine.RouteRequest) { r.JoinRoundabouts = true },
			},
		},
	}
}

// turns: restrictions at nodes and through ways.
func turns() []Scenario {
	drawing := `
		   d
		   |
		a--b--c
		   |  |
		   e--f`
	ways := towntest.Ways{{"ab", "residential"}, {"bc", "residential"}, {"bd", "residential"}, {"eb", "residential oneway=yes"}, {"cfe", "residential"}}
	town := func(turns ...[4]string) towntest.Plan {
		return towntest.Plan{Drawing: drawing, Ways: ways, Turns: turns}
	}
	const left, block = "abd", "abcfebd"
	return []Scenario{
		{Name: "no turn is forbidden", Plan: town(), Trips: []Trip{{Stops: "a d", Path: left}}},
		{
			Name: "no left turn", Plan: town([4]string{"ab", "b", "bd", "no_left_turn"}),
			Trips: []Trip{
				{Stops: "a d", Path: block},
				{Stops: "d a", Path: "dba"},
				{Stops: "c d", Path: "cbd"},
				{Stops: "a d", Costing: costing.Pedestrian, Path: left},
				{Stops: "a d", Options: `"ignore_restrictions": true`, Path: left},
			},
		},
		{
			Name: "no left turn but for bicycles", Plan: town([4]string{"ab", "b", "bd", "no_left_turn except=bicycle"}),
			Trips: []Trip{{Stops: "a d", Path: block}, {Stops: "a d", Costing: costing.Bicycle, Path: left}},
		},
		{
			Name: "no left turn for lorries", Plan: town([4]string{"ab", "b", "bd", "restriction:hgv=no_left_turn"}),
			Trips: []Trip{{Stops: "a d", Path: left}, {Stops: "a d", Costing: costing.Truck, Path: block}},
		},
		{
			Name: "straight on only", Plan: town([4]string{"ab", "b", "bc", "only_straight_on"}),
			Trips: []Trip{{Stops: "a d", Path: block}, {Stops: "a e", Path: "abcfe"}, {Stops: "d e", Path: "dbcfe"}},
		},
		{
			Name: "no turn through a way",
			Plan: towntest.Plan{
				Drawing: `
					a--b-----c
					   |     |
					d--e-----f`,
				Ways:  towntest.Ways{{"ab", "residential"}, {"bc", "residential"}, {"be", "residential"}, {"de", "residential"}, {"efc", "residential"}},
				Turns: towntest.Turns{{"ab", "be", "de", "no_u_turn"}},
			},
			Trips: []Trip{{Stops: "a d", Path: "abcfed"}, {Stops: "be d", Path: "ed"}, {Stops: "bc.1 d", Path: "bed"}, {Stops: "a ef.1", Path: "abe"}},
		},
		{
			Name: "a dead end is turned round in",
			Plan: towntest.Plan{
				Drawing: `
					a--b--c
					   |
					   d`,
				Ways: towntest.Ways{{"ab", "residential"}, {"bc", "residential"}, {"bd", "residential"}},
			},
			Trips: []Trip{{Stops: "a d c", Path: "abdbc"}, {Stops: "a ~d c", Path: "abdbc"}},
		},
	}
}
