// Package link finds the edges of a graph that other sources mean when they report on a
// stretch of road: by the OSM nodes along it, by an OSM way, by an OpenLR
// reference, by a line, or by a point and a heading.
package link

import (
	"github.com/waygate/waygate/geo"
)

// Place is a stretch of road as a source describes it. Of the descriptions, the first of
// nodes, way, OpenLR and line counts.
type Place struct {
	Nodes   []int64 // OSM, in the direction of travel
	Way     int64   // OSM
	Dir     Direction
	OpenLR  []byte
	Line    []geo.Point // one point or more, in the direction of travel
	Heading *float64    // degrees at a single point; nil where not known
	Links   []string    // of the source that reports the place
}

// Known reports whether a place has a position.
func (p *Place) Known() bool {
	return len(p.Nodes) > 1 || p.Way != 0 || len(p.OpenLR) > 0 || len(p.Line) > 0 || len(p.Links) > 0
}

// Direction is which directions of a line or way are meant.
type Direction uint8

// The directions: that of the line, against it, or either.
const (
	Forwards Direction = iota
	Backwards
	Both
)

// Segment is the speed between two neighbouring OSM nodes, or between those of
// two neighbouring junctions.
type Segment struct {
	From, To int64
	Kmh      uint8  // 0 is closed
	At       uint32 // Unix seconds when it was so; 0 where unknown
}

// Turn is the least time of a turn at an OSM node, coming from a node and going to
// another: neighbours of it, or those of the junctions before and after.
type Turn struct {
	From, Via, To int64
	Seconds       float32
	At            uint32 // as of a Segment
}

// Way is the speed on all of an OSM way.
type Way struct {
	ID  int64
	At  uint32 // as of a Segment
	Dir Direction
	Kmh uint8 // 0 is closed
}
