package enginetest

import (
	"slices"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/towntest"
)

// vehicles: what holds for one kind of vehicle alone.
func vehicles() []Scenario {
	const valhalla = "Valhalla has one limit and one toll for all, and reads fewer keys"
	by := func(c costing.Costing, options, path string) Trip {
		return Trip{Costing: c, Options: options, Path: path, Differs: valhalla}
	}
	camper := func(path string) Trip { return by(costing.Auto, `"weight": 8, "height": 3.2`, path) }
	lorry, bus := costing.Truck, costing.Bus
	forLorries := func(name, tags string) Scenario {
		return shortcut(name, tags, Trip{Path: direct}, by(lorry, "", round), by(bus, "", direct), camper(direct))
	}
	const through, past = "abcf", "abdecf"
	excluding := func(c costing.Costing, options string, pays bool) Trip {
		if pays {
			return by(c, `"exclude_tolls": true`+options, past)
		}
		return by(c, `"exclude_tolls": true`+options, through)
	}
	tolled := func(name, tags string, trips ...Trip) Scenario {
		for i := range trips {
			trips[i].Stops = "a f"
		}
		return Scenario{Name: name, Trips: trips, Plan: towntest.Plan{
			Drawing: `
				a--b--------c--f
				   |        |
				   d--------e`,
			Ways: towntest.Ways{{"ab", "tertiary"}, {"bc", "tertiary " + tags}, {"cf", "tertiary"}, {"bdec", "tertiary"}},
		}}
	}
	tolls := func(name, tags string, payers ...costing.Costing) Scenario {
		var trips []Trip
		for _, c := range []costing.Costing{costing.Auto, lorry, bus, costing.Motorcycle} {
			pays := slices.Contains(payers, c)
			trip := by(c, `"use_tolls": 1`, through)
			trip.Check = wantSummary(name, func(s Summary) bool { return s.HasToll == pays })
			trips = append(trips, excluding(c, "", pays), trip)
		}
		return tolled(name, tags, trips...)
	}
	return []Scenario{
		forLorries("a weight of lorries", "tertiary maxweight:hgv=3.5"),
		forLorries("a permitted weight of lorries", "tertiary maxweightrating:hgv=7.5"),
		forLorries("a height of lorries", "tertiary maxheight:hgv=2.9"),
		forLorries("a weight that closes to lorries", "tertiary hgv:conditional=no@(weight>7.5)"),
		forLorries("a weight that closes to goods vehicles", "tertiary goods:conditional=no@(weight>2.8)"),
		shortcut("a weight of all but buses", "tertiary maxweight=3.5 maxweight:bus=20",
			Trip{Path: direct}, by(lorry, "", round), by(bus, "", direct), by(bus, `"weight": 21`, round), camper(direct), by(costing.Auto, `"weight": 21`, round)),
		shortcut("a weight of cars beside one of buses", "tertiary maxweight=3.5 maxweight:bus=20 maxweight:motorcar=3.5", by(bus, "", direct), camper(round)),
		shortcut("a weight that is lifted for buses", "tertiary maxweight=3.5 maxweight:conditional=none@(psv)",
			Trip{Path: direct}, by(lorry, "", round), by(bus, "", direct), camper(direct)),
		shortcut("a weight of buses", "tertiary maxweight:bus=12",
			Trip{Path: direct}, by(lorry, "", direct), by(bus, "", round), camper(direct)),

		tolls("a toll for all", "toll=yes", costing.Auto, lorry, bus, costing.Motorcycle),
		tolls("a toll for lorries", "toll:hgv=yes", lorry),
		tolls("a toll for heavy lorries", "toll:N3=yes", lorry),
		tolls("a toll for lorries on a road without toll", "toll=no toll:hgv=yes", lorry),
		tolled("a toll in one direction", "toll:forward=yes", excluding(costing.Auto, "", true)),
		tolled("a toll in the other direction", "toll:backward=yes", excluding(costing.Auto, "", false)),
		tolls("a toll that cars need not pay", "toll=yes toll:motorcar=no", lorry, bus),
		tolls("a toll for motorcycles", "toll:motorcycle=yes", costing.Motorcycle),
		tolls("a toll that motorcycles need not pay", "toll=yes toll:motorcycle=no", costing.Auto, lorry, bus),
		tolls("a toll for buses", "toll:bus=yes", bus),
		tolls("a toll by weight", "toll:conditional=yes@(weight>3.5)", lorry, bus),
		tolls("a toll for lorries by a condition", "toll:conditional=yes@(hgv)", lorry),
		tolled("a toll for heavy lorries that is free for light ones", "toll:N3=yes",
			excluding(lorry, `, "weight": 7.5`, false), excluding(lorry, `, "weight": 18`, true)),
		tolled("a toll by weight for a camper", "toll:conditional=yes@(weight>3.5)",
			excluding(costing.Auto, `, "weight": 3`, false), excluding(costing.Auto, `, "weight": 8`, true)),
	}
}

// shunned: roads that are discouraged or unsuitable, and words of access that are unknown.
func shunned() []Scenario {
	const valhalla = "Valhalla closes some of these words and opens others"
	shun := func(name, tags string, by ...costing.Costing) Scenario {
		var trips []Trip
		for _, c := range []costing.Costing{costing.Auto, costing.Truck, costing.Bus, costing.Bicycle, costing.Pedestrian} {
			path := direct
			if slices.Contains(by, c) {
				path = round
			}
			trips = append(trips, Trip{Costing: c, Path: path, Differs: valhalla})
		}
		return shortcut(name, "tertiary "+tags, trips...)
	}
	motor := []costing.Costing{costing.Auto, costing.Truck, costing.Bus}
	everybody := append(slices.Clone(motor), costing.Bicycle, costing.Pedestrian)
	return []Scenario{
		shun("unsuitable for lorries", "hgv=unsuitable", costing.Truck),
		shun("closed to lorries by the longer form of the key", "access:hgv=no", costing.Truck),
		shun("discouraged for lorries", "hgv=discouraged", costing.Truck),
		shun("discouraged for motor traffic", "motor_vehicle=discouraged", motor...),
		shun("discouraged for all", "access=discouraged", everybody...),
		shun("a word that nobody knows for lorries", "hgv=maybe", costing.Truck),
		shun("a word that nobody knows for motor traffic", "motor_vehicle=sometimes", motor...),
		shun("a word that nobody knows for walkers", "foot=bridge"),
		{
			Name:  "an unsuitable road where there is no other",
			Plan:  towntest.Plan{Drawing: "a--b--c--d", Ways: towntest.Ways{{"ab", "tertiary"}, {"bc", "tertiary hgv=unsuitable"}, {"cd", "tertiary"}}},
			Trips: []Trip{{Stops: "a d", Costing: costing.Truck, Path: "abcd", Differs: valhalla}},
		},
	}
}
