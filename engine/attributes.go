package engine

import (
	"slices"
	"strings"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/guidance"
)

// AttributeFilter chooses what an answer of TraceAttributes holds: only the
// names, or all but them. Names are Valhalla's, such as edge.way_id. The zero
// value is everything.
type AttributeFilter struct {
	Include bool
	Names   []string
}

// Wants returns a function that reports whether a name is wanted.
func (f *AttributeFilter) Wants() func(name string) bool {
	if len(f.Names) == 0 {
		return func(string) bool { return true }
	}
	named := make(map[string]bool, len(f.Names))
	for _, n := range f.Names {
		named[n] = true
	}
	return func(name string) bool { return named[name] == f.Include }
}

// WantsAny reports whether some name that begins so is wanted.
func (f *AttributeFilter) WantsAny(prefix string) bool {
	if !f.Include || len(f.Names) == 0 {
		return true // nobody excludes all names that begin alike
	}
	return slices.ContainsFunc(f.Names, func(n string) bool { return strings.HasPrefix(n, prefix) })
}

// AttributesAnswer describes the edges of the ways that a trace was matched to and
// of its positions. A remote engine gives Raw, and the rest where no format was
// asked for or Want names something.
type AttributesAnswer struct {
	Line     []geo.Point // of all ways, one after another
	Edges    []AttributeEdge
	Admins   []Admin // the ways go through, in the order in which they come to each first
	Points   []AttributePoint
	Score    float64 // raw; the higher, the further the trace lies from the ways
	Raw      []byte  // Valhalla's JSON
	Warnings []Warning
}

// AttributeEdge is an edge of a matched way. Names, signs and nodes are filled in
// where the filter has such names; Sign.Branch, Toward and Number are the elements
// of a sign at the edge.
type AttributeEdge struct {
	Edge
	ID                     uint32  // good for this build of the engine's data only
	First, Last            bool    // of a way: a stretch of the trace without a gap
	Source, Target         float64 // the parts of its length where it is entered and left
	Names                  []string
	Sign                   guidance.Sign
	Speed                  float64 // km/h
	SpeedTagged            bool    // the map says it; else it is assumed from the kind of road
	SpeedLimit, TruckSpeed uint8   // km/h; 0 where not known
	BeginHeading           int16   // degrees
	EndHeading             int16
	Traversal              Traversal // of the traveller
	Unpaved, Roundabout    bool
	Indoor, DriveOnLeft    bool
	TruckRoute, Forward    bool // Forward: it runs as its OSM way is drawn
	Signal                 bool
	Hiking                 uint8  // SAC grade, 0 to 6
	Lanes                  uint8  // 0 where not known
	Sidewalk               string // both, left, right, "" where not known
	CycleLane              string // separated, dedicated, shared, "" where not known
	Slope                  *Slope // nil where heights are not known
	Node                   EndNode
}

// Slope is how steep an edge is, in per cent, and how high it lies.
type Slope struct {
	Grade    float64 // weighted: climbs count more
	Up, Down int     // the steepest, neither negative
	Mean     int     // metres
}

// EndNode is the node at an edge's end.
type EndNode struct {
	Type      string // in Valhalla's words
	Signal    bool
	Crossings []CrossingEdge // the other roads there; none where the edge is left before
}

// Traversal is a set of the ways along an edge that some traveller may go.
type Traversal uint8

// The ways.
const (
	Forwards Traversal = 1 << iota
	Backwards
)

// String is Valhalla's word for it; "" for neither.
func (t Traversal) String() string { return [...]string{"", "forward", "backward", "both"}[t&3] }

// CrossingEdge is a road at a node.
type CrossingEdge struct {
	Heading            int16 // leaving the node, in degrees
	Drive, Cycle, Walk Traversal
	Use, Class         string
	NamedFrom, NamedTo bool // as the edge that leads here, and as the one that leads on
	HasExit            bool // there is an edge that the path leaves by
}

// Place kinds of a position.
const (
	Unmatched AttributeKind = iota
	Interpolated
	Matched
)

// AttributeKind is how a position of a trace has its place.
type AttributeKind uint8

// AttributePoint is a position of a trace on the roads.
type AttributePoint struct {
	At                  geo.Point // on the road; the position itself where it has no place
	Kind                AttributeKind
	Edge                int     // of the answer's
	Along               float64 // part of the edge's length
	Metres              float64 // from the position
	GapAfter, GapBefore bool    // another way begins after it, or one ended before it
}
