package engine

import (
	"math"
	"slices"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/guidance"
)

// Want is a set of parts of routes that are worked out only on request.
type Want uint16

// The parts.
const (
	// WantLine is places and sums, which only a remote engine's Raw does without, and
	// lines, which an answer in OSRM's form does without too where it draws none and
	// nothing is wanted but admins.
	WantLine          Want = 1 << iota
	WantManoeuvres         // Leg.Manoeuvres
	WantIntersections      // Leg.Intersections; needs manoeuvres
	WantEdges              // Leg.Edges
	WantPieces             // Leg.Pieces
	WantNodes              // Leg.Nodes
	WantAdmins             // Leg.Admins and Borders, and the admins of edges and intersections
	WantLevels             // Leg.Levels
	WantTunnels            // Route.Tunnels
)

// Route is a way through all locations of a request.
type Route struct {
	Sums
	Legs      []Leg
	Waypoints []Waypoint // in the order travelled
	Tunnels   []Tunnel   // with an ADR category, in order; nil where the engine does not report them
	// Via is the middle of a road on an alternate: of the ways between two locations
	// that travel that road in the same direction the alternate's is the cheapest. nil
	// where none is known. A route with a location there and no heading may take the road
	// the other way.
	Via *geo.Point
}

// Line returns the line of the whole route, without the points where legs meet twice.
func (r *Route) Line() []geo.Point {
	if len(r.Legs) == 1 {
		return r.Legs[0].Line
	}
	var line []geo.Point
	for i := range r.Legs {
		for _, p := range r.Legs[i].Line {
			if len(line) == 0 || line[len(line)-1] != p {
				line = append(line, p)
			}
		}
	}
	return line
}

// Rounded returns the route with the digits that text has: positions with six, lengths
// of whole metres, times of milliseconds. What is reckoned from it agrees with
// what a caller reckons from an answer, and is the same whether an engine gives
// values or text.
func (r *Route) Rounded() *Route {
	out := *r
	out.Sums = r.Sums.Rounded()
	out.Legs = slices.Clone(r.Legs)
	for i := range out.Legs {
		l := &out.Legs[i]
		l.Sums, l.Line = l.Sums.Rounded(), slices.Clone(l.Line)
		for j, p := range l.Line {
			l.Line[j] = geo.Point{Lon: round(p.Lon, 1e6), Lat: round(p.Lat, 1e6)}
		}
	}
	return &out
}

// Rounded returns the sums in whole metres and thousandths of a second.
func (s Sums) Rounded() Sums {
	s.Metres, s.Seconds = round(s.Metres, 1), round(s.Seconds, 1e3)
	return s
}

func round(v, scale float64) float64 { return math.Round(v*scale) / scale }

// Sums are the totals of a leg or a route.
type Sums struct {
	Metres, Seconds      float64
	Cost                 float64 // in the engine's own unit
	Toll, Highway, Ferry bool
	Timed                bool       // a restriction that holds only at times lies on it
	Bounds               geo.Bounds // of the line
}

// Add adds the sums of another stretch.
func (s *Sums) Add(o *Sums) {
	s.Metres += o.Metres
	s.Seconds += o.Seconds
	s.Cost += o.Cost
	s.Toll, s.Highway, s.Ferry, s.Timed = s.Toll || o.Toll, s.Highway || o.Highway, s.Ferry || o.Ferry, s.Timed || o.Timed
	s.Bounds = s.Bounds.Union(o.Bounds)
}

// Waypoint is a location with its place on the road.
type Waypoint struct {
	Location
	Index int       // in the request
	On    geo.Point // the place on the road
	Side  guidance.Side
	// At is the local time, zero where the request has none; in the location UTC unless the
	// zone is known.
	At        time.Time
	ZoneKnown bool
}

// Leg is the way from one stop to the next.
type Leg struct {
	Sums
	From, To   int // of the route's waypoints; those between them are passed
	Line       []geo.Point
	Manoeuvres []guidance.Manoeuvre
	// Instructions are the words of the manoeuvres, of an engine that has words of
	// its own; nil where they are left to the writer.
	Instructions  []string
	Intersections [][]Intersection // by manoeuvre: from its place up to the next one's
	Edges         []Edge
	Pieces        []Piece // of the line, one for each two neighbouring points
	Nodes         []int64 // OSM nodes of the line's points; 0 for an end within an edge
	Admins        []Admin // the leg goes through, in the order in which it comes to each first
	Borders       []Border
	Levels        []guidance.LevelAt
}

// Edge is a stretch of road between two junctions, as far as it is travelled.
type Edge struct {
	Way                   int64  // OSM
	Class, Use, Surface   string // in Valhalla's words
	SurfaceTagged         bool   // the map says it; else it is assumed from the kind of road
	Toll, Bridge, Tunnel  bool
	Admin                 int // of the leg's admins; -1 where not known
	FromPoint, ToPoint    int // of the leg's line
	Metres, Seconds, Cost float64
	Turn                  float64 // seconds lost at the junction where it begins, apart from Seconds
}

// Intersection is a junction on the way, or where a leg begins or ends.
type Intersection struct {
	Point   int    // of the leg's line
	Roads   []Road // its roads by rising bearing
	In, Out int    // of Arms, those travelled; -1 is none
	Admin   int    // of the leg's admins; -1 where not known

	// From here up to the next intersection; nothing at the end of a leg. Of the
	// seconds and the cost Turn and TurnCost are lost here.
	Metres, Seconds, Cost float64
	Turn, TurnCost        float64

	TunnelName string    // of the road that leaves
	Road       RoadMarks // of that road
	Marks      NodeMarks // what is met on coming here
}

// RoadMarks has the kinds of road that the one after an intersection is.
type RoadMarks uint8

// The marks.
const (
	TollRoad RoadMarks = 1 << iota
	MotorwayRoad
	FerryLine
	TunnelRoad
	RestrictedRoad // open to its destinations only
	UrbanRoad
)

// NodeMarks has the furniture of a junction.
type NodeMarks uint8

// The marks of a node.
const (
	TollGantry NodeMarks = 1 << iota
	TollBooth
	Signal
	StopSign
	GiveWay
	LevelCrossing
)

// Road is a road at an intersection.
type Road struct {
	Bearing int16 // leaving the intersection, in whole degrees
	Entry   bool
}

// Piece is the line between two neighbouring points of a leg. Times are those of
// travelling, without what is lost at junctions.
type Piece struct {
	Metres, Seconds, Cost float64
	Limit                 uint8 // posted, km/h; 0 where not known
	Live                  bool  // its speed was measured on the road
}

// Admin is an administrative area; "" is what is not known. Codes are those of
// ISO 3166.
type Admin struct{ CountryCode, Country, StateCode, State string }

// Border is where a leg goes from one of its admins into another: between two
// points of its line.
type Border struct{ From, To, FromPoint, ToPoint int }

// Tunnel is one tunnel with an ADR category on a route.
type Tunnel struct {
	Category string    // "A" to "E"
	Location geo.Point // where the route enters it
	WayID    int64     // OSM
}

// Audit is the gateway's judgement, by the roads of its own region, of the routes of an
// engine in whose costing not all that a vehicle is binds.
type Audit struct {
	Options []costing.Option // that were judged, of those that the request sets or that a vehicle has by default
	Access  bool             // whether the roads' access for the class of vehicle was judged
	Asked   int              // how often the engine was called, at least 1
	Kept    []Block          // what the engine led through and was kept out of, in order
	Metres  float64          // of all routes
	Unknown float64          // metres of them that the region has no road for: nothing is claimed of these
}

// Enforces reports whether the routes heed an option for certain, on all of their roads.
func (a *Audit) Enforces(o costing.Option) bool {
	return a != nil && a.Unknown == 0 && slices.Contains(a.Options, o)
}

// Block is a stretch of road that is closed to a vehicle by one of its options, or to its class.
type Block struct {
	Option   costing.Option // zero where the road is closed to the class of vehicle
	Value    string         // that the request sets; "" without an option
	Category string         // of a tunnel, "A" to "E"; "" where none is known
	WayID    int64          // OSM
	From     geo.Point      // where the route enters
	Middle   geo.Point      // of the road as far as it is travelled
}
