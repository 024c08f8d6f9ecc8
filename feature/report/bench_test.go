package report_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded"
	"github.com/waygate/waygate/feature/report"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/importer"
	"github.com/waygate/waygate/realdata"
	"github.com/waygate/waygate/region/regiontest"
	"github.com/waygate/waygate/wire/valhalla"
)

// liechtenstein opens the kernel on the country and gives random journeys there
// that have a route.
func liechtenstein(t testing.TB, journeys int) (*embedded.Engine, [][]geo.Point) {
	t.Helper()
	dir := t.TempDir()
	if _, err := importer.Run(t.Context(), importer.Options{Dir: dir, Sources: []string{realdata.File(t, "osm/liechtenstein-bench.osm.pbf")}, ID: "bench", NoMap: true}); err != nil {
		t.Fatal(err)
	}
	e, err := embedded.New(regiontest.Open(t, dir))
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	place := func() geo.Point { return geo.Point{Lon: 9.48 + 0.14*r.Float64(), Lat: 47.06 + 0.2*r.Float64()} }
	var list [][]geo.Point
	for len(list) < journeys {
		stops := []geo.Point{place(), place()}
		if _, err := e.Route(t.Context(), asked(stops)); err == nil {
			list = append(list, stops)
		}
	}
	return e, list
}

func asked(stops []geo.Point) *engine.RouteRequest {
	settings, _, _ := costing.Parse(costing.Auto, nil, "")
	return &engine.RouteRequest{Costing: costing.Auto, Options: settings, Locations: engine.Stops(stops), Output: engine.Output{Format: engine.Native, Directions: engine.NoDirections}}
}

// BenchmarkReportBesideRoute requests random routes in Liechtenstein and reports of them in
// turn, and reports the medians and how many times longer the report takes.
func BenchmarkReportBesideRoute(b *testing.B) {
	e, journeys := liechtenstein(b, 400)
	s := &report.Service{Engine: e}
	var routes, reports []time.Duration
	for i := 0; b.Loop(); i++ {
		q := asked(journeys[i%len(journeys)])
		begin := time.Now()
		a, err := e.Route(b.Context(), q)
		if err == nil {
			_, err = valhalla.WriteRoute(q, a)
		}
		if err != nil {
			b.Fatal(err)
		}
		middle := time.Now()
		if _, err := s.Of(b.Context(), &report.Request{Stops: journeys[i%len(journeys)], Costing: q.Costing, Options: q.Options}); err != nil {
			b.Fatal(err)
		}
		routes, reports = append(routes, middle.Sub(begin)), append(reports, time.Since(middle))
	}
	slices.Sort(routes)
	slices.Sort(reports)
	x, y := routes[len(routes)/2], reports[len(reports)/2]
	b.ReportMetric(float64(x.Microseconds()), "us/route")
	b.ReportMetric(float64(y.Microseconds()), "us/report")
	b.ReportMetric(y.Seconds()/x.Seconds(), "times")
}
