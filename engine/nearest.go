package engine

import (
	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/geo"
)

// NearestRequest is a request for the roads near a place. It is checked before an engine
// sees it.
type NearestRequest struct {
	Location Location
	Costing  costing.Costing
	Options  costing.Settings
	Number   int // of roads wanted, 1 or more
}

// NearestAnswer lists roads, the nearest first: one or more, and no more than
// were wanted.
type NearestAnswer struct {
	Roads []NearRoad
}

// NearRoad is a road near a place.
type NearRoad struct {
	Point  geo.Point // on the road
	Metres float64   // from the place
	WayID  int64     // OSM
	// Nodes are the OSM nodes of the road before and after the place, in the
	// direction of travel where there is but one, else in the way's; nothing
	// where they are not known.
	Nodes [2]int64
}
