package engine

import (
	"encoding/json"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/geo"
)

// IsochroneRequest is a request for outlines. It is checked before an engine sees it.
type IsochroneRequest struct {
	Location      Location
	Starts        []Start // further places, of engines with Can.IsochroneStarts
	Costing       costing.Costing
	Options       costing.Settings
	Conditions              // no time of Arrive unless Reverse, and none of Depart then
	Contours      []Contour // one or more
	Polygons      bool      // rather than lines
	Reverse       bool      // what the place is within reach of
	ShowLocations bool      // adds the place as it was given and on the road
	Denoise       *float64  // 0 to 1: drops islands smaller than that share of the largest; nil is 1
	Generalize    *float64  // metres; nil is the engine's choice
	ID            string    // echoed
	Extra         map[string]json.RawMessage
}

// Start is a place that one is at some seconds after setting out, such as a stop where a
// vehicle is left. With Reverse one has to be there so many seconds before the end. A place
// without a road near it does not count.
type Start struct {
	Location
	Seconds float64 // 0 or more
}

// Contour is one outline that is wanted: either a time or a distance.
type Contour struct {
	Minutes    float64
	Kilometres float64
	Colour     string // six hexadecimal digits; "" is the engine's choice
}

// IsochroneAnswer has the outlines of what is within reach.
type IsochroneAnswer struct {
	Outlines []Outline // the larger first, so that drawn in turn the smaller lie on top
	On       geo.Point // the place on the road
	// Raw is a GeoJSON FeatureCollection with Valhalla's properties, as a remote
	// engine wrote it: there are no Outlines then.
	Raw      []byte
	Warnings []Warning
}

// Outline has the polygons of a contour.
type Outline struct {
	Contour
	Polygons []Polygon
}

// Polygon is an outer ring, counter-clockwise, and the holes in it, clockwise.
// Rings end where they begin.
type Polygon struct {
	Outer []geo.Point
	Holes [][]geo.Point
}
