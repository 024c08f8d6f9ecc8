package embedded_test

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/enginetest"
	"github.com/waygate/waygate/engine/valhalla"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/realdata"
)

// BenchmarkBentManyBesideValhalla works out matrices and isochrones on bent
// roads with the kernel in this process and with a real Valhalla in turn, and
// reports the medians. Valhalla answers through its HTTP front.
func BenchmarkBentManyBesideValhalla(b *testing.B) {
	extract := realdata.File(b, "osm/liechtenstein-bench.osm.pbf")
	e := open(b, extract)
	peer := valhalla.New(enginetest.StartValhalla(b, extract).URL, &http.Client{})
	all := points(b)
	morning := time.Date(2026, 9, 1, 8, 0, 0, 0, time.UTC)
	for name, bends := range map[string]engine.Conditions{
		"polygon": {ExcludePolygons: []geo.Ring{around(all[7].Point, 500)}},
		"depart":  {When: &engine.When{Type: engine.Depart, Local: morning}},
		"arrive":  {When: &engine.When{Type: engine.Arrive, Local: morning}},
	} {
		ways := map[string]func(engine.Engine) error{}
		for _, n := range []int{2, 5, 30, 100} {
			ways[fmt.Sprintf("matrix %d", n)] = func(m engine.Engine) error {
				_, err := m.Matrix(b.Context(), &engine.MatrixRequest{Sources: all[:n], Targets: all[:n], Costing: costing.Auto, Options: options(b, costing.Auto, "{}"), Conditions: bends})
				return err
			}
		}
		ways["isochrone"] = func(o engine.Engine) error {
			_, err := o.Isochrone(b.Context(), &engine.IsochroneRequest{
				Location: all[3], Costing: costing.Auto, Options: options(b, costing.Auto, "{}"), Contours: []engine.Contour{{Minutes: 10}}, Polygons: true,
				Reverse: name == "arrive", Conditions: bends,
			})
			return err
		}
		for what, ask := range ways {
			b.Run(name+"/"+what, func(b *testing.B) {
				if err := errors.Join(ask(e), ask(peer)); err != nil { // what is worked out once
					b.Skip(err)
				}
				var ours, theirs []time.Duration
				for b.Loop() {
					start := time.Now()
					err := ask(e)
					middle := time.Now()
					if err = errors.Join(err, ask(peer)); err != nil {
						b.Fatal(err)
					}
					ours, theirs = append(ours, middle.Sub(start)), append(theirs, time.Since(middle))
				}
				slices.Sort(ours)
				slices.Sort(theirs)
				b.ReportMetric(ours[len(ours)/2].Seconds()*1000, "ms")
				b.ReportMetric(theirs[len(theirs)/2].Seconds()*1000, "ms-valhalla")
			})
		}
	}
}
