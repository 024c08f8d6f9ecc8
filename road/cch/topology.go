// Package cch finds cheapest paths by customizable contraction hierarchies
// (Dibbelt, Strasser, Wagner, "Customizable Contraction Hierarchies", 2016) on
// the turn-expanded road graph: the nodes of the hierarchy are the graph's
// directed edges, copies included, and its arcs the turns between them
// (Buchhold, Wagner, Zeitz, Zündorf, "Customizable Contraction Hierarchies with
// Turn Costs", 2020). A plain search looks at a large part of the network for a
// long route; a query here only at the ancestors of its two ends.
//
// The work is split in three. Contraction, once for a graph at import, orders
// the edges by a nested dissection (package order), gives each its Rank in that
// order and adds a shortcut arc wherever removing the lower ranks must keep two
// higher ones connected: the Topology. Customisation, once for a costing, gives
// every arc the cost of the cheapest path it stands for: the Metric. A query
// searches up from the start's rank and from the end's, along arcs to higher ranks
// only, and takes the cheapest rank that both reach; Query.Path then replaces the
// shortcuts by the edges they stand for. All that a search up can reach are the
// ancestors of its source in the elimination tree, in which the parent of a rank
// is the head of its first arc. Of these there is one at each depth of the tree,
// so a search's labels are kept by depth: no scratch grows with the network.
//
// Router is Query between places on edges of the graph. Table answers many to
// many, RangeQuery all around a place within a bound, and Potential gives
// search.AStar its lower bounds where a request changes the costs of some edges.
package cch

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/waygate/waygate/road/cch/order"
	"github.com/waygate/waygate/road/cch/searchgraph"
	"github.com/waygate/waygate/road/graph"
)

// Rank is the place of an edge in the order of contraction.
type Rank = searchgraph.Rank

// Arc is the number of an arc from a rank to a higher one, by its tail and then
// by its head.
type Arc uint32

// Topology is the contracted graph: the arcs of all turns and shortcuts, whatever
// the metric. It is immutable.
type Topology struct {
	Edge []graph.Edge // by rank: the edge of the graph
	Rank []Rank       // by edge

	// Depth is, by rank, how many ancestors it has in the elimination tree.
	Depth []uint16
	// Tree is, by rank, how many descendants it has there, itself counted; in place of
	// 1, for a leaf, afterLeaf and the parent of the rank before it: see Size and Parent.
	Tree []uint32

	// Arcs go from a lower rank to a higher, which is one of its ancestors: those of v are
	// Above[First[v]:First[v+1]], ascending, by their depths. The first of
	// them is v's parent.
	First []Arc
	Above []uint16

	// The arc of each turn, in the order of the edges that they lead from, copies
	// included, and of the originals that leave these edges' heads: its number among
	// those of the lower of the two ranks, arcsFrom where that is as high or more. A turn
	// from an edge onto itself, which no cheapest path needs, has none. The turns from
	// edge e on begin at TurnAt[e/turnEdges] where e is a multiple of turnEdges.
	TurnAt  []uint32
	TurnArc []uint8
}

const (
	turnEdges = 64
	arcsFrom  = math.MaxUint8
)

// Network returns the part of a graph that its dissection needs: the segments between the
// nodes, and the positions of these on a plane.
func Network(g *graph.Graph) order.Network {
	n := order.Network{X: make([]int32, g.Nodes()), Y: make([]int32, g.Nodes()), Roads: make([][2]graph.Node, g.Segments())}
	var sum float64
	for _, p := range g.Position {
		sum += float64(p.Lat)
	}
	// A degree of longitude is shorter than one of latitude. The ratio at the
	// mean latitude does for the whole network.
	narrow := math.Cos(sum / float64(max(1, len(n.X))) * 1e-7 * math.Pi / 180)
	for i, p := range g.Position {
		n.X[i], n.Y[i] = int32(float64(p.Lon)*narrow), p.Lat
	}
	for s := range n.Roads {
		e := g.Forward[s]
		n.Roads[s] = [2]graph.Node{g.ByEdge[e].Tail, g.ByEdge[e].Head}
	}
	return n
}

// NewTopology contracts the graph in the order of segments that a dissection of its Network
// returned. The error is a TooDenseError where the network is much denser than maps of
// roads, a graph.TooLargeError where it has more turns, arcs or depths than can be
// numbered, or that of its context.
func NewTopology(ctx context.Context, g *graph.Graph, segments []graph.Segment) (*Topology, error) {
	t := &Topology{Rank: make([]Rank, g.Edges())}
	t.rankEdges(g, segments)
	return t, t.build(ctx, func(yield func(from, to graph.Edge)) { turns(g, yield) }, numbers{arcs: mostArcs, turns: graph.MostNumbers, height: searchgraph.MostHeight})
}

// mostArcs is how many arcs can be numbered: metrics need a bit beside the number.
const mostArcs = math.MaxInt32

// numbers is how many arcs, turns and depths a topology can number.
type numbers struct{ arcs, turns, height int }

// Limits on the size of a hierarchy, for each edge and for small networks. Roads
// of countries give ten arcs and a hundred triangles of arcs for an edge: cities
// lie apart and few roads join them. Where everything is joined with everything,
// both grow with the square and the cube of the edges.
const (
	arcsForEdge      = 80
	arcsFree         = 1 << 20
	trianglesForEdge = 4000
	trianglesFree    = 1 << 28
)

// TooDenseError is the error of a network that cannot be contracted within the limits.
type TooDenseError struct {
	Edges           int
	What            string // that there are too many of: arcs or triangles
	Reached, Limit  int
	Contracted, All int // ranks, when the limit was reached
}

func (e *TooDenseError) Error() string {
	return fmt.Sprintf("the roads are joined so densely that their hierarchy cannot be built: %d %s of it for %d edges, over the limit of %d, with %d of %d ranks done; no map of roads is like that",
		e.Reached, e.What, e.Edges, e.Limit, e.Contracted, e.All)
}

// links calls yield for each turn from one edge to another, grouped by from. It
// must give the same sequence every time.
type links func(yield func(from, to graph.Edge))

// build computes the arcs, once the ranks are known.
func (t *Topology) build(ctx context.Context, all links, most numbers) error {
	count := 0
	all(func(_, _ graph.Edge) { count++ })
	if err := graph.CheckLimit("turns", count, most.turns); err != nil {
		return err
	}
	up := t.neighbours(all)
	if t.sortByTree(parents(up)) {
		up = t.neighbours(all)
	}
	head, err := t.contract(ctx, up, most.arcs)
	if err != nil {
		return err
	}
	t.measureTree(head)
	if err := graph.CheckLimit("ranks above one another in the hierarchy", t.Height(), most.height); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	t.assignArcs(all, count)
	return ctx.Err()
}

// rankEdges gives the edges their ranks: both directions of a segment and their
// copies follow one another.
func (t *Topology) rankEdges(g *graph.Graph, segments []graph.Segment) {
	copies := map[graph.Edge][]graph.Edge{}
	for i, e := range g.CopyOf {
		copies[e] = append(copies[e], g.Base+graph.Edge(i))
	}
	t.Edge = make([]graph.Edge, 0, g.Edges())
	for _, s := range segments {
		e := g.Forward[s]
		for _, e := range [2]graph.Edge{e, g.ByEdge[e].Opposite} {
			t.Edge = append(append(t.Edge, e), copies[e]...)
		}
	}
	for r, e := range t.Edge {
		t.Rank[e] = Rank(r)
	}
}

// turns calls yield for each turn, in the order in which they leave an edge's
// head.
func turns(g *graph.Graph, yield func(e, to graph.Edge)) {
	for e := range graph.Edge(g.Edges()) {
		n := g.ByEdge[e].Head
		for f := g.FirstOut[n]; f < g.FirstOut[n+1]; f++ {
			yield(e, g.Follow(e, f))
		}
	}
}

// neighbours returns for each rank the higher ranks that a turn joins it with, ascending.
func (t *Topology) neighbours(all links) [][]Rank {
	degree := make([]uint32, len(t.Edge)+1)
	all(func(e, to graph.Edge) {
		if a, b := t.Rank[e], t.Rank[to]; a != b {
			degree[min(a, b)]++
		}
	})
	total := uint32(0)
	for i := range degree {
		degree[i], total = total, total+degree[i]
	}
	lists, at := make([]Rank, total), slices.Clone(degree)
	all(func(e, to graph.Edge) {
		if a, b := t.Rank[e], t.Rank[to]; a != b {
			low := min(a, b)
			lists[at[low]] = max(a, b)
			at[low]++
		}
	})
	up := make([][]Rank, len(t.Edge))
	for v := range up {
		list := lists[degree[v]:degree[v+1]:degree[v+1]]
		slices.Sort(list)
		up[v] = slices.Compact(list)
	}
	return up
}

// contract makes the arcs, shortcuts included, and returns the higher rank of each.
// Contracting a rank joins all its higher neighbours with one another. It is enough to add
// them to the neighbours of the lowest among them, which passes them on when it is
// contracted.
func (t *Topology) contract(ctx context.Context, up [][]Rank, most int) (head []Rank, err error) {
	n := len(up)
	t.First = make([]Arc, n+1)
	var merged []Rank
	denseArcs, mostTriangles := arcsFree+arcsForEdge*n, trianglesFree+trianglesForEdge*n
	triangles := 0
	for v, list := range up {
		if v%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		t.First[v] = Arc(len(head))
		head = append(head, list...)
		if len(head) > denseArcs {
			return nil, &TooDenseError{n, "arcs", len(head), denseArcs, v, n}
		}
		if err := graph.CheckLimit("arcs of the hierarchy", len(head), most); err != nil {
			return nil, err
		}
		if triangles += len(list) * (len(list) - 1) / 2; triangles > mostTriangles {
			return nil, &TooDenseError{n, "triangles", triangles, mostTriangles, v, n}
		}
		if len(list) > 1 {
			p := list[0]
			merged = union(merged[:0], up[p], list[1:])
			if len(merged) != len(up[p]) {
				up[p] = slices.Clone(merged)
			}
		}
		up[v] = nil
	}
	t.First[n] = Arc(len(head))
	return head, nil
}

// union merges two ascending lists into dst.
func union(dst, a, b []Rank) []Rank {
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] < b[0]:
			dst, a = append(dst, a[0]), a[1:]
		case a[0] > b[0]:
			dst, b = append(dst, b[0]), b[1:]
		default:
			dst, a, b = append(dst, a[0]), a[1:], b[1:]
		}
	}
	return append(append(dst, a...), b...)
}

// assignArcs finds the arc of each of count turns.
func (t *Topology) assignArcs(all links, count int) {
	t.TurnAt = make([]uint32, 0, len(t.Rank)/turnEdges+1)
	t.TurnArc = make([]uint8, 0, count)
	before := func(e int) { // there may be edges without turns
		for len(t.TurnAt)*turnEdges <= e {
			t.TurnAt = append(t.TurnAt, uint32(len(t.TurnArc)))
		}
	}
	all(func(e, to graph.Edge) {
		before(int(e))
		a, b := t.Rank[e], t.Rank[to]
		number := Arc(0)
		if a != b {
			number = t.Arc(min(a, b), max(a, b)) - t.First[min(a, b)]
		}
		t.TurnArc = append(t.TurnArc, uint8(min(number, arcsFrom)))
	})
	before(len(t.Rank))
}

// turnArc returns the arc of turn number i, which leads from one rank to another, and
// whether it leads down the arc.
func (t *Topology) turnArc(i int, from, to Rank) (a Arc, down bool) {
	low, high := min(from, to), max(from, to)
	if n := t.TurnArc[i]; n < arcsFrom {
		return t.First[low] + Arc(n), from > to
	}
	return t.Arc(low, high), from > to
}

// Arc returns the arc between a rank and one of its ancestors; it must exist.
func (t *Topology) Arc(v, w Rank) Arc {
	i, _ := slices.BinarySearchFunc(t.above(v), t.Depth[w], func(a, b uint16) int { return cmp.Compare(b, a) })
	return t.First[v] + Arc(i)
}

// above returns the depths of the higher neighbours of a rank.
func (t *Topology) above(v Rank) []uint16 { return t.Above[t.First[v]:t.First[v+1]] }
