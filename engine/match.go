package engine

import (
	"encoding/json"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/geo"
)

// ShapeMatch is how a trace is matched.
type ShapeMatch string

// The ways to match, with Valhalla's meanings: edge_walk is for lines taken
// from the roads themselves, map_snap for noisy positions, and walk_or_snap
// tries the one and then the other.
const (
	EdgeWalk   ShapeMatch = "edge_walk"
	MapSnap    ShapeMatch = "map_snap"
	WalkOrSnap ShapeMatch = "walk_or_snap"
)

// TracePoint is one position of a trace.
type TracePoint struct {
	Point geo.Point
	Time  *float64 // seconds since any moment, the same for all; not before the position before
	Stop  Stop     // break and break_through begin a leg; "" is Via, but Break at the ends
	// Heading is where it headed, as of a Location; nil is unknown. Where no road
	// near a position leads that way it has no place. An engine that cannot see to
	// it refuses the request with slug bad-request.
	Heading          *float64
	HeadingTolerance float64 // degrees, 0 is UsualHeadingTolerance
}

// TraceOptions tune the matching; nil is the engine's default. Lengths are
// metres.
type TraceOptions struct {
	GPSAccuracy   *float64 // standard deviation of the positions; nil is 5, or what a dense trace shows
	SearchRadius  *float64 // within which roads are looked for; 50, or three times the accuracy
	Breakage      *float64 // a longer gap splits the trace; 2000
	Interpolation *float64 // positions nearer to the one before than this take no part; twice the accuracy
	TurnPenalty   *float64 // what turning right round counts as; 24 times the accuracy
}

// MatchRequest is a request for a match. It is checked before an engine sees it: two
// positions or more, on the globe, in the order of their times.
type MatchRequest struct {
	Trace      []TracePoint
	How        ShapeMatch // "" is WalkOrSnap
	Tuning     TraceOptions
	Costing    costing.Costing
	Options    costing.Settings
	Conditions // matching may leave them aside: a trace can lie on a closed road
	// OmitExcluded keeps the match off roads that the options exclude, which
	// otherwise may be where a way begins or ends. An engine that cannot refuses
	// the request with slug bad-request where there are any such options.
	OmitExcluded bool

	UseTimestamps bool // times along the way are the positions' rather than the costing's
	Filter        AttributeFilter

	// Want and Output are as in RouteRequest. In OSRM's format the answer is that
	// of its match service.
	Want Want
	Output

	Extra map[string]json.RawMessage
}

// TraceAnswer is the ways that a trace was matched to.
type TraceAnswer struct {
	RouteAnswer // a route for each stretch without a gap, in order
	// Confidence is how far each route can be believed, 0 to 1.
	Confidence []float64
	// Points give the position of each point of the trace. A remote engine fills
	// them in on OSRM's format only.
	Points []TracePlace
}

// TracePlace is a position of a trace on the roads.
type TracePlace struct {
	On    geo.Point
	Route int // of the answer's; -1 where the position has no place
	Stop  int // of the route's waypoints; -1 where no leg begins or ends here
}
