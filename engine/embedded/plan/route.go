package plan

import (
	"time"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/overlay"
	"github.com/waygate/waygate/road/profile"
)

// Waypoint is a location of the request with its place on the road.
type Waypoint struct {
	Location engine.Location
	Snapped  geo.Point
	Index    int       // in the request's locations
	At       time.Time // local time, zero where the request has none
}

// Leg is the way from one stop to the next.
type Leg struct {
	From, To Waypoint
	Via      []Waypoint // locations of type through and via, passed in mid-leg
	Path     graph.Path
}

// Route is a way through all locations of a request.
type Route struct {
	Legs    []Leg
	Costing *profile.Costing // of the traveller
	Live    *overlay.Overlay // speeds measured on the roads; nil where none are
	Via     *geo.Point       // as of engine.Route
	// Arrives is true where the time of the request is that of the arrival.
	Arrives bool
}

// SameNode reports whether a step of a path begins at the node where the one
// before it ends.
func SameNode(path graph.Path, k int) bool { return path[k-1].End >= 1-1e-9 && path[k].Begin <= 1e-9 }
