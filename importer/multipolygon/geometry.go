package multipolygon

import (
	"math"

	"github.com/paulmach/orb"
)

// Shoelace returns the signed area of a ring: positive if it runs clockwise on the map
// (y grows southwards), as the outer rings of vector tiles do.
func Shoelace(r []orb.Point) float64 {
	if len(r) < 3 {
		return 0
	}
	sum := 0.0
	o := r[0] // keeps the products small, and with them the rounding
	for i := 1; i+1 < len(r); i++ {
		sum += (r[i][0]-o[0])*(r[i+1][1]-o[1]) - (r[i+1][0]-o[0])*(r[i][1]-o[1])
	}
	return sum / 2
}

// Area returns the area of polygons less their holes.
func Area(areas orb.MultiPolygon) float64 {
	sum := 0.0
	for _, p := range areas {
		for i, r := range p {
			if a := math.Abs(Shoelace(r)); i == 0 {
				sum += a
			} else {
				sum -= a
			}
		}
	}
	return sum
}

// InRing reports whether p lies inside a closed ring (even-odd rule). Points
// on the ring may fall to either side.
func InRing(r []orb.Point, p orb.Point) bool {
	in := false
	for i, j := 0, len(r)-1; i < len(r); j, i = i, i+1 {
		a, b := r[i], r[j]
		if (a[1] > p[1]) != (b[1] > p[1]) && p[0] < (b[0]-a[0])*(p[1]-a[1])/(b[1]-a[1])+a[0] {
			in = !in
		}
	}
	return in
}

// MostVotes is about how many sides Inside tests.
const MostVotes = 16

// Inside reports whether ring inner, which does not cross outer but may touch it, lies
// in outer: the middles of its sides vote, because a vertex may lie on both.
func Inside(outer, inner []orb.Point) bool {
	votes := 0
	step := max(1, len(inner)/MostVotes)
	for i := 1; i < len(inner); i += step {
		a, b := inner[i-1], inner[i]
		if InRing(outer, orb.Point{(a[0] + b[0]) / 2, (a[1] + b[1]) / 2}) {
			votes++
		} else {
			votes--
		}
	}
	return votes > 0
}
