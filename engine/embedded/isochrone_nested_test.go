package embedded_test

import (
	"math/rand/v2"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/importer/importertest"
	"github.com/waygate/waygate/realdata"
	"github.com/waygate/waygate/road/contour/contourtest"
)

// TestContoursAreNested asks for several contours around random places, with all wishes:
// each lies inside of the next larger one of its kind, holes and all.
func TestContoursAreNested(t *testing.T) {
	for name, kernel := range map[string]func(*testing.T) *embedded.Engine{
		"county": func(t *testing.T) *embedded.Engine { return opened(t, importertest.County(t)) },
		"Malta":  func(t *testing.T) *embedded.Engine { return open(t, realdata.File(t, "osm/malta-20180827.osm.pbf")) },
	} {
		t.Run(name, func(t *testing.T) {
			e := kernel(t)
			nodes := e.Graph().Position
			for seed := range uint64(25) {
				r := rand.New(rand.NewPCG(seed, 11))
				c := []costing.Costing{costing.Auto, costing.Bicycle, costing.Pedestrian}[r.IntN(3)]
				asked := &engine.IsochroneRequest{
					Location: engine.Location{Point: nodes[r.IntN(len(nodes))].Point()}, Costing: c, Options: chosen(t, c, ""), Reverse: r.IntN(4) == 0,
					Contours: []engine.Contour{{Minutes: 5}, {Minutes: 10}, {Kilometres: 1}, {Kilometres: 3 + 5*r.Float64()}, {Minutes: 1 + 20*r.Float64()}},
				}
				if denoise := r.Float64(); r.IntN(2) == 0 {
					asked.Denoise = &denoise
				}
				if metres := []float64{0, 50, 200, 1000}[r.IntN(4)]; r.IntN(2) == 0 {
					asked.Generalize = &metres
				}
				a, err := e.Isochrone(t.Context(), asked)
				if err != nil {
					continue // nobody of this kind leaves from there
				}
				for i := 1; i < len(a.Outlines); i++ {
					outer, inner := a.Outlines[i-1], a.Outlines[i] // the largest comes first
					checkForm(t, seed, inner.Polygons)
					if (outer.Contour.Kilometres > 0) != (inner.Contour.Kilometres > 0) {
						continue
					}
					if at, ok := contourtest.Nested(ringsOf(inner), ringsOf(outer)); !ok {
						t.Errorf("seed %d, %s from %v: %+v lies outside of %+v at %v", seed, c, asked.Location.Point, inner.Contour, outer.Contour, at)
					}
				}
			}
		})
	}
}

func ringsOf(o engine.Outline) (rings [][]geo.Point) {
	for _, p := range o.Polygons {
		rings = append(append(rings, p.Outer), p.Holes...)
	}
	return rings
}
