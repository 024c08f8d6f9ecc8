package embedded_test

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/enginetest"
	remote "github.com/waygate/waygate/engine/valhalla"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/realdata"
	"github.com/waygate/waygate/wire/valhalla"
)

// traces500 are requests for a drive of 500 positions through Liechtenstein,
// with the noise of twenty drives of it.
func traces500(tb testing.TB) []*engine.MatchRequest {
	tb.Helper()
	text, err := os.ReadFile(realdata.Beside(tb, "peers/trace500.json"))
	if err != nil {
		tb.Fatal(err)
	}
	var file struct{ Noisy [][][2]float64 }
	if err := json.Unmarshal(text, &file); err != nil {
		tb.Fatal(err)
	}
	var list []*engine.MatchRequest
	for _, line := range file.Noisy {
		r := &engine.MatchRequest{How: engine.MapSnap, Costing: costing.Auto, Output: engine.Output{Format: engine.Native, Directions: engine.NoDirections}}
		r.Options, _, _ = costing.Parse(r.Costing, nil, "") // none are never in the wrong
		for _, p := range line {
			r.Trace = append(r.Trace, engine.TracePoint{Point: geo.Point{Lon: p[0], Lat: p[1]}})
		}
		list = append(list, r)
	}
	return list
}

// asks returns the questions about a trace, answered as they go to a caller.
func asks(m engine.Engine) map[string]func(context.Context, *engine.MatchRequest) ([]byte, error) {
	return map[string]func(context.Context, *engine.MatchRequest) ([]byte, error){
		"route": func(ctx context.Context, r *engine.MatchRequest) ([]byte, error) {
			a, err := m.TraceRoute(ctx, r)
			if err != nil {
				return nil, err
			}
			return valhalla.WriteTrace(r, a)
		},
		"attributes": func(ctx context.Context, r *engine.MatchRequest) ([]byte, error) {
			a, err := m.TraceAttributes(ctx, r)
			if err != nil {
				return nil, err
			}
			return valhalla.WriteAttributes(r, a)
		},
	}
}

// BenchmarkMatch matches 500 positions in this process.
func BenchmarkMatch(b *testing.B) {
	e := open(b, realdata.File(b, "osm/liechtenstein-bench.osm.pbf"))
	list := traces500(b)
	for name, ask := range asks(e) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if _, err := ask(b.Context(), list[i%len(list)]); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkMatchBesideValhalla matches the same traces with the kernel in this
// process and with a real Valhalla in turn, and compares
// the medians.
func BenchmarkMatchBesideValhalla(b *testing.B) {
	extract := realdata.File(b, "osm/liechtenstein-bench.osm.pbf")
	e := open(b, extract)
	peer := remote.New(enginetest.StartValhalla(b, extract).URL, &http.Client{})
	list := traces500(b)
	theirs := asks(peer)
	for name, ours := range asks(e) {
		b.Run(name, func(b *testing.B) {
			var spent [2][]time.Duration
			for i := 0; b.Loop(); i++ {
				for k, ask := range []func(context.Context, *engine.MatchRequest) ([]byte, error){ours, theirs[name]} {
					began := time.Now()
					if _, err := ask(b.Context(), list[i%len(list)]); err != nil {
						b.Fatal(err)
					}
					spent[k] = append(spent[k], time.Since(began))
				}
			}
			for k := range spent {
				slices.Sort(spent[k])
			}
			x, y := spent[0][len(spent[0])/2], spent[1][len(spent[1])/2]
			b.ReportMetric(y.Seconds()/x.Seconds(), "times")
			b.ReportMetric(float64(x.Microseconds()), "us/ours")
			b.ReportMetric(float64(y.Microseconds()), "us/valhalla")
		})
	}
}
