package snap

import (
	"math"
	"math/bits"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/graph"
)

// Candidate is a place on a segment near a point.
type Candidate struct {
	Segment graph.Segment
	Piece   int     // of its line: the place lies between the points Piece and Piece+1
	Along   float64 // part of the segment's length, 0 to 1, in the way's direction
	Point   geo.Point
	Metres  float64 // from the point of the request
	// Right is true where the point lies to the right of the segment, seen in
	// the way's direction.
	Right bool
}

// Query walks the index. It is scratch for one goroutine at a time. A walk from
// the point of the one before it goes on where that stopped.
type Query struct {
	g     *graph.Graph
	t     *Tree
	heap  []entry   // as far as near
	near  float64   // squared metres
	about Box       // contains everything as near
	later []entry   // what is farther, in no order: most of it is never looked at
	at    geo.Point // of the walk that these and found are of
	limit float64   // of that walk, squared metres
	stop  float64   // where the walk under way is to stop, squared metres
	found []located // what it has come by
	whole bool      // found is all of that
}

// located is a candidate and its squared distance, as the walk compares it.
type located struct {
	Candidate
	square float64
}

// mostFound is how many candidates are kept for a walk that goes on.
const mostFound = 64

// A walk first looks at what is within firstNear metres, and then farther by a factor
// each time.
const (
	firstNear = 25
	farther   = 3
)

// entry is a box still to be opened, the segment in a leaf, or what is left of a box.
type entry struct {
	square  float64 // squared metres, a lower bound for a box
	node    uint32  // in Tree.Boxes
	segment bool
	opened  bool // what of the box is farther than square is left: most of it is never looked at
}

// NewQuery returns a query over a graph and its index.
func NewQuery(g *graph.Graph, t *Tree) *Query { return &Query{g: g, t: t} }

// Nearest yields segments from the nearest outwards, up to cutoff metres,
// until yield gives false. Each segment comes once, at its nearest place.
func (q *Query) Nearest(p geo.Point, cutoff float64, yield func(Candidate) bool) {
	if len(q.t.Boxes) == 0 {
		return
	}
	onPlane := newPlane(p)
	plane := &onPlane
	limit := cutoff * cutoff
	if !q.whole || p != q.at || limit > q.limit {
		q.at, q.limit, q.whole = p, limit, true
		q.heap, q.later, q.found = q.heap[:0], q.later[:0], q.found[:0]
		q.look(firstNear*firstNear, plane)
		root := uint32(len(q.t.Boxes) - 1)
		q.push(entry{square: plane.squareTo(&q.t.Boxes[root]), node: root})
	}
	q.stop = limit
	for _, c := range q.found {
		if c.square > q.stop || !yield(c.Candidate) {
			return
		}
	}
	for q.fill(plane) && q.heap[0].square <= q.stop {
		e := q.pop()
		if !e.segment {
			q.expand(e.node, plane)
			continue
		}
		part := q.t.part(q.g, e.node)
		c := q.measure(part.Segment, plane)
		if !part.has(c.Piece) {
			continue // the segment comes with the part that does
		}
		c.Metres = math.Sqrt(e.square)
		if q.whole = q.whole && len(q.found) < mostFound; q.whole {
			q.found = append(q.found, located{c, e.square})
		}
		if !yield(c) {
			return
		}
	}
}

// LimitDistance has the walk under way, by whose yield it is called, stop after so many
// metres.
func (q *Query) LimitDistance(metres float64) { q.stop = min(q.stop, metres*metres) }

// look has the heap filled up to so many squared metres.
func (q *Query) look(near float64, plane *plane) { q.near, q.about = near, plane.about(near) }

// fill has the nearest of what is left in the heap; it reports false where nothing is
// left as near as the walk is to go.
func (q *Query) fill(plane *plane) bool {
	for len(q.heap) == 0 {
		if len(q.later) == 0 || q.near > q.stop {
			return false
		}
		nearest := q.later[0].square
		for _, e := range q.later {
			nearest = min(nearest, e.square)
		}
		q.look(max(q.near, nearest)*farther*farther, plane)
		all := q.later
		q.later = q.later[:0]
		for _, e := range all { // each leaves one at most
			if e.opened {
				q.open(e.node, e.square, plane)
			} else {
				q.push(e)
			}
		}
	}
	return true
}

func (q *Query) expand(node uint32, plane *plane) {
	t := q.t
	if node < t.Level[1] {
		part := t.part(q.g, node)
		if square := squareOf(part.line(q.g), plane); square <= q.limit {
			q.push(entry{square: square, node: node, segment: true})
		}
		return
	}
	q.open(node, -1, plane)
}

// open puts the boxes in a box that are farther than so many squared metres into the
// heap, as far as that goes.
func (q *Query) open(node uint32, than float64, plane *plane) {
	t := q.t
	level := 1
	for node >= t.Level[level+1] {
		level++
	}
	first := t.Level[level-1] + (node-t.Level[level])*fanout
	boxes := t.Boxes[first:min(first+fanout, t.Level[level])]
	about, apart := q.about, uint64(0) // a bit for each that does not touch about: no processor could guess which
	for i := range boxes {
		apart |= uint64(boxes[i].overlap(about)) >> 63 << i
	}
	left := apart != 0
	for touch := ^apart & (1<<len(boxes) - 1); touch != 0; touch &= touch - 1 {
		i := bits.TrailingZeros64(touch)
		switch square := plane.squareTo(&boxes[i]); {
		case square > q.near:
			left = true
		case square > than && square <= q.limit:
			q.push(entry{square: square, node: first + uint32(i)})
		}
	}
	if left && q.near < q.limit {
		q.later = append(q.later, entry{square: q.near, node: node, opened: true})
	}
}

// squareOf returns the squared distance to a line.
func squareOf(shape []geo.Fixed, plane *plane) float64 {
	best := math.Inf(1)
	ax, ay := plane.to(shape[0])
	for _, p := range shape[1:] {
		bx, by := plane.to(p)
		_, _, _, square := foot(ax, ay, bx, by)
		best = min(best, square)
		ax, ay = bx, by
	}
	return best
}

// foot returns the place on the line from a to b that is nearest to the plane's
// origin: how far along it lies and its squared distance.
func foot(ax, ay, bx, by float64) (along, x, y, square float64) {
	dx, dy := bx-ax, by-ay
	if length := dx*dx + dy*dy; length > 0 {
		along = max(0, min(1, -(ax*dx+ay*dy)/length))
	}
	x, y = ax+dx*along, ay+dy*along
	return along, x, y, x*x + y*y
}

// measure finds the nearest place on a segment, but not how far it is.
func (q *Query) measure(s graph.Segment, plane *plane) Candidate {
	shape := q.g.SegmentShape(s)
	best, nearest := Candidate{Segment: s}, math.Inf(1)
	travelled, total, footX, footY := 0.0, 0.0, 0.0, 0.0
	piece, end := 1, 0 // the nearest piece of the line, and -1 or 1 where the place is its start or end
	ax, ay := plane.to(shape[0])
	for i := 1; i < len(shape); i++ {
		bx, by := plane.to(shape[i])
		along, x, y, square := foot(ax, ay, bx, by)
		length := math.Sqrt((bx-ax)*(bx-ax) + (by-ay)*(by-ay))
		if square < nearest {
			nearest = square
			travelled = total + length*along
			footX, footY = x, y
			piece, end = i, 0
			best.Piece = i - 1
			switch along {
			case 0:
				end = -1
			case 1:
				end = 1
			}
		}
		total += length
		ax, ay = bx, by
	}
	best.Point = plane.back(footX, footY)
	if total > 0 {
		best.Along = travelled / total
	}
	best.Right = right(shape, piece, end, plane)
	return best
}

// right reports on which side of a line the plane's origin lies, by the piece
// of it that is nearest. At a bend the pieces on both sides of it decide
// together: past a sharp one each by itself would be wrong on one side.
func right(shape []geo.Fixed, piece, end int, plane *plane) bool {
	dx, dy := direction(shape[piece-1], shape[piece], plane)
	switch {
	case end < 0 && piece > 1:
		x, y := direction(shape[piece-2], shape[piece-1], plane)
		dx, dy = dx+x, dy+y
	case end > 0 && piece < len(shape)-1:
		x, y := direction(shape[piece], shape[piece+1], plane)
		dx, dy = dx+x, dy+y
	}
	// The cross product of the line and the way to the point, which is the
	// plane's origin, is the side: from either end of the piece it is the same.
	x, y := plane.to(shape[piece-1])
	return dx*(0-y)-dy*(0-x) < 0
}

// direction returns the unit vector from a to b, zero where they are one.
func direction(a, b geo.Fixed, plane *plane) (x, y float64) {
	ax, ay := plane.to(a)
	bx, by := plane.to(b)
	length := math.Hypot(bx-ax, by-ay)
	if length == 0 {
		return 0, 0
	}
	return (bx - ax) / length, (by - ay) / length
}

// plane measures metres around a point, flat: exact enough for the few
// kilometres that snapping looks at, and it keeps the order further out.
type plane struct {
	lon, lat float64 // of the point, 1e-7 degrees
	x, y     float64 // metres in 1e-7 degrees
	// The point lies between these, 1e-7 degrees, by more than distances are rounded.
	west, east, south, north int64
}

const degree = geo.EarthRadius * math.Pi / 180

func newPlane(p geo.Point) plane {
	lon, lat := p.Lon*1e7, p.Lat*1e7
	return plane{
		lon, lat, degree / 1e7 * math.Cos(p.Lat*math.Pi/180), degree / 1e7,
		int64(math.Floor(lon)) - 1, int64(math.Ceil(lon)) + 1, int64(math.Floor(lat)) - 1, int64(math.Ceil(lat)) + 1,
	}
}

func (p *plane) to(f geo.Fixed) (x, y float64) {
	return (float64(f.Lon) - p.lon) * p.x, (float64(f.Lat) - p.lat) * p.y
}

func (p *plane) back(x, y float64) geo.Point {
	return geo.Point{Lon: (p.lon + x/math.Max(p.x, 1e-7)) / 1e7, Lat: (p.lat + y/p.y) / 1e7}
}

// squareTo is at or below the squared distance to anything in a box.
func (p *plane) squareTo(b *Box) float64 {
	east := max(0, int64(b.MinLon)-p.east, p.west-int64(b.MaxLon))
	north := max(0, int64(b.MinLat)-p.north, p.south-int64(b.MaxLat))
	dx, dy := float64(east)*p.x, float64(north)*p.y
	return dx*dx + dy*dy
}

// about returns a box that contains everything within so many squared metres.
func (p *plane) about(square float64) Box {
	lat := math.Sqrt(square)/p.y + 1
	lon := lat * p.y / p.x
	return boxAround(geo.Fixed{Lon: int32(math.Round(p.lon)), Lat: int32(math.Round(p.lat))}, lon, lat)
}

// before reports whether an entry comes before another: of two as near a box, which
// may contain something as near, and else the one that is first in the index.
func (e *entry) before(o *entry) bool {
	if e.square != o.square {
		return e.square < o.square
	}
	if e.segment != o.segment {
		return o.segment
	}
	return e.node < o.node
}

func (q *Query) push(e entry) {
	if e.square > q.near {
		q.later = append(q.later, e)
		return
	}
	q.heap = append(q.heap, e)
	h, i := q.heap, len(q.heap)-1
	for i > 0 {
		parent := (i - 1) / 2
		if !h[i].before(&h[parent]) {
			return
		}
		h[parent], h[i] = h[i], h[parent]
		i = parent
	}
}

func (q *Query) pop() entry {
	h := q.heap
	top := h[0]
	last := len(h) - 1
	h[0] = h[last]
	q.heap = h[:last]
	h = q.heap
	for i := 0; ; {
		child := 2*i + 1
		if child >= last {
			return top
		}
		if child+1 < last && h[child+1].before(&h[child]) {
			child++
		}
		if !h[child].before(&h[i]) {
			return top
		}
		h[i], h[child] = h[child], h[i]
		i = child
	}
}
