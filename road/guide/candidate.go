package guide

import (
	"github.com/waygate/waygate/guidance"
	"github.com/waygate/waygate/road/graph"
)

// candidate is a stretch of the path that may become a manoeuvre: the action at
// its begin, and facts of the stretch. Courses are whole degrees clockwise from
// north, turns are measured as in a junction.
type candidate struct {
	begin, end int // the hops of the stretch, end excluded
	turnHop    int // the hop that courseOut belongs to: begin, or one after the internal hops
	kind       guidance.Type
	metres     float64

	bearingOut int // leaving the begin
	bearingEnd int // at the end
	turn       int // at the begin
	heading    heading
	form       form

	names, beginNames []guidance.Name
	signSet           graph.Set     // the attributes with the signs at the begin, 0 without signs
	sign              guidance.Sign // read from signSet
	exits             int           // exits of a roundabout passed
	internalTurns     sides         // at internal hops
	travel            guidance.Travel
	pathKind          pathKind
	vertical          vertical
	uses              uses
	// flags are those of hopFlags that the stretch has throughout (driveOnLeft,
	// roundabout, internal, changesLevel), somewhere (highway), or at its begin
	// (doorway, byLift).
	flags hopFlags

	joinedObvious bool // a manoeuvre too obvious to mention was joined to it
	toStayOn      bool // the road keeps its name
	endOfRoad     bool // the road before ends here
}

func (d *candidate) is(m hopFlags) bool { return d.flags&m != 0 }

// sides are counts for the left and the right.
type sides struct{ left, right int }

// form is the shape of the junction at a candidate's begin where the shape alone calls
// for a manoeuvre.
type form uint8

const (
	plainForm  form = iota
	forkForm        // the path keeps to one arm of a fork
	teeForm         // the road ends at another one that leads to both sides
	besideForm      // another way leads ahead and the path turns, or leads less straight
)

// uses is a set of graph.Use.
type uses uint32

func usesOf(u graph.Use) uses { return 1 << u }

func (s uses) has(u graph.Use) bool { return s&usesOf(u) != 0 }

// pathKind is the kind of a path away from roads.
type pathKind uint8

const (
	noPath pathKind = iota
	walkway
	cycleTrack
	mountainTrail
	named // a bit besides: the path has a name
)

// vertical is how a way leads from one level to another.
type vertical uint8

const (
	level vertical = iota
	elevator
	indoorSteps
	steps
	escalator
)
