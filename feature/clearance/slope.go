package clearance

import (
	"math"

	"github.com/waygate/waygate/clearance/artefact"
)

// planeFit gathers the planes of a tile's cells.
type planeFit struct {
	cell    float64
	n       int
	z, x, y float64 // sums
	unknown bool    // the height of some cell is not known, of which the headroom is
	all     [artefact.TileCells * artefact.TileCells]struct {
		column, row uint8
		z, x, y     float32
	}
}

func (f *planeFit) add(column, row int, c *artefact.Cell) {
	k := &f.all[f.n]
	k.column, k.row, k.z, k.x, k.y = uint8(column), uint8(row), float32(c.Surface), float32(c.SlopeX), float32(c.SlopeY)
	f.n++
	f.z, f.x, f.y = f.z+c.Surface, f.x+c.SlopeX, f.y+c.SlopeY
}

// centre returns the middle of a column or row, in metres from the first's edge.
func (f *planeFit) centre(i uint8) float64 { return (float64(i) + 0.5) * f.cell }

// slope returns a plane with the mean slope of the cells, and how far from it their planes are.
func (f *planeFit) slope() slope {
	if f.n == 0 || f.unknown {
		return slope{low: float32(math.Inf(-1)), high: float32(math.Inf(1))}
	}
	n := float64(f.n)
	a, b := f.x/n, f.y/n
	low, high := math.Inf(1), math.Inf(-1)
	for i := range f.n {
		k := &f.all[i]
		d := float64(k.z) - f.z/n - a*f.centre(k.column) - b*f.centre(k.row)
		within := (math.Abs(float64(k.x)-a) + math.Abs(float64(k.y)-b)) * f.cell / 2
		low, high = min(low, d-within), max(high, d+within)
	}
	const rounding = 0.002 // of float32, to 10 km
	return slope{float32(f.z / n), float32(a), float32(b), float32(low - rounding), float32(high + rounding)}
}

// roughly bounds the height of the road at a whole metre of the line, where there is one road.
func (w *walker) roughly(m int) (low, high float64, state profileState) {
	k := &w.rough[m&(len(w.rough)-1)]
	if k.state != unread && k.metre == m {
		return k.low, k.high, k.state
	}
	k.metre, k.state, k.low, k.high = m, single, 0, 0
	known := false
	if p, ok := w.surveyPosition(float64(m) * stride); ok && !w.layered(p) {
		k.low, k.high, known = w.surfaceWithin(p)
	}
	if !known {
		k.low, k.state = w.metre(m)
		k.high = k.low
	}
	return k.low, k.high, k.state
}
