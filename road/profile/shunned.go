package profile

import "github.com/waygate/waygate/road/graph"

// Shunned reports whether an edge is a last resort to the traveller: open, and to be used
// only where there is no other way.
func (c *Costing) Shunned(e graph.Edge) bool { return c.limits[c.g.ByEdge[e].Limit]&shunned != 0 }

// ShunsSome reports whether any edge or node may be a last resort to the traveller.
func (c *Costing) ShunsSome() bool { return c.shuns }

// ShunnedAt is Shunned of what stands at a node.
func (c *Costing) ShunnedAt(n graph.Node) bool { return c.limits[c.g.ByNode[n].Limit]&shunned != 0 }
