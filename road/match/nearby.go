package match

import (
	"math"
	"slices"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/snap"
)

// nearby finds the segments around one position after another. Successive
// positions share most of them, so it caches the segments of a box around several
// until a position leaves that.
type nearby struct {
	g        *graph.Graph
	tree     *snap.Tree
	box      snap.Box // that segments are of
	scale    float64  // of a degree of longitude there against one of latitude
	segments []graph.Segment
	edges    []directions // of each
	boxes    []snap.Box   // of each
	first    []uint32     // vertices of segment i are vertices[first[i]:first[i+1]]
	vertices []vertex
	lengths  []float64 // of each in metres; below 0 where it and done of its vertices are not worked out
	origin   geo.Fixed
	found    []projection
}

// vertex is a point of a line, in metres east (at the scale of the equator) and
// north of an origin, and how many metres of the line lie before it.
type vertex struct{ x, y, done float64 }

// directions are the edges of a segment, along its way and against it: those that may
// be travelled, and graph.None in place of others.
type directions struct {
	known         bool
	forward, back graph.Edge
}

// projection is the nearest place on a segment.
type projection struct {
	edges   directions
	along   float64 // part of the segment's length, in the way's direction
	at      geo.Point
	metres  float64
	bearing vertex // direction of the line there; zero where the piece has no length
}

// The box fetched is wider than the radius by slack metres about the position at work,
// and contains those that follow, as long as it is no larger than one that is wider by margin.
const (
	slack     = 20
	margin    = 100
	mostAhead = 64
)

// begin drops the segments of the trace before: those that its traveller may use, and the
// scale, which hardly differs, but would let an answer depend on that trace.
func (n *nearby) begin() { n.box = snap.Box{MinLon: 1} }

// around returns the nearest place on each of at most so many segments within a radius in
// metres of the first of several positions, nearest first. It leaves out segments without an
// allowed edge.
func (n *nearby) around(ahead []Point, radius float64, most int, allowed func(graph.Edge) bool) []projection {
	p := ahead[0].At
	inner := snap.Around(p, radius)
	if !holds(n.box, inner) {
		n.fetch(ahead, radius)
	}
	n.found = n.found[:0]
	from := vertex{x: (p.Lon - float64(n.origin.Lon)/1e7) * perDegree, y: (p.Lat - float64(n.origin.Lat)/1e7) * perDegree}
	limit := radius * radius
	for i := range n.boxes {
		if !n.boxes[i].Touches(&inner) {
			continue
		}
		if piece, square := nearest(n.vertices[n.first[i]:n.first[i+1]], from, n.scale); square <= limit && n.travelled(i, allowed) {
			full := len(n.found) == most
			if full && math.Sqrt(square) >= n.found[most-1].metres {
				continue
			}
			if full {
				n.found = n.found[:most-1]
			}
			n.insert(n.project(i, piece, p, from, square))
		}
	}
	return n.found
}

// travelled reports whether segment i may be travelled at all.
func (n *nearby) travelled(i int, allowed func(graph.Edge) bool) bool {
	d := &n.edges[i]
	if !d.known {
		forward := n.g.Forward[n.segments[i]]
		*d = directions{known: true, forward: forward, back: n.g.ByEdge[forward].Opposite}
		if !allowed(d.forward) {
			d.forward = graph.None
		}
		if !allowed(d.back) {
			d.back = graph.None
		}
	}
	return d.forward != graph.None || d.back != graph.None
}

// nearest finds the piece of a line that is nearest to a place, and its squared
// distance. Eastings count scale times, as degrees of longitude shrink away from
// the equator.
func nearest(line []vertex, from vertex, scale float64) (piece int, square float64) {
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

func (n *nearby) insert(p projection) {
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

func (n *nearby) fetch(ahead []Point, radius float64) {
	p := ahead[0].At
	most := snap.Around(p, radius+margin)
	n.box, n.origin = snap.Around(p, radius+slack), p.Fix()
	for i := 1; i < min(len(ahead), mostAhead); i++ {
		b := n.box.Union(snap.Around(ahead[i].At, radius))
		if int64(b.MaxLon)-int64(b.MinLon) > int64(most.MaxLon)-int64(most.MinLon) || int64(b.MaxLat)-int64(b.MinLat) > int64(most.MaxLat)-int64(most.MinLat) {
			break
		}
		n.box = b
	}
	n.scale = math.Cos(p.Lat * math.Pi / 180)
	n.segments = n.tree.Touching(n.segments[:0], n.box)
	n.edges = slices.Grow(n.edges[:0], len(n.segments))[:len(n.segments)]
	clear(n.edges)
	n.boxes, n.lengths, n.first, n.vertices = n.boxes[:0], n.lengths[:0], append(n.first[:0], 0), n.vertices[:0]
	const unit = perDegree / 1e7
	x, y := float64(n.origin.Lon), float64(n.origin.Lat)
	for _, s := range n.segments {
		b := snap.Box{MinLon: math.MaxInt32, MinLat: math.MaxInt32, MaxLon: math.MinInt32, MaxLat: math.MinInt32}
		for _, f := range n.g.SegmentShape(s) {
			b.MinLon, b.MaxLon = min(b.MinLon, f.Lon), max(b.MaxLon, f.Lon)
			b.MinLat, b.MaxLat = min(b.MinLat, f.Lat), max(b.MaxLat, f.Lat)
			n.vertices = append(n.vertices, vertex{x: (float64(f.Lon) - x) * unit, y: (float64(f.Lat) - y) * unit})
		}
		n.boxes, n.lengths, n.first = append(n.boxes, b), append(n.lengths, -1), append(n.first, uint32(len(n.vertices)))
	}
}

// measuredLine returns the vertices of segment i with the length of the line before each,
// and the length of the line, in metres.
func (n *nearby) measuredLine(i int) ([]vertex, float64) {
	line := n.vertices[n.first[i]:n.first[i+1]]
	if n.lengths[i] < 0 {
		for k := 1; k < len(line); k++ {
			dx, dy := (line[k].x-line[k-1].x)*n.scale, line[k].y-line[k-1].y
			line[k].done = line[k-1].done + math.Sqrt(dx*dx+dy*dy)
		}
		n.lengths[i] = line[len(line)-1].done
	}
	return line, n.lengths[i]
}

// project computes the place on a piece of a segment that is nearest to a point.
func (n *nearby) project(i, piece int, p geo.Point, from vertex, square float64) projection {
	scale := n.scale
	line, metres := n.measuredLine(i)
	a, b := &line[piece-1], &line[piece]
	ax, ay := (a.x-from.x)*scale, a.y-from.y
	dx, dy := (b.x-a.x)*scale, b.y-a.y
	along := 0.0
	if l := dx*dx + dy*dy; l > 0 {
		along = max(0, min(1, -(ax*dx+ay*dy)/l))
	}
	out := projection{edges: n.edges[i], metres: math.Sqrt(square), at: geo.Point{
		Lon: p.Lon + (ax+dx*along)/perDegree/max(scale, 1e-6),
		Lat: p.Lat + (ay+dy*along)/perDegree,
	}}
	out.bearing = vertex{x: dx, y: dy}
	if metres > 0 {
		out.along = (a.done + (b.done-a.done)*along) / metres
	}
	return out
}

// plane projects places near a point to metres.
type plane struct {
	at    geo.Point
	scale float64 // of a degree of longitude against one of latitude
}

const perDegree = geo.EarthRadius * math.Pi / 180

func (m *plane) to(f geo.Fixed) (x, y float64) {
	return (float64(f.Lon)/1e7 - m.at.Lon) * perDegree * m.scale, (float64(f.Lat)/1e7 - m.at.Lat) * perDegree
}
