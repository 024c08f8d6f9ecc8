// Package engine is the contract of a routing engine: what a gateway asks of
// one and what it gets back, whether the engine is our own kernel in this
// process or a server far away.
package engine

import (
	"context"
	"encoding/json"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/geo"
)

// Engine answers routing requests. Implementations are safe for many
// goroutines and stop when the context ends.
//
// A request the engine refuses is a *fault.Error made by NoSegment, NoRoute or
// Refused (slug upstream-error); an engine that fails is a fault of slug
// upstream-error with upstream_status 5xx, upstream-unavailable or
// upstream-timeout. A call that is not in Can fails with NotEnabled.
type Engine interface {
	Can() Can
	// Memory is how many bytes the engine keeps of what it works out for
	// callers who come back.
	Memory() int64
	// Estimate returns the work of a call, by the request as the call takes it:
	// *RouteRequest of CallRoute. The request is as one that would be made.
	Estimate(call Call, request any) Estimate
	// Status probes the engine: an error means that it does not answer.
	Status(ctx context.Context) (Status, error)

	// Route finds a route through all locations in order.
	Route(ctx context.Context, r *RouteRequest) (*RouteAnswer, error)

	// TraceRoute finds the way that a trace of positions was taken and answers
	// with routes along it, one for each stretch of the trace without a gap.
	//
	// A match is refused with CodeNoSegment where no road is near any position,
	// CodeNoWalk where EdgeWalk finds no exact way, and CodeNoMatch where the
	// positions have roads near them and no way joins any two.
	TraceRoute(ctx context.Context, r *MatchRequest) (*TraceAnswer, error)
	// TraceAttributes matches as TraceRoute does, and returns the edges of the way and the
	// place of each position on it.
	TraceAttributes(ctx context.Context, r *MatchRequest) (*AttributesAnswer, error)

	// Matrix works out many routes at once, without their geometries. A location
	// without a usable road near it leaves its row or column empty; where no
	// source or no target has one, the refusal is that of a route
	// (CodeNoSegment).
	Matrix(ctx context.Context, r *MatrixRequest) (*MatrixAnswer, error)
	// Isochrone outlines what is within reach of a place, as a GeoJSON
	// FeatureCollection with Valhalla's properties.
	Isochrone(ctx context.Context, r *IsochroneRequest) (*IsochroneAnswer, error)
	// Locate finds the edges and nodes nearest to each location. A place with
	// no usable road near it is no error: it is answered with nulls.
	Locate(ctx context.Context, r *LocateRequest) (*LocateAnswer, error)
	// Nearest gives the usable roads nearest to a location, the nearest first,
	// without those that the options exclude. Where there is none the refusal
	// is that of a route (CodeNoSegment).
	Nearest(ctx context.Context, r *NearestRequest) (*NearestAnswer, error)
	// Centroid finds the place that is reached from all locations at the least
	// total cost, and the way there from each: the answer has a route for each
	// location, in order, and all end at the meeting point. Locations all set
	// out, whatever their kind of stop; the format is Native, or none, and
	// Alternates have no meaning.
	Centroid(ctx context.Context, r *RouteRequest) (*RouteAnswer, error)
}

// Status is an engine's report of its state.
type Status struct {
	Version   string     // "" where unknown
	GraphDate *time.Time // of the data behind its graph; nil where unknown
	Servers   []Server   // of a remote engine; nil of ours
}

// Server is the state of one of a remote engine's servers.
type Server struct {
	Engine    string // its name, as in Can
	Costing   string // whose profile it has; "" has all
	Number    int    // among those of its engine and costing, from 1
	Condition string // as of upstream.Condition
	Since     time.Time
	Version   string     // "" where unknown
	GraphDate *time.Time // nil where unknown
	Renewed   *time.Time // when its version or graph last changed under watch; nil where they never did
}

// Lacking reports whether an engine has no server for one of its costings.
func (s *Status) Lacking() bool {
	type group struct{ engine, costing string }
	works := map[group]bool{}
	for i := range s.Servers {
		x := &s.Servers[i]
		g := group{x.Engine, x.Costing}
		works[g] = works[g] || x.Condition != "down" && x.Condition != "unknown"
	}
	for _, ok := range works {
		if !ok {
			return true
		}
	}
	return false
}

// Watcher is a remote engine that probes its servers.
type Watcher interface {
	// Watch probes the servers again and again until ctx ends. Without it a server that
	// fails gets no calls as long as there is another.
	Watch(ctx context.Context)
}

// Stop is the kind of a location: whether the route may turn there, and whether a leg ends.
type Stop string

// The kinds of stop, with Valhalla's meanings: break starts a leg and may turn
// round, through does neither, via may turn round in mid-leg, break_through
// starts a leg without turning round.
const (
	Break        Stop = "break"
	Through      Stop = "through"
	Via          Stop = "via"
	BreakThrough Stop = "break_through"
)

// Side is a preference for the side of the road to arrive on.
type Side string

// The preferences of the contract.
const (
	EitherSide   Side = "either"
	SameSide     Side = "same"
	OppositeSide Side = "opposite"
)

// Stops returns the locations of a route through points.
func Stops(points []geo.Point) []Location {
	list := make([]Location, len(points))
	for i, p := range points {
		list[i].Point = p
	}
	return list
}

// SearchFilter narrows the roads a location may snap to. Classes are Valhalla's
// names, motorway down to service_other.
type SearchFilter struct {
	ExcludeTunnel, ExcludeBridge, ExcludeRamp, ExcludeToll, ExcludeFerry bool
	ExcludeClosures                                                      bool
	MinClass, MaxClass                                                   string // "" is no limit
}

// Location is a place a route goes through.
type Location struct {
	Point            geo.Point
	Stop             Stop     // "" is Break
	Heading          *float64 // degrees clockwise from north, 0 to 360; nil is any
	HeadingTolerance float64  // degrees, 0 is UsualHeadingTolerance
	Radius           float64  // metres: every road within is as good as the nearest; 0 is the nearest only
	SearchCutoff     float64  // metres beyond which no road counts; 0 is the engine's default, ours UsualCutoff
	Side             Side     // "" is EitherSide
	SideTolerance    *float64 // metres from the centre line below which there is no side; nil is UsualSideTolerance
	SideMaxDistance  *float64 // metres beyond which there is no side; nil is UsualSideMaxDistance
	SideCutoff       string   // road class below which the side is ignored; "" is service_other
	Filter           SearchFilter
	Name             string // carried through to the answer
}

// The defaults of a location, in degrees and metres.
const (
	UsualHeadingTolerance = 60
	UsualSideTolerance    = 5
	UsualSideMaxDistance  = 1000
	UsualCutoff           = 35_000
)

// RouteRequest is a request for a route. It is checked before an engine sees it:
// locations are on the globe, the costing is known, options are in range.
type RouteRequest struct {
	Locations []Location // two or more
	Costing   costing.Costing
	Options   costing.Settings
	Conditions

	Alternates int // other routes wanted, 0 to 3; some engines find them between two locations only

	// Want names the parts of the routes that the caller reads besides their lines, places
	// and sums, and Output how they will be written, if at all.
	Want Want
	Output

	// Extra holds members of a native request that the gateway has no use
	// for. A remote engine gets them as they came; ours ignores them, and the
	// gateway has warned the caller.
	Extra map[string]json.RawMessage
}

// RouteAnswer is the routes found. An engine of its own words gives Raw where an
// output was asked for, and then reads Routes out of it only where Want names
// something. Any other engine fills in Routes: what Want names, and what it takes
// to write the output.
type RouteAnswer struct {
	Routes []Route // the best first
	// Raw is a JSON object in the format asked for, as a remote engine wrote it.
	Raw []byte
	// Language is that of the instructions in Raw; "" where it does not say.
	Language string
	Warnings []Warning
	// Audit is set where the gateway judged the routes; nil where it did not.
	Audit *Audit
}

// Best requests a route from an engine and returns the best one, with the digits that an
// answer would write it with; see Rounded.
func Best(ctx context.Context, e Engine, r *RouteRequest) (*Route, error) {
	r.Want |= WantLine
	a, err := e.Route(ctx, r)
	if err != nil {
		return nil, err
	}
	return a.Routes[0].Rounded(), nil
}

// Warning reports something that was not as requested.
type Warning struct {
	Code int    `json:"code"`
	Text string `json:"text"`
	// Of names the members of the request, separated by commas, that had no effect, or
	// another than was asked for; "" where the warning is of no member.
	Of string `json:"parameter,omitempty"`
}

// Codes of warnings, above those of the remote engines.
const (
	WarnLanguage = 904 // the instructions are in another language than was asked for
	WarnOption   = 905 // a costing option that this engine reads and cannot honour
	WarnCentroid = 906 // the meeting point was chosen by another rule than the least total cost
	WarnWait     = 907 // the route waits for something to open
	WarnIgnored  = 908 // a restriction depends on what is not known, or on the time of a request without one, and was not heeded
	WarnZone     = 909 // the time zone is not known: times are UTC
	WarnRough    = 910 // the route leads over rough tracks
	WarnHeights  = 911 // some heights could not be read
	WarnCategory = 912 // no place of the region has a category that was asked for
	WarnInside   = 913 // a zone that was to be avoided holds a place of the journey
	WarnRoads    = 914 // more roads lie within the radius of a location than count
	WarnClosed   = 915 // closures that live feeds report changed the answer, or may have
	WarnPrivate  = 916 // the route passes a private road
	WarnMoved    = 917 // a location was moved past a road that is nearer
	WarnLoad     = 918 // a load is taken for more dangerous than it was said to be
	WarnShunned  = 919 // the route leads over what is discouraged or unsuitable, for want of another way
	WarnOutdated = 920 // what is known of clean-air zones is old
	WarnHeading  = 921 // no way leads on where a location heads
	WarnSampled  = 922 // outlines are drawn from sampled places
	WarnEngine   = 923 // another engine answered than the preferred one, which did not
)
