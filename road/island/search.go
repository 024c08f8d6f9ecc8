// Package island finds out whether an edge leads on into the network or is part of a small
// isolated part of it, such as the roads of an island without a ferry or those behind a
// gate: few nodes can be reached from it, or few lead to it, by turns that are not
// forbidden. Search counts them. Mainlands are computed at import for the default options of
// each kind of traveller, so that snapping mostly looks edges up.
package island

import (
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/profile"
	"github.com/waygate/waygate/road/sparse"
)

// Enough is how many nodes must be reachable from an edge that is on no island
// (Valhalla's minimum_reachability).
const Enough = 50

// Direction is whether the edge is where paths begin or end.
type Direction bool

// The directions.
const (
	Departing Direction = true
	Arriving  Direction = false
)

// Search counts what is reachable. It is scratch for one goroutine at a time.
type Search struct {
	queue      []graph.Edge
	begun      int                // how many of these are the first edge and its copies
	edge, node sparse.Table[bool] // seen
}

// Nodes counts the nodes that can be reached from the end of an edge, up to Enough,
// or from which its beginning can be. The edge itself may be any.
func (s *Search) Nodes(c *profile.Costing, from graph.Edge, d Direction) int {
	return s.count(c, from, d, func(graph.Edge) bool { return false })
}

// Edges returns how many edges the last count visited beside the first; copies in the graph
// count separately.
func (s *Search) Edges() int { return len(s.queue) - s.begun }

// count is Nodes, but returns Enough where an original edge is known to lead to so many.
func (s *Search) count(c *profile.Costing, from graph.Edge, d Direction, known func(graph.Edge) bool) int {
	g := c.Graph()
	s.edge.Reset()
	s.node.Reset()
	s.queue = s.queue[:0]
	s.add(from)
	if d == Arriving { // paths may come to the edge in the middle of a restriction
		g.EachCopy(from, s.add)
	}
	s.begun = len(s.queue)
	nodes := 0
	for i := 0; i < len(s.queue); i++ {
		e := s.queue[i]
		if e < g.Base && known(e) {
			return Enough
		}
		n := g.ByEdge[e].Head
		if d == Arriving {
			n = g.ByEdge[e].Tail
		}
		if seen := s.node.At(uint32(n)); !*seen {
			*seen = true
			if nodes++; nodes >= Enough {
				return nodes
			}
		}
		s.expand(c, e, d)
	}
	return nodes
}

// expand adds the edges that come after one where paths begin, or before it where they end,
// by turns that are not forbidden, unless they have been added.
func (s *Search) expand(c *profile.Costing, e graph.Edge, d Direction) {
	g := c.Graph()
	if d == Departing {
		n := g.ByEdge[e].Head
		for x := g.FirstOut[n]; x < g.FirstOut[n+1]; x++ {
			if next, ok := c.Follow(e, x); ok && !s.edge.Get(uint32(next)) && c.Allowed(x) && c.MayTurn(e, x) {
				s.add(next)
			}
		}
		return
	}
	own := g.Original(e)
	g.EachPredecessor(e, func(x graph.Edge) {
		if s.edge.Get(uint32(x)) || !c.Allowed(g.Original(x)) || !c.MayTurn(x, own) {
			return
		}
		if next, ok := c.Follow(x, own); ok && next == e {
			s.add(x)
		}
	})
}

// add adds an edge to those that the search has visited.
func (s *Search) add(e graph.Edge) {
	if seen := s.edge.At(uint32(e)); !*seen {
		*seen = true
		s.queue = append(s.queue, e)
	}
}
