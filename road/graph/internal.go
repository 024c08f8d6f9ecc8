package graph

// internalMetres is the length of the longest internal edge: 32 m in whole
// metres.
const internalMetres = 32.5

func markInternal(g *Graph) {
	for e := range g.Base {
		if g.isInternal(e) {
			g.ByEdge[e].Flags |= Internal
		}
	}
}

// isInternal reports whether an edge lies within a junction: the short piece of
// road between two carriageways that another road crosses. At its begin a
// one-way road arrives from one side, at its end a one-way road leaves to one
// side. The rule is Valhalla's for internal intersection edges.
func (g *Graph) isInternal(e Edge) bool {
	s := g.Segment(e)
	if g.BySegment[s].Length >= internalMetres || g.BySegment[s].Flags&Roundabout != 0 || g.BySegment[s].Use > Cycleway {
		return false
	}
	tail, head := g.ByEdge[e].Tail, g.ByEdge[e].Head
	first, end := g.FirstOut[tail], g.FirstOut[tail+1]
	if end-first == 2 {
		for f := first; f < end; f++ {
			if f != e && g.ByEdge[f].Head == head {
				return false // a loop
			}
		}
	}
	var in, out sides
	for f := first; f < end; f++ {
		if f == e || !g.carriageway(f) || g.ByEdge[g.ByEdge[f].Opposite].Access&Auto == 0 {
			continue
		}
		if !in.see(g, g.ByEdge[f].Opposite, e, g.ByEdge[f].Access, f) {
			return false
		}
	}
	if !in.oneway {
		return false
	}
	for f := g.FirstOut[head]; f < g.FirstOut[head+1]; f++ {
		if f == g.ByEdge[e].Opposite || !g.carriageway(f) || g.ByEdge[f].Access&Auto == 0 {
			continue
		}
		if !out.see(g, e, f, g.ByEdge[g.ByEdge[f].Opposite].Access, f) {
			return false
		}
	}
	return out.oneway && !(in.left && out.right || in.right && out.left || out.left && out.right)
}

// carriageway reports whether an edge is of the roads that make such junctions.
func (g *Graph) carriageway(e Edge) bool {
	use := g.BySegment[g.Segment(e)].Use
	return use == Road || use == ServiceRoad
}

// sides has the facts of the roads at one end of an edge: whether cars turn from or
// into them to the left and to the right, and whether one of them is a one-way
// road aside.
type sides struct{ left, right, oneway bool }

// see looks at the turn from one edge into another; road is the one that is not
// within the junction, and back who may travel it the other way. It is false for
// a roundabout.
func (s *sides) see(g *Graph, from, to Edge, back Modes, road Edge) bool {
	flags := g.BySegment[g.Segment(road)].Flags
	if flags&Roundabout != 0 {
		return false
	}
	turn := g.TurnDegrees(from, to)
	switch {
	case turn >= 45 && turn < 160:
		s.right = true
	case turn > 200 && turn <= 315:
		s.left = true
	}
	s.oneway = s.oneway || back&Auto == 0 && flags&Link == 0 && turn >= 30 && turn <= 330
	return true
}
