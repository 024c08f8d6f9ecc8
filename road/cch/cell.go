package cch

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/waygate/waygate/road/cch/searchgraph"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/search"
)

// Cells are subtrees of the elimination tree of some tens, hundreds and thousands of ranks,
// each with the distance of its farthest edge from the ranks around it. A RangeQuery need
// not descend into a cell that lies wholly within its bound (Baum, Buchhold, Dibbelt,
// Wagner, "Fast Exact Computation of Isochrones in Road Networks", 2016). They are
// immutable.
type Cells struct {
	roots []Rank // ascending
	ways  [2]cellBounds
}

// cellBounds are bounds of the paths down into cells, or up out of them.
type cellBounds struct {
	// reach is, for each higher neighbour of each cell's root, those of a cell from
	// at[cell] on, an upper bound of what a path takes from there to the end of an
	// edge in the cell, or from the beginning of one to there.
	at    []uint32
	reach []roundedUp
	// needs is, by cell, which of these neighbours, the first by the lowest bit, have
	// cheapest paths into the cell: where all of them are reached, so is all in it
	// that can be reached at all. It is never where that cannot be said.
	needs []uint64
	// joined has a bit for each rank that something outside the smallest cell
	// around it is joined with; ranks in no cell have none.
	joined []uint64
}

// roundedUp is a measure in 4 bytes, none of it less than it was and by a part in 1024
// more at most: each half has 11 bits and, above them, how far they are shifted.
type roundedUp struct{ millis, decimetres uint16 }

const roundedBits = 11

func roundUp(m search.Measure) roundedUp {
	return roundedUp{roundUpOf(m.Millis), roundUpOf(m.Decimetres)}
}

func roundUpOf(x uint32) uint16 {
	shift := max(bits.Len32(x), roundedBits) - roundedBits
	kept := (uint64(x) + 1<<shift - 1) >> shift
	if kept == 1<<roundedBits { // the carry of all ones, which the shift leaves even
		kept, shift = kept/2, shift+1
	}
	return uint16(shift<<roundedBits) | uint16(kept)
}

// measure returns a rounded measure; the most that there can be where it is beyond that.
func (r roundedUp) measure() search.Measure {
	open := func(x uint16) uint32 {
		return uint32(min(uint64(x&(1<<roundedBits-1))<<(x>>roundedBits), math.MaxUint32))
	}
	return search.Measure{Millis: open(r.millis), Decimetres: open(r.decimetres)}
}

// The directions of Cells.
const (
	departing = 0
	arriving  = 1
)

const (
	mostNeighbours = 63 // that cellBounds.needs has bits for
	never          = 1 << mostNeighbours
)

// cellSteps are the bits between the sizes of cells, and mostSteps the bits of the
// largest: at most 64, 512 and 4096 ranks.
const (
	cellSteps = 3
	leastStep = 2
	mostStep  = 4
)

// cellStep returns the size class of cells that a subtree fits into: its root is the root
// of a cell where its parent's subtree does not fit.
func cellStep(size uint32) int {
	return min(max((bits.Len32(size-1)+cellSteps-1)/cellSteps, leastStep), mostStep+1)
}

// beginsCell reports whether a subtree is a cell, given its size and that of its
// parent's. Those of few ranks are as soon searched.
func beginsCell(size, parent uint32) bool {
	const fewest = 8
	return size >= fewest && cellStep(size) < cellStep(parent)
}

// cellRoots lists the roots of the cells, ascending.
func (t *Topology) cellRoots() []Rank {
	var roots []Rank
	for v := range Rank(len(t.Tree)) {
		if p := t.Parent(v); p != graph.None && beginsCell(t.Size(v), t.Size(p)) {
			roots = append(roots, v)
		}
	}
	return roots
}

// cells works out the cells of a metric from its measures.
func (t *Topology) cells(m *Metric, x *Measures) Cells {
	c := Cells{roots: t.cellRoots()}
	for i := range c.ways {
		b := &c.ways[i]
		b.needs, b.joined = make([]uint64, len(c.roots)), make([]uint64, (len(t.Edge)+63)/64)
		s := cellSweep{t: t, roots: c.roots, bounds: b, w: &m.backward, arcs: &x.down}
		if i == arriving {
			s.w, s.arcs, s.own = &m.forward, &x.up, &x.own
		}
		for k := range c.roots {
			s.cell(k)
		}
	}
	return c
}

// checkSizes compares the arrays of cells of so many ranks.
func (c *Cells) checkSizes(ranks int) error {
	for i, b := range c.ways {
		if len(b.at) != len(c.roots) || len(b.needs) != len(c.roots) || len(b.joined) != (ranks+63)/64 {
			return fmt.Errorf("cells%s have %d, %d and %d elements, want %d, %d and %d", cellNames[i], len(b.at), len(b.needs), len(b.joined), len(c.roots), len(c.roots), (ranks+63)/64)
		}
	}
	return nil
}

// verify reports the first cell that is not one of the topology's.
func (c *Cells) verify(t *Topology) error {
	if !slices.Equal(c.roots, t.cellRoots()) {
		return errors.New("its cells are not those of the hierarchy")
	}
	for i, b := range c.ways {
		n := 0
		for k, v := range c.roots {
			if int(b.at[k]) != n {
				return fmt.Errorf("cell %d%s begins at %d, want %d", k, cellNames[i], b.at[k], n)
			}
			n += int(t.First[v+1] - t.First[v])
		}
		if len(b.reach) != n {
			return fmt.Errorf("cells%s have %d neighbours, want %d", cellNames[i], len(b.reach), n)
		}
	}
	return nil
}

func (b *cellBounds) joins(v Rank) bool { return b.joined[v/64]>>(v%64)&1 != 0 }

// cellSweep works out the cells of a metric in one direction, in ascending order.
type cellSweep struct {
	t      *Topology
	roots  []Rank
	bounds *cellBounds
	w      *searchgraph.Graph
	arcs   *measures
	own    *paged // of the edges, where paths' measures lack that of the farthest

	labels []Cell // by depth
	parts  []cellPart
}

// cellPart is a rank of a cell's own or, unless it is none, the number of a smaller
// cell in it, of which it is the root.
type cellPart struct {
	rank Rank
	cell uint32
}

// cell works out one cell, those in it being done.
func (s *cellSweep) cell(k int) {
	t, root := s.t, s.roots[k]
	s.split(k)
	depth := int(t.depth(root))
	for len(s.labels) <= depth+int(t.Size(root)) {
		s.labels = append(s.labels, Cell{})
	}
	for d := range depth {
		s.labels[d].Cost = Unreached
	}
	s.bounds.at = append(s.bounds.at, uint32(len(s.bounds.reach)))
	for i, depth := range t.above(root) {
		from := &s.labels[depth]
		*from = Cell{}
		reach, any := s.sweep()
		if any {
			s.bounds.needs[k] |= 1 << min(i, mostNeighbours)
		}
		s.bounds.reach = append(s.bounds.reach, roundUp(reach))
		from.Cost = Unreached
	}
	for _, p := range s.parts {
		if p.cell != none && !s.reachesAll(root, p) {
			s.bounds.needs[k] |= never
		}
	}
}

// reachesAll reports whether all that a smaller cell needs is reached where all is
// reached that the cell below root needs.
func (s *cellSweep) reachesAll(root Rank, p cellPart) bool {
	needs := s.bounds.needs[p.cell]
	if needs&never != 0 {
		return false
	}
	v := p.rank
	for j, depth := range s.t.above(p.rank) {
		if depth < s.t.Depth[root] {
			break
		}
		for s.t.Depth[v] > depth {
			v = s.t.Parent(v)
		}
		if needs>>j&1 != 0 && !s.bounds.joins(v) {
			return false
		}
	}
	return true
}

// split lists the parts of a cell, parents before children.
func (s *cellSweep) split(k int) {
	root := s.roots[k]
	s.parts = append(s.parts[:0], cellPart{root, none})
	below := k - 1
	for left := s.t.Size(root) - 1; left > 0; {
		v := root - Rank(s.t.Size(root)-left)
		for below >= 0 && s.roots[below] > v {
			below--
		}
		p, size := cellPart{v, none}, uint32(1)
		if below >= 0 && s.roots[below] == v {
			p.cell, size = uint32(below), s.t.Size(v)
		}
		if size == 0 || size > left {
			panic(damaged)
		}
		s.parts = append(s.parts, p)
		left -= size
	}
}

// sweep goes down the cell from the one neighbour that has a label. It returns the farthest
// cost reached; any is false if nothing was reached.
func (s *cellSweep) sweep() (reach search.Measure, any bool) {
	for _, p := range s.parts {
		if p.cell != none {
			any = s.smaller(p, &reach) || any
			continue
		}
		v := p.rank
		to, _ := cheapest(s.labels, s.w, s.arcs, v)
		s.labels[s.t.Depth[v]] = to
		if to.Cost == Unreached {
			continue
		}
		any = true
		s.bounds.joined[v/64] |= 1 << (v % 64)
		if s.own != nil {
			to.Measure = to.Plus(s.own.at(v))
		}
		raise(&reach, to.Measure)
	}
	return reach, any
}

// smaller is sweep for a smaller cell.
func (s *cellSweep) smaller(p cellPart, reach *search.Measure) (any bool) {
	needs := s.bounds.needs[p.cell]
	bounds := s.bounds.reach[s.bounds.at[p.cell]:]
	for j, depth := range s.t.above(p.rank) {
		if l := &s.labels[depth]; needs>>min(j, mostNeighbours)&1 != 0 && l.Cost != Unreached {
			raise(reach, l.Plus(bounds[j].measure()))
			any = true
		}
	}
	return any
}

// cheapest returns the cheapest way to a rank from one of its ancestors, whose labels are
// given by depth, and the number of the arc that it comes by, none where there is none.
func cheapest(labels []Cell, w *searchgraph.Graph, of *measures, v Rank) (to Cell, via uint32) {
	best, via, from := uint64(Unreached), uint32(none), uint32(0)
	first, end := w.Span(v)
	arcs := w.Arcs[first:end]
	for i := range arcs {
		depth, weight := w.Open(arcs[i])
		if above := labels[depth].Cost; above < best {
			if cost := above + uint64(weight); cost < best {
				best, via, from = cost, first+uint32(i), depth
			}
		}
	}
	if via == none {
		return Cell{Cost: Unreached}, none
	}
	return Cell{best, labels[from].Plus(of.at(via))}, via
}

// raise raises a measure to another where that is more.
func raise(m *search.Measure, to search.Measure) {
	m.Millis, m.Decimetres = max(m.Millis, to.Millis), max(m.Decimetres, to.Decimetres)
}
