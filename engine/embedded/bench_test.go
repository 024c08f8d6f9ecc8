package embedded_test

import (
	"context"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/enginetest"
	remote "github.com/waygate/waygate/engine/valhalla"
	"github.com/waygate/waygate/importer"
	"github.com/waygate/waygate/realdata"
	"github.com/waygate/waygate/wire/valhalla"
)

// written returns an engine's answer to a request as it goes to a caller.
func written(e engine.Engine, r *engine.RouteRequest) ([]byte, error) {
	a, err := e.Route(context.Background(), r)
	if err != nil {
		return nil, err
	}
	return valhalla.WriteRoute(r, a)
}

// BenchmarkRoute routes the pairs of Liechtenstein in this process: snapping,
// search, guidance and JSON, no HTTP.
func BenchmarkRoute(b *testing.B) {
	e := open(b, realdata.File(b, "osm/liechtenstein-bench.osm.pbf"))
	list := pairs(b)
	for _, d := range []engine.Directions{engine.NoDirections, engine.Instructions} {
		b.Run(string(d), func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				r := list[i%len(list)].request(b, costing.Auto)
				r.Directions = d
				if _, err := written(e, r); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkBesideValhalla routes the same pairs with the kernel in this
// process and with a real Valhalla in turn, and reports how many times longer
// Valhalla takes. Valhalla answers through its HTTP front, which costs it
// about half a millisecond a request.
func BenchmarkBesideValhalla(b *testing.B) {
	extract := realdata.File(b, "osm/liechtenstein-bench.osm.pbf")
	e := open(b, extract)
	peer := remote.New(enginetest.StartValhalla(b, extract).URL, &http.Client{})
	list := pairs(b)
	for _, x := range []struct {
		costing    costing.Costing
		directions engine.Directions
	}{
		{costing.Auto, engine.Instructions},
		{costing.Truck, engine.Instructions},
		{costing.Bicycle, engine.Instructions},
		{costing.Pedestrian, engine.Instructions},
		{costing.Auto, engine.NoDirections},
	} {
		b.Run(fmt.Sprint(x.costing, "/", x.directions), func(b *testing.B) {
			var ours, theirs time.Duration
			for i := 0; b.Loop(); i++ {
				r := list[i%len(list)].request(b, x.costing)
				r.Directions = x.directions
				start := time.Now()
				_, ourErr := written(e, r)
				middle := time.Now()
				_, theirErr := written(peer, r)
				if ourErr != nil || theirErr != nil {
					continue // a pair that either refuses says nothing of speed
				}
				ours, theirs = ours+middle.Sub(start), theirs+time.Since(middle)
			}
			b.ReportMetric(theirs.Seconds()/ours.Seconds(), "times")
			b.ReportMetric(float64(ours.Microseconds())/float64(b.N), "us/ours")
			b.ReportMetric(float64(theirs.Microseconds())/float64(b.N), "us/valhalla")
		})
	}
}

// BenchmarkImport makes a region but for its map: the graph, its index, the
// hierarchy, the metrics of all seven costings and their bounds. It reports how
// that compares with the tiles and borders of a real Valhalla, which know the
// same of the roads and no metric.
func BenchmarkImport(b *testing.B) {
	for _, name := range []string{"liechtenstein-bench", "newport-wales-20230613"} {
		b.Run(name, func(b *testing.B) {
			extract := realdata.File(b, "osm/"+name+".osm.pbf")
			tiles, admins := enginetest.BuildValhalla(b, extract)
			for b.Loop() {
				o := importer.Options{Dir: b.TempDir(), Sources: []string{extract}, ID: "bench", NoMap: true}
				if _, err := importer.Run(context.Background(), o); err != nil {
					b.Fatal(err)
				}
			}
			ours := b.Elapsed().Seconds() / float64(b.N)
			b.ReportMetric(1000*tiles.Seconds(), "ms/tiles")
			b.ReportMetric(1000*admins.Seconds(), "ms/admins")
			b.ReportMetric(ours/(tiles+admins).Seconds(), "of-valhalla")
		})
	}
}
