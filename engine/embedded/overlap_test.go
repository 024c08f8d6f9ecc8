package embedded_test

import (
	"net/http"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/enginetest"
	"github.com/waygate/waygate/engine/valhalla"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/realdata"
)

// TestIsochronesOverlapValhalla compares outlines with those of a real
// Valhalla: how large they are, and how much of both is in both.
func TestIsochronesOverlapValhalla(t *testing.T) {
	t.Parallel()
	extract := realdata.File(t, "osm/liechtenstein-bench.osm.pbf")
	e := open(t, extract)
	peer := valhalla.New(enginetest.StartValhalla(t, extract).URL, &http.Client{})
	all := points(t)
	for _, c := range []struct {
		costing costing.Costing
		minutes float64
		reverse bool
	}{
		{costing.Auto, 5, false},
		{costing.Auto, 15, false},
		{costing.Auto, 15, true},
		{costing.Truck, 15, false},
		{costing.Bicycle, 15, false},
		{costing.Pedestrian, 15, false},
		{costing.Pedestrian, 45, true},
	} {
		for _, denoise := range []float64{0, 1} {
			ours, theirs, both := 0, 0, 0
			for i := 0; i < len(all); i += 10 {
				r := &engine.IsochroneRequest{
					Location: all[i], Costing: c.costing, Options: chosen(t, c.costing, ""), Contours: []engine.Contour{{Minutes: c.minutes}},
					Polygons: true, Reverse: c.reverse, Denoise: &denoise,
				}
				a, err := e.Isochrone(t.Context(), r)
				if err != nil {
					t.Fatal(err)
				}
				b, err := peer.Isochrone(t.Context(), r)
				if err != nil {
					t.Fatal(err)
				}
				mine, other := enginetest.ReadArea(t, r, a)[0], enginetest.ReadArea(t, r, b)[0]
				x, y, z := compared(mine, other)
				ours, theirs, both = ours+x, theirs+y, both+z
			}
			size, overlap := float64(ours)/float64(theirs), float64(both)/float64(ours+theirs-both)
			t.Logf("%s, %g min, reverse %v, denoise %g: %.2f of Valhalla's area, overlap %.2f", c.costing, c.minutes, c.reverse, denoise, size, overlap)
			if size < 0.6 || size > 1.6 || overlap < 0.5 {
				t.Errorf("%s, %g min, reverse %v, denoise %g: %.2f of Valhalla's area, overlap %.2f", c.costing, c.minutes, c.reverse, denoise, size, overlap)
			}
		}
	}
}

// compared counts the points of a lattice in one area, in the other, in both.
func compared(a, b enginetest.Area) (inA, inB, both int) {
	box := a.Bounds().Union(b.Bounds())
	const across = 120
	for i := range across {
		for j := range across {
			p := geo.Point{
				Lon: box.Min.Lon + (box.Max.Lon-box.Min.Lon)*(float64(i)+0.5)/across,
				Lat: box.Min.Lat + (box.Max.Lat-box.Min.Lat)*(float64(j)+0.5)/across,
			}
			x, y := a.Contains(p), b.Contains(p)
			if x {
				inA++
			}
			if y {
				inB++
			}
			if x && y {
				both++
			}
		}
	}
	return inA, inB, both
}
