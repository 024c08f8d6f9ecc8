package cch

import (
	"fmt"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/road/cch/searchgraph"
	"github.com/waygate/waygate/road/graph"
)

// wrong is the error of an impossible element of a section.
func wrong(section, array string, i int, format string, args ...any) error {
	return fmt.Errorf("section %s: %s[%d]: %s", section, array, i, fmt.Sprintf(format, args...))
}

// verifyOffsets checks that places in an array of n elements begin at 0, never
// go back and end with it.
func verifyOffsets[T ~uint32](section, array string, at []T, n int) error {
	for i := range at {
		if i == 0 && at[i] != 0 || i > 0 && at[i] < at[i-1] || int(at[i]) > n {
			return wrong(section, array, i, "%d is out of order", at[i])
		}
	}
	if last := len(at) - 1; int(at[last]) != n {
		return wrong(section, array, last, "is %d, want %d", at[last], n)
	}
	return nil
}

// Verify reads the whole topology and reports the first thing in it that
// cannot be, or that does not belong to g, which must verify itself: every edge
// has one rank, arcs lead from lower ranks to higher, all shortcuts are there, and
// every turn has its arc.
func (t *Topology) Verify(g *graph.Graph) error {
	const section = TopologySection
	if err := t.checkSizes(); err != nil {
		return err
	}
	n := len(t.Edge)
	if n != g.Edges() {
		return fmt.Errorf("section %s: holds %d edges, the graph has %d", section, n, g.Edges())
	}
	for r, e := range t.Edge {
		if int(e) >= n || t.Rank[e] != Rank(r) {
			return wrong(section, "edge", r, "%d is no edge, or has another rank", e)
		}
	}
	if err := verifyOffsets(section, "first", t.First, len(t.Above)); err != nil {
		return err
	}
	for v := range Rank(n) {
		last := t.Depth[v]
		for a := t.First[v]; a < t.First[v+1]; a++ {
			if t.Above[a] >= last {
				return wrong(section, "above", int(a), "depth %d is not above %d", t.Above[a], last)
			}
			last = t.Above[a]
		}
	}
	if err := t.verifyTree(); err != nil {
		return err
	}
	if err := t.verifyShortcuts(); err != nil {
		return err
	}
	return t.verifyTurns(g)
}

// verifyTree checks parents, depths and sizes in the elimination tree, that the ranks
// are a postorder of it, and that the first arc of each leads to its parent.
func (t *Topology) verifyTree() error {
	n := len(t.Edge)
	for v, x := range t.Tree {
		if p := x - afterLeaf; x >= afterLeaf && p != noParent && (v == 0 || p <= uint32(v) || int(p) >= n) {
			return wrong(TopologySection, "tree", v, "%d is no parent of the rank before", p)
		}
	}
	parent := make([]Rank, n)
	for v := range parent {
		parent[v] = t.Parent(Rank(v))
	}
	number, size := postorder(parent)
	for v := n - 1; v >= 0; v-- {
		depth, above := uint16(0), t.above(Rank(v))
		p := parent[v]
		if p != graph.None {
			depth = t.Depth[p] + 1
		}
		switch {
		case t.Depth[v] != depth:
			return wrong(TopologySection, "depth", v, "is %d, want %d", t.Depth[v], depth)
		case t.Size(Rank(v)) != size[v] || number[v] != Rank(v):
			return wrong(TopologySection, "tree", v, "is not of %d ranks that are just before it", size[v])
		case (len(above) > 0) != (p != graph.None) || len(above) > 0 && above[0] != depth-1:
			return wrong(TopologySection, "above", int(t.First[v]), "does not begin with the parent of rank %d", v)
		}
	}
	return nil
}

// verifyShortcuts checks that the higher neighbours of each rank are neighbours of the
// lowest among them, and so each of all others.
func (t *Topology) verifyShortcuts() error {
	for v := range Rank(len(t.Edge)) {
		p := t.Parent(v)
		if p == graph.None {
			continue
		}
		above := t.above(p)
		for a := t.First[v] + 1; a < t.First[v+1]; a++ {
			for len(above) > 0 && above[0] > t.Above[a] {
				above = above[1:]
			}
			if len(above) == 0 || above[0] != t.Above[a] {
				return wrong(TopologySection, "above", int(a), "depth %d is that of a neighbour of rank %d and not of %d above it", t.Above[a], v, p)
			}
		}
	}
	return nil
}

// verifyTurns checks that every turn of the graph has the arc between its
// edges.
func (t *Topology) verifyTurns(g *graph.Graph) (err error) {
	i, next := 0, 0
	before := func(e int) {
		for ; next < len(t.TurnAt) && next*turnEdges <= e; next++ {
			if int(t.TurnAt[next]) != i && err == nil {
				err = wrong(TopologySection, "turn.at", next, "is %d, want %d", t.TurnAt[next], i)
			}
		}
	}
	turns(g, func(e, to graph.Edge) {
		before(int(e))
		if err != nil {
			return
		}
		if i >= len(t.TurnArc) {
			err = wrong(TopologySection, "turn.arc", i, "is not there")
			return
		}
		from, at := t.Rank[e], t.Rank[to]
		want := Arc(0)
		if from != at {
			low, high := min(from, at), max(from, at)
			a := t.Arc(low, high)
			if want = a - t.First[low]; a >= t.First[low+1] || t.Above[a] != t.Depth[high] || low+Rank(t.Size(high)) <= high {
				err = wrong(TopologySection, "above", int(a), "no arc is that of the turn from edge %d to %d", e, to)
				return
			}
		}
		if t.TurnArc[i] != uint8(min(want, arcsFrom)) {
			err = wrong(TopologySection, "turn.arc", i, "%d is not the arc of the turn from edge %d to %d", t.TurnArc[i], e, to)
		}
		i++
	})
	before(len(t.Edge))
	if err == nil && i != len(t.TurnArc) {
		err = fmt.Errorf("section %s: array turn.arc has %d elements, the graph has %d turns", TopologySection, len(t.TurnArc), i)
	}
	return err
}

// VerifyMetrics reads the metrics of a region's section, by its name, and
// reports the first thing in them that cannot be, or that does not belong to t,
// which must verify itself: every arc is one of the topology, of some cost,
// over a rank below both of its ends, and every block is where sharing puts it.
func (t *Topology) VerifyMetrics(section string, metrics map[costing.Costing]*Metric) error {
	var all [2]verifying
	for i := range all {
		all[i] = verifying{t: t, section: section}
	}
	for _, k := range costing.All {
		if metrics[k] == nil {
			continue
		}
		for i, w := range metrics[k].directions() {
			if err := all[i].kind(k.String()+directionNames[i], w); err != nil {
				return err
			}
		}
	}
	for i, v := range all {
		if v.first != nil && (int(v.arcs) != len(v.first.Arcs) || v.far != len(v.first.Far) || v.farthest != len(v.first.Farthest)) {
			return wrong(section, searchgraph.SharedName+directionNames[i]+".steps", int(v.arcs), "is the first of no rank, or far path %d of %d is of no step", v.far, len(v.first.Far))
		}
	}
	return nil
}

// verifying is the state of a direction while the kinds are verified one after another.
type verifying struct {
	t        *Topology
	section  string
	first    *searchgraph.Graph // of the first kind
	arcs     uint32             // so many are of some rank
	far      int
	farthest int
}

// kind verifies the arcs of a kind.
func (x *verifying) kind(name string, w *searchgraph.Graph) error {
	own := uint32(0)
	for b := range w.Blocks {
		if !w.IsBlock(Rank(b) * searchgraph.InBlock) {
			return wrong(x.section, name+".first", b, "is none of %d long blocks", len(w.LongBlocks))
		}
		from, to := w.BlockSpan(b)
		own += to - from
		if x.first != nil && x.first.SameBlock(w, b) {
			continue
		}
		for v := Rank(b) * searchgraph.InBlock; v < Rank(b+1)*searchgraph.InBlock; v++ {
			if err := x.rank(name, w, v); err != nil {
				return err
			}
		}
	}
	if x.first == nil {
		x.first = w
	}
	if len(w.Alone) > 0 && w.Alone[0].Arcs != own {
		return wrong(x.section, name+".alone", 0, "is %d, want %d", w.Alone[0].Arcs, own)
	}
	return nil
}

// rank verifies the arcs of a rank that are not those of the first kind, which follow
// on those of the rank before.
func (x *verifying) rank(name string, w *searchgraph.Graph, v Rank) error {
	t := x.t
	from, to := w.Span(v)
	if from != x.arcs || to < from || int(to) > len(w.Arcs) || int(v) >= len(t.Edge) && to > from {
		return wrong(x.section, name+".first", int(v/searchgraph.InBlock), "the steps of rank %d are %d to %d of %d, after %d", v, from, to, len(w.Arcs), x.arcs)
	}
	x.arcs = to
	if int(v) >= len(t.Edge) {
		return nil
	}
	a := t.First[v]
	for i := from; i < to; i++ {
		if !w.IsThere(w.Arcs[i]) {
			return wrong(x.section, name+".steps", int(i), "has no cost")
		}
		depth := w.Depth(w.Arcs[i])
		for a < t.First[v+1] && uint32(t.Above[a]) > depth {
			a++
		}
		if a == t.First[v+1] || uint32(t.Above[a]) != depth {
			return wrong(x.section, name+".steps", int(i), "to depth %d is no arc of rank %d", depth, v)
		}
		a++
		if w.Via == nil {
			continue
		}
		if i%searchgraph.FarEach == 0 && int(w.FarAt[i/searchgraph.FarEach]) != x.far {
			return wrong(x.section, name+".far.at", int(i/searchgraph.FarEach), "is %d, want %d", w.FarAt[i/searchgraph.FarEach], x.far)
		}
		if w.Via[i] == searchgraph.FarBelow {
			if !x.isFar(w, v) {
				return wrong(x.section, name+".far", x.far, "is not there, or not of a rank below %d", v)
			}
			x.far++
		} else if Rank(w.Via[i]) > v {
			return wrong(x.section, name+".mid", int(i), "%d is more than rank %d", w.Via[i], v)
		}
	}
	return nil
}

// isFar reports whether the next far path, of an arc of v, is there.
func (x *verifying) isFar(w *searchgraph.Graph, v Rank) bool {
	if x.far >= len(w.Far) {
		return false
	}
	below := w.Far[x.far]
	if below < searchgraph.FarthestBelow {
		return below > 0 && Rank(below) <= v
	}
	if x.farthest >= len(w.Farthest) || int(w.Farthest[x.farthest].Number) != x.far || w.Farthest[x.farthest].Middle >= v {
		return false
	}
	x.farthest++
	return true
}
