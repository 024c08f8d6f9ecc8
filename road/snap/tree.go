// Package snap finds the segments of the road graph near a point, which is the
// first step of every request: its places have to be put on edges before anything
// can be searched. Its index is a packed R-tree (Kamel and Faloutsos, "On Packing
// R-trees", 1993): the segments' boxes sorted along a Hilbert curve and grouped by
// sixteen, level on level, in flat arrays that are mapped from the region.
//
// Query.Nearest yields Candidates, the nearest place on each segment from the
// nearest segment outwards, until the caller has enough. The caller decides which
// of them a traveller may use and turns them into search.Ends. Tree.Touching gives
// the segments whose boxes touch a box, for areas.
package snap

import (
	"slices"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/region"
	"github.com/waygate/waygate/road/graph"
)

// SectionName and Version name the index's section in a region and its format.
const (
	SectionName = "snap"
	Version     = 1
)

const fanout = 16

// Box is an axis-aligned box on the 1e-7 degree grid.
type Box struct{ MinLon, MinLat, MaxLon, MaxLat int32 }

// Tree is the index. Boxes holds the levels one after the other, the leaves
// first; Level is where each level starts, and last the end of the last.
type Tree struct {
	Segment []graph.Segment // by leaf
	Boxes   []Box
	Level   []uint32
}

// Build makes the index of a graph's segments, all but those across the antimeridian.
func Build(g *graph.Graph) *Tree {
	n := g.Segments()
	type leaf struct {
		key     uint64
		segment graph.Segment
		box     Box
	}
	leaves := make([]leaf, 0, n)
	for s := range n {
		if g.CrossesAntimeridian(graph.Segment(s)) {
			continue
		}
		b := BoxOf(g, graph.Segment(s))
		middle := geo.Fixed{Lon: int32((int64(b.MinLon) + int64(b.MaxLon)) / 2), Lat: int32((int64(b.MinLat) + int64(b.MaxLat)) / 2)}
		leaves = append(leaves, leaf{geo.Hilbert(middle), graph.Segment(s), b})
	}
	slices.SortFunc(leaves, func(x, y leaf) int {
		switch {
		case x.key < y.key:
			return -1
		case x.key > y.key:
			return 1
		}
		return int(x.segment) - int(y.segment)
	})
	t := &Tree{Level: []uint32{0}}
	for _, l := range leaves {
		t.Segment = append(t.Segment, l.segment)
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

// BoxOf is the box of a segment's line.
func BoxOf(g *graph.Graph, s graph.Segment) Box {
	shape := g.SegmentShape(s)
	b := Box{shape[0].Lon, shape[0].Lat, shape[0].Lon, shape[0].Lat}
	for _, p := range shape[1:] {
		b = b.union(Box{p.Lon, p.Lat, p.Lon, p.Lat})
	}
	return b
}

// around is the box of the boxes from first up to end.
func (t *Tree) around(first, end uint32) Box {
	b := t.Boxes[first]
	for i := first + 1; i < end; i++ {
		b = b.union(t.Boxes[i])
	}
	return b
}

func (b Box) union(o Box) Box {
	return Box{min(b.MinLon, o.MinLon), min(b.MinLat, o.MinLat), max(b.MaxLon, o.MaxLon), max(b.MaxLat, o.MaxLat)}
}

// Write writes the index's section file.
func (t *Tree) Write(path string) error {
	a := &region.Arrays{}
	region.Put(a, "segment", t.Segment)
	region.Put(a, "boxes", t.Boxes)
	region.Put(a, "level", t.Level)
	return a.WriteFile(path)
}

// Open gives the index of a region.
func Open(r *region.Region) (*Tree, error) {
	s, err := r.Section(SectionName, Version, Version)
	if err != nil {
		return nil, err
	}
	return read(s)
}

// read gives the index in a section.
func read(s *region.Section) (t *Tree, err error) {
	t = &Tree{}
	if t.Segment, err = region.Array[graph.Segment](s, "segment"); err != nil {
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
