package embedded

import (
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/graph"
)

// waypoint is a location as the route reaches it.
type waypoint struct {
	location engine.Location
	snapped  geo.Point
	index    int // in the request
}

// leg is the travel between two stops.
type leg struct {
	from, to waypoint
	path     graph.Path
}

// via is a location that a leg passes without a stop.
type via struct {
	leg  int // number of the leg
	step int // number of the leg's path step that begins there
	waypoint
}

// route is one way through all locations.
type route struct {
	legs  []leg
	vias  []via
	modes graph.Modes // the traveller's bit
}
