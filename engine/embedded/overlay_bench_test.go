package embedded_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"testing"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/enginetest"
	"github.com/waygate/waygate/engine/valhalla"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/realdata"
	"github.com/waygate/waygate/road/search/searchtest"
)

// bent changes the i-th request of a benchmark.
type bent struct {
	name   string
	change func(tb testing.TB, r *engine.RouteRequest, i int)
}

func options(tb testing.TB, c costing.Costing, text string) costing.Settings {
	tb.Helper()
	var raw map[string]json.RawMessage
	if err := json.Unmarshal([]byte(text), &raw); err != nil {
		tb.Fatal(err)
	}
	s, unknown, bad := costing.Parse(c, raw, "")
	if len(unknown)+len(bad) > 0 {
		tb.Fatal(unknown, bad)
	}
	return s
}

var everyBend = []bent{
	{"usual", func(testing.TB, *engine.RouteRequest, int) {}},
	{"options", func(tb testing.TB, r *engine.RouteRequest, _ int) {
		r.Options = options(tb, r.Costing, `{"use_highways": 0.3, "use_tolls": 0.2, "top_speed": 100, "service_penalty": 30}`)
	}},
	{"one-off options", oneOff},
	{"depart", func(_ testing.TB, r *engine.RouteRequest, i int) {
		r.When = &engine.When{Type: engine.Depart, Local: time.Date(2026, 9, 1, i%24, 0, 0, 0, time.UTC)}
	}},
	{"arrive", func(_ testing.TB, r *engine.RouteRequest, i int) {
		r.When = &engine.When{Type: engine.Arrive, Local: time.Date(2026, 9, 1, i%24, 0, 0, 0, time.UTC)}
	}},
	{"polygon", func(_ testing.TB, r *engine.RouteRequest, _ int) { r.ExcludePolygons = []geo.Ring{between(r, 0.5)} }},
	{"one-off options and polygon", func(tb testing.TB, r *engine.RouteRequest, i int) {
		oneOff(tb, r, i)
		r.ExcludePolygons = []geo.Ring{between(r, 0.5)}
	}},
}

// oneOff gives options that no other request has.
func oneOff(tb testing.TB, r *engine.RouteRequest, i int) {
	v := rand.New(rand.NewPCG(uint64(i), 1))
	r.Options = options(tb, r.Costing, fmt.Sprintf(`{"use_highways": %.4f, "use_tolls": %.4f, "top_speed": %d, "service_penalty": %d}`, v.Float64(), v.Float64(), 80+v.IntN(60), v.IntN(200)))
}

// between returns a square of 800 m around a place on the line between the ends of
// a request.
func between(r *engine.RouteRequest, share float64) geo.Ring {
	a, b := r.Locations[0].Point, r.Locations[1].Point
	lon, lat := a.Lon+(b.Lon-a.Lon)*share, a.Lat+(b.Lat-a.Lat)*share
	const x, y = 0.0053, 0.0036
	return geo.Ring{{Lon: lon - x, Lat: lat - y}, {Lon: lon + x, Lat: lat - y}, {Lon: lon + x, Lat: lat + y}, {Lon: lon - x, Lat: lat + y}}
}

// BenchmarkBentBesideValhalla routes pairs of Liechtenstein with what bends the
// roads, here and by a real Valhalla in turn. See BenchmarkBesideValhalla.
func BenchmarkBentBesideValhalla(b *testing.B) {
	extract := realdata.File(b, "osm/liechtenstein-bench.osm.pbf")
	e := open(b, extract)
	peer := valhalla.New(enginetest.StartValhalla(b, extract).URL, &http.Client{})
	list := pairs(b)
	for _, x := range everyBend {
		b.Run(x.name, func(b *testing.B) {
			var ours, theirs time.Duration
			both := 0
			for i := 0; b.Loop(); i++ {
				r := list[i%len(list)].request(b, costing.Auto)
				r.Directions = engine.NoDirections
				x.change(b, r, i)
				start := time.Now()
				_, ourErr := e.Route(context.Background(), r)
				middle := time.Now()
				_, theirErr := peer.Route(context.Background(), r)
				if ourErr != nil || theirErr != nil {
					continue // a pair that either refuses says nothing of speed
				}
				both++
				ours, theirs = ours+middle.Sub(start), theirs+time.Since(middle)
			}
			b.ReportMetric(theirs.Seconds()/ours.Seconds(), "times")
			b.ReportMetric(float64(ours.Microseconds())/float64(both), "us/ours")
			b.ReportMetric(float64(theirs.Microseconds())/float64(both), "us/valhalla")
			b.ReportMetric(float64(both)/float64(b.N), "answered")
		})
	}
}

// TestBentRoutesAreExact compares requests led by the hierarchy with the same
// on a kernel that has none: the costs must be equal.
func TestBentRoutesAreExact(t *testing.T) {
	e := open(t, realdata.File(t, "osm/liechtenstein-bench.osm.pbf"))
	plain := e.WithoutHierarchy()
	list := pairs(t)
	cost := func(r *engine.RouteRequest, from interface {
		Route(context.Context, *engine.RouteRequest) (*engine.RouteAnswer, error)
	},
	) float64 {
		t.Helper()
		r.Want = engine.WantLine
		a, err := from.Route(t.Context(), r)
		if engine.Code(err) == engine.CodeNoRoute {
			return -1
		}
		if err != nil {
			t.Fatal(err)
		}
		return a.Routes[0].Cost
	}
	for _, x := range everyBend {
		found, asked := 0, searchtest.Cases(len(list)/20)
		for k := range asked {
			i := k * len(list) / asked
			r := list[i].request(t, costing.Auto)
			r.Directions = engine.NoDirections
			x.change(t, r, i)
			e.SetSearches(512, 32*(k%2)) // every other one from both ends at once
			got, want := cost(r, e), cost(r, plain)
			if d := got - want; d > 0.5 || d < -0.5 {
				t.Errorf("%s, pair %d: cost %g, without the hierarchy %g", x.name, i, got, want)
			}
			if got > 0 {
				found++
			}
		}
		if found < asked*3/5 {
			t.Errorf("%s: only %d routes", x.name, found)
		}
	}
}
