package snap

import (
	"fmt"

	"github.com/waygate/waygate/road/graph"
)

// checkSizes compares the levels with the arrays they divide, which costs
// nothing and catches a section put together wrongly.
func (t *Tree) checkSizes() error {
	n := len(t.Level)
	if n < 2 || t.Level[0] != 0 || int(t.Level[1]) != len(t.Leaf) || int(t.Level[n-1]) != len(t.Boxes) {
		return fmt.Errorf("section %s: the levels %v do not divide %d boxes with %d leaves", SectionName, t.Level, len(t.Boxes), len(t.Leaf))
	}
	size := t.Level[1]
	for l := 2; l < n; l++ {
		size = (size + fanout - 1) / fanout
		if t.Level[l] < t.Level[l-1] || t.Level[l]-t.Level[l-1] != size {
			return fmt.Errorf("section %s: level %d ends at box %d, want %d boxes from box %d", SectionName, l, t.Level[l], size, t.Level[l-1])
		}
	}
	if size > 1 {
		return fmt.Errorf("section %s: the last level has %d boxes, want one", SectionName, size)
	}
	return nil
}

// Verify reads the whole index and reports the first thing in it that cannot
// be, or that does not belong to g: every segment must be there once, in its parts, each
// within its box, and each box within the one above it. g must verify itself.
func (t *Tree) Verify(g *graph.Graph) error {
	if err := t.checkSizes(); err != nil {
		return err
	}
	want := 0
	for s := range g.Segments() {
		if !g.CrossesAntimeridian(graph.Segment(s)) {
			for range parts(g, graph.Segment(s)) {
				want++
			}
		}
	}
	if len(t.Leaf) != want {
		return fmt.Errorf("section %s: holds %d parts of segments, the graph has %d", SectionName, len(t.Leaf), want)
	}
	seen := make(map[Part]bool, len(t.Part))
	once := make([]bool, g.Segments())
	for i, of := range t.Leaf {
		p, err := t.partOf(g, of)
		if err != nil {
			return fmt.Errorf("section %s: leaf[%d]: %w", SectionName, i, err)
		}
		repeated := seen[p]
		if of >= partFrom {
			seen[p] = true
		} else {
			repeated, once[p.Segment] = once[p.Segment], true
		}
		if repeated {
			return fmt.Errorf("section %s: leaf[%d]: segment %d comes twice", SectionName, i, p.Segment)
		}
		if want := boxOf(p.line(g)); t.Boxes[i] != want {
			return fmt.Errorf("section %s: boxes[%d]: %v is not the box of segment %d, which is %v", SectionName, i, t.Boxes[i], p.Segment, want)
		}
	}
	for l := 1; l+1 < len(t.Level); l++ {
		for i := t.Level[l]; i < t.Level[l+1]; i++ {
			first := t.Level[l-1] + (i-t.Level[l])*fanout
			if want := t.around(first, min(first+fanout, t.Level[l])); t.Boxes[i] != want {
				return fmt.Errorf("section %s: boxes[%d]: %v is not the box of those below it, which is %v", SectionName, i, t.Boxes[i], want)
			}
		}
	}
	return nil
}

// partOf returns the part that a leaf is of, where it is one that the graph has.
func (t *Tree) partOf(g *graph.Graph, of uint32) (Part, error) {
	p := Part{Segment: graph.Segment(of)}
	if of >= partFrom {
		if int(of-partFrom) >= len(t.Part) {
			return p, fmt.Errorf("there is no part %d", of-partFrom)
		}
		p = t.Part[of-partFrom]
	}
	if int(p.Segment) >= g.Segments() {
		return p, fmt.Errorf("%d is no segment", p.Segment)
	}
	for is := range parts(g, p.Segment) {
		if whole := whole(g, is); whole && of < partFrom || !whole && is == p {
			return is, nil
		}
	}
	return p, fmt.Errorf("from point %d to %d is no part of segment %d", p.First, p.Last, p.Segment)
}
