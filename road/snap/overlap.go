package snap

import "github.com/waygate/waygate/road/graph"

// Overlapping yields the segments whose boxes meet a box, until yield gives
// false.
func (t *Tree) Overlapping(b Box, yield func(segment graph.Segment) bool) {
	if len(t.Boxes) == 0 {
		return
	}
	t.overlapping(uint32(len(t.Boxes)-1), len(t.Level)-2, b, yield)
}

// overlapping looks below a box of a level.
func (t *Tree) overlapping(node uint32, level int, b Box, yield func(graph.Segment) bool) bool {
	x := t.Boxes[node]
	if x.MinLon > b.MaxLon || x.MaxLon < b.MinLon || x.MinLat > b.MaxLat || x.MaxLat < b.MinLat {
		return true
	}
	if level == 0 {
		return yield(t.Segment[node])
	}
	first := t.Level[level-1] + (node-t.Level[level])*fanout
	for child := first; child < min(first+fanout, t.Level[level]); child++ {
		if !t.overlapping(child, level-1, b, yield) {
			return false
		}
	}
	return true
}
