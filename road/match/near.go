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
	first    []uint32   // corner of each, and where they end
	corners  []corner
	origin   geo.Point
	found    []place
}

// corner is one of a line, in metres to the east, as they are at the equator,
// and to the north of an origin.
type corner struct{ x, y float64 }

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
	from := corner{(p.Lon - n.origin.Lon) * perDegree, (p.Lat - n.origin.Lat) * perDegree}
	limit := radius * radius
	for i := range n.boxes {
		b := &n.boxes[i]
		if b.MinLon > inner.MaxLon || inner.MinLon > b.MaxLon || b.MinLat > inner.MaxLat || inner.MinLat > b.MaxLat {
			continue
		}
		s := n.segments[i]
		if piece, square := nearest(n.corners[n.first[i]:n.first[i+1]], from, m.scale); square <= limit && admits(s) {
			full := len(n.found) == most
			if full && math.Sqrt(square) >= n.found[most-1].metres {
				continue
			}
			if full {
				n.found = n.found[:most-1]
			}
			n.insert(m.place(s, n.g.SegmentShape(s), piece, square))
		}
	}
	return n.found
}

// nearest finds the piece of a line that comes nearest to a place, seen where
// the east is so much closer than at the equator.
func nearest(line []corner, from corner, scale float64) (piece int, square float64) {
	square = math.Inf(1)
	ax, ay := (line[0].x-from.x)*scale, line[0].y-from.y
	for i := 1; i < len(line); i++ {
		bx, by := (line[i].x-from.x)*scale, line[i].y-from.y
		dx, dy := bx-ax, by-ay
		length, along := dx*dx+dy*dy, -(ax*dx + ay*dy)
		switch {
		case along <= 0:
			if s := ax*ax + ay*ay; s < square {
				piece, square = i, s
			}
		case along >= length:
			if s := bx*bx + by*by; s < square {
				piece, square = i, s
			}
		default:
			if cross := ax*dy - ay*dx; cross*cross < square*length {
				piece, square = i, cross*cross/length
			}
		}
		ax, ay = bx, by
	}
	return piece, square
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
	n.boxes, n.first, n.corners, n.origin = n.boxes[:0], append(n.first[:0], 0), n.corners[:0], p
	for _, s := range n.segments {
		n.boxes = append(n.boxes, snap.BoxOf(n.g, s))
		for _, f := range n.g.SegmentShape(s) {
			n.corners = append(n.corners, corner{(float64(f.Lon)/1e7 - p.Lon) * perDegree, (float64(f.Lat)/1e7 - p.Lat) * perDegree})
		}
		n.first = append(n.first, uint32(len(n.corners)))
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
