package sample

import (
	"math"

	"github.com/waygate/waygate/geo"
)

// pt is a position in metres east and north of the county's south-west
// corner. Coordinates that decide anything are multiples of 1/16 m: sums and
// products of their differences are then exact in a float64, so that a
// machine that fuses multiplication and addition takes the same decisions.
type pt struct{ x, y float64 }

// The plane's origin on the OSM grid and its scale in units of 1e-7 degrees
// per metre, at the latitude of the county's middle.
const (
	originLon, originLat = -74000000, 492500000
	lonPerMetre          = 1e7 / 72437.0
	latPerMetre          = 1e7 / 111195.0
	breadth, depth       = 32000.0, 20000.0 // of the county's box, metres
)

// snap rounds to the grid. Curves between round numbers often fall half-way
// between two grid points; the nudge sends those the same way on every
// machine, however it rounded on the way here.
func snap(p pt) pt {
	const half = 0.5 + 1.0/(1<<20)
	return pt{math.Floor(p.x*16+half) / 16, math.Floor(p.y*16+half) / 16}
}

func (p pt) fixed() geo.Fixed {
	return geo.Fixed{
		Lon: originLon + int32(math.Round(p.x*lonPerMetre)),
		Lat: originLat + int32(math.Round(p.y*latPerMetre)),
	}
}

func fromPoint(p geo.Point) pt {
	return pt{(p.Lon*1e7 - originLon) / lonPerMetre, (p.Lat*1e7 - originLat) / latPerMetre}
}

func (p pt) add(q pt) pt             { return pt{p.x + q.x, p.y + q.y} }
func (p pt) sub(q pt) pt             { return pt{p.x - q.x, p.y - q.y} }
func (p pt) mul(f float64) pt        { return pt{p.x * f, p.y * f} }
func (p pt) dot(q pt) float64        { return p.x*q.x + p.y*q.y }
func (p pt) cross(q pt) float64      { return p.x*q.y - p.y*q.x }
func (p pt) len() float64            { return math.Sqrt(p.dot(p)) }
func (p pt) dist(q pt) float64       { return p.sub(q).len() }
func (p pt) left() pt                { return pt{-p.y, p.x} }
func (p pt) lerp(q pt, t float64) pt { return pt{p.x + (q.x-p.x)*t, p.y + (q.y-p.y)*t} }

func (p pt) unit() pt {
	l := p.len()
	if l == 0 {
		return pt{1, 0}
	}
	return pt{p.x / l, p.y / l}
}

// heading is the unit vector of an angle in radians, anticlockwise from east.
func heading(a float64) pt { return pt{math.Cos(a), math.Sin(a)} }

func km(x, y float64) pt { return pt{x * 1000, y * 1000} }

func length(line []pt) float64 {
	sum := 0.0
	for i := 1; i < len(line); i++ {
		sum += line[i-1].dist(line[i])
	}
	return sum
}

// foot is the point of segment ab nearest p, and its distance from p.
func foot(p, a, b pt) (pt, float64) {
	d := b.sub(a)
	t := 0.0
	if l := d.dot(d); l > 0 {
		t = math.Max(0, math.Min(1, p.sub(a).dot(d)/l))
	}
	q := a.lerp(b, t)
	return q, p.dist(q)
}

// crossing gives where ab and cd cross, as fractions of each; ok is false
// where they are parallel or miss each other.
func crossing(a, b, c, d pt) (t, u float64, ok bool) {
	r, s := b.sub(a), d.sub(c)
	den := r.cross(s)
	if den == 0 {
		return 0, 0, false
	}
	t, u = c.sub(a).cross(s)/den, c.sub(a).cross(r)/den
	return t, u, t >= 0 && t <= 1 && u >= 0 && u <= 1
}

// sine of the angle between two directions, regardless of their sense.
func sineBetween(a, b pt) float64 { return math.Abs(a.unit().cross(b.unit())) }

// along is the point at distance s from the start of line, with the index of
// the segment it lies on and that segment's direction.
func along(line []pt, s float64) (p pt, seg int, dir pt) {
	for i := 1; i < len(line); i++ {
		l := line[i-1].dist(line[i])
		if s <= l || i == len(line)-1 {
			t := 0.0
			if l > 0 {
				t = math.Min(1, s/l)
			}
			return line[i-1].lerp(line[i], t), i - 1, line[i].sub(line[i-1]).unit()
		}
		s -= l
	}
	return line[0], 0, pt{1, 0}
}

// slice is the part of line between distances from and to.
func slice(line []pt, from, to float64) []pt {
	a, i, _ := along(line, from)
	b, j, _ := along(line, to)
	out := []pt{snap(a)}
	for k := i + 1; k <= j; k++ {
		out = appendPt(out, line[k])
	}
	return appendPt(out, snap(b))
}

// appendPt appends p unless it repeats the last point.
func appendPt(line []pt, p pt) []pt {
	if n := len(line); n > 0 && line[n-1] == p {
		return line
	}
	return append(line, p)
}

// project gives how far along line the point nearest p lies, and its distance.
func project(line []pt, p pt) (s, d float64) {
	d = math.Inf(1)
	sum := 0.0
	for i := 1; i < len(line); i++ {
		q, e := foot(p, line[i-1], line[i])
		if e < d {
			d, s = e, sum+line[i-1].dist(q)
		}
		sum += line[i-1].dist(line[i])
	}
	return s, d
}

// spline draws a centripetal-looking curve (Catmull-Rom, tension 1/2) through
// control points with a vertex about every step metres.
func spline(control []pt, step float64, closed bool) []pt {
	n := len(control)
	at := func(i int) pt {
		if closed {
			return control[(i+n)%n]
		}
		return control[max(0, min(n-1, i))]
	}
	last := n - 1
	if closed {
		last = n
	}
	var out []pt
	for i := range last {
		a, b, c, d := at(i-1), at(i), at(i+1), at(i+2)
		k := max(1, int(b.dist(c)/step))
		for j := range k {
			t := float64(j) / float64(k)
			t2, t3 := t*t, t*t*t
			w0, w1, w2, w3 := -t3+2*t2-t, 3*t3-5*t2+2, -3*t3+4*t2+t, t3-t2
			out = appendPt(out, snap(pt{
				(a.x*w0 + b.x*w1 + c.x*w2 + d.x*w3) / 2,
				(a.y*w0 + b.y*w1 + c.y*w2 + d.y*w3) / 2,
			}))
		}
	}
	return appendPt(out, snap(at(last)))
}

// offset moves a line by metres to its left (negative: right).
func offset(line []pt, by float64) []pt {
	out := make([]pt, 0, len(line))
	for i := range line {
		a, b := line[max(0, i-1)], line[min(len(line)-1, i+1)]
		out = appendPt(out, snap(line[i].add(b.sub(a).unit().left().mul(by))))
	}
	return out
}

func reversed(line []pt) []pt {
	out := make([]pt, len(line))
	for i, p := range line {
		out[len(line)-1-i] = p
	}
	return out
}

// inside reports whether p lies in the closed ring.
func inside(ring []pt, p pt) bool {
	in := false
	for i, j := 0, len(ring)-1; i < len(ring); j, i = i, i+1 {
		a, b := ring[i], ring[j]
		if (a.y > p.y) != (b.y > p.y) && p.x < (b.x-a.x)*(p.y-a.y)/(b.y-a.y)+a.x {
			in = !in
		}
	}
	return in
}

// area is the signed area of a ring, positive anticlockwise.
func area(ring []pt) float64 {
	sum := 0.0
	for i, j := 0, len(ring)-1; i < len(ring); j, i = i, i+1 {
		sum += ring[j].cross(ring[i])
	}
	return sum / 2
}

func centroid(ring []pt) pt {
	var c pt
	for _, p := range ring {
		c = c.add(p)
	}
	return c.mul(1 / float64(len(ring)))
}
