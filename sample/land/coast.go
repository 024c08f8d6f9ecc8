// Package land has the ground on which the county is drawn: its coasts, rivers, heights and
// settlements.
package land

import (
	"math"

	"github.com/waygate/waygate/sample/plane"
)

// Island is a ring of coast, anticlockwise: land on the left.
type Island struct {
	Name, Kernow string
	Ring         []plane.Point // closed: the first point is repeated at the end
}

// Coasts lists the islands of the county.
func Coasts() []Island {
	return []Island{
		{"Isle of Halvern", "Enys Halwern", shore([]plane.Point{
			plane.Km(2.6, 11.8), plane.Km(3.4, 10.2), plane.Km(4.7, 9.5), plane.Km(3.9, 8.0), plane.Km(2.9, 6.9), plane.Km(3.8, 5.8), plane.Km(5.3, 5.5),
			plane.Km(5.6, 4.4), plane.Km(5.0, 3.2), plane.Km(6.6, 2.3), plane.Km(8.3, 2.7), plane.Km(9.4, 3.5), plane.Km(10.8, 2.9), plane.Km(12.0, 2.2),
			plane.Km(13.2, 2.1), plane.Km(14.1, 2.9), plane.Km(14.5, 3.6), plane.Km(14.25, 4.3), plane.Km(14.0, 4.75), plane.Km(14.35, 5.3), plane.Km(14.95, 5.75), plane.Km(14.85, 6.35), plane.Km(15.28, 6.95), plane.Km(15.47, 7.0),
			plane.Km(15.35, 6.3), plane.Km(15.6, 5.7), plane.Km(15.2, 5.1), plane.Km(15.55, 4.75), plane.Km(15.3, 4.1), plane.Km(15.55, 3.3), plane.Km(15.9, 2.8), plane.Km(16.6, 2.2), plane.Km(18.2, 2.0), plane.Km(19.8, 2.8),
			plane.Km(20.8, 3.9), plane.Km(22.2, 3.6), plane.Km(23.8, 3.3), plane.Km(25.2, 4.2), plane.Km(25.6, 5.8), plane.Km(24.9, 7.4), plane.Km(25.6, 8.8),
			plane.Km(26.9, 9.6), plane.Km(27.0, 10.8), plane.Km(25.8, 11.6), plane.Km(24.8, 12.4), plane.Km(25.0, 13.6), plane.Km(26.4, 14.3),
			plane.Km(26.0, 15.8), plane.Km(24.2, 16.4), plane.Km(22.4, 16.0), plane.Km(21.0, 16.6), plane.Km(19.3, 17.9), plane.Km(17.6, 17.2),
			plane.Km(16.2, 16.4), plane.Km(14.6, 17.0), plane.Km(12.8, 17.7), plane.Km(11.0, 17.0), plane.Km(9.4, 16.6), plane.Km(8.0, 17.0),
			plane.Km(6.4, 16.2), plane.Km(5.6, 14.8), plane.Km(4.2, 14.2), plane.Km(3.0, 13.2),
		}, 1, 70)},
		{"Farrock Island", "Enys Pell", shore([]plane.Point{
			plane.Km(28.3, 14.6), plane.Km(28.7, 13.6), plane.Km(29.6, 13.1), plane.Km(30.6, 13.7), plane.Km(30.9, 14.8), plane.Km(30.2, 15.8), plane.Km(29.2, 15.7),
		}, 7, 45)},
		{"Tern Holm", "Enys an Scrawik", shore([]plane.Point{
			plane.Km(20.6, 1.3), plane.Km(21.1, 0.9), plane.Km(21.7, 1.1), plane.Km(21.8, 1.6), plane.Km(21.0, 1.8),
		}, 9, 25)},
	}
}

// shore draws a coast through control points: coves and small headlands come
// from noise that pushes the line in and out.
func shore(control []plane.Point, seed uint64, reach float64) []plane.Point {
	smooth := plane.Spline(control, 32, true)
	out := make([]plane.Point, 0, len(smooth))
	for i := range smooth {
		a, b := smooth[max(0, i-1)], smooth[min(len(smooth)-1, i+1)]
		p := smooth[i]
		// A quiet estuary: mud and quays, no coves.
		calm := 1.0
		if p.Y < 7200 && p.Y > 3000 && math.Abs(p.X-15000) < 1000 {
			calm = 0.25
		}
		by := (plane.Rough(p, 1500, seed)*5.5 + plane.Rough(p, 430, seed+20)*2.2 + plane.Noise(p, 120, seed+9)*0.45) * reach * calm
		out = plane.AppendPt(out, plane.Snap(p.Add(b.Sub(a).Unit().Left().Mul(by))))
	}
	out[len(out)-1] = out[0]
	return out
}
