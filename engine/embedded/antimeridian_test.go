package embedded_test

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded"
	"github.com/waygate/waygate/engine/enginetest"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/importer"
	"github.com/waygate/waygate/importer/importertest"
	"github.com/waygate/waygate/osm"
)

// townAt draws 12 by 12 streets, 300 m apart and slightly crooked, in the ocean
// around a longitude.
func townAt(t *testing.T, lon float64) *embedded.Engine {
	t.Helper()
	const n = 12
	d := &osm.Data{}
	id := func(x, y int) int64 { return int64(1 + x*n + y) }
	for x := range n {
		for y := range n {
			at := townPoint(lon, float64(x)+0.2*math.Sin(float64(3*y)), float64(y)+0.2*math.Sin(float64(5*x))).Fix()
			d.Nodes = append(d.Nodes, osm.Node{ID: id(x, y), Lon: at.Lon, Lat: at.Lat})
		}
	}
	for i := range n {
		across := osm.Way{ID: int64(1 + i), Tags: osm.Tags{{Key: "highway", Value: "residential"}}}
		along := osm.Way{ID: int64(101 + i), Tags: osm.Tags{{Key: "highway", Value: "tertiary"}}}
		for k := range n {
			across.Nodes, along.Nodes = append(across.Nodes, id(k, i)), append(along.Nodes, id(i, k))
		}
		d.Ways = append(d.Ways, across, along)
	}
	path := filepath.Join(t.TempDir(), "town.osm.pbf")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(osm.WritePBF(f, d), f.Close()); err != nil {
		t.Fatal(err)
	}
	return opened(t, importertest.Import(t, importer.Options{Sources: []string{path}, NoMap: true}))
}

// townPoint returns a place in the town, in streets from its south-western corner.
func townPoint(lon, x, y float64) geo.Point {
	p := geo.Point{Lon: lon + (x-5.5)*0.0027, Lat: 5 + (y-5.5)*0.0027}
	if p.Lon > 180 {
		p.Lon -= 360
	}
	return p
}

// TestAntimeridian asks the same of a town across the antimeridian and of its like
// elsewhere.
func TestAntimeridian(t *testing.T) {
	const elsewhere = -150.0
	here, there := townAt(t, 180), townAt(t, elsewhere)
	var atHere, atThere []engine.Location
	for i := range 40 {
		x, y := math.Mod(float64(i)*7.31, 11), math.Mod(float64(i)*4.73, 11)
		atHere = append(atHere, engine.Location{Point: townPoint(180, x, y)})
		atThere = append(atThere, engine.Location{Point: townPoint(elsewhere, x, y)})
	}
	for _, by := range []costing.Costing{costing.Auto, costing.Pedestrian} {
		ask := func(e *engine.MatrixAnswer, err error) *engine.MatrixAnswer {
			if err != nil {
				t.Fatal(err)
			}
			return e
		}
		options := chosen(t, by, "")
		a := ask(here.Matrix(t.Context(), &engine.MatrixRequest{Costing: by, Options: options, Sources: atHere, Targets: atHere}))
		b := ask(there.Matrix(t.Context(), &engine.MatrixRequest{Costing: by, Options: options, Sources: atThere, Targets: atThere}))
		sumHere, sumThere := 0.0, 0.0
		for i := range a.Cells {
			for k := range a.Cells[i] {
				x, y := a.Cells[i][k], b.Cells[i][k]
				sumHere, sumThere = sumHere+x.Seconds, sumThere+y.Seconds
				if x.Reached != y.Reached || by == costing.Pedestrian && math.Abs(x.Metres-y.Metres)+math.Abs(x.Seconds-y.Seconds) > 5 {
					t.Errorf("%s from %v to %v: %+v, elsewhere %+v", by, atHere[i].Point, atHere[k].Point, x, y)
				}
			}
		}
		// How dense roads are, which cars pay for, is judged in cells that lie otherwise there.
		if sumHere < 0.98*sumThere || sumHere > 1.02*sumThere {
			t.Errorf("%s: %.0f s in all, elsewhere %.0f", by, sumHere, sumThere)
		}
		for i := range 10 {
			x := area(t, here, by, atHere[i])
			y := area(t, there, by, atThere[i])
			if x < 0.9*y || x > 1.1*y {
				t.Errorf("%s from %v: %.4f square km are within reach, elsewhere %.4f", by, atHere[i].Point, x, y)
			}
		}
	}
	// Around a ring across it, and beside a ring that ends before it; the box of the way is round it.
	for _, corners := range [][4]float64{{4.2, 4.2, 6.7, 6.7}, {2.2, 2.2, 5.2, 8.7}} {
		route := func(e *engine.RouteAnswer, err error) engine.Sums {
			if err != nil {
				t.Fatal(err)
			}
			return e.Routes[0].Legs[0].Sums
		}
		request := func(lon float64) *engine.RouteRequest {
			at := func(x, y float64) geo.Point { return townPoint(lon, x, y) }
			q := &engine.RouteRequest{Costing: costing.Pedestrian, Options: chosen(t, costing.Pedestrian, ""), Locations: []engine.Location{{Point: at(1, 5.5)}, {Point: at(10, 5.5)}}}
			q.ExcludePolygons = []geo.Ring{{at(corners[0], corners[1]), at(corners[2], corners[1]), at(corners[2], corners[3]), at(corners[0], corners[3])}}
			return q
		}
		a, b := route(here.Route(t.Context(), request(180))), route(there.Route(t.Context(), request(elsewhere)))
		if math.Abs(a.Metres-b.Metres) > 5 || math.Abs(a.Bounds.Width()-b.Bounds.Width()) > 1e-6 || !a.Bounds.Crosses() {
			t.Errorf("around %v: %.0f m in %v, elsewhere %.0f in %v", corners, a.Metres, a.Bounds, b.Metres, b.Bounds)
		}
	}
}

// area returns the area within three minutes of a place, in square kilometres.
func area(t *testing.T, e *embedded.Engine, by costing.Costing, from engine.Location) float64 {
	t.Helper()
	r := &engine.IsochroneRequest{Location: from, Costing: by, Options: chosen(t, by, ""), Contours: []engine.Contour{{Minutes: 3}}, Polygons: true}
	answer, err := e.Isochrone(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for _, polygon := range enginetest.ReadArea(t, r, answer)[0].Polygons {
		for _, ring := range polygon {
			for i := 1; i < len(ring); i++ {
				if math.Abs(ring[i][0]) > 180 || math.Abs(ring[i][0]-ring[i-1][0]) > 1 {
					t.Errorf("%s from %v: a line from %v to %v", by, from.Point, ring[i-1], ring[i])
				}
				sum += (ring[i-1][0]*ring[i][1] - ring[i][0]*ring[i-1][1]) / 2 * 111.2 * 111.2
			}
		}
	}
	return sum
}
