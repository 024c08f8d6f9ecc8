// Package tree finds what lies near a point: a packed R-tree of boxes, and the
// distances to lines, outlines and buildings.
package tree

import (
	"fmt"
	"math"
	"slices"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/region"
)

// Tree is a packed R-tree: items along a Hilbert curve, boxes of fanout items,
// boxes of fanout boxes and so on to one at the root.
type Tree struct {
	items []uint32
	boxes []Box // the lowest level first
	masks []uint64
}

const fanout = 16

// New makes a tree of n items. Mask, which may be nil, gives bits of what an
// item is, so that searches for others pass it by.
func New(items []uint32, boxOf func(item uint32) Box, mask func(item uint32) uint64) Tree {
	type placed struct {
		item  uint32
		along uint64
	}
	order := make([]placed, len(items))
	for i, item := range items {
		b := boxOf(item)
		middle := geo.Fixed{Lon: int32((int64(b.West) + int64(b.East)) / 2), Lat: int32((int64(b.South) + int64(b.North)) / 2)}
		order[i] = placed{item, geo.Hilbert(middle)}
	}
	slices.SortFunc(order, func(a, b placed) int {
		if a.along != b.along {
			if a.along < b.along {
				return -1
			}
			return 1
		}
		return int(int64(a.item) - int64(b.item))
	})
	t := Tree{items: make([]uint32, len(items))}
	for i, o := range order {
		t.items[i] = o.item
	}
	for from := 0; from < len(t.items); from += fanout {
		b := boxOf(t.items[from])
		m := uint64(0)
		for _, item := range t.items[from:min(from+fanout, len(t.items))] {
			b = b.With(boxOf(item))
			if mask != nil {
				m |= mask(item)
			}
		}
		t.boxes = append(t.boxes, b)
		if mask != nil {
			t.masks = append(t.masks, m)
		}
	}
	for start, n := 0, len(t.boxes); n > 1; {
		for from := start; from < start+n; from += fanout {
			b, m := t.boxes[from], uint64(0)
			for i := from; i < min(from+fanout, start+n); i++ {
				b = b.With(t.boxes[i])
				if mask != nil {
					m |= t.masks[i]
				}
			}
			t.boxes = append(t.boxes, b)
			if mask != nil {
				t.masks = append(t.masks, m)
			}
		}
		start, n = start+n, (n+fanout-1)/fanout
	}
	return t
}

// Fields returns the arrays of a tree in the section, by the name of the tree.
func (t *Tree) Fields(name string) []region.Field {
	return []region.Field{region.FieldOf(name+"_items", &t.items), region.FieldOf(name+"_boxes", &t.boxes), region.FieldOf(name+"_masks", &t.masks)}
}

// Check verifies that the tree has the boxes that so many items need, and items
// below a limit.
func (t *Tree) Check(name string, limit int, masked bool) error {
	want := 0
	for n := len(t.items); n > 1 || want == 0 && n > 0; {
		n = (n + fanout - 1) / fanout
		want += n
	}
	if len(t.boxes) != want || masked && len(t.masks) != want || !masked && len(t.masks) != 0 {
		return fmt.Errorf("%d boxes and %d masks over %d items of %s, want %d", len(t.boxes), len(t.masks), len(t.items), name, want)
	}
	for _, item := range t.items {
		if int(item) >= limit {
			return fmt.Errorf("item %d of %d in %s", item, limit, name)
		}
	}
	return nil
}

// lookout is a point from which many boxes are looked at.
type lookout struct {
	p        geo.Point
	lon, lat float64 // in units of geo.Fixed
	cos      float64 // of its latitude
}

func lookFrom(p geo.Point) lookout {
	return lookout{p, p.Lon * 1e7, p.Lat * 1e7, math.Cos(p.Lat * math.Pi / 180)}
}

// Of boxes that are measured in a plane.
const (
	planeReach = 1e7    // units of geo.Fixed to the east or west and to the north or south, a degree
	leastCos   = 0.1    // of the latitude, up to 84 degrees
	planeSlack = 0.9999 // a plane is less wrong than this over a degree
	unit       = math.Pi / 180 / 1e7
)

// least is no more than the distance in metres to a point of a box, and nearly as much where the
// box is near.
func (l *lookout) least(b *Box) float64 {
	west, over := float64(b.West)-l.lon, l.lon-float64(b.East)
	east := max(0, west, over)
	if east > 0 { // the other way round the globe may be shorter
		east = max(0, min(east, west+Globe, over+Globe))
	}
	north := max(0, float64(b.South)-l.lat, l.lat-float64(b.North))
	if b.West > b.East || east > planeReach || north > planeReach || l.cos < leastCos {
		return b.Distance(l.p)
	}
	east *= max(0, l.cos-north*unit) // no cosine between the two latitudes is less
	return math.Sqrt(east*east+north*north) * (unit * geo.EarthRadius * planeSlack)
}

// queued is a box of the tree or an item that waits for its turn.
type queued struct {
	away  float64
	index uint32 // of a box, or the item
	level int8   // 0 for items
}

// before orders what waits: what may hold something as near as an item comes
// first.
func (q queued) before(o queued) bool {
	if q.away != o.away {
		return q.away < o.away
	}
	if q.level != o.level {
		return q.level > o.level
	}
	return q.index < o.index
}

// queue is a binary heap, without the interface of container/heap, which costs an
// allocation for each element.
type queue []queued

func (q *queue) push(e queued) {
	h := append(*q, e)
	for i := len(h) - 1; i > 0; {
		up := (i - 1) / 2
		if !h[i].before(h[up]) {
			break
		}
		h[i], h[up] = h[up], h[i]
		i = up
	}
	*q = h
}

func (q *queue) pop() queued {
	h := *q
	top := h[0]
	n := len(h) - 1
	h[0] = h[n]
	h = h[:n]
	for i := 0; ; {
		least := 2*i + 1
		if least >= n {
			break
		}
		if least+1 < n && h[least+1].before(h[least]) {
			least++
		}
		if !h[least].before(h[i]) {
			break
		}
		h[i], h[least] = h[least], h[i]
		i = least
	}
	*q = h
	return top
}

// levels lists the first box of each level, the lowest level first, of a tree with items.
func (t *Tree) levels() (first []int) {
	for start, n := 0, (len(t.items)+fanout-1)/fanout; ; n = (n + fanout - 1) / fanout {
		first = append(first, start)
		start += n
		if n == 1 {
			return first
		}
	}
}

// Nearest calls yield for the items within so many metres of p, the nearest
// first, until it gives false. Distance is that of an item, never less than slack
// times that of a box around it; where mask is not 0 boxes without any of its
// bits are passed by.
func (t *Tree) Nearest(p geo.Point, metres, slack float64, mask uint64, distance func(item uint32) float64, yield func(item uint32, away float64) bool) {
	if len(t.items) == 0 {
		return
	}
	levels := t.levels()
	var q queue
	from := lookFrom(p)
	add := func(i int, level int) {
		if mask != 0 && t.masks[i]&mask == 0 {
			return
		}
		if away := from.least(&t.boxes[i]) * slack; away <= metres {
			q.push(queued{away, uint32(i), int8(level)})
		}
	}
	add(len(t.boxes)-1, len(levels))
	for len(q) > 0 {
		next := q.pop()
		switch next.level {
		case 0:
			if !yield(next.index, next.away) {
				return
			}
		case 1:
			from := int(next.index) * fanout
			for _, item := range t.items[from:min(from+fanout, len(t.items))] {
				if away := distance(item); away <= metres {
					q.push(queued{away, item, 0})
				}
			}
		default:
			below := levels[next.level-2]
			from := below + (int(next.index)-levels[next.level-1])*fanout
			for i := from; i < min(from+fanout, levels[next.level-1]); i++ {
				add(i, int(next.level)-1)
			}
		}
	}
}
