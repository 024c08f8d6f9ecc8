package guide

import (
	"github.com/waygate/waygate/road/graph"
)

// internalMetres is the length of the longest internal edge.
const internalMetres = 32

// isInternal reports whether an edge lies within a junction: the short piece of
// road between two carriageways that another road crosses. At its begin a
// one-way road arrives from one side, at its end a one-way road leaves to one
// side. The rule is Valhalla's for internal intersection edges.
func isInternal(g *graph.Graph, e graph.Edge) bool {
	s := g.Segment(e)
	if g.Length[s] > internalMetres || g.SegFlags[s]&graph.Roundabout != 0 || g.Use[s] > graph.Cycleway {
		return false
	}
	e = g.Original(e)
	tail, head := g.Tail[e], g.Head[e]
	first, end := g.FirstOut[tail], g.FirstOut[tail+1]
	if end-first == 2 {
		for f := first; f < end; f++ {
			if f != e && g.Head[f] == head {
				return false // a loop
			}
		}
	}
	course := degrees(g.Out[e])
	fromSide, inLeft, inRight := false, false, false
	for f := first; f < end; f++ {
		fs, in := g.Segment(f), g.Opposite[f]
		if f == e || !isCarriageway(g.Use[fs]) || g.Access[in]&graph.Auto == 0 {
			continue
		}
		if g.SegFlags[fs]&graph.Roundabout != 0 {
			return false
		}
		turn := normaliseTurn(course - degrees(g.Out[f]) - 180)
		left, right := sharply(turn)
		inLeft, inRight = inLeft || left, inRight || right
		fromSide = fromSide || g.Access[f]&graph.Auto == 0 && g.SegFlags[fs]&graph.Link == 0 && abs(turn) >= straightAhead
	}
	if !fromSide {
		return false
	}
	course = degrees(g.In[e])
	toSide, outLeft, outRight := false, false, false
	for f := g.FirstOut[head]; f < g.FirstOut[head+1]; f++ {
		fs := g.Segment(f)
		if f == g.Opposite[e] || !isCarriageway(g.Use[fs]) || g.Access[f]&graph.Auto == 0 {
			continue
		}
		if g.SegFlags[fs]&graph.Roundabout != 0 {
			return false
		}
		turn := normaliseTurn(degrees(g.Out[f]) - course)
		left, right := sharply(turn)
		outLeft, outRight = outLeft || left, outRight || right
		toSide = toSide || g.Access[g.Opposite[f]]&graph.Auto == 0 && g.SegFlags[fs]&graph.Link == 0 && abs(turn) >= straightAhead
	}
	return toSide && !(inLeft && outRight || inRight && outLeft || outLeft && outRight)
}

// internalEdge is isInternal, read from Graph.Continuations where the graph has
// them.
func (b *builder) internalEdge(e graph.Edge) bool {
	if e < graph.Edge(len(b.g.Continuations)) {
		return b.g.Continuations[e]&graph.OnInternal != 0
	}
	return isInternal(b.g, e)
}

// isCarriageway reports whether a use is that of the carriageways which make
// such junctions.
func isCarriageway(u graph.Use) bool { return u == graph.Road || u == graph.ServiceRoad }

// sharply reports turns of 45 to 159 degrees to either side.
func sharply(turn int) (left, right bool) {
	if d := abs(turn); d < 45 || d > 159 {
		return false, false
	}
	return turn < 0, turn > 0
}
