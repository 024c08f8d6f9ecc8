// Package searchtest judges searches of the road graph: small random networks
// with restrictions of every kind, and a slow obvious search of them.
package searchtest

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/profile"
	"github.com/waygate/waygate/road/search"
)

// Network is a small random network with the restrictions it was given, so
// that a slow search can apply them as OSM means them: as paths of edges.
type Network struct {
	Graph *graph.Graph
	bans  []graph.Restriction // paths in edges of the built graph
	// memory is how many of the last edges decide what a restriction allows.
	memory int
}

// Random draws a network.
func Random(r *rand.Rand) *Network {
	b := graph.NewBuilder()
	n := 4 + r.IntN(9)
	for i := range n {
		access := graph.AllModes
		if r.IntN(12) == 0 {
			access = graph.AllModes &^ graph.Auto
		}
		b.AddNode(graph.NodeFacts{OSM: int64(i), Access: access, Position: geo.Fixed{Lon: r.Int32N(20000), Lat: r.Int32N(20000)}})
	}
	ends := [][2]uint32{}
	for range n + r.IntN(2*n) {
		u, v := r.Uint32N(uint32(n)), r.Uint32N(uint32(n))
		if u == v {
			continue
		}
		s := graph.SegmentFacts{From: u, To: v, Way: int64(len(ends)), Class: graph.Class(r.IntN(8)), Name: b.Set("name", string(rune('a'+r.IntN(4))))}
		if r.IntN(8) == 0 {
			s.Use = graph.ServiceRoad
		}
		s.Forward = graph.Direction{Access: graph.AllModes, Speed: uint8(10 + r.IntN(90))}
		s.Backward = s.Forward
		switch r.IntN(6) {
		case 0:
			s.Backward.Access = 0
		case 1:
			s.Forward.Access &^= graph.Auto
		case 2:
			s.Forward.Destination = graph.Auto
		}
		shape := []geo.Fixed{b.Node(u).Position, b.Node(v).Position}
		if r.IntN(2) == 0 {
			shape = slices.Insert(shape, 1, geo.Fixed{Lon: r.Int32N(20000), Lat: r.Int32N(20000)})
		}
		b.AddSegment(s, shape)
		ends = append(ends, [2]uint32{u, v})
	}
	var bans []graph.Restriction
	for range r.IntN(2 * n) {
		if path := randomWalk(r, ends, 2+r.IntN(4)); path != nil {
			rule := graph.Restriction{Path: path, Only: r.IntN(4) == 0, Modes: graph.Vehicles}
			switch r.IntN(6) {
			case 0:
				rule.Modes = graph.Truck
			case 1:
				rule.Timed = true
			}
			b.Restrict(rule)
			bans = append(bans, rule)
		}
	}
	g := b.Build()
	memory := 1
	for i := range bans {
		memory = max(memory, len(bans[i].Path)-1)
		path := make([]uint32, len(bans[i].Path))
		for j, h := range bans[i].Path {
			path[j] = g.Forward[h>>1]
			if h&1 == 1 {
				path[j] = g.Opposite[path[j]]
			}
		}
		bans[i].Path = path
	}
	return &Network{g, bans, memory}
}

// randomWalk gives a path of handles that does not turn back, or nil.
func randomWalk(r *rand.Rand, ends [][2]uint32, length int) []graph.Handle {
	if len(ends) == 0 {
		return nil
	}
	at := r.Uint32N(uint32(2 * len(ends)))
	path := []graph.Handle{at}
	for len(path) < length {
		head := ends[at>>1][1-at&1]
		var next []graph.Handle
		for s, e := range ends {
			if uint32(s) == at>>1 {
				continue
			}
			if e[0] == head {
				next = append(next, graph.Handle(s)<<1)
			}
			if e[1] == head {
				next = append(next, graph.Handle(s)<<1|1)
			}
		}
		if len(next) == 0 {
			return nil
		}
		at = next[r.IntN(len(next))]
		path = append(path, at)
	}
	return path
}

// forbids applies the restrictions to a path of original edges that is about
// to take its last edge.
func (n *Network) forbids(path []uint32, mode graph.Modes) bool {
	for _, b := range n.bans {
		k := len(b.Path)
		if b.Timed || b.Modes&mode == 0 || len(path) < k {
			continue
		}
		tail := path[len(path)-k:]
		if !slices.Equal(tail[:k-1], b.Path[:k-1]) {
			continue
		}
		if (tail[k-1] == b.Path[k-1]) != b.Only {
			return true
		}
	}
	return false
}

// Unreached is the cost where there is no path.
const Unreached = math.MaxUint64

// Slow is Bellman and Ford over whole paths: states are the last edges
// travelled, as many as the longest restriction has, so that nothing clever is
// needed to apply one.
func (n *Network) Slow(c *profile.Costing, from, to search.End) uint64 {
	type state [6]uint32
	cost := map[state]uint64{}
	part := func(e uint32, share float64) uint64 { return uint64(math.Round(float64(c.EdgeAtEnd(e)) * share)) }
	start := state{graph.None, graph.None, graph.None, graph.None, graph.None, from.Edge}
	best := uint64(Unreached)
	if from.Edge == to.Edge && from.Along <= to.Along {
		best = part(from.Edge, to.Along-from.Along)
	}
	cost[start] = part(from.Edge, 1-from.Along)
	queue := []state{start}
	for len(queue) > 0 {
		s := queue[0]
		queue = queue[1:]
		e := s[5]
		node := n.Graph.Head[e]
		for f := n.Graph.FirstOut[node]; f < n.Graph.FirstOut[node+1]; f++ {
			next := state{s[1], s[2], s[3], s[4], s[5], f}
			for i := range len(next) - n.memory {
				next[i] = graph.None
			}
			d := c.Turn(e, f)
			if d.Cost == profile.Forbidden || n.forbids(append(slices.Clone(s[:]), f), c.Mode()) {
				continue
			}
			reached := cost[s] + uint64(d.Cost)
			if f == to.Edge {
				best = min(best, reached+part(f, to.Along))
			}
			w := c.Edge(f)
			if w == profile.Forbidden {
				continue
			}
			reached += uint64(w)
			if old, ok := cost[next]; !ok || reached < old {
				cost[next] = reached
				queue = append(queue, next)
			}
		}
	}
	return best
}

// End draws a place that the traveller may use.
func (n *Network) End(r *rand.Rand, c *profile.Costing) search.End {
	for range 50 {
		e := r.Uint32N(n.Graph.Base)
		if c.Allowed(e) {
			return search.End{Edge: e, Along: float64(r.IntN(5)) / 4}
		}
	}
	return search.End{}
}

// Check walks a found path: it must be connected, obey every restriction, and
// cost what was said.
func (n *Network) Check(t *testing.T, seed uint64, c *profile.Costing, f search.Found) {
	t.Helper()
	if len(f.Edges) == 1 {
		return
	}
	var path []uint32
	cost := 0.0
	for i, e := range f.Edges {
		o := n.Graph.Original(e)
		path = append(path, o)
		share := 1.0
		if i == 0 {
			share = 1 - f.From.Along
		}
		if i == len(f.Edges)-1 {
			share = f.To.Along
		}
		cost += math.Round(float64(c.EdgeAtEnd(o)) * share)
		if i == 0 {
			continue
		}
		if n.Graph.Head[path[i-1]] != n.Graph.Tail[o] {
			t.Fatalf("seed %d: the path is not connected", seed)
		}
		if n.forbids(path, c.Mode()) {
			t.Fatalf("seed %d: the path breaks a restriction", seed)
		}
		cost += float64(c.Turn(path[i-1], o).Cost)
	}
	if uint64(cost) != f.Cost {
		t.Fatalf("seed %d: the path costs %.0f, said %d", seed, cost, f.Cost)
	}
}
