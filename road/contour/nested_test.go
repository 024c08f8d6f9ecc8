package contour

import (
	"math/rand/v2"
	"testing"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/contour/contourtest"
	"github.com/waygate/waygate/road/search/searchtest"
)

// TestLevelsAreNested draws several levels of random roads with all wishes: what is
// within a lower one is within the next of its measure, exactly.
func TestLevelsAreNested(t *testing.T) {
	d := NewDrawer(NewPlane(47.05))
	common, islands := 0, 0
	for seed := range uint64(searchtest.Cases(120)) {
		r := rand.New(rand.NewPCG(seed, 9))
		strokes := county(r)
		o := Options{
			Denoise:   []float64{0, 0.02, 0.3, 1}[r.IntN(4)],
			Tolerance: []float64{-1, 0, 20, 100, 500}[r.IntN(5)],
		}
		var levels []Level
		limit := 100 * r.Float64()
		for range 2 + r.IntN(4) {
			limit += 200 * r.Float64()
			levels = append(levels, Level{Limit: limit, Slope: 0.1}, Level{Measure: Metres, Limit: 10 * limit, Slope: 1})
		}
		all, err := d.Draw(t.Context(), &Reached{Strokes: strokes}, levels, o)
		if err != nil {
			t.Fatal(err)
		}
		for i := range all {
			valid(t, seed, all[i])
			islands += max(0, len(all[i])-1)
			if i < 2 {
				continue
			}
			if at, ok := contourtest.Nested(ringsOf(all[i-2]), ringsOf(all[i])); !ok {
				t.Errorf("seed %d, %+v: at %v the level %+v lies outside of %+v", seed, o, at, levels[i-2], levels[i])
			}
			common += inCommon(all[i-2], all[i])
		}
	}
	if common < 1000 || islands < 100 {
		t.Errorf("%d points in common, %d islands more than one: the cases prove too little", common, islands)
	}
}

// inCommon counts the points that two levels have in common.
func inCommon(inner, outer []Polygon) (n int) {
	of := map[geo.Point]bool{}
	for _, r := range ringsOf(outer) {
		for _, p := range r {
			of[p] = true
		}
	}
	for _, r := range ringsOf(inner) {
		for _, p := range r[1:] {
			if of[p] {
				n++
			}
		}
	}
	return n
}

func ringsOf(polygons []Polygon) (rings [][]geo.Point) {
	for _, p := range polygons {
		rings = append(rings, p.Outer)
		for _, h := range p.Holes {
			rings = append(rings, h)
		}
	}
	return rings
}
