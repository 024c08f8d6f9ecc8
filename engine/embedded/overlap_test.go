package embedded_test

import (
	"math"
	"math/rand/v2"
	"net/http"
	"slices"
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

// across is how many points a lattice has in a row, and how many rows.
const across = 120

// compared counts the points of a lattice in one area, in the other, in both.
func compared(a, b enginetest.Area) (inA, inB, both int) {
	box := a.Bounds().Union(b.Bounds())
	x, y := lattice(a, box), lattice(b, box)
	for i := range x {
		if x[i] {
			inA++
		}
		if y[i] {
			inB++
		}
		if x[i] && y[i] {
			both++
		}
	}
	return inA, inB, both
}

// lattice returns which points of a lattice over a box are in an area, row by row. Each
// row counts where the rings cross it, once for all of its points.
func lattice(a enginetest.Area, box geo.Bounds) []bool {
	in := make([]bool, across*across)
	width, height := (box.Max.Lon-box.Min.Lon)/across, (box.Max.Lat-box.Min.Lat)/across
	row := func(lat float64) int { // the first at or above a latitude
		return min(max(int(math.Ceil((lat-box.Min.Lat)/height-0.5)), 0), across)
	}
	for _, rings := range a.Polygons {
		var crossed [across][]float64
		for _, r := range rings {
			for i := 1; i < len(r); i++ {
				x, y := r[i-1], r[i]
				for j := row(min(x[1], y[1])); j < row(max(x[1], y[1])); j++ {
					lat := box.Min.Lat + height*(float64(j)+0.5)
					crossed[j] = append(crossed[j], x[0]+(lat-x[1])/(y[1]-x[1])*(y[0]-x[0]))
				}
			}
		}
		for j, at := range crossed {
			slices.Sort(at)
			west := 0
			for i := range across {
				lon := box.Min.Lon + width*(float64(i)+0.5)
				for west < len(at) && at[west] <= lon {
					west++
				}
				in[j*across+i] = in[j*across+i] || (len(at)-west)%2 == 1
			}
		}
	}
	return in
}

// TestLattice compares a lattice with its points, one by one.
func TestLattice(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(5, 8))
	ring := func() enginetest.Line {
		var l enginetest.Line
		for range 3 + r.IntN(20) {
			l = append(l, [2]float64{r.Float64(), r.Float64()})
		}
		return append(l, l[0])
	}
	box := geo.Bounds{Min: geo.Point{Lon: 0.1, Lat: 0.2}, Max: geo.Point{Lon: 0.95, Lat: 1.1}}
	for range 10 {
		a := enginetest.Area{Polygons: [][]enginetest.Line{{ring(), ring()}, {ring()}}}
		for i, in := range lattice(a, box) {
			p := geo.Point{
				Lon: box.Min.Lon + (box.Max.Lon-box.Min.Lon)*(float64(i%across)+0.5)/across,
				Lat: box.Min.Lat + (box.Max.Lat-box.Min.Lat)*(float64(i/across)+0.5)/across,
			}
			if in != a.Contains(p) {
				t.Fatalf("%v: %v in the lattice", p, in)
			}
		}
	}
}
