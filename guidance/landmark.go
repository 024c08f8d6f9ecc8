package guidance

// Landmark is a place by which a traveller knows where a manoeuvre is.
type Landmark struct {
	Name  string // in the form that the map has
	Where Placement
}

// Placement says where a manoeuvre is as seen from a landmark.
type Placement uint8

// The placements.
const (
	Beside Placement = iota
	Before           // before one comes to it
	After            // once one is past it
)
