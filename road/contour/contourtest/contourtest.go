// Package contourtest checks contours.
package contourtest

import (
	"math"

	"github.com/waygate/waygate/geo"
)

// Nested reports whether the rings of one contour lie inside of those of another, both
// with points of six decimals; they may have edges in common. No two edges cross, the
// middle of no edge lies outside, and no point of the outer rings lies inside of the
// inner ones. Else at is a point where this is not so.
func Nested(inner, outer [][]geo.Point) (at geo.Point, ok bool) {
	in, out := edgesOf(inner), edgesOf(outer)
	for _, a := range in {
		for _, b := range out {
			if a.crosses(b) {
				return a.point(), false
			}
		}
		if side(out, a.x0+a.x1, a.y0+a.y1) < 0 {
			return a.point(), false
		}
	}
	for _, b := range out {
		if side(in, 2*b.x0, 2*b.y0) > 0 {
			return b.point(), false
		}
	}
	return geo.Point{}, true
}

// edge is a line from one point to another, in millionths of a degree.
type edge struct{ x0, y0, x1, y1 int64 }

func edgesOf(rings [][]geo.Point) (list []edge) {
	whole := func(degrees float64) int64 { return int64(math.Round(degrees * 1e6)) }
	for _, r := range rings {
		for i := 1; i < len(r); i++ {
			list = append(list, edge{whole(r[i-1].Lon), whole(r[i-1].Lat), whole(r[i].Lon), whole(r[i].Lat)})
		}
	}
	return list
}

func (a edge) point() geo.Point { return geo.Point{Lon: float64(a.x0) / 1e6, Lat: float64(a.y0) / 1e6} }

// left is above 0 if a point lies on the left of an edge, and below 0 if on the right.
func (a edge) left(x, y int64) int64 { return (a.x1-a.x0)*(y-a.y0) - (a.y1-a.y0)*(x-a.x0) }

// crosses reports whether two edges cross at a point that is an end of neither.
func (a edge) crosses(b edge) bool {
	if max(a.x0, a.x1) < min(b.x0, b.x1) || max(b.x0, b.x1) < min(a.x0, a.x1) {
		return false
	}
	opposite := func(c, d int64) bool { return c < 0 && d > 0 || c > 0 && d < 0 }
	return opposite(a.left(b.x0, b.y0), a.left(b.x1, b.y1)) && opposite(b.left(a.x0, a.y0), b.left(a.x1, a.y1))
}

// side is 1 for a point inside of rings, 0 for one on an edge and -1 for others. The
// point is in halves of a millionth, so that the middle of an edge is exact.
func side(edges []edge, x, y int64) int {
	in := -1
	for _, e := range edges {
		e = edge{2 * e.x0, 2 * e.y0, 2 * e.x1, 2 * e.y1}
		left := e.left(x, y)
		if left == 0 && min(e.x0, e.x1) <= x && x <= max(e.x0, e.x1) && min(e.y0, e.y1) <= y && y <= max(e.y0, e.y1) {
			return 0
		}
		if (e.y0 > y) != (e.y1 > y) && (left > 0) == (e.y1 > e.y0) {
			in = -in
		}
	}
	return in
}
