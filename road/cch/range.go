package cch

import (
	"context"

	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/profile"
	"github.com/waygate/waygate/road/search"
)

// RangeQuery finds the cheapest paths from a place to all edges around it, or from
// them to it, within a bound of time or length (PHAST: Delling, Goldberg,
// Nowatzyk, Werneck, "PHAST: Hardware-Accelerated Shortest Path Trees", 2011,
// going down the elimination tree). Every path into a subtree of that tree passes
// a higher neighbour of its root: where all of these are beyond the bound, so is
// the subtree, and it is skipped. So the work is that of the part reached,
// whatever the size of the graph. For one goroutine at a time.
type RangeQuery struct {
	t         *Topology
	up        side
	starts    []start
	upMeasure []search.Measure // by place in up, of the last search up

	// Going down, all that a rank can be come to from are its ancestors, one at
	// each depth.
	cells   []Cell // by depth
	within  []bool // by depth: within the bound
	stack   []step
	reached []search.Reached
}

// step is a rank still to be visited on the way down; onPath tells whether its
// parent is one that the search up visited.
type step struct {
	rank   Rank
	onPath bool
}

// NewRangeQuery gives a search over a topology.
func NewRangeQuery(t *Topology) *RangeQuery { return &RangeQuery{t: t} }

// From gives the edges that the cheapest paths from any of the places get to
// within a bound, as search.Tree does. The slice is valid until the next
// search; the error is the context's.
func (x *RangeQuery) From(ctx context.Context, c Costs, from []search.End, bound search.Measure) ([]search.Reached, error) {
	x.begin()
	departures(c.Costing, from, x.addSource)
	x.searchUp(&c.Metric.forward, &c.Measures.up)
	// An edge that ends beyond the bound may begin within.
	return x.descend(ctx, &c.Metric.backward, &c.Measures.down, &c.Measures.own, bound, true)
}

// Back is From for paths to any of the places.
func (x *RangeQuery) Back(ctx context.Context, c Costs, to []search.End, bound search.Measure) ([]search.Reached, error) {
	x.begin()
	g := c.Costing.Graph()
	for _, t := range to {
		rest := endCell(c.Costing, t)
		n := g.Tail[t.Edge]
		before := func(e graph.Edge) {
			turn := c.Costing.Turn(e, t.Edge)
			if _, ok := c.Costing.Follow(e, t.Edge); !ok || turn.Cost == profile.Forbidden || c.Costing.Edge(g.Original(e)) == profile.Forbidden {
				return
			}
			x.addSource(e, Cell{rest.Cost + uint64(turn.Cost), rest.Plus(search.MeasureOf(turn.Seconds, 0))})
		}
		for out := g.FirstOut[n]; out < g.FirstOut[n+1]; out++ {
			before(g.Opposite[out])
		}
		for _, e := range g.Copies[g.CopyAt[n]:g.CopyAt[n+1]] {
			before(e)
		}
	}
	x.searchUp(&c.Metric.backward, &c.Measures.down)
	return x.descend(ctx, &c.Metric.forward, &c.Measures.up, &c.Measures.own, bound, false)
}

func (x *RangeQuery) begin() {
	x.up.reset()
	x.starts = x.starts[:0]
	x.reached = x.reached[:0]
}

func (x *RangeQuery) addSource(e graph.Edge, to Cell) {
	r := x.t.Rank[e]
	x.up.addSource(r, to.Cost)
	x.starts = append(x.starts, start{r, to})
}

// searchUp searches up from the sources.
func (x *RangeQuery) searchUp(w *searchGraph, of *measures) {
	x.up.searchUp(x.t, w, Unreached, nil)
	x.upMeasure = x.up.measure(x.upMeasure, x.t, w, of, x.starts)
}

// descend visits the ranks within the bound, parents before children. With partly
// it also gives those beyond the bound whose edges begin within.
func (x *RangeQuery) descend(ctx context.Context, w *searchGraph, of, own *measures, bound search.Measure, partly bool) ([]search.Reached, error) {
	x.stack = x.stack[:0]
	for at := range x.up.places {
		if v := x.up.visits[at].rank; x.t.Depth[v] == 0 {
			x.stack = append(x.stack, step{v, true})
		}
	}
	for n := 0; len(x.stack) > 0; n++ {
		if n%4096 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		v, onPath := x.stack[len(x.stack)-1].rank, x.stack[len(x.stack)-1].onPath
		x.stack = x.stack[:len(x.stack)-1]
		depth := int(x.t.depth(v))
		for len(x.cells) <= depth {
			x.cells, x.within = append(x.cells, Cell{}), append(x.within, false)
		}
		to := Cell{Cost: Unreached}
		if onPath {
			at, ok := x.up.find(v, int32(depth))
			if onPath = ok; ok {
				to = Cell{x.up.visits[at].cost, x.upMeasure[at]}
			}
		}
		x.improve(&to, v, w, of)
		inside := false
		if to.Cost != Unreached {
			inside = to.Within(bound)
			self := own.at(uint32(v))
			if inside || partly && to.Minus(self).Within(bound) {
				x.reached = append(x.reached, search.Reached{Edge: x.t.Edge[v], Cost: to.Cost, Measure: to.Measure, Own: self})
			}
		}
		x.cells[depth], x.within[depth] = to, inside
		for c, ok := x.t.lastChild(v); ok; c, ok = x.t.sibling(v, c) {
			// v is a higher neighbour of all its children.
			if inside || onPath && x.visited(c) || x.someWithin(c) {
				x.stack = append(x.stack, step{c, onPath})
			}
		}
	}
	return x.reached, ctx.Err()
}

func (x *RangeQuery) visited(v Rank) bool {
	_, ok := x.up.find(v, int32(x.t.Depth[v]))
	return ok
}

// improve lowers the cost of a rank to that of coming from one of its ancestors.
func (x *RangeQuery) improve(best *Cell, v Rank, w *searchGraph, of *measures) {
	via, from := uint32(none), uint32(0)
	first := w.first[v]
	for i, s := range w.arcs[first:w.first[v+1]] {
		if above := x.cells[s.depth].Cost; above < best.Cost && above+uint64(s.weight) < best.Cost {
			best.Cost, via, from = above+uint64(s.weight), first+uint32(i), s.depth
		}
	}
	if via != none {
		best.Measure = x.cells[from].Plus(of.at(via))
	}
}

// someWithin reports whether a higher neighbour of c is within the bound; all of
// them have been visited.
func (x *RangeQuery) someWithin(c Rank) bool {
	for _, u := range x.t.Head[x.t.First[c]:x.t.First[c+1]] {
		if x.within[x.t.Depth[u]] {
			return true
		}
	}
	return false
}
