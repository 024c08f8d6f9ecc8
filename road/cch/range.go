package cch

import (
	"context"
	"math"
	"slices"

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
	labels  []Cell // by depth
	within  []bool // by depth: within the bound
	stack   []step
	reached []search.Reached
	wholes  []whole
	behind  *behind // of the last search
}

// Within is what a RangeQuery is to find.
type Within struct {
	Bound search.Measure
	// Bands, if any, are ranges of measures of which it does not matter where in them
	// an edge is: cells within one are not searched but given as a whole.
	Bands []Band
}

// Band is a range of measures in which an edge begins and ends.
type Band struct{ Least, Most search.Measure }

// Holds reports whether paths that take from nearest to farthest are in the band.
func (b *Band) Holds(nearest, farthest search.Measure) bool {
	return nearest.Millis >= b.Least.Millis && nearest.Decimetres >= b.Least.Decimetres && farthest.Millis <= b.Most.Millis && farthest.Decimetres <= b.Most.Decimetres
}

// whole is the subtree of a root, all of which is in a band.
type whole struct {
	root Rank
	band int
}

// step is a rank still to be visited on the way down; onPath tells whether its
// parent is one that the search up visited.
type step struct {
	rank   Rank
	onPath bool
	cell   bool // rank is the root of a cell
}

// NewRangeQuery gives a search over a topology.
func NewRangeQuery(t *Topology) *RangeQuery { return &RangeQuery{t: t} }

// From gives the edges that the cheapest paths from any of the places get to
// within a bound, as search.Tree does, but for those that Whole gives. The slice is
// valid until the next search; the error is the context's.
func (x *RangeQuery) From(ctx context.Context, c Costs, from []search.End, within Within) ([]search.Reached, error) {
	x.begin()
	departures(c.Costing, from, x.addSource)
	x.searchUp(&c.Metric.forward, &c.Measures.up)
	// An edge that ends beyond the bound may begin within.
	return x.descend(ctx, descent{&c.Metric.backward, &c.Measures.down, c.Measures, departing}, within)
}

// Back is From for paths to any of the places.
func (x *RangeQuery) Back(ctx context.Context, c Costs, to []search.End, within Within) ([]search.Reached, error) {
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
	return x.descend(ctx, descent{&c.Metric.forward, &c.Measures.up, c.Measures, arriving}, within)
}

func (x *RangeQuery) begin() {
	x.up.reset()
	x.starts = x.starts[:0]
	x.reached, x.wholes = x.reached[:0], x.wholes[:0]
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

// Whole yields the cells that the last search found to be in a band as a whole, with
// that band's number.
func (x *RangeQuery) Whole(yield func(band int, c Whole) bool) {
	for _, w := range x.wholes {
		if !yield(w.band, Whole{w.root, x}) {
			return
		}
	}
}

// Whole is a cell that a RangeQuery does not search. It is of use until the query's
// next search.
type Whole struct {
	Root Rank // by which a cell is known
	of   *RangeQuery
}

// Edges yields the edges in the cell. Those at the end of no path are left out.
func (w Whole) Edges(yield func(graph.Edge) bool) {
	t := w.of.t
	for v := w.Root + 1 - Rank(t.Size[w.Root]); v <= w.Root; v++ {
		if w.of.behind.joins(v) && !yield(t.Edge[v]) {
			return
		}
	}
}

// descent is what the way down goes by.
type descent struct {
	graph *searchGraph
	arcs  *measures
	of    *Measures
	way   int // departing or arriving
}

// descend visits the ranks within the bound, parents before children. Departing it
// also gives those beyond the bound whose edges begin within.
func (x *RangeQuery) descend(ctx context.Context, by descent, within Within) ([]search.Reached, error) {
	own, cells := &by.of.own, &by.of.cells
	x.behind = &cells.ways[by.way]
	x.stack = x.stack[:0]
	for at := range x.up.places {
		if v := x.up.visits[at].rank; x.t.Depth[v] == 0 {
			x.stack = append(x.stack, step{v, true, false})
		}
	}
	for n := 0; len(x.stack) > 0; n++ {
		if n%4096 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		s := x.stack[len(x.stack)-1]
		v, onPath := s.rank, s.onPath
		x.stack = x.stack[:len(x.stack)-1]
		depth := int(x.t.depth(v))
		for len(x.labels) <= depth {
			x.labels, x.within = append(x.labels, Cell{}), append(x.within, false)
		}
		to := Cell{Cost: Unreached}
		if onPath {
			at, ok := x.up.find(v, int32(depth))
			if onPath = ok; ok {
				to = Cell{x.up.visits[at].cost, x.upMeasure[at]}
			}
		}
		if s.cell && !onPath && x.isWhole(cells, v, within.Bands) {
			continue
		}
		if c := cheapest(x.labels, by.graph, by.arcs, v); c.Cost < to.Cost {
			to = c
		}
		inside := false
		if to.Cost != Unreached {
			inside = to.Within(within.Bound)
			if inside || by.way == departing && to.Minus(own.at(uint32(v))).Within(within.Bound) {
				x.reached = append(x.reached, search.Reached{Edge: x.t.Edge[v], Cost: to.Cost, Measure: to.Measure, Own: own.at(uint32(v))})
			}
		}
		x.labels[depth], x.within[depth] = to, inside
		for c, ok := x.t.lastChild(v); ok; c, ok = x.t.sibling(v, c) {
			// v is a higher neighbour of all its children.
			if inside || onPath && x.visited(c) || x.someWithin(c) {
				x.stack = append(x.stack, step{c, onPath, len(within.Bands) > 0 && beginsCell(x.t.Size[c], x.t.Size[v])})
			}
		}
	}
	return x.reached, ctx.Err()
}

// isWhole reports whether all that can be reached in the cell below root, where no
// path begins, is in one band, and notes it.
func (x *RangeQuery) isWhole(cells *Cells, root Rank, bands []Band) bool {
	k, ok := slices.BinarySearch(cells.roots, root)
	if !ok {
		return false
	}
	needs := x.behind.needs[k]
	if needs&never != 0 {
		return false
	}
	behind := x.behind.reach[x.behind.at[k]:]
	nearest, farthest := search.Measure{Millis: math.MaxUint32, Decimetres: math.MaxUint32}, search.Measure{}
	for i, above := range x.t.Head[x.t.First[root]:x.t.First[root+1]] {
		if needs>>i&1 == 0 {
			continue
		}
		l := &x.labels[x.t.Depth[above]]
		if l.Cost == Unreached {
			return false
		}
		nearest.Millis, nearest.Decimetres = min(nearest.Millis, l.Millis), min(nearest.Decimetres, l.Decimetres)
		raise(&farthest, l.Plus(behind[i].measure()))
	}
	for i := range bands {
		if bands[i].Holds(nearest, farthest) {
			x.wholes = append(x.wholes, whole{root, i})
			return true
		}
	}
	return false
}

func (x *RangeQuery) visited(v Rank) bool {
	_, ok := x.up.find(v, int32(x.t.Depth[v]))
	return ok
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
