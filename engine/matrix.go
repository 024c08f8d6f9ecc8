package engine

import (
	"encoding/json"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/geo"
)

// MatrixRequest asks for the ways from every source to every target. It is
// checked before an engine sees it.
type MatrixRequest struct {
	Sources, Targets []Location // one or more of each; stops and sides as at the ends of a route
	Costing          costing.Costing
	Options          costing.Settings
	// Conditions hold for all ways. A time of departure is that of every source, one
	// of arrival that of every target.
	Conditions
	// Extra holds members of a native request that the gateway has no use
	// for; see RouteRequest.
	Extra map[string]json.RawMessage
}

// MatrixAnswer is what the ways take.
type MatrixAnswer struct {
	Cells    [][]MatrixCell // by source, then target
	Sources  []Snapped
	Targets  []Snapped
	Warnings []Warning
}

// MatrixCell is the way from a source to a target.
type MatrixCell struct {
	Seconds, Metres float64 // of the cheapest way; nothing where there is none
	Reached         bool
}

// Snapped is a location on the network.
type Snapped struct {
	Point geo.Point // nothing where Miss is set
	// Miss says why the location is not on the network; "" where it is.
	Miss string
	// RoadM is how far a location that is not has it to the nearest road that it could use,
	// in metres; 0 where that is not known.
	RoadM float64
}
