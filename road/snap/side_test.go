package snap

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/waygate/waygate/geo"
)

// TestSideOfRandomLines compares the side of a line that points lie on with
// what its form says: beside a piece of it the piece decides; past a bend a
// point lies outside of it, so on the right where the line turns left.
func TestSideOfRandomLines(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	beside, ends := 0, 0
	bends := map[int]int{} // by the piece that was taken, the one before the bend or the one after it
	for range 20_000 {
		// About a kilometre across, anywhere in Europe.
		at := geo.Fixed{Lon: r.Int32N(200_000_000), Lat: 350_000_000 + r.Int32N(300_000_000)}
		shape := make([]geo.Fixed, 2+r.IntN(4))
		for i := range shape {
			shape[i] = geo.Fixed{Lon: at.Lon + r.Int32N(150_000), Lat: at.Lat + r.Int32N(100_000)}
		}
		p := geo.Fixed{Lon: at.Lon + r.Int32N(150_000), Lat: at.Lat + r.Int32N(100_000)}.Point()
		flat := newPlane(p) // p is its origin
		x, y := make([]float64, len(shape)), make([]float64, len(shape))
		for i, corner := range shape {
			x[i], y[i] = flat.to(corner)
		}
		// turn is how much of the way from b to c leads to the left of the line from
		// a to b: the sine of the angle.
		turn := func(ax, ay, bx, by, cx, cy float64) float64 {
			return ((bx-ax)*(cy-by) - (by-ay)*(cx-bx)) / (math.Hypot(bx-ax, by-ay) * math.Hypot(cx-bx, cy-by))
		}
		nearest, piece, corner := math.Inf(1), 0, -1 // of the piece from piece to piece+1, at its middle or at a corner
		for i := range len(shape) - 1 {
			along, _, _, square := foot(x[i], y[i], x[i+1], y[i+1])
			if square > nearest-1e-6 { // a corner counts for the piece before it
				continue
			}
			nearest, piece, corner = square, i, -1
			switch along {
			case 0:
				corner = i
			case 1:
				corner = i + 1
			}
		}
		var left float64
		bend := corner > 0 && corner < len(shape)-1
		if bend {
			left = -turn(x[corner-1], y[corner-1], x[corner], y[corner], x[corner+1], y[corner+1])
		} else {
			left = turn(x[piece], y[piece], x[piece+1], y[piece+1], 0, 0)
		}
		if math.Abs(left) < 0.02 || nearest < 1 {
			continue // straight on, or on the line
		}
		g := lines(shape)
		NewQuery(g, Build(g)).Nearest(p, 2000, func(got Candidate) bool {
			if got.Right != (left < 0) {
				t.Errorf("%v beside %v: right is %v at %v, piece %d", p, shape, got.Right, got.Point, got.Piece)
			}
			switch {
			case bend:
				bends[got.Piece-corner]++
			case corner >= 0:
				ends++
			default:
				beside++
			}
			return true
		})
	}
	if beside < 1000 || ends < 500 || bends[-1] < 100 || bends[0] < 100 {
		t.Errorf("%d points beside pieces, %d past ends, %v past bends: the cases prove too little", beside, ends, bends)
	}
}
