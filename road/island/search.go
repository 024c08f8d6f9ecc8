// Package island tells whether an edge leads on into the network or is part of a
// scrap, such as the roads of an island without a ferry or those behind a gate: few
// nodes can be reached from it, or few lead to it. Search counts them. Mainlands
// are worked out at import for the default options of each kind of traveller, so
// that the edges that snapping comes to are mostly looked up.
package island

import (
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/profile"
	"github.com/waygate/waygate/road/sparse"
)

// Enough is how many nodes must be reachable from an edge that is on no island
// (Valhalla's minimum_reachability).
const Enough = 50

// Direction says whether the edge is where paths begin or end.
type Direction bool

// The directions.
const (
	Departing Direction = true
	Arriving  Direction = false
)

// Search counts what is reachable. It is scratch for one goroutine at a time.
type Search struct {
	queue      []graph.Edge
	edge, node sparse.Table[bool] // seen
}

// Nodes counts the nodes that can be reached from the end of an edge, up to Enough,
// or from which its beginning can be. The edge itself may be any.
func (s *Search) Nodes(c *profile.Costing, from graph.Edge, d Direction) int {
	return s.count(c, from, d, func(graph.Edge) bool { return false })
}

// Edges is how many edges the last count came to, the first included.
func (s *Search) Edges() int { return len(s.queue) }

// count is Nodes, which is Enough where an edge is known to lead to so many.
func (s *Search) count(c *profile.Costing, from graph.Edge, d Direction, known func(graph.Edge) bool) int {
	g := c.Graph()
	s.edge.Reset()
	s.node.Reset()
	s.queue = append(s.queue[:0], from)
	*s.edge.At(uint32(from)) = true
	nodes := 0
	for i := 0; i < len(s.queue); i++ {
		e := s.queue[i]
		if known(e) {
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
		for x := g.FirstOut[n]; x < g.FirstOut[n+1]; x++ {
			next := x
			if d == Arriving {
				next = g.ByEdge[x].Opposite
			}
			if s.edge.Get(uint32(next)) || !c.Allowed(next) {
				continue
			}
			if d == Departing && !c.MayTurn(e, x) || d == Arriving && !c.MayTurn(next, e) {
				continue
			}
			*s.edge.At(uint32(next)) = true
			s.queue = append(s.queue, next)
		}
	}
	return nodes
}
