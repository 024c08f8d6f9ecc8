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
	b.highways()
	b.quays()
	b.railway()
	b.motorways()
	b.markets()
	b.streetPlan()
	b.lanes()
	b.closes()
	b.paths()
	network.Node(b.roads)
	b.roads = network.Reachable(b.roads)
	b.structures()
	b.water()
	b.roads = network.Describe(b.roads, b.towns)
	b.facilities()
	b.houses = b.build()
	b.meetings()
	b.signs()
	b.meetings()
	b.nodesOnRoads()
	b.meetings()
	b.restrictions()
	b.shops()
	b.buses()
	b.out = extract.NewWriter()
	b.write()
	return &Sample{Data: &b.out.Data, Places: b.places(), Features: b.features(), Stops: b.stops, Buses: b.busLines()}
}
