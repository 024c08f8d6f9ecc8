package embedded_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/importer/importertest"
	"github.com/waygate/waygate/realdata"
	"github.com/waygate/waygate/region/regiontest"
	"github.com/waygate/waygate/road/cch"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/guide"
	"github.com/waygate/waygate/road/profile"
	"github.com/waygate/waygate/road/search"
)

// BenchmarkGuidance compares what guidance costs with the search it follows,
// on the routes of median length among random ones in Delaware: the twenty in
// the middle of two hundred. A request's search snaps its ends and works out the
// path's times besides asking the hierarchy for it.
func BenchmarkGuidance(b *testing.B) {
	r := regiontest.Open(b, importertest.Region(b, realdata.Delaware(b)))
	g, err := graph.Open(r)
	if err != nil {
		b.Fatal(err)
	}
	topology, err := cch.OpenTopology(r)
	if err != nil {
		b.Fatal(err)
	}
	usual, err := cch.OpenMetrics(r, topology)
	if err != nil {
		b.Fatal(err)
	}
	car, metric := profile.New(g, costing.Default(costing.Auto)), usual[costing.Auto]
	router := cch.NewRouter(topology)
	type route struct {
		from, to []search.End
		path     graph.Path
	}
	random := rand.New(rand.NewPCG(1, 2))
	place := func() []search.End {
		for {
			if e := graph.Edge(random.IntN(int(g.Base))); car.Allowed(e) {
				return []search.End{{Edge: e, Along: 0.5}}
			}
		}
	}
	var routes []route
	for len(routes) < 200 {
		one := route{from: place(), to: place()}
		f, ok := router.Shortest(car, metric, one.from, one.to)
		if !ok {
			continue
		}
		for i, e := range f.Edges {
			s := graph.Step{Edge: e, End: 1}
			if i == 0 {
				s.Begin = 0.5
			}
			if i == len(f.Edges)-1 {
				s.End = 0.5
			}
			s.Seconds = car.Seconds(g.Original(e)) * (s.End - s.Begin)
			one.path = append(one.path, s)
		}
		routes = append(routes, one)
	}
	slices.SortFunc(routes, func(x, y route) int { return len(x.path) - len(y.path) })
	routes = routes[90:110]
	b.Logf("%d to %d edges", len(routes[0].path), len(routes[len(routes)-1].path))
	b.Run("request", func(b *testing.B) {
		e, err := embedded.New(r)
		if err != nil {
			b.Fatal(err)
		}
		var asked []*engine.RouteRequest
		for i := range routes {
			one := pair{from: middle(g, routes[i].from[0].Edge), to: middle(g, routes[i].to[0].Edge)}.request(b, costing.Auto)
			if _, _, err := e.Stages(b.Context(), one); err != nil {
				b.Fatal(err)
			}
			asked = append(asked, one)
		}
		var searched, guided []time.Duration
		for i := 0; b.Loop(); i++ {
			search, guidance, _ := e.Stages(b.Context(), asked[i%len(asked)])
			searched, guided = append(searched, search), append(guided, guidance)
		}
		slices.Sort(searched)
		slices.Sort(guided)
		b.ReportMetric(float64(searched[len(searched)/2].Nanoseconds())/1000, "µs-search")
		b.ReportMetric(float64(guided[len(guided)/2].Nanoseconds())/1000, "µs-guidance")
	})
	b.Run("hierarchy", func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			one := &routes[i%len(routes)]
			router.Shortest(car, metric, one.from, one.to)
		}
	})
	b.Run("line", func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			guide.Shape(g, routes[i%len(routes)].path)
		}
	})
	b.Run("manoeuvres", func(b *testing.B) {
		lines := make([]guide.Line, len(routes))
		for i := range routes {
			lines[i] = guide.Shape(g, routes[i].path)
		}
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			guide.Manoeuvres(g, routes[i%len(routes)].path, lines[i%len(routes)], guide.Options{})
		}
	})
}

// middle returns the place half-way along an edge.
func middle(g *graph.Graph, e graph.Edge) geo.Point {
	half := guide.Shape(g, graph.Path{{Edge: g.Original(e), End: 0.5}}).Points
	return half[len(half)-1]
}
