package graph

// Path is a way through the graph: consecutive edges with the parts travelled
// and what they took.
type Path []Step

// Step is the travel along one edge of a path.
type Step struct {
	Edge       Edge
	Begin, End float64 // parts of the edge's length, 0 to 1, in the direction of travel
	Seconds    float64 // travelling this part
	Turn       float64 // seconds lost at the node before it (turning, waiting, gates, boarding)
	Cost       float64 // weighted seconds of travelling and turning, what the search minimised
	TurnCost   float64 // of that, what turning is
}

// Metres is the length of the path.
func (p Path) Metres(g *Graph) float64 {
	sum := 0.0
	for _, s := range p {
		sum += g.EdgeLength(s.Edge) * (s.End - s.Begin)
	}
	return sum
}

// Seconds is the time the path takes.
func (p Path) Seconds() float64 {
	sum := 0.0
	for _, s := range p {
		sum += s.Seconds + s.Turn
	}
	return sum
}
