// Package searchtest judges searches of the road graph: small random networks
// with restrictions of every kind, and a slow obvious search of them.
package searchtest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/overlay"
	"github.com/waygate/waygate/road/profile"
	"github.com/waygate/waygate/road/search"
)

// Network is a small random network with the restrictions it was given, so
// that a slow search can apply them as OSM means them: as paths of edges.
type Network struct {
	Graph *graph.Graph
	bans  []rule
	// memory is how many of the last edges decide what a restriction allows.
	memory   int
	calendar calendar
}

// Random draws a network.
func Random(r *rand.Rand) *Network {
	return random(r, decoration{})
}

// decoration changes the parts of a network while it is drawn.
type decoration struct {
	segment func(*graph.Builder, *graph.SegmentFacts)
	node    func(*graph.Builder, *graph.NodeFacts)
	rule    func(*graph.Builder, *graph.Restriction)
}

func random(r *rand.Rand, d decoration) *Network {
	b := graph.NewBuilder()
	n := 4 + r.IntN(9)
	for i := range n {
		access := graph.AllModes
		if r.IntN(12) == 0 {
			access = graph.AllModes &^ graph.Auto
		}
		node := graph.NodeFacts{OSM: int64(i), Access: access, Position: geo.Fixed{Lon: r.Int32N(20000), Lat: r.Int32N(20000)}}
		if d.node != nil {
			d.node(b, &node)
		}
		b.AddNode(node)
	}
	ends := [][2]graph.AddedNode{}
	for range n + r.IntN(2*n) {
		u, v := graph.AddedNode(r.Uint32N(uint32(n))), graph.AddedNode(r.Uint32N(uint32(n)))
		if u == v {
			continue
		}
		s := graph.SegmentFacts{From: u, To: v, Way: int64(len(ends)), Class: graph.Class(r.IntN(8)), Name: b.Set("name", string(rune('a'+r.IntN(4))))}
		if r.IntN(8) == 0 {
			s.Use = graph.ServiceRoad
		}
		s.Forward = graph.Direction{Access: graph.AllModes, Speed: uint8(10 + r.IntN(90))}
		s.Backward = s.Forward
		switch r.IntN(8) {
		case 0:
			s.Backward.Access = 0
		case 1:
			s.Forward.Access &^= graph.Auto
		case 2:
			s.Forward.Destination = graph.Auto
		case 3:
			s.Forward.Private, s.Backward.Private = graph.AllModes, graph.AllModes
		case 4:
			s.Forward.Private = graph.Auto | graph.Bicycle
		}
		if d.segment != nil {
			d.segment(b, &s)
		}
		shape := []geo.Fixed{b.Node(u).Position, b.Node(v).Position}
		if r.IntN(2) == 0 {
			shape = slices.Insert(shape, 1, geo.Fixed{Lon: r.Int32N(20000), Lat: r.Int32N(20000)})
		}
		b.AddSegment(s, shape)
		ends = append(ends, [2]graph.AddedNode{u, v})
	}
	var bans []rule
	for range r.IntN(2 * n) {
		if path := randomWalk(r, ends, 2+r.IntN(4)); path != nil {
			x := graph.Restriction{Path: path, Only: r.IntN(4) == 0, Modes: graph.Vehicles}
			switch r.IntN(6) {
			case 0:
				x.Modes = graph.Truck
			case 1:
				x.Timed = true
			}
			if d.rule != nil {
				d.rule(b, &x)
			}
			b.Restrict(x)
			bans = append(bans, rule{Restriction: x})
		}
	}
	g := b.Build()
	memory := 1
	for i := range bans {
		memory = max(memory, len(bans[i].Path)-1)
		for _, d := range bans[i].Path {
			e := g.Forward[d.Segment()]
			if d.Backward() {
				e = g.ByEdge[e].Opposite
			}
			bans[i].edges = append(bans[i].edges, e)
		}
	}
	return &Network{Graph: g, bans: bans, memory: memory}
}

// randomWalk returns a path that does not turn back, or nil.
func randomWalk(r *rand.Rand, ends [][2]graph.AddedNode, length int) []graph.DirectedSegment {
	if len(ends) == 0 {
		return nil
	}
	at := graph.DirectedSegment(r.Uint32N(uint32(2 * len(ends))))
	path := []graph.DirectedSegment{at}
	for len(path) < length {
		head := ends[at.Segment()][1]
		if at.Backward() {
			head = ends[at.Segment()][0]
		}
		var next []graph.DirectedSegment
		for i, e := range ends {
			s := graph.Segment(i)
			if s == at.Segment() {
				continue
			}
			if e[0] == head {
				next = append(next, s.Forwards())
			}
			if e[1] == head {
				next = append(next, s.Backwards())
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
func (n *Network) forbids(path []graph.Edge, c *profile.Costing) bool {
	if c.Options().IgnoreRestrictions {
		return false
	}
	for _, b := range n.bans {
		if !b.Timed && b.Modes&c.Mode() != 0 && b.concerns(n.Graph, c) && b.applies(path) {
			return true
		}
	}
	return false
}

// rule is a restriction with its path as edges of the built graph.
type rule struct {
	graph.Restriction
	edges []graph.Edge
}

// concerns reports whether the rule is for a traveller's vehicle.
func (b *rule) concerns(g *graph.Graph, c *profile.Costing) bool {
	if b.Limits == 0 {
		return !c.Options().IgnoreNonVehicular
	}
	most := 0.0
	if _, err := fmt.Sscanf(g.Attribute(g.Limits[b.Limits].Conditions, "condition"), "weight>%g", &most); err != nil {
		panic(err)
	}
	return c.Options().Weight > most
}

// applies reports whether the rule forbids the last edge of a path.
func (b *rule) applies(path []graph.Edge) bool {
	k := len(b.edges)
	if len(path) < k {
		return false
	}
	tail := path[len(path)-k:]
	return slices.Equal(tail[:k-1], b.edges[:k-1]) && (tail[k-1] == b.edges[k-1]) != b.Only
}

// Unreached is the cost where there is no path.
const Unreached = math.MaxUint64

// Slow is Bellman and Ford over whole paths: states are the last edges
// travelled, as many as the longest restriction has, so that nothing clever is
// needed to apply one.
func (n *Network) Slow(c *profile.Costing, from, to search.End) uint64 {
	return n.SlowOverlay(c, nil, from, to)
}

// SlowOverlay is Slow on a network that an overlay changes.
func (n *Network) SlowOverlay(c *profile.Costing, o *overlay.Overlay, from, to search.End) uint64 {
	type state [6]graph.Edge
	cost := map[state]uint64{}
	whole := func(e graph.Edge) uint32 {
		if v, slow := o.Speed(e); slow {
			return c.EdgeSlowed(e, v)
		}
		return c.EdgeAtEnd(e)
	}
	part := func(e graph.Edge, share float64) uint64 { return uint64(math.Round(float64(whole(e)) * share)) }
	start := state{graph.None, graph.None, graph.None, graph.None, graph.None, from.Edge}
	best := uint64(Unreached)
	if from.Edge == to.Edge && from.Along <= to.Along && o.Free(from.Edge, overlay.Span{From: from.Along, To: to.Along}) {
		best = part(from.Edge, to.Along-from.Along)
	}
	if !o.Free(from.Edge, overlay.Span{From: from.Along, To: 1}) {
		return best
	}
	cost[start] = part(from.Edge, 1-from.Along)
	queue := []state{start}
	for len(queue) > 0 {
		s := queue[0]
		queue = queue[1:]
		e := s[5]
		node := n.Graph.ByEdge[e].Head
		for f := n.Graph.FirstOut[node]; f < n.Graph.FirstOut[node+1]; f++ {
			next := state{s[1], s[2], s[3], s[4], s[5], f}
			for i := range len(next) - n.memory {
				next[i] = graph.None
			}
			d := turn(c, o, e, f)
			if d.Cost == profile.Forbidden || n.forbids(append(slices.Clone(s[:]), f), c) {
				continue
			}
			reached := cost[s] + uint64(d.Cost)
			if f == to.Edge && o.Free(f, overlay.Span{From: 0, To: to.Along}) {
				best = min(best, reached+part(f, to.Along))
			}
			if c.Edge(f) == profile.Forbidden || o.Closed(f) {
				continue
			}
			reached += uint64(whole(f))
			if old, ok := cost[next]; !ok || reached < old {
				cost[next] = reached
				queue = append(queue, next)
			}
		}
	}
	return best
}

// turn returns the delay of a turn between two originals where an overlay may slow it.
func turn(c *profile.Costing, o *overlay.Overlay, e, f graph.Edge) profile.Delay {
	if least, slow := o.TurnSeconds(e, f); slow {
		return c.TurnSlowed(e, f, least)
	}
	return c.Turn(e, f)
}

// edge draws an original edge.
func (n *Network) edge(r *rand.Rand) graph.Edge { return graph.Edge(r.Uint32N(uint32(n.Graph.Base))) }

// End draws a place that the traveller may use.
func (n *Network) End(r *rand.Rand, c *profile.Costing) search.End {
	for range 50 {
		e := n.edge(r)
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
	n.CheckOverlay(t, seed, c, nil, f)
}

// CheckOverlay is Check on a network that an overlay changes.
func (n *Network) CheckOverlay(t *testing.T, seed uint64, c *profile.Costing, o *overlay.Overlay, f search.Found) {
	t.Helper()
	if len(f.Edges) == 1 {
		return
	}
	var path []graph.Edge
	cost := 0.0
	for i, e := range f.Edges {
		e := n.Graph.Original(e)
		path = append(path, e)
		part := overlay.Span{To: 1}
		if i == 0 {
			part.From = f.From.Along
		}
		if i == len(f.Edges)-1 {
			part.To = f.To.Along
		}
		whole := c.EdgeAtEnd(e)
		if v, slow := o.Speed(e); slow {
			whole = c.EdgeSlowed(e, v)
		}
		if !o.Free(e, part) {
			t.Fatalf("seed %d: the path is over a closed edge", seed)
		}
		cost += math.Round(float64(whole) * (part.To - part.From))
		if i == 0 {
			continue
		}
		if n.Graph.ByEdge[path[i-1]].Head != n.Graph.ByEdge[e].Tail {
			t.Fatalf("seed %d: the path is not connected", seed)
		}
		if n.forbids(path, c) {
			t.Fatalf("seed %d: the path breaks a restriction", seed)
		}
		cost += float64(turn(c, o, path[i-1], e).Cost)
	}
	if uint64(cost) != f.Cost {
		t.Fatalf("seed %d: the path costs %.0f, said %d", seed, cost, f.Cost)
	}
}
