package searchtest

import (
	"slices"

	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/profile"
	"github.com/waygate/waygate/road/search"
)

// Heads is Slow to the head of every edge at once: by original edge the cost
// of travelling it to its end, Unreached where there is no path.
func (n *Network) Heads(c *profile.Costing, from search.End) []uint64 {
	type state [6]graph.Edge
	heads := make([]uint64, n.Graph.Base)
	for i := range heads {
		heads[i] = Unreached
	}
	start := state{graph.None, graph.None, graph.None, graph.None, graph.None, from.Edge}
	cost := map[state]uint64{start: search.PartCost(c, from.Edge, 1-from.Along)}
	for queue := []state{start}; len(queue) > 0; queue = queue[1:] {
		s := queue[0]
		e := s[5]
		heads[e] = min(heads[e], cost[s])
		node := n.Graph.ByEdge[e].Head
		for f := n.Graph.FirstOut[node]; f < n.Graph.FirstOut[node+1]; f++ {
			next := state{s[1], s[2], s[3], s[4], s[5], f}
			for i := range len(next) - n.memory {
				next[i] = graph.None
			}
			d, w := c.Turn(e, f), c.Edge(f)
			if d.Cost == profile.Forbidden || w == profile.Forbidden || n.forbids(append(slices.Clone(s[:]), f), c) {
				continue
			}
			reached := cost[s] + uint64(d.Cost) + uint64(w)
			if old, ok := cost[next]; !ok || reached < old {
				cost[next] = reached
				queue = append(queue, next)
			}
		}
	}
	return heads
}
