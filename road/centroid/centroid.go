// Package centroid finds the centroid of several places: the node where travellers
// from all of them come together at the least total cost.
//
// It runs one Dijkstra search per traveller, over edges like package search, and
// always settles the edge that is cheapest of all. A node that every search has
// reached is complete and has a total cost. The search stops once no other node
// can be as good: a traveller who has not reached a node pays at least the cost of the
// edge that his search settles next.
package centroid

import (
	"context"
	"math"
	"slices"

	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/profile"
	"github.com/waygate/waygate/road/search"
)

// Bound is the cost of a meeting place: of all travellers together, and of the one
// who pays most.
type Bound struct{ Total, Longest uint64 }

// Unbounded is a bound that every meeting place is better than.
var Unbounded = Bound{math.MaxUint64, math.MaxUint64}

// better reports whether a is better than b: its total is less or, at equal totals, the most
// that one traveller pays.
func (a Bound) better(b Bound) bool {
	return a.Total < b.Total || a.Total == b.Total && a.Longest < b.Longest
}

// Place is the meeting place found.
type Place struct {
	Node  graph.Node
	Costs Bound
	Paths []search.Found // one for each traveller, ending at the node
}

// Query is the scratch of a search. It is for one goroutine at a time and can be reused on
// the same graph.
type Query struct {
	g     *graph.Graph
	w     search.Weights
	sides []side

	nodes   map[graph.Node]int32 // of reached nodes the place in reached
	reached []reachedNode
	edges   []graph.Edge // by reached node, for each traveller the edge of arrival

	best    Bound
	bestAt  int32 // in reached, of best; -1 where best is the caller's bound
	Settled int   // edges settled by the last search, for measuring
}

// reachedNode is a node with the number of travellers who have reached it and what
// it costs them.
type reachedNode struct {
	node    graph.Node
	count   uint32
	total   uint64
	longest uint64
}

// NewQuery returns a query over a graph.
func NewQuery(g *graph.Graph) *Query { return &Query{g: g, nodes: map[graph.Node]int32{}} }

const unreached = math.MaxUint64

// checkEvery is how many edges are settled between two checks of the context.
const checkEvery = 1024

// Find returns the node that travellers, each starting at any of their places, reach at the
// least total cost, if it is better than a bound. Of nodes with the same total it returns
// the one where the traveller who pays most pays least, then the one of the lowest number.
// ok is false where there is none. The error is the context's.
//
// Only nodes are examined. Along an edge on which no traveller starts, each traveller's
// cost is the lesser of those by way of its two ends, a concave function of the place; so
// the total is concave too and least at an end. Places where a traveller starts are
// for the caller to try, which passes the best of them as bound.
func (q *Query) Find(ctx context.Context, w search.Weights, from [][]search.End, bound Bound) (p Place, ok bool, err error) {
	q.begin(w, from, bound)
	next := uint64(0)
	for {
		i, radius := q.nearest()
		if radius > q.best.Total || radius == unreached {
			break
		}
		if q.Settled%checkEvery == 0 && ctx.Err() != nil {
			return Place{}, false, ctx.Err()
		}
		if radius >= next {
			done, err := q.done(ctx)
			if err != nil {
				return Place{}, false, err
			}
			if done {
				break
			}
			next = radius + radius/16 + 1000
		}
		q.Settled++
		q.settle(i)
	}
	if q.bestAt < 0 {
		return Place{}, false, nil
	}
	best := q.reached[q.bestAt]
	p = Place{Node: best.node, Costs: q.best}
	for i := range q.sides {
		p.Paths = append(p.Paths, q.found(i, q.edges[int(q.bestAt)*len(q.sides)+i]))
	}
	return p, true, nil
}

func (q *Query) begin(w search.Weights, from [][]search.End, bound Bound) {
	q.sides = slices.Grow(q.sides[:0], len(from))[:len(from)]
	for i := range q.sides {
		q.sides[i].reset()
	}
	clear(q.nodes)
	q.w, q.best, q.bestAt, q.Settled = w, bound, -1, 0
	q.reached, q.edges = q.reached[:0], q.edges[:0]
	for i, ends := range from {
		q.sides[i].from = ends
		for _, s := range ends {
			q.improve(i, s.Edge, startCost(w.Costing, s), graph.None)
		}
	}
}

func startCost(c *profile.Costing, s search.End) uint64 {
	return search.PartCost(c, s.Edge, 1-s.Along) + uint64(s.Extra)
}

// nearest returns the traveller whose next edge is the cheapest of all, and its cost.
func (q *Query) nearest() (traveller int, cost uint64) {
	cost = unreached
	for i := range q.sides {
		if c := q.sides[i].top(); c < cost {
			traveller, cost = i, c
		}
	}
	return traveller, cost
}

// done reports whether no node that is not complete can still be as good as the
// best: each traveller who has not reached it pays at least the cost of his next
// edge.
func (q *Query) done(ctx context.Context) (bool, error) {
	if q.best.Total == unreached {
		return false, nil
	}
	unseen := uint64(0) // bound of the total of nodes that nobody has reached
	for i := range q.sides {
		c := q.sides[i].top()
		if c == unreached {
			unseen = unreached
			break
		}
		unseen += c
	}
	if unseen <= q.best.Total {
		return false, nil
	}
	n := len(q.sides)
	for r, a := range q.reached {
		if (r+1)%checkEvery == 0 && ctx.Err() != nil {
			return false, ctx.Err()
		}
		if int(a.count) == n {
			continue
		}
		least := a.total
		for i, e := range q.edges[r*n : (r+1)*n] {
			if e != graph.None {
				continue
			}
			c := q.sides[i].top()
			if c == unreached {
				least = unreached
				break
			}
			least += c
		}
		if least <= q.best.Total {
			return false, nil
		}
	}
	return true, nil
}

// settle settles the next edge of traveller i.
func (q *Query) settle(i int) {
	g, s := q.g, &q.sides[i]
	top := s.pop()
	n := g.ByEdge[top.edge].Head
	q.arrive(i, n, top)
	for out := g.FirstOut[n]; out < g.FirstOut[n+1]; out++ {
		to, cost, ok := q.turn(top.edge, out)
		if !ok {
			continue
		}
		if w := q.edge(out); w != profile.Forbidden {
			q.improve(i, to, top.cost+cost+uint64(w), top.edge)
		}
	}
}

// arrive records that traveller i has reached a node by an edge. The first time is the
// cheapest.
func (q *Query) arrive(i int, node graph.Node, by settledEdge) {
	n := len(q.sides)
	r, ok := q.nodes[node]
	if !ok {
		r = int32(len(q.reached))
		q.nodes[node] = r
		q.reached = append(q.reached, reachedNode{node: node})
		for range n {
			q.edges = append(q.edges, graph.None)
		}
	}
	edge := &q.edges[int(r)*n+i]
	if *edge != graph.None {
		return
	}
	*edge = by.edge
	a := &q.reached[r]
	a.count++
	a.total += by.cost
	a.longest = max(a.longest, by.cost)
	if int(a.count) < n {
		return
	}
	costs := Bound{a.total, a.longest}
	if costs.better(q.best) || costs == q.best && q.bestAt >= 0 && node < q.reached[q.bestAt].node {
		q.best, q.bestAt = costs, r
	}
}

// turn returns the edge reached by turning from e (a copy perhaps) into the original f, and
// the turn's cost.
func (q *Query) turn(e, f graph.Edge) (to graph.Edge, cost uint64, ok bool) {
	to, ok = q.w.Costing.Follow(e, f)
	if !ok {
		return 0, 0, false
	}
	var w uint32
	if q.w.Metric != nil {
		w = q.w.Metric.Turn(q.g.Original(e), f)
	} else {
		w = q.w.Costing.Turn(e, f).Cost
	}
	return to, uint64(w), w != profile.Forbidden
}

func (q *Query) edge(e graph.Edge) uint32 {
	if q.w.Metric != nil {
		return q.w.Metric.Edge(e)
	}
	return q.w.Costing.Edge(e)
}

// found unpacks the path of a traveller to the head of an edge.
func (q *Query) found(i int, last graph.Edge) search.Found {
	s := &q.sides[i]
	f := search.Found{Cost: s.label(last).cost, To: search.End{Edge: q.g.Original(last), Along: 1}}
	for e := last; e != graph.None; e = s.label(e).parent {
		f.Edges = append(f.Edges, e)
	}
	for a, b := 0, len(f.Edges)-1; a < b; a, b = a+1, b-1 {
		f.Edges[a], f.Edges[b] = f.Edges[b], f.Edges[a]
	}
	least := uint64(unreached)
	for _, x := range s.from {
		if c := startCost(q.w.Costing, x); x.Edge == f.Edges[0] && c < least {
			f.From, least = x, c
		}
	}
	return f
}
