package tree

import (
	"math"
	"slices"

	"github.com/waygate/waygate/geo"
)

// Of outlines, in metres but for the last two.
const (
	leastOutline = 40.0 // from corner to corner of the box of what has one
	finest       = 2.0  // by how much an outline may stray, at the least
	coarsest     = 5.0  // and at the most, unless it has too many corners
	strayShare   = 0.02 // of the width of a place
	MostOutline  = 4000 // corners of an outline
)

// Outlined makes the outline of rings, nil where they enclose nothing or too little to matter.
func Outlined(rings [][]geo.Fixed) []geo.Fixed {
	all := slices.Concat(rings...)
	if len(all) == 0 {
		return nil
	}
	whole := BoxAround(all)
	if DistanceBetween(geo.Fixed{Lon: whole.West, Lat: whole.South}, geo.Fixed{Lon: whole.East, Lat: whole.North}) < leastOutline {
		return nil
	}
	if int64(whole.East)-int64(whole.West) > Globe/2 {
		return nil // crosses the antimeridian
	}
	for stray := max(finest, min(coarsest, strayShare*Width(all))); ; stray *= 2 {
		var corners []geo.Fixed
		for _, ring := range rings {
			corners = append(corners, plainer(ring, stray)...)
		}
		if len(corners) <= MostOutline {
			return corners
		}
	}
}

// plainer returns a ring without the corners that hardly matter, nil where it is none or nothing is
// left of it.
func plainer(ring []geo.Fixed, stray float64) []geo.Fixed {
	if len(ring) < 4 || ring[0] != ring[len(ring)-1] {
		return nil
	}
	points := make([]geo.Point, len(ring))
	for i, p := range ring {
		points[i] = p.Point()
	}
	points = geo.Simplify(points, stray)
	var out []geo.Fixed
	for i, p := range points {
		f := p.Fix()
		if i > 0 && i < len(points)-1 && f == out[0] {
			continue // a ring that touches itself would end here
		}
		out = append(out, f)
	}
	if len(out) < 4 || out[0] != out[len(out)-1] {
		return nil
	}
	return out
}

// sides calls yield for the sides of an outline.
func sides(corners []geo.Fixed, yield func(a, b geo.Fixed)) {
	for begin, i := 0, 1; i < len(corners); i++ {
		yield(corners[i-1], corners[i])
		if corners[i] == corners[begin] {
			begin = i + 1
			i++
		}
	}
}

// Width returns the side of a square as large as an outline, in metres.
func Width(corners []geo.Fixed) float64 {
	if len(corners) == 0 {
		return 0
	}
	sum := 0.0
	of := corners[0]
	sides(corners, func(a, b geo.Fixed) {
		ax, ay := Planar(of, a)
		bx, by := Planar(of, b)
		sum += ax*by - bx*ay
	})
	return math.Sqrt(math.Abs(sum) / 2)
}

// OutlineDistance returns how far a point is from what has an outline, in metres: 0 within.
func OutlineDistance(p geo.Point, corners []geo.Fixed) float64 {
	at := p.Fix()
	if Inside(at, corners) {
		return 0
	}
	scale := math.Cos(p.Lat * math.Pi / 180)
	least := math.Inf(1) // the square, in units of geo.Fixed
	sides(corners, func(a, b geo.Fixed) {
		ax, ay := float64(UnwrapNear(a, at)-int64(at.Lon))*scale, float64(int64(a.Lat)-int64(at.Lat))
		dx, dy := float64(int64(b.Lon)-int64(a.Lon))*scale, float64(int64(b.Lat)-int64(a.Lat))
		along := 0.0
		if l := dx*dx + dy*dy; l > 0 {
			along = max(0, min(1, -(ax*dx+ay*dy)/l))
		}
		x, y := ax+along*dx, ay+along*dy
		least = min(least, x*x+y*y)
	})
	return math.Sqrt(least) / 1e7 * MetresPerDegree
}

// Inside reports whether a point lies in an outline.
func Inside(at geo.Fixed, corners []geo.Fixed) bool {
	in := false
	sides(corners, func(a, b geo.Fixed) {
		if (a.Lat > at.Lat) == (b.Lat > at.Lat) {
			return
		}
		// Products of two differences of coordinates fit 64 bits.
		left := (int64(b.Lon)-int64(a.Lon))*(int64(at.Lat)-int64(a.Lat)) - (int64(at.Lon)-int64(a.Lon))*(int64(b.Lat)-int64(a.Lat))
		if (left > 0) == (b.Lat > a.Lat) {
			in = !in
		}
	})
	return in
}

// An oblong is the rectangle around a building, packed in one number: half its length and half
// its width, its direction, and how far its middle lies from the address's point, as parts of
// them. 0 is a point.
const (
	halfScale   = 256.0 // halves are squares of 8 bits over this, in metres
	turns       = 256   // directions in half a turn
	middleSteps = 8     // of half a side: the middle is as far off as that at the most
)

// rectangle is an oblong, unpacked: metres, and directions east and north.
type rectangle struct {
	Long, Wide float64 // halves
	Sin, Cos   float64
	East       float64 // of its middle from the address's point
	North      float64
}

// OblongAround makes the smallest rectangle around a ring, from a point in it.
func OblongAround(at geo.Fixed, ring []geo.Fixed) uint32 {
	x, y := make([]float64, len(ring)), make([]float64, len(ring))
	for i, p := range ring {
		x[i], y[i] = Planar(at, p)
	}
	best, least := uint32(0), math.Inf(1)
	for i := 1; i < len(ring); i++ {
		if x[i] == x[i-1] && y[i] == y[i-1] {
			continue
		}
		turn := math.Mod(math.Atan2(y[i]-y[i-1], x[i]-x[i-1])+2*math.Pi, math.Pi)
		step := math.Mod(math.Round(turn/math.Pi*turns), turns)
		sin, cos := math.Sincos(step * math.Pi / turns)
		left, right, below, above := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
		for k := range x {
			along, across := x[k]*cos+y[k]*sin, y[k]*cos-x[k]*sin
			left, right, below, above = min(left, along), max(right, along), min(below, across), max(above, across)
		}
		if long, wide := (right-left)/2, (above-below)/2; long*wide < least {
			least = long * wide
			size := func(half float64) uint32 { return uint32(min(255, math.Round(math.Sqrt(half*halfScale)))) }
			off := func(middle, half float64) uint32 {
				return uint32(max(0, min(2*middleSteps-1, math.Round(middle/max(half, 1e-3)*middleSteps)+middleSteps)))
			}
			best = size(long)<<24 | size(wide)<<16 | uint32(step)<<8 | off((left+right)/2, long)<<4 | off((below+above)/2, wide)
		}
	}
	if best>>16 == 0 {
		return 0
	}
	return best
}

// Of an address that is mapped as a point in the building of another one.
const (
	NestedHalf  = 4.0 // metres, half the side of the square that stands for its part of the building
	NestedReach = 1.0 // metres from the building at which it is taken to be a part of it
)

// Square returns the oblong of a square around a point, by half its side in metres.
func Square(half float64) uint32 {
	size := uint32(math.Round(math.Sqrt(half * halfScale)))
	return size<<24 | size<<16 | middleSteps<<4 | middleSteps
}

// directions are the sine and cosine of each direction of an oblong.
var directions = func() (list [turns]struct{ sin, cos float64 }) {
	for i := range list {
		list[i].sin, list[i].cos = math.Sincos(float64(i) * math.Pi / turns)
	}
	return list
}()

// RectangleOf unpacks the oblong around a building.
func RectangleOf(oblong uint32) rectangle {
	half := func(size uint32) float64 { return float64(size*size) / halfScale }
	r := rectangle{Long: half(oblong >> 24), Wide: half(oblong >> 16 & 255)}
	r.Sin, r.Cos = directions[oblong>>8&255].sin, directions[oblong>>8&255].cos
	along := (float64(oblong>>4&15) - middleSteps) / middleSteps * r.Long
	across := (float64(oblong&15) - middleSteps) / middleSteps * r.Wide
	r.East, r.North = along*r.Cos-across*r.Sin, along*r.Sin+across*r.Cos
	return r
}

// From returns how far a point is from the middle, along the length and across it.
func (r *rectangle) From(east, north float64) (along, across float64) {
	east, north = east-r.East, north-r.North
	return math.Abs(east*r.Cos + north*r.Sin), math.Abs(north*r.Cos - east*r.Sin)
}

// Of the order of addresses by what they are near to, in metres.
const (
	WallMost  = 2.0  // by which a building that does not hold a point is behind its distance
	WallShare = 0.05 // the same of one that holds it, of its width
)
