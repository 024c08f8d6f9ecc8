package guide

import "github.com/waygate/waygate/road/graph"

// MayEnter reports whether one of the modes may go from edge p to edge e,
// which leaves p's head: access and the restrictions that always hold allow
// it.
func MayEnter(g *graph.Graph, p, e graph.Edge, modes graph.Modes) bool {
	allowed := g.ByEdge[e].Access & modes
	for _, t := range g.TurnsFrom(p) {
		if t.To == e && t.Replace == graph.None && t.When == graph.Always {
			allowed &^= t.Modes
		}
	}
	return allowed != 0
}
