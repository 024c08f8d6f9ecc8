// Package snap finds the segments of the road graph near a point, which is the
// first step of every request: its places have to be put on edges before anything
// can be searched. Its index is a packed R-tree (Kamel and Faloutsos, "On Packing
// R-trees", 1993): the segments' boxes, those of long ones in parts, sorted along a
// Hilbert curve and grouped by sixteen, level on level, in flat arrays that are mapped
// from the region.
//
// Query.Nearest yields Candidates, the nearest place on each segment from the
// nearest segment outwards, until the caller has enough. The caller decides which
// of them a traveller may use and turns them into search.Ends. Tree.Touching gives
// the segments whose boxes touch a box, for areas.
package snap

import (
	"cmp"
	"iter"
	"slices"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/region"
	"github.com/waygate/waygate/road/graph"
)

// SectionName and Version name the index's section in a region and its format.
const (
	SectionName = "snap"
	Version     = 2
)

const (
	fanout = 16
	// mostPieces is how many pieces of a line a leaf has at most: a ferry between islands
	// has hundreds, in a box that contains half of the roads.
	mostPieces = 16
	// partFrom is more than there are segments: leaves from it on are of parts.
	partFrom = 1 << 31
)

// Box is an axis-aligned box on the 1e-7 degree grid.
type Box struct{ MinLon, MinLat, MaxLon, MaxLat int32 }

// Tree is the index. Boxes has the levels one after the other, the leaves
// first; Level is where each level starts, and last the end of the last.
type Tree struct {
	Leaf  []uint32 // a segment, or partFrom and the number of a part
	Part  []Part
	Boxes []Box
	Level []uint32
}

// Part is some of a segment whose line is long: that between the points First and Last.
type Part struct {
	Segment     graph.Segment
	First, Last uint32
}

// Build makes the index of a graph's segments, all but those across the antimeridian.
func Build(g *graph.Graph) *Tree {
	n := g.Segments()
	type leaf struct {
		key  uint64
		part Part
		box  Box
	}
	leaves := make([]leaf, 0, n)
	for s := range n {
		if g.CrossesAntimeridian(graph.Segment(s)) {
			continue
		}
		for part := range parts(g, graph.Segment(s)) {
			b := boxOf(part.line(g))
			middle := geo.Fixed{Lon: int32((int64(b.MinLon) + int64(b.MaxLon)) / 2), Lat: int32((int64(b.MinLat) + int64(b.MaxLat)) / 2)}
			leaves = append(leaves, leaf{geo.Hilbert(middle), part, b})
		}
	}
	slices.SortFunc(leaves, func(x, y leaf) int {
		switch {
		case x.key < y.key:
			return -1
		case x.key > y.key:
			return 1
		}
		return cmp.Or(cmp.Compare(x.part.Segment, y.part.Segment), cmp.Compare(x.part.First, y.part.First))
	})
	t := &Tree{Level: []uint32{0}}
	for _, l := range leaves {
		if whole(g, l.part) {
			t.Leaf = append(t.Leaf, uint32(l.part.Segment))
		} else {
			t.Leaf = append(t.Leaf, partFrom+uint32(len(t.Part)))
			t.Part = append(t.Part, l.part)
		}
		t.Boxes = append(t.Boxes, l.box)
	}
	for from := 0; ; {
		end := len(t.Boxes)
		t.Level = append(t.Level, uint32(end))
		if end-from <= 1 {
			return t
		}
		for i := from; i < end; i += fanout {
			t.Boxes = append(t.Boxes, t.around(uint32(i), uint32(min(i+fanout, end))))
		}
		from = end
	}
}

// parts returns the parts of a segment, as even as can be.
func parts(g *graph.Graph, s graph.Segment) iter.Seq[Part] {
	return func(yield func(Part) bool) {
		pieces := len(g.SegmentShape(s)) - 1
		n := max(1, (pieces+mostPieces-1)/mostPieces)
		for i := range n {
			if !yield(Part{s, uint32(pieces * i / n), uint32(pieces * (i + 1) / n)}) {
				return
			}
		}
	}
}

// whole reports whether a part is all of its segment.
func whole(g *graph.Graph, p Part) bool {
	return p.First == 0 && int(p.Last) == len(g.SegmentShape(p.Segment))-1
}

// line returns that between a part's ends, which must be there.
func (p *Part) line(g *graph.Graph) []geo.Fixed {
	return g.SegmentShape(p.Segment)[p.First : p.Last+1]
}

// segment returns the segment of a leaf.
func (t *Tree) segment(leaf uint32) graph.Segment {
	if of := t.Leaf[leaf]; of >= partFrom {
		return t.Part[of-partFrom].Segment
	}
	return graph.Segment(t.Leaf[leaf])
}

// part returns the part that a leaf is of: the whole of a segment that is not long.
func (t *Tree) part(g *graph.Graph, leaf uint32) Part {
	if of := t.Leaf[leaf]; of >= partFrom {
		return t.Part[of-partFrom]
	}
	s := graph.Segment(t.Leaf[leaf])
	return Part{s, 0, uint32(len(g.SegmentShape(s)) - 1)}
}

// has reports whether a piece of the segment's line is in a part.
func (p *Part) has(piece int) bool { return int(p.First) <= piece && piece < int(p.Last) }

// boxOf returns the box of a line.
func boxOf(shape []geo.Fixed) Box {
	b := Box{shape[0].Lon, shape[0].Lat, shape[0].Lon, shape[0].Lat}
	for _, p := range shape[1:] {
		b = b.Union(Box{p.Lon, p.Lat, p.Lon, p.Lat})
	}
	return b
}

// around returns the box of the boxes from first up to end.
func (t *Tree) around(first, end uint32) Box {
	b := t.Boxes[first]
	for i := first + 1; i < end; i++ {
		b = b.Union(t.Boxes[i])
	}
	return b
}

// Union returns the box around both.
func (b Box) Union(o Box) Box {
	return Box{min(b.MinLon, o.MinLon), min(b.MinLat, o.MinLat), max(b.MaxLon, o.MaxLon), max(b.MaxLat, o.MaxLat)}
}

// Write writes the index's section file.
func (t *Tree) Write(path string) error {
	a := &region.Arrays{}
	region.Put(a, "leaf", t.Leaf)
	region.Put(a, "part", t.Part)
	region.Put(a, "boxes", t.Boxes)
	region.Put(a, "level", t.Level)
	return a.WriteFile(path)
}

// Open returns the index of a region.
func Open(r *region.Region) (*Tree, error) {
	s, err := r.Section(SectionName, Version, Version)
	if err != nil {
		return nil, err
	}
	return read(s)
}

// read returns the index in a section.
func read(s *region.Section) (t *Tree, err error) {
	t = &Tree{}
	if t.Leaf, err = region.Array[uint32](s, "leaf"); err != nil {
		return nil, err
	}
	if t.Part, err = region.Array[Part](s, "part"); err != nil {
		return nil, err
	}
	if t.Boxes, err = region.Array[Box](s, "boxes"); err != nil {
		return nil, err
	}
	if t.Level, err = region.Array[uint32](s, "level"); err != nil {
		return nil, err
	}
	return t, t.checkSizes()
}
