package guidance

// Level is the floor that a manoeuvre leads to.
type Level struct {
	Text  string // "" where it is not known
	Named bool   // a name as signs have it, not a number
}

// LevelAt is a point of a leg's line from which on it lies on a floor.
type LevelAt struct {
	Shape int // of the line's points
	Level float64
}
