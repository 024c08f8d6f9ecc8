// Package sample makes the sample county: the OpenStreetMap data of an island
// that does not exist, the Isle of Halvern, far out in the Celtic Sea. It is
// the quick start's data and the stage of every demonstration: whatever the
// gateway can do, some place of the island shows it.
//
// The county is drawn by a program from a few hundred hand-set points. Each
// call gives the same bytes, on every machine.
package sample

import (
	"github.com/waygate/waygate/osm"
	"github.com/waygate/waygate/sample/extract"
	"github.com/waygate/waygate/sample/network"
)

// County returns the county's OSM data. Nodes, ways and relations are each sorted
// by id; ids are positive.
func County() *osm.Data { return Generate().Data }

// Sample is the county with the list of what is in it.
type Sample struct {
	Data     *osm.Data
	Places   []Place   // well-known points, by name
	Features []Feature // what the data is sure to hold
	Stops    []Stop    // bus stops, in the order of the routes
	Buses    []BusLine
}

// Generate draws the county. It takes a second or two.
func Generate() *Sample {
	b := newBuilder()
	roads, streets, sites, signs, buses := roadPlanner{b}, streetPlanner{b}, siteDrawer{b}, signDrawer{b}, busPlanner{b}
	roads.highways()
	roads.quays()
	roads.railway()
	roads.motorways()
	streets.markets()
	streets.streetPlan()
	streets.lanes()
	streets.closes()
	roads.paths()
	network.Node(b.roads)
	b.roads = network.Reachable(b.roads)
	roads.structures()
	sites.water()
	b.roads = network.Describe(b.roads, b.towns)
	sites.facilities()
	b.houses = sites.build()
	b.meetings()
	signs.signs()
	b.meetings()
	signs.nodesOnRoads()
	b.meetings()
	signs.restrictions()
	sites.shops()
	buses.buses()
	b.out = extract.NewWriter()
	countyWriter{b}.write()
	return &Sample{Data: &b.out.Data, Places: b.places(), Features: b.features(), Stops: b.stops, Buses: buses.busLines()}
}
