package sample

import (
	"math"
	"sync"

	"github.com/waygate/waygate/geo"
)

// cellSize is the side of a cell of the terrain's grid, metres.
const cellSize = 50.0

// terrain holds, on a grid, the height of the ground in metres and the
// distance to the shore in metres, negative at sea.
type terrain struct {
	nx, ny        int
	height, shore []float64
}

// ground is the county's terrain, made once: it never changes.
var ground = sync.OnceValue(func() *terrain { return newTerrain(coasts(), rivers()) })

// Height is the height of the ground above the sea in metres, 0 at sea and
// beyond the county. The highest place is a little over 400 m.
func Height(p geo.Point) float64 { return math.Max(0, ground().at(fromPoint(p))) }

func newTerrain(islands []island, streams []river) *terrain {
	t := &terrain{nx: int(breadth/cellSize) + 1, ny: int(depth/cellSize) + 1}
	land := make([]bool, t.nx*t.ny)
	for _, is := range islands {
		t.fill(is.ring, land)
	}
	t.shore = t.distances(land)
	valley := newSegIndex(400)
	for _, r := range streams {
		valley.addLine(r.line, 0)
	}
	ridge := []pt{km(5.6, 12.6), km(8.2, 13.6), km(10.6, 13.9), km(13.0, 14.6), km(15.4, 13.9), km(17.6, 13.2), km(20.2, 13.2), km(22.0, 14.4)}
	t.height = make([]float64, t.nx*t.ny)
	for row := range t.ny {
		for col := range t.nx {
			i := row*t.nx + col
			d := t.shore[i]
			if d <= 0 {
				continue
			}
			p := pt{float64(col) * cellSize, float64(row) * cellSize}
			_, off := project(ridge, p)
			rise := 1 - math.Exp(-d/500)
			h := 8*(1-math.Exp(-d/60)) + rise*(38+34*rough(p, 3200, 21)+10*noise(p, 500, 27))
			crest := math.Exp(-(off / 1500) * (off / 1500))
			h += rise * crest * (265 + 105*rough(p, 2600, 33) + 26*noise(p, 420, 37))
			if _, _, near, ok := valley.nearest(p, 900); ok {
				h *= 1 - 0.62*math.Exp(-(near/330)*(near/330))
			}
			t.height[i] = math.Round(math.Max(1, h)*16) / 16
		}
	}
	return t
}

// fill marks the cells whose corner lies inside the ring, by scan lines.
func (t *terrain) fill(ring []pt, land []bool) {
	for row := range t.ny {
		y := float64(row)*cellSize + 0.001
		for i := 1; i < len(ring); i++ {
			a, b := ring[i-1], ring[i]
			if (a.y > y) == (b.y > y) {
				continue
			}
			x := a.x + (b.x-a.x)*(y-a.y)/(b.y-a.y)
			for col := max(0, int(math.Ceil(x/cellSize))); col < t.nx; col++ {
				land[row*t.nx+col] = !land[row*t.nx+col]
			}
		}
	}
}

// distances gives each cell's distance to the nearest cell of the other kind,
// by two sweeps with steps of 5 and 7 fifths of a cell, negative at sea.
func (t *terrain) distances(land []bool) []float64 {
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

func (t *terrain) sample(grid []float64, p pt, beyond float64) float64 {
	x, y := p.x/cellSize, p.y/cellSize
	c, r := math.Floor(x), math.Floor(y)
	if !(c >= 0 && r >= 0 && c < float64(t.nx-1) && r < float64(t.ny-1)) {
		return beyond
	}
	i := int(r)*t.nx + int(c)
	fx, fy := x-c, y-r
	return (grid[i]*(1-fx)+grid[i+1]*fx)*(1-fy) + (grid[i+t.nx]*(1-fx)+grid[i+t.nx+1]*fx)*fy
}

func (t *terrain) at(p pt) float64     { return t.sample(t.height, p, 0) }
func (t *terrain) inland(p pt) float64 { return t.sample(t.shore, p, -5000) }

// slope is the direction of steepest rise over a window of 400 m and its
// gradient.
func (t *terrain) slope(p pt) (pt, float64) {
	const w = 200
	g := pt{
		(t.at(pt{p.x + w, p.y}) - t.at(pt{p.x - w, p.y})) / (2 * w),
		(t.at(pt{p.x, p.y + w}) - t.at(pt{p.x, p.y - w})) / (2 * w),
	}
	return g, g.len()
}
