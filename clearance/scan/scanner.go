package scan

import (
	"math"
	"math/rand/v2"

	"github.com/waygate/waygate/clearance/measure"
)

// Scanner is the instrument of a survey.
type Scanner struct {
	Passes      int
	Planes      []float64 // angles of the planes of the scanning heads from the road's direction
	Line        float64   // distance between the lines of a head along the road
	Angle       float64   // between rays of a line, in radians
	Up          float64   // height of the scanner above the road
	Noise       float64   // standard deviation of distances
	Drop        float64   // share of returns that are lost
	WireDrop    float64   // share of those of wires
	Outliers    float64   // share of returns that are anywhere along their ray
	Shift       float64   // standard deviation of the height between passes
	LeastObject float64   // diameter of the thinnest wire that it is meant to find
	Beam        float64   // what its footprint adds to a diameter
	Above       bool      // it is in the air, 100 m up
	// Datum is by how much the heights of each second pass are greater: of another vertical
	// datum, or of another epoch that was fitted to other marks.
	Datum float64
	// Blind is the part that passes do not see: from 1 on all that is above the scanner in the first
	// pass; in the second also what is below.
	Blind int
	Wet   float64 // share of the rays to the road that its water reflects
	// Doubted is the share of the returns of what is on or above the road that the survey calls
	// noise.
	Doubted float64
	Aside   float64 // how far beside the carriageway returns are of use; 0 for as far as it sees
}

// DrawScanner draws a scanner. Most see all of the road; some are too coarse, or scan in
// lines that thin wires fit between.
func DrawScanner(r *rand.Rand, _ *Scene) *Scanner {
	c := &Scanner{
		Passes: min(2, 1+r.IntN(4)), Planes: []float64{math.Pi / 4, -math.Pi / 4}, Up: between(r, 1.9, 2.6),
		Noise: between(r, 0.002, 0.008), Drop: between(r, 0, 0.1), WireDrop: between(r, 0, 0.3), Outliers: between(r, 0, 2e-5), Shift: 0.005,
		Aside: 2.2, LeastObject: []float64{0.008, 0.02, 0.02, 0.05, 0.05, 0.05, 0.05, 0.05}[r.IntN(8)], Beam: 0.006,
	}
	scale := (c.LeastObject + c.Beam) / 0.014
	c.Line, c.Angle = min(0.12, 0.05*scale), min(0.02, 0.003*scale)
	switch r.IntN(8) {
	case 0:
		c.Planes = c.Planes[:1]
	case 1:
		c.Planes = []float64{math.Pi / 2} // straight across
	case 2:
		c.Line, c.Angle = 3*c.Line, 3*c.Angle
	}
	return c
}

// Full reports whether the survey is one that is meant for clearance: two heads whose lines
// cross, and a pass in each lane.
func (c *Scanner) Full() bool {
	return c.Passes == 2 && len(c.Planes) == 2 && c.Line <= 0.12 && c.Angle <= 0.02
}

// lane returns the t along which a pass is driven.
func (c *Scanner) lane(pass int) float64 { return 1.8 * float64(1-2*(pass%2)) }

// Options returns those with which the survey is measured.
func (c *Scanner) Options() measure.Options {
	o := measure.Defaults()
	o.LeastObject, o.Footprint = c.LeastObject, c.Beam
	o.Registration = c.Shift
	return o
}

// reach is how far a return may be.
const reach = 60

// Scan passes all returns of a survey in the scene's frame.
func (c *Scanner) Scan(r *rand.Rand, s *Scene, visit func(p Vec, m Material, bits, pass uint8)) {
	for pass := range c.Passes {
		shift := c.Shift*r.NormFloat64() + c.Datum*float64(pass%2)
		objects := make([]Object, 0, len(s.Objects))
		for _, o := range s.Objects {
			if o.pass() < 0 || o.pass() == pass {
				objects = append(objects, o)
			}
		}
		low, high := math.Inf(1), math.Inf(-1)
		for _, o := range objects {
			a, b := o.span()
			low, high = min(low, a), max(high, b)
		}
		one := func(from, along Vec) {
			seen, far := objects, c.far(s, from, along)
			if a, b := from[0], from[0]+far*along[0]; max(a, b) < low || min(a, b) > high {
				if along[2] > 0.2 {
					return // to the sky
				}
				seen = nil
			}
			c.ray(r, s, seen, far, from, along, func(p Vec, m Material, bits uint8) {
				p[2] += shift
				visit(p, m, bits, uint8(pass))
			})
		}
		if c.Above {
			c.fly(r, s, one)
			continue
		}
		for _, turned := range c.Planes {
			sin, cos := math.Sincos(turned)
			for at := -8.0; at < s.Length+8; at += c.Line {
				t := c.lane(pass) + 0.05*math.Sin(at/7)
				from := Vec{at, t, s.Height(at, t) + c.Up}
				phase := c.Angle * r.Float64()
				for a := phase; a < 2*math.Pi; a += c.Angle {
					up, out := math.Sincos(a)
					if c.Blind > 0 && pass == 0 && up > 0 || c.Blind > 1 && pass == 1 && up < 0 {
						continue
					}
					one(from, Vec{out * cos, out * sin, up})
				}
			}
		}
	}
}

// far returns how far along a ray a return may be: what is farther than Aside from the carriageway
// is left out. The ray's direction has about the length 1.
func (c *Scanner) far(s *Scene, from, along Vec) float64 {
	if c.Above {
		return 200
	}
	if c.Aside == 0 || math.Abs(along[1]) < 1e-9 {
		return reach
	}
	return min(reach, (s.Half+c.Aside-math.Copysign(1, along[1])*from[1])/math.Abs(along[1]))
}

// fly scans from 100 m above, to both sides of the road.
func (c *Scanner) fly(r *rand.Rand, s *Scene, one func(from, along Vec)) {
	for _, t := range [2]float64{-30, 30} {
		for at := -8.0; at < s.Length+8; at += c.Line {
			from := Vec{at + c.Line*r.Float64(), t, 100}
			for a := -0.6; a < 0.6; a += c.Line / 100 {
				sin, cos := math.Sincos(a)
				one(from, Vec{0.02 * sin, sin, -cos})
			}
		}
	}
}

// ray follows a ray to what it meets. Leaves let half of it through.
func (c *Scanner) ray(r *rand.Rand, s *Scene, objects []Object, far float64, from, along Vec, visit func(p Vec, m Material, bits uint8)) {
	k := 1 / math.Sqrt(dot(along, along))
	along = Vec{along[0] * k, along[1] * k, along[2] * k}
	bits := uint8(measure.Below)
	if c.Above {
		bits = 0
	}
	passed, hits := 0.0, 0
	for {
		best, what := s.road(from, along), Road
		for _, o := range objects {
			d := o.hit(from, along)
			if tree, ok := o.(*Tree); ok && hits > 0 {
				d = tree.next(from, along, passed+0.02)
			}
			if d < best {
				best, what = d, o.material()
			}
		}
		if what == Road && c.Wet > 0 && best < far && r.Float64() < c.Wet {
			if d := c.mirrored(s, objects, from.plus(along, best), along); best+d < far {
				visit(from.plus(along, best+d+c.Noise*r.NormFloat64()), Road, bits)
			}
			return
		}
		if what == Road && best < far && s.hole(from.plus(along, best)) {
			return
		}
		through := what == Leaf && hits < 3 && r.IntN(2) == 0
		if through {
			bits |= measure.Multi
		}
		if best < far && best > 0.3 {
			drop := c.Drop
			if what == Wire {
				drop = c.WireDrop
			}
			if r.Float64() >= drop {
				d := best + c.Noise*r.NormFloat64()
				if r.Float64() < c.Outliers {
					d = best * r.Float64()
				}
				called := bits
				if what != Road && c.Doubted > 0 && r.Float64() < c.Doubted {
					called |= measure.Doubted
				}
				visit(from.plus(along, d), what, called)
			}
		}
		if !through {
			return
		}
		passed = best
		hits++
	}
}

// mirrored returns how far along a ray that water reflects at a place the nearest object is,
// which the survey has below the road then.
func (c *Scanner) mirrored(s *Scene, objects []Object, at, along Vec) float64 {
	n := s.Normal(at[0], at[1])
	up := along.plus(n, -2*dot(along, n))
	best := math.Inf(1)
	for _, o := range objects {
		best = min(best, o.hit(at, up))
	}
	return best
}
