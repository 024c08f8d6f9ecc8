package profile

import "github.com/waygate/waygate/road/graph"

// LastResort reports whether an edge is a last resort to the traveller: open, and to be used
// only where there is no other way.
func (c *Costing) LastResort(e graph.Edge) bool {
	return c.limits[c.g.ByEdge[e].Limit]&lastResort != 0
}

// HasLastResort reports whether any edge or node may be a last resort to the traveller.
func (c *Costing) HasLastResort() bool { return c.hasLastResort }

// LastResortAt reports the same of a gate or another barrier at a node.
func (c *Costing) LastResortAt(n graph.Node) bool {
	return c.limits[c.g.ByNode[n].Limit]&lastResort != 0
}
