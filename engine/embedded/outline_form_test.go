package embedded_test

import (
	"math/rand/v2"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/realdata"
)

// TestFormOfOutlines checks that outlines of all requests are polygons: closed rings that run
// the right way, holes inside, and no lines that cross.
func TestFormOfOutlines(t *testing.T) {
	e := open(t, realdata.File(t, "osm/liechtenstein-bench.osm.pbf"))
	all := points(t)
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 8))
		c := costing.All[r.IntN(len(costing.All))]
		denoise, metres := r.Float64(), []float64{0, 10, 100, 1000, 20_000}[r.IntN(5)]
		asked := &engine.IsochroneRequest{Location: all[r.IntN(len(all))], Costing: c, Options: chosen(t, c, ""), Polygons: true, Reverse: r.IntN(2) == 0}
		for range 1 + r.IntN(3) {
			if r.IntN(2) == 0 {
				asked.Contours = append(asked.Contours, engine.Contour{Minutes: 1 + 30*r.Float64()})
			} else {
				asked.Contours = append(asked.Contours, engine.Contour{Kilometres: 0.2 + 10*r.Float64()})
			}
		}
		if r.IntN(3) > 0 {
			asked.Denoise = &denoise
		}
		if r.IntN(3) > 0 {
			asked.Generalize = &metres
		}
		a, err := e.Isochrone(t.Context(), asked)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range a.Outlines {
			checkForm(t, seed, o.Polygons)
		}
	}
}

func checkForm(t *testing.T, seed uint64, polygons []engine.Polygon) {
	t.Helper()
	var shapes []geo.Polygon
	for _, p := range polygons {
		outer := openRing(t, seed, p.Outer, true)
		shape := geo.Polygon{outer}
		around := geo.NewArea(geo.Polygon{outer})
		for _, h := range p.Holes {
			hole := openRing(t, seed, h, false)
			if shape = append(shape, hole); !around.Contains(hole[0]) {
				t.Errorf("seed %d: a hole at %v is outside of its ring", seed, hole[0])
			}
		}
		shapes = append(shapes, shape)
	}
	geo.NewArea(shapes...).Crossings(func(one, other geo.Corner, at geo.Point) bool {
		t.Errorf("seed %d: lines %v and %v cross at %v", seed, one, other, at)
		return false
	})
}

// openRing returns a ring without its last point, which is to be its first.
func openRing(t *testing.T, seed uint64, ring []geo.Point, outer bool) geo.Ring {
	t.Helper()
	if len(ring) < 4 || ring[0] != ring[len(ring)-1] {
		t.Fatalf("seed %d: a ring of %d points from %v to %v", seed, len(ring), ring[0], ring[len(ring)-1])
	}
	area := 0.0
	for i, b := range ring[1:] {
		a := ring[i]
		area += (a.Lon-ring[0].Lon)*(b.Lat-ring[0].Lat) - (b.Lon-ring[0].Lon)*(a.Lat-ring[0].Lat)
	}
	if area > 0 != outer {
		t.Errorf("seed %d: a ring of area %g, outer %v", seed, area, outer)
	}
	return geo.Ring(ring[:len(ring)-1])
}
