package place

import (
	"fmt"
	"math"
	"slices"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/region"
)

// tree is a packed R-tree: items along a Hilbert curve, boxes of fanout items,
// boxes of fanout boxes and so on to one at the root.
type tree struct {
	items []uint32
	boxes []box // the lowest level first
	masks []uint64
}

// box is an area in units of geo.Fixed.
type box struct{ west, south, east, north int32 }

func boxOf(p geo.Fixed) box { return box{p.Lon, p.Lat, p.Lon, p.Lat} }

func (b box) with(o box) box {
	return box{min(b.west, o.west), min(b.south, o.south), max(b.east, o.east), max(b.north, o.north)}
}

// spans reports whether a longitude is one of the box, which crosses the antimeridian where its
// west is east of its east.
func (b box) spans(lon int32) bool {
	if b.west > b.east {
		return lon >= b.west || lon <= b.east
	}
	return lon >= b.west && lon <= b.east
}

// taking gives the box with a point, grown to the side that is nearer to it.
func (b box) taking(p geo.Fixed) box {
	b.south, b.north = min(b.south, p.Lat), max(b.north, p.Lat)
	if b.spans(p.Lon) {
		return b
	}
	ahead := func(from, to int32) int64 { return (int64(to) - int64(from) + globe) % globe }
	if ahead(b.east, p.Lon) <= ahead(p.Lon, b.west) {
		b.east = p.Lon
	} else {
		b.west = p.Lon
	}
	return b
}

func (b box) bounds() geo.Bounds {
	return geo.Bounds{Min: geo.Fixed{Lon: b.west, Lat: b.south}.Point(), Max: geo.Fixed{Lon: b.east, Lat: b.north}.Point()}
}

const fanout = 16

// plant makes a tree of n items. Mask, which may be nil, gives bits of what an
// item is, so that searches for others pass it by.
func plant(items []uint32, boxOf func(item uint32) box, mask func(item uint32) uint64) tree {
	type placed struct {
		item  uint32
		along uint64
	}
	order := make([]placed, len(items))
	for i, item := range items {
		b := boxOf(item)
		middle := geo.Fixed{Lon: int32((int64(b.west) + int64(b.east)) / 2), Lat: int32((int64(b.south) + int64(b.north)) / 2)}
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
	t := tree{items: make([]uint32, len(items))}
	for i, o := range order {
		t.items[i] = o.item
	}
	for from := 0; from < len(t.items); from += fanout {
		b := boxOf(t.items[from])
		m := uint64(0)
		for _, item := range t.items[from:min(from+fanout, len(t.items))] {
			b = b.with(boxOf(item))
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
				b = b.with(t.boxes[i])
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

func (t *tree) fields(name string) []region.Field {
	return []region.Field{region.FieldOf(name+"_items", &t.items), region.FieldOf(name+"_boxes", &t.boxes), region.FieldOf(name+"_masks", &t.masks)}
}

// check holds that the tree has the boxes that so many items need, and items
// below a limit.
func (t *tree) check(name string, limit int, masked bool) error {
	want := 0
	for n := len(t.items); n > 1 || want == 0 && n > 0; {
		n = (n + fanout - 1) / fanout
		want += n
	}
	if len(t.boxes) != want || masked && len(t.masks) != want || !masked && len(t.masks) != 0 {
		return fmt.Errorf("section %s: %d boxes and %d masks over %d items of %s, want %d", SectionName, len(t.boxes), len(t.masks), len(t.items), name, want)
	}
	for _, item := range t.items {
		if int(item) >= limit {
			return fmt.Errorf("section %s: item %d of %d in %s", SectionName, item, limit, name)
		}
	}
	return nil
}

// away is the least distance in metres from p to a point of b on the sphere.
func (b box) away(p geo.Point) float64 {
	west, east := float64(b.west)/1e7, float64(b.east)/1e7
	south, north := float64(b.south)/1e7, float64(b.north)/1e7
	if p.Lon >= west && p.Lon <= east || west > east && (p.Lon >= west || p.Lon <= east) {
		return math.Abs(p.Lat-max(south, min(north, p.Lat))) * math.Pi / 180 * geo.EarthRadius
	}
	turn := func(lon float64) float64 { return math.Abs(math.Remainder(lon-p.Lon, 360)) }
	lon, across := west, turn(west)
	if t := turn(east); t < across {
		lon, across = east, t
	}
	if across >= 90 {
		return 0 // on the other side of the globe: near a pole anything may be near
	}
	// The nearest point of a meridian lies nearer the pole than p does.
	lat := math.Atan(math.Tan(p.Lat*math.Pi/180)/math.Cos(across*math.Pi/180)) * 180 / math.Pi
	return geo.Distance(p, geo.Point{Lon: lon, Lat: max(south, min(north, lat))})
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

// nearest calls yield for the items within so many metres of p, the nearest
// first, until it gives false. Distance is that of an item, never less than slack
// times that of a box around it; where mask is not 0 boxes without any of its
// bits are passed by.
func (t *tree) nearest(p geo.Point, metres, slack float64, mask uint64, distance func(item uint32) float64, yield func(item uint32, away float64) bool) {
	if len(t.items) == 0 {
		return
	}
	var levels []int // the first box of each level
	for start, n := 0, (len(t.items)+fanout-1)/fanout; ; n = (n + fanout - 1) / fanout {
		levels = append(levels, start)
		start += n
		if n == 1 {
			break
		}
	}
	var q queue
	add := func(i int, level int) {
		if mask != 0 && t.masks[i]&mask == 0 {
			return
		}
		if away := t.boxes[i].away(p) * slack; away <= metres {
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
