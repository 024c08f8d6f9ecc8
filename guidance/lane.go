package guidance

// Directions is a set of ways on that a lane's arrows show, in Valhalla's
// numbering. An empty set is a lane without arrows.
type Directions uint16

// The directions of OSM's turn:lanes.
const (
	NoDirection Directions = 1 << iota // written as such: "none"
	Through
	LaneSharpLeft
	LaneLeft
	LaneSlightLeft
	LaneSlightRight
	LaneRight
	LaneSharpRight
	Reverse
	MergeToLeft
	MergeToRight
)

// Lane is one lane of a carriageway.
type Lane struct {
	Indications Directions // its arrows
	Take        Directions // the one among them that the path follows; 0 where it is not valid
	Valid       bool       // it leads on along the path
	Active      bool       // it is one to be in, as it also suits what comes next; implies Valid
}
