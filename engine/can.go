package engine

import (
	"context"
	"slices"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/fault"
)

// Call names one of an engine's calls, in Can, in failures and in metrics.
type Call string

// The calls of Engine.
const (
	CallStatus          Call = "status"
	CallRoute           Call = "route"
	CallTraceRoute      Call = "trace_route"
	CallTraceAttributes Call = "trace_attributes"
	CallMatrix          Call = "matrix"
	CallIsochrone       Call = "isochrone"
	CallLocate          Call = "locate"
	CallNearest         Call = "nearest"
	CallCentroid        Call = "centroid"
)

// Calls lists all but CallStatus, which every engine answers.
func Calls() []Call {
	return []Call{CallRoute, CallTraceRoute, CallTraceAttributes, CallMatrix, CallIsochrone, CallLocate, CallNearest, CallCentroid}
}

// Can lists the abilities of an engine. It stays the same as long as the engine
// lives and is known without asking a server. The zero value can nothing.
type Can struct {
	Name  string // of the engine: "embedded", "valhalla", "osrm"
	Calls []Call // that it answers; the others fail with NotEnabled

	TunnelCodes     bool     // ADR tunnel codes bind in its costing
	Vehicles        bool     // so do sizes and weights of vehicles, and that they carry dangerous goods
	Audited         bool     // the gateway judges its routes by a region, in what does not bind of these two
	Rounds          bool     // numbers of options count as costing.Row.Rounded has them
	ExcludedPlaces  bool     // excluded places and areas bind when a route is found
	Exclusions      bool     // options that exclude roads bind for certain; a remote engine may be configured to ignore them
	MatchConditions bool     // excluded places, times and speed types bind when a trace is matched
	AlternatesVia   bool     // finds alternatives of routes with more than two locations
	ShapeFormats    bool     // draws lines of native answers in every ShapeFormat; else as polyline6 or not at all
	IsochroneStarts bool     // outlines what is within reach of several places
	UnknownMembers  bool     // takes members of a native request that the gateway has no use for
	TaggedSurface   bool     // an edge says whether its surface was tagged; see SurfaceTagged
	SpeedSources    []string // what its speeds rest on: live, predicted, profile, default; nil where it does not say
	Languages       []string // it narrates in, as BCP 47 tags; nil where it does not say

	// Doubts says which options of a costing the engine accepts without heeding them for
	// certain; nil is none.
	Doubts func(costing.Costing, costing.Option) OptionSupport
}

// OptionSupport is whether an engine heeds an option that it accepts.
type OptionSupport int

// The doubts.
const (
	Heeded   OptionSupport = iota
	Unheeded               // it does not, in any version that is known
	Unsure                 // some versions do not
)

// Support returns that of an option of a costing.
func (c *Can) Support(of costing.Costing, o costing.Option) OptionSupport {
	if c.Doubts == nil {
		return Heeded
	}
	return c.Doubts(of, o)
}

// Does reports whether the engine answers a call.
func (c *Can) Does(call Call) bool { return slices.Contains(c.Calls, call) }

// NotEnabled returns the failure of what an engine cannot do, such as a Call.
func NotEnabled(what string) *fault.Error {
	return fault.NotEnabled(what, "%s is not enabled on this deployment: its routing engine cannot do it", what)
}

// Unimplemented is an engine that can nothing, to be embedded by one that can do some
// of the calls.
type Unimplemented struct{}

var _ Engine = Unimplemented{}

// Can returns no capability.
func (Unimplemented) Can() Can { return Can{} }

// Memory is none.
func (Unimplemented) Memory() int64 { return 0 }

// Estimate is nothing.
func (Unimplemented) Estimate(Call, any) Estimate { return Estimate{} }

// Status succeeds.
func (Unimplemented) Status(context.Context) (Status, error) { return Status{}, nil }

// Route fails with NotEnabled, as do the calls below.
func (Unimplemented) Route(context.Context, *RouteRequest) (*RouteAnswer, error) {
	return nil, NotEnabled(string(CallRoute))
}

// TraceRoute fails.
func (Unimplemented) TraceRoute(context.Context, *MatchRequest) (*TraceAnswer, error) {
	return nil, NotEnabled(string(CallTraceRoute))
}

// TraceAttributes fails.
func (Unimplemented) TraceAttributes(context.Context, *MatchRequest) (*AttributesAnswer, error) {
	return nil, NotEnabled(string(CallTraceAttributes))
}

// Matrix fails.
func (Unimplemented) Matrix(context.Context, *MatrixRequest) (*MatrixAnswer, error) {
	return nil, NotEnabled(string(CallMatrix))
}

// Isochrone fails.
func (Unimplemented) Isochrone(context.Context, *IsochroneRequest) (*IsochroneAnswer, error) {
	return nil, NotEnabled(string(CallIsochrone))
}

// Locate fails.
func (Unimplemented) Locate(context.Context, *LocateRequest) (*LocateAnswer, error) {
	return nil, NotEnabled(string(CallLocate))
}

// Nearest fails.
func (Unimplemented) Nearest(context.Context, *NearestRequest) (*NearestAnswer, error) {
	return nil, NotEnabled(string(CallNearest))
}

// Centroid fails.
func (Unimplemented) Centroid(context.Context, *RouteRequest) (*RouteAnswer, error) {
	return nil, NotEnabled(string(CallCentroid))
}
