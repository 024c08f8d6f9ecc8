package snap

import (
	"fmt"

	"github.com/waygate/waygate/road/graph"
)

// checkSizes compares the levels with the arrays they divide, which costs
// nothing and catches a section put together wrongly.
func (t *Tree) checkSizes() error {
	n := len(t.Level)
	if n < 2 || t.Level[0] != 0 || int(t.Level[1]) != len(t.Segment) || int(t.Level[n-1]) != len(t.Boxes) {
		return fmt.Errorf("section %s: the levels %v do not divide %d boxes with %d leaves", SectionName, t.Level, len(t.Boxes), len(t.Segment))
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
// be, or that does not belong to g: every segment must be there once, within
// its box, and each box within the one above it. g must verify itself.
func (t *Tree) Verify(g *graph.Graph) error {
	if err := t.checkSizes(); err != nil {
		return err
	}
	within := 0
	for s := range g.Segments() {
		if !g.CrossesAntimeridian(graph.Segment(s)) {
			within++
		}
	}
	if len(t.Segment) != within {
		return fmt.Errorf("section %s: holds %d segments, the graph has %d", SectionName, len(t.Segment), within)
	}
	seen := make([]bool, g.Segments())
	for i, s := range t.Segment {
		if int(s) >= len(seen) || seen[s] {
			return fmt.Errorf("section %s: segment[%d]: %d is no segment, or comes twice", SectionName, i, s)
		}
		seen[s] = true
		if want := BoxOf(g, s); t.Boxes[i] != want {
			return fmt.Errorf("section %s: boxes[%d]: %v is not the box of segment %d, which is %v", SectionName, i, t.Boxes[i], s, want)
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
