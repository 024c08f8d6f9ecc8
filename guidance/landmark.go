package guidance

// Landmark is a place that helps a traveller to recognise where a manoeuvre is.
type Landmark struct {
	Name  string // in the form that the map has
	Where Placement
}

// Placement is the position of a manoeuvre relative to a landmark.
type Placement uint8

// The placements.
const (
	Beside Placement = iota
	Before           // before one comes to it
	After            // once one is past it
)
