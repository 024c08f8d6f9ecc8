package contour

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/search/searchtest"
)

// TestWithinReach compares what is marked as within reach with a look at every pair
// of cells.
func TestWithinReach(t *testing.T) {
	for seed := range uint64(searchtest.Cases(40)) {
		r := rand.New(rand.NewPCG(seed, 5))
		latitude := -60 + 120*r.Float64()
		d := NewDrawer(NewPlane(latitude + 10*r.Float64()))
		south := int32(latitude * 1e7)
		side := int32(20_000 * math.Exp(4*r.Float64()))
		d.grid.cover(d.plane, box{-side, south, r.Int32N(side), south + r.Int32N(side)})
		g := &d.grid
		d.near.reset(g)
		d.wide.reset(g)
		var roads [][2]int
		margin := int(g.reach/min(g.cellX, g.cellY)) + 1
		for range r.IntN(12) {
			x, y := margin+r.IntN(g.w-2*margin), margin+r.IntN(g.h-2*margin)
			roads = append(roads, [2]int{x, y})
			d.near[y*g.stride+x/64] |= 1 << (x % 64)
		}
		d.dilate()
		marked := 0
		for _, w := range d.wide {
			marked += bits.OnesCount64(w)
		}
		for y := range g.h {
			for x := range g.w {
				want := false
				for _, at := range roads {
					want = want || math.Hypot(float64(x-at[0])*g.cellX, float64(y-at[1])*g.cellY) <= g.reach
				}
				if got := d.wide[y*g.stride+x/64]>>(x%64)&1 != 0; got != want {
					t.Fatalf("seed %d: cell %d, %d of %d, %d is marked: %v, want %v", seed, x, y, g.w, g.h, got, want)
				}
				if want {
					marked--
				}
			}
		}
		if marked != 0 {
			t.Fatalf("seed %d: %d cells are marked beside the grid", seed, marked)
		}
	}
}

// TestLinesMarkTheirCells checks that the cells of a line are those it passes, and that
// none is far from the next.
func TestLinesMarkTheirCells(t *testing.T) {
	d := NewDrawer(NewPlane(47))
	for seed := range uint64(searchtest.Cases(100)) {
		r := rand.New(rand.NewPCG(seed, 6))
		at := geo.Point{Lon: -0.01 + 0.02*r.Float64(), Lat: 47}
		line := Line{at.Fix()}
		b := empty
		for range 1 + r.IntN(10) {
			at = geo.Destination(at, 360*r.Float64(), 2000*r.Float64())
			line = append(line, at.Fix())
		}
		b.line(line)
		g := &d.grid
		g.cover(d.plane, b)
		d.near.reset(g)
		g.line(d.near, line)
		isOn := func(x, y int) bool { return d.near[y*g.stride+x/64]>>(x%64)&1 != 0 }
		// Every place on the line is in a marked cell or beside one.
		for _, s := range g.spots(nil, &Stroke{Line: line, End: 1}) {
			some := false
			for y := int(s.y) - 1; y <= int(s.y)+1; y++ {
				for x := int(s.x) - 1; x <= int(s.x)+1; x++ {
					some = some || isOn(x, y)
				}
			}
			if !some {
				t.Fatalf("seed %d: no cell is marked around %v", seed, s)
			}
		}
		for y := range g.h {
			for x := range g.w {
				if !isOn(x, y) {
					continue
				}
				nearest := math.Inf(1)
				centre := geo.Point{
					Lon: float64(2*g.left+int64(2*x)+1) * g.degreesX / 1e6,
					Lat: float64(2*g.bottom+int64(2*y)+1) * g.degreesY / 1e6,
				}
				for i := 1; i < len(line); i++ {
					foot, _, _ := geo.Nearest(centre, line[i-1].Point(), line[i].Point())
					nearest = min(nearest, geo.Distance(centre, foot))
				}
				if nearest > 0.75*max(g.cellX, g.cellY) {
					t.Fatalf("seed %d: a cell %.0f m off the line is marked", seed, nearest)
				}
			}
		}
	}
}
