package match

import (
	"math"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/snap"
)

// near looks for the segments around one position after another. Neighbours
// share most of them, so what lies in a wider box is kept until a position
// leaves it.
type near struct {
	g        *graph.Graph
	tree     *snap.Tree
	box      snap.Box // of the segments below
	segments []uint32
	boxes    []snap.Box // of each
	found    []place
}

// place is the nearest place on a segment.
type place struct {
	segment uint32
	along   float64 // part of the segment's length, in the way's direction
	at      geo.Point
	metres  float64
}

// margin is how much wider the box is than the radius, in metres.
const margin = 200

// around gives the nearest places on at most so many segments within a radius,
// nearest first, of those that some use admits.
func (n *near) around(p geo.Point, radius float64, most int, admits func(segment uint32) bool) []place {
	inner := snap.Around(p, radius)
	if !holds(n.box, inner) {
		n.fetch(p, radius)
	}
	n.found = n.found[:0]
	m := measure{at: p, scale: math.Cos(p.Lat * math.Pi / 180)}
	limit := radius * radius
	for i, s := range n.segments {
		b := &n.boxes[i]
		if b.MinLon > inner.MaxLon || inner.MinLon > b.MaxLon || b.MinLat > inner.MaxLat || inner.MinLat > b.MaxLat {
			continue
		}
		shape := n.g.SegmentShape(s)
		if piece, square := m.nearest(shape); square <= limit && admits(s) {
			full := len(n.found) == most
			if full && math.Sqrt(square) >= n.found[most-1].metres {
				continue
			}
			if full {
				n.found = n.found[:most-1]
			}
			n.insert(m.place(s, shape, piece, square))
		}
	}
	return n.found
}

func (n *near) insert(p place) {
	at := len(n.found)
	n.found = append(n.found, p)
	for at > 0 && n.found[at-1].metres > p.metres {
		n.found[at] = n.found[at-1]
		at--
	}
	n.found[at] = p
}

func holds(a, b snap.Box) bool {
	return a.MinLon <= b.MinLon && a.MinLat <= b.MinLat && b.MaxLon <= a.MaxLon && b.MaxLat <= a.MaxLat
}

func (n *near) fetch(p geo.Point, radius float64) {
	n.box = snap.Around(p, radius+margin)
	n.segments = n.tree.Touching(n.segments[:0], n.box)
	n.boxes = n.boxes[:0]
	for _, s := range n.segments {
		n.boxes = append(n.boxes, snap.BoxOf(n.g, s))
	}
}

// measure measures around a point in a plane, exact enough for the radius.
type measure struct {
	at    geo.Point
	scale float64 // of a degree of longitude against one of latitude
}

const perDegree = geo.EarthRadius * math.Pi / 180

func (m *measure) to(f geo.Fixed) (x, y float64) {
	return (float64(f.Lon)/1e7 - m.at.Lon) * perDegree * m.scale, (float64(f.Lat)/1e7 - m.at.Lat) * perDegree
}

// foot is how far along a piece from a to b the nearest place to the origin
// is, 0 to 1, and the square of its distance.
func foot(ax, ay, bx, by float64) (along, square float64) {
	dx, dy := bx-ax, by-ay
	if l := dx*dx + dy*dy; l > 0 {
		along = max(0, min(1, -(ax*dx+ay*dy)/l))
	}
	x, y := ax+dx*along, ay+dy*along
	return along, x*x + y*y
}

// nearest finds the piece of a line that comes nearest.
func (m *measure) nearest(shape []geo.Fixed) (piece int, square float64) {
	square = math.Inf(1)
	ax, ay := m.to(shape[0])
	for i := 1; i < len(shape); i++ {
		bx, by := m.to(shape[i])
		if _, s := foot(ax, ay, bx, by); s < square {
			piece, square = i, s
		}
		ax, ay = bx, by
	}
	return piece, square
}

// place works out the place on a piece of a segment.
func (m *measure) place(segment uint32, shape []geo.Fixed, piece int, square float64) place {
	total, before := 0.0, 0.0
	ax, ay := m.to(shape[0])
	p := place{segment: segment, metres: math.Sqrt(square)}
	for i := 1; i < len(shape); i++ {
		bx, by := m.to(shape[i])
		length := math.Sqrt((bx-ax)*(bx-ax) + (by-ay)*(by-ay))
		if i == piece {
			along, _ := foot(ax, ay, bx, by)
			before = total + length*along
			p.at = geo.Point{
				Lon: m.at.Lon + (ax+(bx-ax)*along)/perDegree/max(m.scale, 1e-6),
				Lat: m.at.Lat + (ay+(by-ay)*along)/perDegree,
			}
		}
		total += length
		ax, ay = bx, by
	}
	if total > 0 {
		p.along = before / total
	}
	return p
}
