package land

import (
	"math"
	"sync"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/sample/plane"
)

// cellSize is the side of a cell of the terrain's grid, metres.
const cellSize = 50.0

// Terrain holds, on a grid, the height of the ground in metres and the
// distance to the shore in metres, negative at sea.
type Terrain struct {
	nx, ny        int
	height, shore []float64
}

// Ground is the county's terrain, made once: it never changes.
var Ground = sync.OnceValue(func() *Terrain { return newTerrain(Coasts(), Rivers()) })

// Height returns the height of the ground above the sea in metres, 0 at sea and
// beyond the county. The highest place is a little over 400 m.
func Height(p geo.Point) float64 { return math.Max(0, Ground().At(plane.FromPoint(p))) }

func newTerrain(islands []Island, streams []River) *Terrain {
	t := &Terrain{nx: int(plane.Breadth/cellSize) + 1, ny: int(plane.Depth/cellSize) + 1}
	land := make([]bool, t.nx*t.ny)
	for _, is := range islands {
		t.fill(is.Ring, land)
	}
	t.shore = t.distances(land)
	valley := plane.NewIndex(400)
	for _, r := range streams {
		valley.AddLine(r.Line, 0)
	}
	ridge := []plane.Point{plane.Km(5.6, 12.6), plane.Km(8.2, 13.6), plane.Km(10.6, 13.9), plane.Km(13.0, 14.6), plane.Km(15.4, 13.9), plane.Km(17.6, 13.2), plane.Km(20.2, 13.2), plane.Km(22.0, 14.4)}
	t.height = make([]float64, t.nx*t.ny)
	for row := range t.ny {
		for col := range t.nx {
			i := row*t.nx + col
			d := t.shore[i]
			if d <= 0 {
				continue
			}
			p := plane.Point{X: float64(col) * cellSize, Y: float64(row) * cellSize}
			_, off := plane.Project(ridge, p)
			rise := 1 - math.Exp(-d/500)
			h := 8*(1-math.Exp(-d/60)) + rise*(38+34*plane.Rough(p, 3200, 21)+10*plane.Noise(p, 500, 27))
			crest := math.Exp(-(off / 1500) * (off / 1500))
			h += rise * crest * (265 + 105*plane.Rough(p, 2600, 33) + 26*plane.Noise(p, 420, 37))
			if _, _, near, ok := valley.Nearest(p, 900); ok {
				h *= 1 - 0.62*math.Exp(-(near/330)*(near/330))
			}
			t.height[i] = math.Round(math.Max(1, h)*16) / 16
		}
	}
	return t
}

// fill marks the cells whose corner lies inside the ring, by scan lines.
func (t *Terrain) fill(ring []plane.Point, land []bool) {
	for row := range t.ny {
		y := float64(row)*cellSize + 0.001
		for i := 1; i < len(ring); i++ {
			a, b := ring[i-1], ring[i]
			if (a.Y > y) == (b.Y > y) {
				continue
			}
			x := a.X + (b.X-a.X)*(y-a.Y)/(b.Y-a.Y)
			for col := max(0, int(math.Ceil(x/cellSize))); col < t.nx; col++ {
				land[row*t.nx+col] = !land[row*t.nx+col]
			}
		}
	}
}

// distances returns each cell's distance to the nearest cell of the other kind,
// by two sweeps with steps of 5 and 7 fifths of a cell, negative at sea.
func (t *Terrain) distances(land []bool) []float64 {
	sweep := func(from bool) []int {
		d := make([]int, len(land))
		for i := range d {
			if land[i] != from {
				d[i] = 1 << 30
			}
		}
		at := func(c, r int) int {
			if c < 0 || r < 0 || c >= t.nx || r >= t.ny {
				return 1 << 30
			}
			return d[r*t.nx+c]
		}
		for r := range t.ny {
			for c := range t.nx {
				d[r*t.nx+c] = min(d[r*t.nx+c], at(c-1, r)+5, at(c, r-1)+5, at(c-1, r-1)+7, at(c+1, r-1)+7)
			}
		}
		for r := t.ny - 1; r >= 0; r-- {
			for c := t.nx - 1; c >= 0; c-- {
				d[r*t.nx+c] = min(d[r*t.nx+c], at(c+1, r)+5, at(c, r+1)+5, at(c+1, r+1)+7, at(c-1, r+1)+7)
			}
		}
		return d
	}
	inland, offshore := sweep(false), sweep(true)
	out := make([]float64, len(land))
	for i := range out {
		if land[i] {
			out[i] = (float64(inland[i])/5 - 0.5) * cellSize
		} else {
			out[i] = -(float64(offshore[i])/5 - 0.5) * cellSize
		}
	}
	return out
}

func (t *Terrain) sample(grid []float64, p plane.Point, beyond float64) float64 {
	x, y := p.X/cellSize, p.Y/cellSize
	c, r := math.Floor(x), math.Floor(y)
	if !(c >= 0 && r >= 0 && c < float64(t.nx-1) && r < float64(t.ny-1)) {
		return beyond
	}
	i := int(r)*t.nx + int(c)
	fx, fy := x-c, y-r
	return (grid[i]*(1-fx)+grid[i+1]*fx)*(1-fy) + (grid[i+t.nx]*(1-fx)+grid[i+t.nx+1]*fx)*fy
}

// At returns the height of the ground, in metres.
func (t *Terrain) At(p plane.Point) float64 { return t.sample(t.height, p, 0) }

// Inland returns the distance from the shore, in metres; it is negative at sea.
func (t *Terrain) Inland(p plane.Point) float64 { return t.sample(t.shore, p, -5000) }

// Slope returns the direction of steepest rise over a window of 400 m and its
// gradient.
func (t *Terrain) Slope(p plane.Point) (plane.Point, float64) {
	const w = 200
	g := plane.Point{
		X: (t.At(plane.Point{X: p.X + w, Y: p.Y}) - t.At(plane.Point{X: p.X - w, Y: p.Y})) / (2 * w),
		Y: (t.At(plane.Point{X: p.X, Y: p.Y + w}) - t.At(plane.Point{X: p.X, Y: p.Y - w})) / (2 * w),
	}
	return g, g.Len()
}
