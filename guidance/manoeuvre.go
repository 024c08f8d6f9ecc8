// Package guidance describes the instructions of a leg: a list of
// manoeuvres with facts only, whichever engine found the route. Package
// narrate puts it into words.
package guidance

// Type is the kind of a manoeuvre, in Valhalla's numbering.
type Type uint8

// The kinds of manoeuvre. 30 to 36 are Valhalla's for public transport. Becomes
// is never made: Valhalla 3.6 has words for it, and nothing in it makes one.
const (
	None Type = iota
	Start
	StartRight
	StartLeft
	Destination
	DestinationRight
	DestinationLeft
	Becomes
	Continue
	SlightRight
	Right
	SharpRight
	UturnRight
	UturnLeft
	SharpLeft
	Left
	SlightLeft
	RampStraight
	RampRight
	RampLeft
	ExitRight
	ExitLeft
	StayStraight
	StayRight
	StayLeft
	Merge
	RoundaboutEnter
	RoundaboutExit
	FerryEnter
	FerryExit
	MergeRight    Type = 37
	MergeLeft     Type = 38
	Elevator      Type = 39
	Steps         Type = 40
	Escalator     Type = 41
	EnterBuilding Type = 42
	LeaveBuilding Type = 43
	LevelChange   Type = 44 // where nothing else is known about it
)

// Turn reports whether a manoeuvre is a turn at a junction, or going straight
// on over it.
func (t Type) Turn() bool { return t >= Becomes && t <= SlightLeft }

// Arrival reports whether a manoeuvre is the end of a leg.
func (t Type) Arrival() bool { return t >= Destination && t <= DestinationLeft }

// Side is a side of the street in the direction of travel.
type Side uint8

// The sides.
const (
	NoSide Side = iota
	LeftSide
	RightSide
)

// Travel is how the traveller moves along a manoeuvre.
type Travel uint8

// The ways of moving. Pushing is walking beside a bicycle.
const (
	Driving Travel = iota
	Cycling
	Pushing
	Walking
)

// Way is the form of a road, for words where it has no name.
type Way uint8

// The forms that have words of their own.
const (
	Street Way = iota
	Walkway
	CycleTrack
	MountainTrail
	FieldTrack
	CrossingWay
	Stairs
	FerryLine
)

// Name is one name of a road: a street name or a number.
type Name struct {
	Text string
	Ref  bool // a road number
}

// Sign is the text on the signs at a manoeuvre.
type Sign struct {
	Number []string // of the exit
	Branch []string // roads it leads onto
	Toward []string // places it leads to
	Name   []string // of the junction

	// SignCounts is how many manoeuvres in a row have each of them; nil where
	// none is repeated. What is repeated stands first.
	Counts *SignCounts
}

// SignCounts are counts beside a sign's elements, each list as long as theirs or
// nil, an element's count 0 where only one manoeuvre bears it.
type SignCounts struct {
	Number, Branch, Toward, Name []int
}

// Empty reports whether nothing is signed.
func (s Sign) Empty() bool {
	return len(s.Number)+len(s.Branch)+len(s.Toward)+len(s.Name) == 0
}

// Manoeuvre is something to do at a place, and the stretch of the leg that
// follows up to the next one.
type Manoeuvre struct {
	Type       Type
	Names      []Name // along the stretch
	BeginNames []Name // at its begin, where they differ
	Way        Way
	Sign       Sign
	Travel     Travel

	Begin, End           int // steps of the path, End excluded
	BeginShape, EndShape int // points of the leg's line, both included
	Metres               float64
	Seconds, Cost        float64

	// Before and After are the courses in whole degrees from north, 0 to 359,
	// arriving at the manoeuvre and leaving it. The first manoeuvre has no
	// Before and the last no After; there both are 0. Below 0 is a course that an
	// engine does not report it.
	Before, After int

	Exits       int  // roundabout exits passed, the one taken included; 0 where unknown
	ToStayOn    bool // the road has the same name as before
	EndOfRoad   bool // the road before it ends at a T junction
	DriveOnLeft bool

	// Out is the exit of the roundabout entered, where JoinRoundabouts has made
	// one manoeuvre of both.
	Out *Manoeuvre

	// Lanes are those of the road before the manoeuvre, from left to right;
	// nil where nothing is known of them.
	Lanes []Lane

	Level Level // that lifts, stairs and the like lead to

	Landmark *Landmark // nil where none is known

	Toll, Highway, Ferry, Unpaved, Gate bool
	Timed                               bool // a restriction with times lies on the stretch
}
