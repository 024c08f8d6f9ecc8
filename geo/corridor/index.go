package corridor

import (
	"cmp"
	"math"
	"slices"

	"github.com/waygate/waygate/geo"
)

// fanout is how many boxes of one level have a box of the next around them.
const fanout = 16

// Index finds records by their boxes: an R-tree packed along the Hilbert curve.
// It is immutable.
type Index struct {
	records []int32        // by leaf
	levels  [][]geo.Bounds // leaves first, then the boxes around each fanout of them
}

// NewIndex makes an index of records by their boxes; a point's box is Around it or
// the point alone. Empty boxes are never found.
func NewIndex(boxes []geo.Bounds) *Index {
	x := &Index{}
	type leaf struct {
		record int32
		key    uint64
	}
	var leaves []leaf
	all := geo.NoBounds()
	for _, b := range boxes {
		all = all.Union(b)
	}
	wide, high := all.Max.Lon-all.Min.Lon, all.Max.Lat-all.Min.Lat
	cell := func(v, of float64) uint32 {
		if of <= 0 {
			return 0
		}
		return uint32(math.MaxUint16 * max(0, min(1, v/of)))
	}
	for i, b := range boxes {
		if !b.Empty() {
			m := b.Centre()
			leaves = append(leaves, leaf{int32(i), geo.HilbertCell(cell(m.Lon-all.Min.Lon, wide), cell(m.Lat-all.Min.Lat, high), 16)})
		}
	}
	slices.SortStableFunc(leaves, func(a, b leaf) int { return cmp.Compare(a.key, b.key) })
	level := make([]geo.Bounds, len(leaves))
	x.records = make([]int32, len(leaves))
	for i, l := range leaves {
		x.records[i], level[i] = l.record, boxes[l.record]
	}
	for len(level) > 0 {
		x.levels = append(x.levels, level)
		if len(level) <= fanout {
			break
		}
		above := make([]geo.Bounds, (len(level)+fanout-1)/fanout)
		for i := range above {
			b := geo.NoBounds()
			for _, o := range level[i*fanout : min((i+1)*fanout, len(level))] {
				b = b.Union(o)
			}
			above[i] = b
		}
		level = above
	}
	return x
}

// PointIndex returns an index of records that are points.
func PointIndex(points []geo.Point) *Index {
	boxes := make([]geo.Bounds, len(points))
	for i, p := range points {
		boxes[i] = geo.Bounds{Min: p, Max: p}
	}
	return NewIndex(boxes)
}

// Len returns how many records there are.
func (x *Index) Len() int { return len(x.records) }

// Search calls each for every record whose box meets another, in no order, until
// each returns false. A nil index has no records.
func (x *Index) Search(box geo.Bounds, each func(record int) bool) {
	if x == nil || len(x.levels) == 0 {
		return
	}
	x.search(len(x.levels)-1, 0, &box, each)
}

func (x *Index) search(level, first int, box *geo.Bounds, each func(int) bool) bool {
	boxes := x.levels[level]
	for i := first; i < min(first+fanout, len(boxes)); i++ {
		if b := &boxes[i]; b.Min.Lon > box.Max.Lon || b.Max.Lon < box.Min.Lon || b.Min.Lat > box.Max.Lat || b.Max.Lat < box.Min.Lat {
			continue
		}
		if level == 0 {
			if !each(int(x.records[i])) {
				return false
			}
		} else if !x.search(level-1, i*fanout, box, each) {
			return false
		}
	}
	return true
}
