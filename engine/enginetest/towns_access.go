package enginetest

import (
	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/towntest"
)

// The two ways from a to c in a shortcut town.
const (
	direct = "abc"
	round  = "adec"
)

// shortcut returns a town whose direct way from a to c, the road bc, has the tags
// under test; the way round is a third longer and open to all.
func shortcut(name, tags string, trips ...Trip) Scenario {
	for i := range trips {
		if trips[i].Stops == "" {
			trips[i].Stops = "a c"
		}
	}
	return Scenario{Name: name, Trips: trips, Plan: towntest.Plan{
		Drawing: `
			a--b--------c
			|           |
			d-----------e`,
		Ways: towntest.Ways{{"ab", "tertiary"}, {"bc", tags}, {"adec", "tertiary"}},
	}}
}

// at puts a barrier on the shortcut's node b.
func at(s Scenario, tags string) Scenario {
	s.Plan.Nodes = towntest.Nodes{{"b", tags}}
	return s
}

// access: who may use a way.
func access() []Scenario {
	return []Scenario{
		shortcut("nothing on the shortcut", "tertiary",
			Trip{Path: direct}, Trip{Costing: costing.Truck, Path: direct}, Trip{Costing: costing.Bus, Path: direct},
			Trip{Costing: costing.Motorcycle, Path: direct}, Trip{Costing: costing.MotorScooter, Path: direct},
			Trip{Costing: costing.Bicycle, Path: direct}, Trip{Costing: costing.Pedestrian, Path: direct}),
		shortcut("a private road is for its destinations", "tertiary access=private",
			Trip{Path: round}, Trip{Stops: "a bc", Path: "ab"}),
		shortcut("a road for destinations only", "tertiary motor_vehicle=destination",
			Trip{Path: round}, Trip{Stops: "a bc", Path: "ab"}),
		shortcut("no motor vehicles", "tertiary motor_vehicle=no",
			Trip{Path: round}, Trip{Costing: costing.Truck, Path: round}, Trip{Costing: costing.Motorcycle, Path: round},
			Trip{Costing: costing.Bicycle, Path: direct}, Trip{Costing: costing.Pedestrian, Path: direct}),
		shortcut("no cars but motorcycles", "tertiary motorcar=no",
			Trip{Path: round}, Trip{Costing: costing.Motorcycle, Path: direct}),
		shortcut("a cycleway", "cycleway",
			Trip{Path: round}, Trip{Costing: costing.Bicycle, Path: direct}),
		shortcut("a footway", "footway",
			Trip{Path: round}, Trip{Costing: costing.Pedestrian, Path: direct}),
		{
			Name: "steps",
			Plan: towntest.Plan{
				Cell: 20,
				Drawing: `
					a--b1-------c
					|           |
					d-----------e`,
				Ways: towntest.Ways{{"ab", "tertiary"}, {"b1", "steps"}, {"1c", "footway bicycle=yes"}, {"adec", "tertiary"}},
			},
			Trips: []Trip{
				{Stops: "a c", Path: "adec"},
				{Stops: "a c", Costing: costing.Bicycle, Path: "adec"},
				{Stops: "a c", Costing: costing.Pedestrian, Path: "ab1c"},
			},
		},
		shortcut("a bus road", "tertiary access=no bus=yes",
			Trip{Path: round}, Trip{Costing: costing.Bus, Path: direct}),
		shortcut("a motorway", "motorway",
			Trip{Path: direct}, Trip{Costing: costing.MotorScooter, Path: round},
			Trip{Costing: costing.Bicycle, Path: round}, Trip{Costing: costing.Pedestrian, Path: round}),
		shortcut("under construction", "construction construction=tertiary",
			Trip{Path: round}, Trip{Costing: costing.Pedestrian, Path: round}),
		at(shortcut("a bollard", "tertiary", Trip{Path: round},
			Trip{Costing: costing.Bicycle, Path: direct}, Trip{Costing: costing.Pedestrian, Path: direct}), "barrier=bollard"),
		at(shortcut("a gate costs more than the way round", "tertiary", Trip{Path: round}), "barrier=gate"),
		at(shortcut("a locked gate", "tertiary", Trip{Path: round}, Trip{Costing: costing.Pedestrian, Path: round}), "barrier=gate access=no"),
		{
			Name:  "a gate opens where there is no other way",
			Plan:  towntest.Plan{Drawing: "a--b--c", Ways: towntest.Ways{{"abc", "tertiary"}}, Nodes: towntest.Nodes{{"b", "barrier=gate"}}},
			Trips: []Trip{{Stops: "a c", Path: "abc"}},
		},
	}
}

// limits: what a vehicle's size, weight and load forbid.
func limits() []Scenario {
	truck := costing.Truck
	return []Scenario{
		shortcut("a low bridge", "tertiary maxheight=3",
			Trip{Path: direct}, Trip{Costing: truck, Path: round}, Trip{Costing: truck, Options: `"height": 2.9`, Path: direct}),
		shortcut("a low bridge in feet and inches", `tertiary maxheight=13'0"`,
			Trip{Costing: truck, Path: round}, Trip{Costing: truck, Options: `"height": 3.9`, Path: direct}),
		shortcut("a bar for cars", "tertiary maxheight=1.5",
			Trip{Path: round}, Trip{Options: `"height": 1.4`, Path: direct}, Trip{Costing: costing.Bicycle, Path: direct}),
		shortcut("a weak bridge", "tertiary maxweight=7.5",
			Trip{Path: direct}, Trip{Costing: truck, Path: round}, Trip{Costing: truck, Options: `"weight": 7`, Path: direct}),
		shortcut("a narrow road", "tertiary maxwidth=2.1",
			Trip{Path: direct}, Trip{Costing: truck, Path: round}, Trip{Costing: truck, Options: `"width": 2`, Path: direct}),
		shortcut("no long vehicles", "tertiary maxlength=12",
			Trip{Path: direct}, Trip{Costing: truck, Path: round}, Trip{Costing: truck, Options: `"length": 11`, Path: direct}),
		shortcut("a limit on the axle load", "tertiary maxaxleload=8",
			Trip{Path: direct}, Trip{Costing: truck, Path: round}, Trip{Costing: truck, Options: `"axle_load": 7.5`, Path: direct}),
		shortcut("no lorries", "tertiary hgv=no",
			Trip{Path: direct}, Trip{Costing: truck, Path: round}, Trip{Costing: costing.Bus, Path: direct}),
		shortcut("no dangerous goods", "tertiary hazmat=no",
			Trip{Path: direct}, Trip{Costing: truck, Path: direct}, Trip{Costing: truck, Options: `"hazmat": true`, Path: round}),
		{
			Name:  "no way at all under a low bridge",
			Plan:  towntest.Plan{Drawing: "a--b--c--d", Ways: towntest.Ways{{"ab", "tertiary"}, {"bc", "tertiary maxheight=3"}, {"cd", "tertiary"}}},
			Trips: []Trip{{Stops: "a d", Path: "abcd"}, {Stops: "a d", Costing: truck, Code: engine.CodeNoRoute}},
		},
	}
}

// tunnels: what an ADR tunnel category forbids.
func tunnels() []Scenario {
	truck := func(code, path string) Trip {
		return Trip{Costing: costing.Truck, Options: `"adr_tunnel_code": "` + code + `"`, Path: path, ADR: true}
	}
	through := truck("E", direct)
	through.Check = wantTunnel("C")
	return []Scenario{
		shortcut("a tunnel of category C", "tertiary tunnel=yes hazmat:adr_tunnel_cat=C",
			Trip{Path: direct}, Trip{Costing: costing.Truck, Path: direct},
			truck("B", round), truck("C", round), truck("B/D", round), truck("(—)", direct)),
		shortcut("a tunnel of category E", "tertiary tunnel=yes tunnel:category=E",
			truck("E", round), truck("D/E", round), truck("B", round), truck("(—)", direct)),
		shortcut("a load passes a milder tunnel, which the answer names", "tertiary tunnel=yes hazmat:adr_tunnel_cat=C", through),
		shortcut("an approach closed to some codes", "tertiary hazmat:B=no hazmat:C=no hazmat:D=yes hazmat:E=yes",
			truck("B", round), truck("C/D", round), truck("D", direct), truck("E", direct), truck("(—)", direct)),
		shortcut("a tunnel of category A", "tertiary tunnel=yes hazmat:adr_tunnel_cat=A", truck("B", direct)),
	}
}
