// Package plane has the plane on which the county is drawn: points, lines, an index of
// segments, noise and random lines.
package plane

import (
	"math"

	"github.com/waygate/waygate/geo"
)

// Point is a position in metres east and north of the county's south-west
// corner. Coordinates that decide anything are multiples of 1/16 m: sums and
// products of their differences are then exact in a float64, so that a
// machine that fuses multiplication and addition takes the same decisions.
type Point struct{ X, Y float64 }

// The plane's origin on the OSM grid and its scale in units of 1e-7 degrees
// per metre, at the latitude of the county's middle.
const (
	OriginLon   = -74000000
	OriginLat   = 492500000
	LonPerMetre = 1e7 / 72437.0
	LatPerMetre = 1e7 / 111195.0
	Breadth     = 32000.0 // of the county's box from west to east, metres
	Depth       = 20000.0 // of the county's box from south to north, metres
)

// Snap rounds to the grid. Curves between round numbers often fall half-way
// between two grid points; the nudge sends those the same way on every
// machine, however it rounded on the way here.
func Snap(p Point) Point {
	const half = 0.5 + 1.0/(1<<20)
	return Point{math.Floor(p.X*16+half) / 16, math.Floor(p.Y*16+half) / 16}
}

// Fixed returns the point in fixed degrees.
func (p Point) Fixed() geo.Fixed {
	return geo.Fixed{
		Lon: OriginLon + int32(math.Round(p.X*LonPerMetre)),
		Lat: OriginLat + int32(math.Round(p.Y*LatPerMetre)),
	}
}

// FromPoint returns the point of the plane at a place in degrees.
func FromPoint(p geo.Point) Point {
	return Point{(p.Lon*1e7 - OriginLon) / LonPerMetre, (p.Lat*1e7 - OriginLat) / LatPerMetre}
}

// Add returns the sum of two vectors.
func (p Point) Add(q Point) Point { return Point{p.X + q.X, p.Y + q.Y} }

// Sub returns the vector from q to p.
func (p Point) Sub(q Point) Point { return Point{p.X - q.X, p.Y - q.Y} }

// Mul returns the vector times f.
func (p Point) Mul(f float64) Point { return Point{p.X * f, p.Y * f} }

// Dot returns the scalar product.
func (p Point) Dot(q Point) float64 { return p.X*q.X + p.Y*q.Y }

// Cross returns the third component of the vector product.
func (p Point) Cross(q Point) float64 { return p.X*q.Y - p.Y*q.X }

// Len returns the length of the vector.
func (p Point) Len() float64 { return math.Sqrt(p.Dot(p)) }

// Dist returns the distance between two points, in metres.
func (p Point) Dist(q Point) float64 { return p.Sub(q).Len() }

// Left returns the vector turned left by a right angle.
func (p Point) Left() Point { return Point{-p.Y, p.X} }

// Lerp returns the point at a part t of the way from p to q.
func (p Point) Lerp(q Point, t float64) Point { return Point{p.X + (q.X-p.X)*t, p.Y + (q.Y-p.Y)*t} }

// Unit returns the vector of length 1 in the same direction, or east for the zero vector.
func (p Point) Unit() Point {
	l := p.Len()
	if l == 0 {
		return Point{1, 0}
	}
	return Point{p.X / l, p.Y / l}
}

// Heading returns the unit vector of an angle in radians, anticlockwise from east.
func Heading(a float64) Point { return Point{math.Cos(a), math.Sin(a)} }

// Km returns the point at x km east and y km north of the origin.
func Km(x, y float64) Point { return Point{x * 1000, y * 1000} }

// Length returns the length of a line, in metres.
func Length(line []Point) float64 {
	sum := 0.0
	for i := 1; i < len(line); i++ {
		sum += line[i-1].Dist(line[i])
	}
	return sum
}

// Foot returns the point of segment ab nearest p, and its distance from p.
func Foot(p, a, b Point) (Point, float64) {
	d := b.Sub(a)
	t := 0.0
	if l := d.Dot(d); l > 0 {
		t = math.Max(0, math.Min(1, p.Sub(a).Dot(d)/l))
	}
	q := a.Lerp(b, t)
	return q, p.Dist(q)
}

// Crossing returns where ab and cd cross, as fractions of each; ok is false
// where they are parallel or miss each other.
func Crossing(a, b, c, d Point) (t, u float64, ok bool) {
	r, s := b.Sub(a), d.Sub(c)
	den := r.Cross(s)
	if den == 0 {
		return 0, 0, false
	}
	t, u = c.Sub(a).Cross(s)/den, c.Sub(a).Cross(r)/den
	return t, u, t >= 0 && t <= 1 && u >= 0 && u <= 1
}

// SineBetween returns the sine of the angle between two directions, regardless of their sense.
func SineBetween(a, b Point) float64 { return math.Abs(a.Unit().Cross(b.Unit())) }

// Along returns the point at distance s from the start of line, with the index of
// the segment it lies on and that segment's direction.
func Along(line []Point, s float64) (p Point, seg int, dir Point) {
	for i := 1; i < len(line); i++ {
		l := line[i-1].Dist(line[i])
		if s <= l || i == len(line)-1 {
			t := 0.0
			if l > 0 {
				t = math.Min(1, s/l)
			}
			return line[i-1].Lerp(line[i], t), i - 1, line[i].Sub(line[i-1]).Unit()
		}
		s -= l
	}
	return line[0], 0, Point{1, 0}
}

// Slice returns the part of line between distances from and to.
func Slice(line []Point, from, to float64) []Point {
	a, i, _ := Along(line, from)
	b, j, _ := Along(line, to)
	out := []Point{Snap(a)}
	for k := i + 1; k <= j; k++ {
		out = AppendPt(out, line[k])
	}
	return AppendPt(out, Snap(b))
}

// AppendPt appends p unless it repeats the last point.
func AppendPt(line []Point, p Point) []Point {
	if n := len(line); n > 0 && line[n-1] == p {
		return line
	}
	return append(line, p)
}

// Project returns how far along line the point nearest p lies, and its distance.
func Project(line []Point, p Point) (s, d float64) {
	d = math.Inf(1)
	sum := 0.0
	for i := 1; i < len(line); i++ {
		q, e := Foot(p, line[i-1], line[i])
		if e < d {
			d, s = e, sum+line[i-1].Dist(q)
		}
		sum += line[i-1].Dist(line[i])
	}
	return s, d
}

// Spline draws a centripetal-looking curve (Catmull-Rom, tension 1/2) through
// control points with a vertex about every step metres.
func Spline(control []Point, step float64, closed bool) []Point {
	n := len(control)
	at := func(i int) Point {
		if closed {
			return control[(i+n)%n]
		}
		return control[max(0, min(n-1, i))]
	}
	last := n - 1
	if closed {
		last = n
	}
	var out []Point
	for i := range last {
		a, b, c, d := at(i-1), at(i), at(i+1), at(i+2)
		k := max(1, int(b.Dist(c)/step))
		for j := range k {
			t := float64(j) / float64(k)
			t2, t3 := t*t, t*t*t
			w0, w1, w2, w3 := -t3+2*t2-t, 3*t3-5*t2+2, -3*t3+4*t2+t, t3-t2
			out = AppendPt(out, Snap(Point{
				(a.X*w0 + b.X*w1 + c.X*w2 + d.X*w3) / 2,
				(a.Y*w0 + b.Y*w1 + c.Y*w2 + d.Y*w3) / 2,
			}))
		}
	}
	return AppendPt(out, Snap(at(last)))
}

// Offset moves a line by metres to its left (negative: right).
func Offset(line []Point, by float64) []Point {
	out := make([]Point, 0, len(line))
	for i := range line {
		a, b := line[max(0, i-1)], line[min(len(line)-1, i+1)]
		out = AppendPt(out, Snap(line[i].Add(b.Sub(a).Unit().Left().Mul(by))))
	}
	return out
}

// Reversed returns a copy of a line in the other direction.
func Reversed(line []Point) []Point {
	out := make([]Point, len(line))
	for i, p := range line {
		out[len(line)-1-i] = p
	}
	return out
}

// Inside reports whether p lies in the closed ring.
func Inside(ring []Point, p Point) bool {
	in := false
	for i, j := 0, len(ring)-1; i < len(ring); j, i = i, i+1 {
		a, b := ring[i], ring[j]
		if (a.Y > p.Y) != (b.Y > p.Y) && p.X < (b.X-a.X)*(p.Y-a.Y)/(b.Y-a.Y)+a.X {
			in = !in
		}
	}
	return in
}

// Area returns the signed area of a ring, positive anticlockwise.
func Area(ring []Point) float64 {
	sum := 0.0
	for i, j := 0, len(ring)-1; i < len(ring); j, i = i, i+1 {
		sum += ring[j].Cross(ring[i])
	}
	return sum / 2
}

// Centroid returns the mean of the corners of a ring.
func Centroid(ring []Point) Point {
	var c Point
	for _, p := range ring {
		c = c.Add(p)
	}
	return c.Mul(1 / float64(len(ring)))
}
