package profile

import "github.com/waygate/waygate/road/graph"

// LastResort reports whether an edge is a last resort to the traveller: open, and to be used
// only where there is no other way.
func (c *Costing) LastResort(e graph.Edge) bool { return c.lastResort[c.g.ByEdge[e].Limit] }

// LastResortAt reports the same of a gate or another barrier at a node.
func (c *Costing) LastResortAt(n graph.Node) bool { return c.lastResort[c.g.ByNode[n].Limit] }
