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
	// Limits are the speed limits while it was travelled, where they are others than usual.
	Limits SpeedLimits
}

// SpeedLimits are the posted limits of an edge in km/h: for all, and beside that for the
// traveller's kind of vehicle. 0 is where none is known.
type SpeedLimits struct{ All, Own uint8 }

// Metres returns the length of the path.
func (p Path) Metres(g *Graph) float64 {
	sum := 0.0
	for _, s := range p {
		sum += g.EdgeLength(s.Edge) * (s.End - s.Begin)
	}
	return sum
}

// Seconds returns the time the path takes.
func (p Path) Seconds() float64 {
	sum := 0.0
	for _, s := range p {
		sum += s.Seconds + s.Turn
	}
	return sum
}

// SpeedLimits returns the limits of an original edge for a mode while no condition is met.
func (g *Graph) SpeedLimits(e Edge, mode Modes) SpeedLimits {
	l := SpeedLimits{All: g.ByEdge[e].Limited}
	switch mode {
	case Truck:
		l.Own = g.ByEdge[e].TruckSpeed
	case Bus:
		l.Own = g.Limits[g.ByEdge[e].Limit].BusSpeed
	}
	return l
}
