package embedded

import (
	"strings"
	"time"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/guidance"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/guide"
	"github.com/waygate/waygate/road/overlay"
	"github.com/waygate/waygate/road/profile"
)

// waypoint is a location of the request with its place on the road.
type waypoint struct {
	location engine.Location
	snapped  geo.Point
	index    int       // in the request's locations
	at       time.Time // local time, zero where the request told none
}

// leg is the way from one stop to the next.
type leg struct {
	from, to waypoint
	via      []waypoint // locations of type through and via, passed in mid-leg
	path     graph.Path
}

// route is a way through all locations of a request.
type route struct {
	legs    []leg
	costing *profile.Costing // of the traveller
	live    *overlay.Overlay // speeds measured on the roads; nil where none are
	via     *geo.Point       // as of engine.Route
	// arrives says that the time told was that of the arrival.
	arrives bool
}

// sideOf applies a location's own bounds on what counts as a side.
func sideOf(l *engine.Location, line []geo.Point, atStart bool) guidance.Side {
	least, most := sideWindow(l)
	return guide.SideOf(line, atStart, l.Point, least, most)
}

// primaryLanguage is the language of a BCP 47 tag without its region, as OSM
// writes it after "name:"; "" for no tag.
func primaryLanguage(tag string) string {
	if i := strings.IndexAny(tag, "-_"); i >= 0 {
		tag = tag[:i]
	}
	return strings.ToLower(tag)
}
