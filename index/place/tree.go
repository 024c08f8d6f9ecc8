package place

import (
	"container/heap"
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
	if p.Lon >= west && p.Lon <= east {
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

type queue []queued

func (q queue) Len() int { return len(q) }
func (q queue) Less(i, j int) bool {
	if q[i].away != q[j].away {
		return q[i].away < q[j].away
	}
	if q[i].level != q[j].level {
		return q[i].level > q[j].level // what may hold something as near comes first
	}
	return q[i].index < q[j].index
}
func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(x any)   { *q = append(*q, x.(queued)) } //nolint:forcetypeassert // its own elements
func (q *queue) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
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
			heap.Push(&q, queued{away, uint32(i), int8(level)})
		}
	}
	add(len(t.boxes)-1, len(levels))
	for len(q) > 0 {
		next := heap.Pop(&q).(queued) //nolint:forcetypeassert // its own elements
		switch {
		case next.level == 0:
			if !yield(next.index, next.away) {
				return
			}
		case next.level == 1:
			from := int(next.index) * fanout
			for _, item := range t.items[from:min(from+fanout, len(t.items))] {
				if away := distance(item); away <= metres {
					heap.Push(&q, queued{away, item, 0})
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
