package cch

import (
	"context"
	"slices"

	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/profile"
	"github.com/waygate/waygate/road/search"
)

// Children lists the children of every rank in the elimination tree: those of v
// are child[first[v]:first[v+1]], ascending. It is immutable.
type Children struct {
	first []uint32
	child []Rank
}

// Children works out the children of every rank.
func (t *Topology) Children() *Children {
	o := &Children{first: make([]uint32, len(t.Edge)+1)}
	for v := range Rank(len(t.Edge)) {
		if p := t.Parent(v); p != graph.None {
			o.first[p+1]++
		}
	}
	for v := range t.Edge {
		o.first[v+1] += o.first[v]
	}
	o.child = make([]Rank, o.first[len(t.Edge)])
	at := slices.Clone(o.first)
	for v := range Rank(len(t.Edge)) {
		if p := t.Parent(v); p != graph.None {
			o.child[at[p]] = v
			at[p]++
		}
	}
	return o
}

// RangeQuery finds the cheapest paths from a place to all edges around it, or from
// them to it, within a bound of time or length (PHAST: Delling, Goldberg,
// Nowatzyk, Werneck, "PHAST: Hardware-Accelerated Shortest Path Trees", 2011,
// going down the elimination tree). Every path into a subtree of that tree passes
// a higher neighbour of its root: where all of these are beyond the bound, so is
// the subtree, and it is skipped. So the work is that of the part reached,
// whatever the size of the graph. For one goroutine at a time.
type RangeQuery struct {
	t         *Topology
	children  *Children
	up        side
	upMeasure []search.Measure // by rank, of the last search up
	upStamp   []uint32         // by rank: the round in which the search up visited it
	round     uint32

	cells   []Cell // by rank; valid for those visited
	within  []bool // by rank: visited, and within the bound
	stack   []Rank
	reached []search.Reached
}

// NewRangeQuery gives a search over a topology and its Children.
func NewRangeQuery(t *Topology, below *Children) *RangeQuery {
	n := len(t.Edge)
	x := &RangeQuery{t: t, children: below, upMeasure: make([]search.Measure, n), upStamp: make([]uint32, n), cells: make([]Cell, n), within: make([]bool, n)}
	x.up.cost, x.up.parent = make([]uint64, n), make([]Rank, n)
	for i := range x.up.cost {
		x.up.cost[i] = Unreached
	}
	return x
}

// From gives the edges that the cheapest paths from any of the places get to
// within a bound, as search.Tree does. The slice is valid until the next
// search; the error is the context's.
func (x *RangeQuery) From(ctx context.Context, c Costs, from []search.End, bound search.Measure) ([]search.Reached, error) {
	x.begin()
	departures(c.Costing, from, x.addSource)
	x.searchUp(&c.Metric.forward, c.Measures.up)
	// An edge that ends beyond the bound may begin within.
	return x.descend(ctx, &c.Metric.backward, c.Measures.down, c.Measures.own, bound, true)
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
	x.searchUp(&c.Metric.backward, c.Measures.down)
	return x.descend(ctx, &c.Metric.forward, c.Measures.up, c.Measures.own, bound, false)
}

func (x *RangeQuery) begin() {
	if x.round++; x.round == 0 {
		clear(x.upStamp)
		x.round = 1
	}
	x.up.reset()
	x.reached = x.reached[:0]
}

func (x *RangeQuery) addSource(e graph.Edge, to Cell) {
	r := x.t.Rank[e]
	if to.Cost < x.up.cost[r] {
		x.upMeasure[r] = to.Measure
	}
	x.up.addSource(r, to.Cost)
}

// searchUp searches up from the sources.
func (x *RangeQuery) searchUp(w *searchGraph, measures []search.Measure) {
	s := &x.up
	s.searchUp(x.t, w, Unreached, nil)
	for _, v := range s.visited { // ascending: a parent comes before its children
		x.upStamp[v] = x.round
		if p := s.parent[v]; s.cost[v] != Unreached && p != graph.None {
			x.upMeasure[v] = x.upMeasure[p].Plus(measures[w.find(p, v)])
		}
	}
}

// descend visits the ranks within the bound, parents before children. With partly
// it also gives those beyond the bound whose edges begin within.
func (x *RangeQuery) descend(ctx context.Context, w *searchGraph, measures, own []search.Measure, bound search.Measure, partly bool) ([]search.Reached, error) {
	x.stack = x.stack[:0]
	for _, v := range x.up.visited {
		if x.t.Parent(v) == graph.None {
			x.stack = append(x.stack, v)
		}
	}
	for n := 0; len(x.stack) > 0; n++ {
		if n%4096 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		v := x.stack[len(x.stack)-1]
		x.stack = x.stack[:len(x.stack)-1]
		x.visit(v, w, measures)
		inside := false
		if to := &x.cells[v]; to.Cost != Unreached {
			took := to.Measure
			inside = took.Within(bound)
			if inside || partly && took.Minus(own[v]).Within(bound) {
				x.reached = append(x.reached, search.Reached{Edge: x.t.Edge[v], Cost: to.Cost, Measure: took, Own: own[v]})
			}
		}
		x.within[v] = inside
		children := x.children.child[x.children.first[v]:x.children.first[v+1]]
		if inside { // v is a higher neighbour of all its children
			x.stack = append(x.stack, children...)
			continue
		}
		for _, c := range children {
			if x.upStamp[c] == x.round || x.someWithin(c) {
				x.stack = append(x.stack, c)
			}
		}
	}
	return x.reached, ctx.Err()
}

// visit works out the cost of a rank from those of its ancestors.
func (x *RangeQuery) visit(v Rank, w *searchGraph, measures []search.Measure) {
	best := Cell{Cost: Unreached}
	if x.upStamp[v] == x.round {
		best = Cell{x.up.cost[v], x.upMeasure[v]}
	}
	via := uint32(none)
	first := w.first[v]
	for i, s := range w.arcs[first:w.first[v+1]] {
		if above := x.cells[s.head].Cost; above < best.Cost && above+uint64(s.weight) < best.Cost {
			best.Cost, via = above+uint64(s.weight), first+uint32(i)
		}
	}
	if via != none {
		best.Measure = x.cells[w.arcs[via].head].Plus(measures[via])
	}
	x.cells[v] = best
}

// someWithin reports whether a higher neighbour of c is within the bound; all of
// them have been visited.
func (x *RangeQuery) someWithin(c Rank) bool {
	for _, u := range x.t.Head[x.t.First[c]:x.t.First[c+1]] {
		if x.within[u] {
			return true
		}
	}
	return false
}
