package profile

import "github.com/waygate/waygate/road/graph"

// Shunned reports whether an edge is a last resort to the traveller: open, and to be used
// only where there is no other way.
func (c *Costing) Shunned(e graph.Edge) bool { return c.shunned[c.g.ByEdge[e].Limit] }

// ShunnedAt is Shunned of what stands at a node.
func (c *Costing) ShunnedAt(n graph.Node) bool { return c.shunned[c.g.ByNode[n].Limit] }
