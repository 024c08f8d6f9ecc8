// Package scan draws and scans roads.
//
// There are things above them. They are scanned as a laser scanner on a vehicle or in the
// air does it, and it is known exactly how much headroom each place has.
//
// A scene has its own frame: s along the road, t to the left of it and z up, in metres. The
// road is z = Grade s + s^2 / (2 Radius) + (Cross + Twist s) t.
package scan

import "math"

// Vec is a place or a direction: s, t, z.
type Vec [3]float64

func (a Vec) plus(b Vec, by float64) Vec { return Vec{a[0] + by*b[0], a[1] + by*b[1], a[2] + by*b[2]} }
func dot(a, b Vec) float64               { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }
func cross(a, b Vec) Vec {
	return Vec{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}

// Material is the material that a ray meets.
type Material int

// Materials.
const (
	Road Material = iota
	Solid
	Wire
	Leaf
	Vehicle
	Bird
)

// Object is something that rays may hit.
type Object interface {
	// hit returns how far along a ray the object is; +Inf if the ray misses it.
	hit(from, along Vec) float64
	// underside calls a function with points of the lower side that are close together.
	underside(visit func(Vec))
	material() Material
	// span is the least and the greatest s.
	span() (low, high float64)
	// pass is the only pass in which the object is there, or -1.
	pass() int
}

// Scene is a road and the objects on and above it.
type Scene struct {
	Length       float64 // of the road, from s = 0
	Half         float64 // half the width of the carriageway
	Lanes        int
	Grade, Cross float64
	Curve        float64 // 1 / Radius
	Objects      []Object
	Kerb         float64 // height of the pavement beside the carriageway; negative is a lower road
	Twist        float64 // by how much Cross changes for a metre, as into a superelevated curve
	Holes        []Hole
	Median       [2]float64 // the t of the strip between two carriageways; none where both are 0
}

// Hole is a part of the road of which no survey has a return.
type Hole struct{ S0, S1, T0, T1 float64 }

func (s *Scene) hole(p Vec) bool {
	for _, h := range s.Holes {
		if p[0] >= h.S0 && p[0] <= h.S1 && p[1] >= h.T0 && p[1] <= h.T1 {
			return true
		}
	}
	return false
}

// Height returns the height of the road.
func (s *Scene) Height(at, t float64) float64 {
	z := s.Grade*at + s.Curve*at*at/2 + (s.Cross+s.Twist*at)*t
	if math.Abs(t) > s.Half {
		z += s.Kerb
	}
	return z
}

// road returns how far along a ray the road or the pavement is.
func (s *Scene) road(from, along Vec) float64 {
	best := math.Inf(1)
	for _, kerb := range [2]float64{0, s.Kerb} {
		a := -s.Curve/2*along[0]*along[0] - s.Twist*along[0]*along[1]
		b := along[2] - s.Grade*along[0] - s.Cross*along[1] - s.Curve*from[0]*along[0] - s.Twist*(from[0]*along[1]+from[1]*along[0])
		c := from[2] - s.Grade*from[0] - (s.Cross+s.Twist*from[0])*from[1] - s.Curve/2*from[0]*from[0] - kerb
		for _, d := range roots(a, b, c) {
			t := math.Abs(from[1] + d*along[1])
			if d > 0.3 && d < best && (t > s.Half) == (kerb != 0) && t < s.Half+6 {
				best = d
			}
		}
		if s.Kerb == 0 { // there is nothing beside the road
			break
		}
	}
	return best
}

// roots returns the solutions of a x^2 + b x + c = 0.
func roots(a, b, c float64) [2]float64 {
	none := math.Inf(-1)
	if math.Abs(a) < 1e-12 {
		if math.Abs(b) < 1e-12 {
			return [2]float64{none, none}
		}
		return [2]float64{-c / b, none}
	}
	d := b*b - 4*a*c
	if d < 0 {
		return [2]float64{none, none}
	}
	q := -(b + math.Copysign(math.Sqrt(d), b)) / 2
	if q == 0 {
		return [2]float64{0, none}
	}
	return [2]float64{q / a, c / q}
}

// Normal returns the direction at right angles to the road.
func (s *Scene) Normal(at, t float64) Vec {
	a, b := s.Grade+s.Curve*at+s.Twist*t, s.Cross+s.Twist*at
	k := 1 / math.Sqrt(1+a*a+b*b)
	return Vec{-a * k, -b * k, k}
}

// foot returns the place of the road from which a point is straight up, and how far.
func (s *Scene) foot(p Vec) (at, t, h float64) {
	at, t = p[0], p[1]
	for range 4 {
		n := s.Normal(at, t)
		h = (p[2] - (s.Grade*at + s.Curve*at*at/2 + (s.Cross+s.Twist*at)*t)) / n[2]
		// Move to the point of the road below p along the normal.
		at, t = p[0]-h*n[0], p[1]-h*n[1]
	}
	return at, t, h
}

// Truth visits points of all undersides that stay and are not below the road: their feet on it and
// their headrooms at right angles to it.
func (s *Scene) Truth(visit func(at, t, headroom float64)) {
	for _, o := range s.Objects {
		if o.pass() >= 0 {
			continue
		}
		o.underside(func(p Vec) {
			if at, t, h := s.foot(p); h > 0 {
				visit(at, t, h)
			}
		})
	}
}
