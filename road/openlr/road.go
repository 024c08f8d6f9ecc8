package openlr

import (
	"math"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/graph"
)

// The forms of way.
const (
	formUndefined = iota
	formMotorway
	formDual
	formSingle
	formRoundabout
	formSquare
	formSlip
	formOther
)

// classOf returns the functional class of a road. That of motorways is 0; tracks and
// paths are the last.
func classOf(g *graph.Graph, s graph.Segment) uint8 {
	switch c := g.BySegment[s].Class; {
	case c < graph.Unclassified:
		return uint8(c)
	case c == graph.Unclassified:
		return 5
	case g.BySegment[s].Use == graph.Track || g.BySegment[s].Use >= graph.Cycleway:
		return 7
	case c == graph.Residential:
		return 5
	}
	return 6
}

// formOf returns the form of a road.
func formOf(g *graph.Graph, s graph.Segment) uint8 {
	flags := g.BySegment[s].Flags
	switch {
	case flags&graph.Roundabout != 0:
		return formRoundabout
	case flags&graph.Link != 0 || g.BySegment[s].Use == graph.Ramp || g.BySegment[s].Use == graph.TurnChannel:
		return formSlip
	case g.BySegment[s].Class == graph.Motorway:
		return formMotorway
	case flags&graph.Oneway != 0 && g.BySegment[s].Class <= graph.Secondary:
		return formDual
	case g.BySegment[s].Use == graph.Road || g.BySegment[s].Use == graph.LivingStreet || g.BySegment[s].Use == graph.ServiceRoad:
		return formSingle
	}
	return formOther
}

// usable reports whether references may lead over an edge: whatever may be driven or
// ridden on.
func usable(g *graph.Graph, e graph.Edge) bool {
	return g.ByEdge[e].Access&graph.Vehicles != 0 && g.BySegment[g.Segment(e)].Use != graph.Ferry && g.BySegment[g.Segment(e)].Use != graph.RailFerry
}

// bearingMetres is how far along a way its bearing is taken.
const bearingMetres = 20

// bearing returns the direction from a place on an edge, given by its part of the
// length, to the place so many metres further along it, or back.
func bearing(line []geo.Point, metres, along float64, back bool) float64 {
	at := along * metres
	from, to := pointAt(line, at), pointAt(line, min(metres, at+bearingMetres))
	if back {
		to = pointAt(line, max(0, at-bearingMetres))
	}
	return geo.Bearing(from, to)
}

// pointAt returns the point so many metres along a line.
func pointAt(line []geo.Point, metres float64) geo.Point {
	for i := 1; i < len(line); i++ {
		step := geo.Distance(line[i-1], line[i])
		if metres <= step && step > 0 {
			t := metres / step
			return geo.Point{Lon: line[i-1].Lon + t*(line[i].Lon-line[i-1].Lon), Lat: line[i-1].Lat + t*(line[i].Lat-line[i-1].Lat)}
		}
		metres -= step
	}
	return line[len(line)-1]
}

// apart returns how many degrees lie between two bearings.
func apart(a, b float64) float64 { return math.Abs(math.Remainder(a-b, 360)) }
