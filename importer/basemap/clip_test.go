package basemap

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/paulmach/orb"

	"github.com/waygate/waygate/importer/multipolygon"
)

// archipelago draws areas with holes in them, apart from one another. On a grid
// their corners often lie on the sides of boxes of the same grid.
func archipelago(rng *rand.Rand, grid float64) orb.MultiPolygon {
	onGrid := func(x, y, size float64) orb.Ring {
		r := star(rng, x, y, size)
		for grid > 0 && len(r) > 14 { // many corners on few places of the grid cross one another
			r = star(rng, x, y, size)
		}
		for i, p := range r {
			if grid > 0 {
				r[i] = orb.Point{math.Round(p[0]/grid) * grid, math.Round(p[1]/grid) * grid}
			}
		}
		return slices.Compact(r)
	}
	comb := func(x, y float64) orb.Ring { // cut across it falls to pieces
		r := orb.Ring{{x, y}}
		for i := range 6 {
			d := float64(i) * 2
			r = append(r, orb.Point{x + d + 1, y}, orb.Point{x + d + 1, y + 9}, orb.Point{x + d + 2, y + 9}, orb.Point{x + d + 2, y})
		}
		return append(r, orb.Point{x + 13, y - 2}, orb.Point{x, y - 2}, orb.Point{x, y})
	}
	var out orb.MultiPolygon
	for gx := range 3 {
		for gy := range 3 {
			x, y := float64(gx)*24, float64(gy)*24
			switch rng.IntN(4) {
			case 0:
				out = append(out, orb.Polygon{comb(x+4, y+6)})
			case 1, 2:
				area := orb.Polygon{onGrid(x+12, y+12, 11.5)}
				for range rng.IntN(3) {
					x, y := x+10+4*float64(len(area)-1), y+12 // a diamond: its corners may touch sides
					area = append(area, orb.Ring{{x - 1, y}, {x, y - 1}, {x + 1, y}, {x, y + 1}, {x - 1, y}})
				}
				out = append(out, area)
			}
		}
	}
	return out
}

func TestClipAreas(t *testing.T) {
	for seed := range uint64(2000) {
		rng := rand.New(rand.NewPCG(seed, 15))
		grid := float64(seed % 3)
		areas := archipelago(rng, grid)
		at := func() float64 {
			v := rng.Float64() * 72
			if grid > 0 {
				v = math.Round(v)
			}
			return v
		}
		x, y := at(), at()
		whole := orb.Bound{Min: orb.Point{-1, -1}, Max: orb.Point{73, 73}}
		total := 0.0
		for _, box := range []orb.Bound{
			{Min: whole.Min, Max: orb.Point{x, y}},
			{Min: orb.Point{x, whole.Min[1]}, Max: orb.Point{whole.Max[0], y}},
			{Min: orb.Point{whole.Min[0], y}, Max: orb.Point{x, whole.Max[1]}},
			{Min: orb.Point{x, y}, Max: whole.Max},
		} {
			cut := clipAreas(box, areas)
			total += multipolygon.Area(cut)
			for range 100 {
				p := orb.Point{box.Min[0] + rng.Float64()*(box.Max[0]-box.Min[0]), box.Min[1] + rng.Float64()*(box.Max[1]-box.Min[1])}
				if got, want := inAreas(cut, p), inAreas(areas, p); got != want {
					t.Fatalf("seed %d: in box %v the point %v is inside: %v, want %v", seed, box, p, got, want)
				}
			}
			if !holdsAll(box, cut.Bound()) && len(cut) > 0 {
				t.Fatalf("seed %d: cut to %v but reaches %v", seed, box, cut.Bound())
			}
			sharedSides(t, seed, box, cut)
			// Cut once more, as tiles are halved again and again, nothing changes.
			if again := clipAreas(box, cut); math.Abs(multipolygon.Area(again)-multipolygon.Area(cut)) > 1e-9 {
				t.Fatalf("seed %d: cut twice, %v became %v", seed, multipolygon.Area(cut), multipolygon.Area(again))
			}
		}
		if want := multipolygon.Area(areas); math.Abs(total-want) > 1e-6 {
			t.Fatalf("seed %d: four quarters have an area of %v, want %v", seed, total, want)
		}
	}
}

// sharedSides fails where two rings run along the same stretch of a box's side.
func sharedSides(t *testing.T, seed uint64, box orb.Bound, areas orb.MultiPolygon) {
	t.Helper()
	for axis := range 2 {
		for _, at := range []float64{box.Min[axis], box.Max[axis]} {
			var spans [][2]float64
			for _, p := range areas {
				for _, r := range p {
					for i := 1; i < len(r); i++ {
						if r[i-1][axis] == at && r[i][axis] == at {
							a, b := r[i-1][1-axis], r[i][1-axis]
							spans = append(spans, [2]float64{min(a, b), max(a, b)})
						}
					}
				}
			}
			slices.SortFunc(spans, func(a, b [2]float64) int { return int(math.Copysign(1, a[0]-b[0])) })
			for i := 1; i < len(spans); i++ {
				if spans[i][0] < spans[i-1][1]-1e-12 {
					t.Fatalf("seed %d: two rings along one side: %v and %v", seed, spans[i-1], spans[i])
				}
			}
		}
	}
}
