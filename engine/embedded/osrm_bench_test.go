package embedded_test

import (
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/enginetest"
	"github.com/waygate/waygate/engine/valhalla"
	"github.com/waygate/waygate/realdata"
)

// guidedRequest asks for all that a navigation app asks for in OSRM's format.
func (p pair) guidedRequest(t testing.TB, c costing.Costing) *engine.RouteRequest {
	r := p.request(t, c)
	r.Output = engine.Output{
		Format: engine.OSRM, Steps: true, Overview: "full", Geometries: "polyline6", Voice: true, Banners: true,
		Annotations: engine.AnnotateDistance | engine.AnnotateDuration | engine.AnnotateSpeed,
	}
	return r
}

// BenchmarkGuided routes the pairs of Liechtenstein with everything a
// navigation app asks for, in this process.
func BenchmarkGuided(b *testing.B) {
	e := open(b, realdata.File(b, "osm/liechtenstein-bench.osm.pbf"))
	list := pairs(b)
	b.ReportAllocs()
	bytes := 0
	for i := 0; b.Loop(); i++ {
		text, err := written(e, list[i%len(list)].guidedRequest(b, costing.Auto))
		if err != nil {
			b.Fatal(err)
		}
		bytes += len(text)
	}
	b.ReportMetric(float64(bytes)/float64(b.N), "bytes/answer")
}

// BenchmarkGuidedBesideValhalla asks both for the same, in turn, with steps,
// voice, banners and annotations, and reports the medians and how many times
// longer Valhalla takes through its HTTP front.
func BenchmarkGuidedBesideValhalla(b *testing.B) {
	extract := realdata.File(b, "osm/liechtenstein-bench.osm.pbf")
	e := open(b, extract)
	peer := valhalla.New(enginetest.StartValhalla(b, extract).URL, &http.Client{})
	list := pairs(b)
	for _, c := range []costing.Costing{costing.Auto, costing.Pedestrian} {
		b.Run(c.String(), func(b *testing.B) {
			var ours, theirs []time.Duration
			for i := 0; b.Loop(); i++ {
				r := list[i%len(list)].guidedRequest(b, c)
				start := time.Now()
				_, ourErr := written(e, r)
				middle := time.Now()
				_, theirErr := written(peer, r)
				if ourErr == nil && theirErr == nil {
					ours, theirs = append(ours, middle.Sub(start)), append(theirs, time.Since(middle))
				}
			}
			if len(ours) == 0 {
				b.Fatal("no pair has a route on both")
			}
			slices.Sort(ours)
			slices.Sort(theirs)
			x, y := ours[len(ours)/2], theirs[len(theirs)/2]
			b.ReportMetric(y.Seconds()/x.Seconds(), "times")
			b.ReportMetric(float64(x.Microseconds()), "us/ours")
			b.ReportMetric(float64(y.Microseconds()), "us/valhalla")
		})
	}
}
