package cch

import (
	"context"
	"iter"
	"math"
	"math/bits"
	"slices"

	"github.com/waygate/waygate/road/cch/searchgraph"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/profile"
	"github.com/waygate/waygate/road/search"
)

// RangeQuery finds the cheapest paths from a place to all edges around it, or from them to
// it, within a bound of time or length (PHAST: Delling, Goldberg, Nowatzyk, Werneck, "PHAST:
// Hardware-Accelerated Shortest Path Trees", 2011, going down the elimination tree). Every
// path into a subtree of that tree passes a higher neighbour of its root: if all of these
// are beyond the bound, so is the subtree, and it is skipped. So the work depends on the
// part reached, not on the size of the graph. A RangeQuery is for one goroutine at a time.
type RangeQuery struct {
	t         *Topology
	up        side
	starts    []start
	upMeasure []search.Measure // by place in up, of the last search up

	// On the way down a rank is reached from its ancestors alone, one at
	// each depth.
	labels  []Cell     // by depth
	above   []ancestor // by depth
	reached []search.Reached
	blocks  [][]Block // by band
	looks   int       // at ranks of the last search
	changes changes
}

// ancestor is the label of an ancestor of the current rank.
type ancestor struct {
	size   uint32
	inside bool // within the bound
	onPath bool // one that the search up visited
	beyond bool // its path leads over something that has changed, or ends there
}

// Block is a set of ranks among 64 that follow one another: those from 64 times Number on
// that have a bit in Ranks, the lowest bit for the first. Neighbouring ranks are near one
// another on the ground.
type Block struct {
	Number uint32
	Ranks  uint64
}

// Edges yields the edges of a block.
func (t *Topology) Edges(b Block) iter.Seq[graph.Edge] {
	return func(yield func(graph.Edge) bool) {
		for rest := b.Ranks; rest != 0; rest &= rest - 1 {
			if !yield(t.Edge[b.Number*64+uint32(bits.TrailingZeros64(rest))]) {
				return
			}
		}
	}
}

// Block returns the block of a number with all ranks that the topology has there.
func (t *Topology) Block(number uint32) Block {
	return Block{number, ^uint64(0) >> (64 - min(64, len(t.Edge)-int(number)*64))}
}

// RangeLimits limits what a RangeQuery finds.
type RangeLimits struct {
	Bound search.Measure
	// Bands, if any, are ranges of measures of which it does not matter where in them
	// an edge is: those within one are given by Blocks, and cells of them not searched.
	Bands []Band
	// Changed are original edges that are closed or cost more than the costs say. They
	// and all edges whose path leads over them are returned by BeyondClosure alone.
	Changed []graph.Edge
}

// Band is a range of measures in which an edge begins and ends.
type Band struct{ Least, Most search.Measure }

// Contains reports whether a path that takes from nearest to farthest ends in the band.
func (b *Band) Contains(nearest, farthest search.Measure) bool {
	return nearest.Millis >= b.Least.Millis && nearest.Decimetres >= b.Least.Decimetres && farthest.Millis <= b.Most.Millis && farthest.Decimetres <= b.Most.Decimetres
}

// NewRangeQuery returns a search over a topology.
func NewRangeQuery(t *Topology) *RangeQuery { return &RangeQuery{t: t} }

// From returns the edges that the cheapest paths from any of the places reach within a
// bound, as search.Tree does, except for those that Blocks returns. The slice is valid until
// the next search; the error is the context's.
func (x *RangeQuery) From(ctx context.Context, c Costs, from []search.End, within RangeLimits) ([]search.Reached, error) {
	x.begin()
	x.changes.begin(ctx, x.t, c, from, departing, &within)
	departures(c.Costing, from, x.addSource)
	x.searchUp(&c.Metric.forward, &c.Measures.up)
	// An edge that ends beyond the bound may begin within.
	return x.descend(ctx, descent{&c.Metric.backward, &c.Measures.down, c.Measures, departing}, within)
}

// Back is From for paths to any of the places.
func (x *RangeQuery) Back(ctx context.Context, c Costs, to []search.End, within RangeLimits) ([]search.Reached, error) {
	x.begin()
	x.changes.begin(ctx, x.t, c, to, arriving, &within)
	g := c.Costing.Graph()
	for _, t := range to {
		rest := endCell(c.Costing, t)
		g.EachPredecessor(t.Edge, func(e graph.Edge) {
			turn := c.Costing.Turn(e, t.Edge)
			if _, ok := c.Costing.Follow(e, t.Edge); !ok || turn.Cost == profile.Forbidden || c.Costing.Edge(g.Original(e)) == profile.Forbidden {
				return
			}
			x.addSource(e, Cell{rest.Cost + uint64(turn.Cost), rest.Plus(search.MeasureOf(turn.Seconds, 0))})
		})
	}
	x.searchUp(&c.Metric.backward, &c.Measures.down)
	return x.descend(ctx, descent{&c.Metric.forward, &c.Measures.up, c.Measures, arriving}, within)
}

func (x *RangeQuery) begin() {
	x.up.reset()
	x.starts = x.starts[:0]
	x.reached, x.looks = x.reached[:0], 0
}

func (x *RangeQuery) addSource(e graph.Edge, to Cell) {
	r := x.t.Rank[e]
	x.up.addSource(r, to.Cost)
	x.starts = append(x.starts, start{r, to})
}

// searchUp searches up from the sources.
func (x *RangeQuery) searchUp(w *searchgraph.Graph, of *measures) {
	x.up.searchUp(x.t, w, Unreached, nil)
	x.upMeasure = x.up.measure(x.upMeasure, x.t, w, of, x.starts)
	if x.changes.any {
		x.changes.upwards(&x.up, w)
	}
}

// Blocks returns the edges that the last search found to be in a band. It is valid until the
// next search.
func (x *RangeQuery) Blocks(band int) []Block { return x.blocks[band] }

// put adds ranks to a band.
func (x *RangeQuery) put(band int, number uint32, ranks uint64) {
	list := x.blocks[band]
	if n := len(list) - 1; n >= 0 && list[n].Number == number {
		list[n].Ranks |= ranks
		return
	}
	x.blocks[band] = append(list, Block{number, ranks})
}

// descent are the arcs and cells that the way down uses.
type descent struct {
	graph *searchgraph.Graph
	arcs  *measures
	of    *Measures
	way   int // departing or arriving
}

// descend visits the ranks within the bound, parents before children. If it departs, it also
// finds those beyond the bound whose edges begin within.
func (x *RangeQuery) descend(ctx context.Context, by descent, within RangeLimits) ([]search.Reached, error) {
	x.blocks = slices.Grow(x.blocks[:0], len(within.Bands))[:len(within.Bands)]
	for i := range x.blocks {
		x.blocks[i] = x.blocks[i][:0]
	}
	for at := range x.up.places {
		if v := x.up.visits[at].rank; x.t.Depth[v] == 0 {
			if err := x.sweep(ctx, &by, &within, v); err != nil {
				return nil, err
			}
		}
	}
	return x.reached, ctx.Err()
}

// sweep visits the ranks of the tree below a root, descending: parents come before their
// children, and a subtree follows its root.
func (x *RangeQuery) sweep(ctx context.Context, by *descent, within *RangeLimits, root Rank) error {
	t := x.t
	for v, left, n := root, min(t.Size(root), uint32(root)+1), 0; left > 0; n++ {
		if n%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		x.looks++
		depth, size := int(t.depth(v)), t.Size(v)
		if size == 0 || size > left { // every sweep ends because subtrees have sizes
			panic(damaged)
		}
		for len(x.labels) <= depth {
			x.labels, x.above = append(x.labels, Cell{}), append(x.above, ancestor{})
		}
		parent := ancestor{onPath: true}
		if depth > 0 {
			parent = x.above[depth-1]
		}
		to, at, p := Cell{Cost: Unreached}, ancestor{size: size}, rankIndex(none)
		if parent.onPath {
			if p, at.onPath = x.up.find(v, int32(depth)); at.onPath {
				to = Cell{x.up.visits[p].cost, x.upMeasure[p]}
			}
		}
		// The parent is a higher neighbour of all its children.
		if !at.onPath && (!parent.inside && !x.someWithin(by.graph, v, depth) ||
			len(within.Bands) > 0 && depth > 0 && beginsCell(size, parent.size) && x.isWhole(by, v, within)) {
			v, left = v-Rank(size), left-size
			continue
		}
		c, via := cheapest(x.labels, by.graph, by.arcs, v)
		if c.Cost < to.Cost {
			to = c
		} else {
			via = none
		}
		switch {
		case to.Cost == Unreached:
		case x.changes.any && x.leadsBeyond(by, v, via, p):
			at.beyond = true
		default:
			at.inside = x.note(by, within, v, to)
		}
		if x.changes.any {
			x.changes.look(v, to, at.beyond)
			at.inside = to.Cost != Unreached && to.Within(x.changes.reach)
		}
		x.labels[depth], x.above[depth] = to, at
		v, left = v-1, left-1
	}
	return nil
}

// note records a rank that is reached, and reports whether it is within the bound.
func (x *RangeQuery) note(by *descent, within *RangeLimits, v Rank, to Cell) (inside bool) {
	inside = to.Within(within.Bound)
	if !inside && by.way == arriving {
		return false
	}
	own := by.of.own.at(v)
	near, far := to.Minus(own), to.Measure
	if by.way == arriving {
		near, far = to.Measure, to.Plus(own)
	}
	if !inside && !near.Within(within.Bound) {
		return false
	}
	for i := range within.Bands {
		if within.Bands[i].Contains(near, far) {
			x.put(i, uint32(v/64), 1<<(v%64))
			return inside
		}
	}
	x.reached = append(x.reached, search.Reached{Edge: x.t.Edge[v], Cost: to.Cost, Measure: to.Measure, Own: own})
	return inside
}

// isWhole reports whether all that can be reached in the cell below root, where no path
// begins, is in one band, which it records, or beyond the bound. It leaves out ranks at the
// end of no path.
func (x *RangeQuery) isWhole(by *descent, root Rank, within *RangeLimits) bool {
	bands := within.Bands
	var most search.Measure // of all bands
	for i := range bands {
		raise(&most, bands[i].Most)
	}
	cells := &by.of.cells
	k, ok := slices.BinarySearch(cells.roots, root)
	if !ok || x.changes.any && x.nearBeyond(root) {
		return false
	}
	way := &cells.ways[by.way]
	needs := way.needs[k]
	if needs&never != 0 {
		return false
	}
	bounds, above := way.reach[way.at[k]:], x.t.above(root)
	nearest, farthest := search.Measure{Millis: math.MaxUint32, Decimetres: math.MaxUint32}, search.Measure{}
	for ; needs != 0; needs &= needs - 1 {
		i := bits.TrailingZeros64(needs)
		l := &x.labels[above[i]]
		if l.Cost == Unreached {
			return false
		}
		nearest.Millis, nearest.Decimetres = min(nearest.Millis, l.Millis), min(nearest.Decimetres, l.Decimetres)
		raise(&farthest, l.Plus(bounds[i].measure()))
		if (farthest.Millis > most.Millis || farthest.Decimetres > most.Decimetres) && nearest.Within(within.Bound) {
			return false
		}
	}
	if !nearest.Within(within.Bound) {
		return true
	}
	for i := range bands {
		if bands[i].Contains(nearest, farthest) {
			x.putWhole(i, root, way.joined)
			return true
		}
	}
	return false
}

// putWhole records a whole cell.
func (x *RangeQuery) putWhole(band int, root Rank, joined []uint64) {
	least := root + 1 - Rank(x.t.Size(root))
	for number := root / 64; ; number-- {
		ranks := joined[number]
		if number == root/64 {
			ranks &= ^uint64(0) >> (63 - root%64)
		}
		if number == least/64 {
			ranks &= ^uint64(0) << (least % 64)
		}
		if ranks != 0 {
			x.put(band, uint32(number), ranks)
		}
		if number <= least/64 {
			return
		}
	}
}

// someWithin reports whether a rank within the bound may lead into the subtree of v. All
// ranks above v must have been visited.
func (x *RangeQuery) someWithin(w *searchgraph.Graph, v Rank, depth int) bool {
	// For few ranks it is as fast to look at their arcs as at the higher neighbours of
	// the highest, and for one rank to follow its arcs.
	const few = 16
	switch size := x.t.Size(v); {
	case size == 1:
		return true
	case size <= few && !x.changes.any: // a detour may take an arc that is no cheapest path, which these arcs leave out
		for from := v + 1 - Rank(size); from <= v; {
			last := min(v, from-from%searchgraph.InBlock+searchgraph.InBlock-1) // the arcs of a block follow one another
			first, _ := w.Span(from)
			_, end := w.Span(last)
			for _, a := range w.Arcs[first:end] {
				if d := int(w.Depth(a)); d < depth && x.above[d].inside {
					return true
				}
			}
			from = last + 1
		}
		return false
	}
	for _, depth := range x.t.above(v) {
		if x.above[depth].inside {
			return true
		}
	}
	return false
}
