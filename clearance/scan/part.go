package scan

import (
	"math"
	"math/rand/v2"

	"github.com/waygate/waygate/clearance/measure"
)

// PlacedScene is a scene in the plane of a survey, turned.
type PlacedScene struct {
	*Scene
	X, Y, Turn float64 // of the scene's origin, and of its direction from the east
	Z          float64 // of its heights
}

// World returns the position of a place.
func (p *PlacedScene) World(at, t float64) (x, y float64) {
	sin, cos := math.Sincos(p.Turn)
	return p.X + at*cos - t*sin, p.Y + at*sin + t*cos
}

// Frame returns the inverse of World.
func (p *PlacedScene) Frame(x, y float64) (at, t float64) {
	sin, cos := math.Sincos(p.Turn)
	dx, dy := x-p.X, y-p.Y
	return dx*cos + dy*sin, -dx*sin + dy*cos
}

// Part scans a scene into the part of a survey that measure takes.
func Part(r *rand.Rand, p *PlacedScene, c *Scanner, cell float64) *measure.Part {
	const side = 2.0
	edge := int(math.Ceil((p.Length + 2*side) / cell * math.Sqrt2))
	part := &measure.Part{W: edge, H: edge, Overlooked: p.Median != [2]float64{}}
	// The part's south-west corner is such that the road's middle is in its centre.
	mx, my := p.World(p.Length/2, 0)
	half := float64(edge) * cell / 2
	p.X, p.Y = p.X-mx+half, p.Y-my+half
	for pass := range c.Passes {
		if c.Datum == 0 {
			pass = 0
		}
		part.Survey = append(part.Survey, pass)
	}
	part.Lane = make([]int16, edge*edge)
	for i := range part.Lane {
		at, t := p.Frame((float64(i%edge)+0.5)*cell, (float64(i/edge)+0.5)*cell)
		part.Lane[i] = p.LaneAt(at, t)
	}
	c.Scan(r, p.Scene, func(v Vec, _ Material, bits, pass uint8) {
		if v[0] < -2 || v[0] > p.Length+2 || math.Abs(v[1]) > p.Half+2 {
			return
		}
		x, y := p.World(v[0], v[1])
		q := measure.Point{X: float32(x), Y: float32(y), Z: float32(v[2]), Bits: bits, Pass: pass}
		if c.Blind > 0 && pass == 0 {
			q.Bits |= measure.Down
		}
		part.Points = append(part.Points, q)
	})
	return part
}

// LaneAt returns the lane from the left at a place, 0 beside the carriageway and -1 where
// there is no road.
func (s *Scene) LaneAt(at, t float64) int16 {
	switch {
	case at < 0 || at > s.Length || math.Abs(t) > s.Half+1:
		return -1
	case math.Abs(t) > s.Half, s.Median[0] < t && t < s.Median[1]:
		return 0
	}
	return 1 + int16(min(float64(s.Lanes-1), math.Floor((s.Half-t)/(2*s.Half)*float64(s.Lanes))))
}
