package embedded_test

import (
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/enginetest"
	"github.com/waygate/waygate/realdata"
)

// TestWholeRoadsDrawAlike compares outlines with those for which every road was
// searched and drawn by itself.
func TestWholeRoadsDrawAlike(t *testing.T) {
	t.Parallel()
	e := open(t, realdata.File(t, "osm/liechtenstein-bench.osm.pbf"))
	all := points(t)
	for _, contours := range [][]engine.Contour{
		{{Minutes: 15}},
		{{Minutes: 5}, {Minutes: 10}, {Minutes: 20}, {Minutes: 20}},
		{{Kilometres: 4}, {Kilometres: 12}},
		{{Minutes: 10}, {Kilometres: 5}},
	} {
		for i := 0; i < len(all); i += 20 {
			for _, c := range []costing.Costing{costing.Auto, costing.Pedestrian} {
				none := 0.0
				r := &engine.IsochroneRequest{
					Location: all[i], Costing: c, Options: chosen(t, c, ""), Contours: contours, Polygons: true, Reverse: i%40 == 0, Denoise: &none, Generalize: &none,
				}
				got, err := e.Isochrone(t.Context(), r)
				if err != nil {
					t.Fatal(err)
				}
				want, err := e.StrokeByStroke(t.Context(), r)
				if err != nil {
					t.Fatal(err)
				}
				// A road whose other direction is drawn as a whole may be drawn in part
				// once more, with samples of its own; and a road of a block, which is drawn on
				// the finest grid, has cells of coarser ones that it touches only at a corner.
				mine, other := enginetest.ReadArea(t, r, got), enginetest.ReadArea(t, r, want)
				for j := range contours {
					x, y, both := compared(mine[j], other[j])
					if both < 100 || float64(both) < 0.98*float64(x+y-both) {
						t.Errorf("point %d, %s, %v: %d of a lattice within, %d road by road, %d in both", i, c, r.Contours[j], x, y, both)
					}
				}
			}
		}
	}
}
