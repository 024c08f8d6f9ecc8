package profile

import "github.com/waygate/waygate/road/graph"

// MayTurn reports whether Turn allows going from edge e (which may be a copy)
// to the original f, without working out what it costs.
func (c *Costing) MayTurn(e, f graph.Edge) bool {
	n := c.g.Head[e]
	if f == c.g.Opposite[e] {
		return c.mayTurnRound(e, n)
	}
	return c.passes(n)
}
