package cch_test

import (
	"math/rand/v2"
	"testing"

	"github.com/waygate/waygate/importer"
	"github.com/waygate/waygate/realdata"
	"github.com/waygate/waygate/region"
	"github.com/waygate/waygate/road/cch"
	"github.com/waygate/waygate/road/cch/order"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/profile"
	"github.com/waygate/waygate/road/search"
)

// network imports an extract and opens its graph.
func network(tb testing.TB, extract string) *graph.Graph {
	tb.Helper()
	dir := tb.TempDir()
	if _, err := importer.Run(tb.Context(), importer.Options{Dir: dir, Sources: []string{extract}, ID: "bench", NoMap: true}); err != nil {
		tb.Fatal(err)
	}
	r, err := region.Open(dir)
	if err != nil {
		tb.Fatal(err)
	}
	g, err := graph.Open(r)
	if err != nil {
		tb.Fatal(err)
	}
	return g
}

func BenchmarkDelaware(b *testing.B) {
	g := network(b, realdata.Delaware(b))
	b.Logf("%d nodes, %d edges", g.Nodes(), g.Edges())
	var d *order.Dissection
	b.Run("order", func(b *testing.B) {
		for b.Loop() {
			d = order.Dissect(cch.Network(g))
		}
	})
	for i, l := range d.Levels[:12] {
		b.Logf("%d: %+v", i, l)
	}
	var t *cch.Topology
	b.Run("topology", func(b *testing.B) {
		for b.Loop() {
			t = cch.NewTopology(g, d.Roads)
		}
	})
	b.Logf("%d ranks, %d arcs", len(t.Edge), len(t.Head))
	c := profile.New(g, car)
	base := c.Metric(profile.NewTurnIndex(g))
	var m *cch.Metric
	b.Run("customise", func(b *testing.B) {
		for b.Loop() {
			m = t.Customise(g, c, base)
		}
	})
	q := cch.NewQuery(t)
	plain := search.NewQuery(g)
	rng := rand.New(rand.NewPCG(1, 2))
	b.Run("query", func(b *testing.B) {
		for b.Loop() {
			q.Begin(m)
			q.From(uint32(rng.IntN(int(g.Base))), 0)
			q.To(uint32(rng.IntN(int(g.Base))), 0)
			q.Run(cch.Unreached)
		}
	})
	b.Run("path", func(b *testing.B) {
		var path []uint32
		for b.Loop() {
			q.Begin(m)
			q.From(uint32(rng.IntN(int(g.Base))), 0)
			q.To(uint32(rng.IntN(int(g.Base))), 0)
			if cost, top := q.Run(cch.Unreached); cost != cch.Unreached {
				path = q.Path(path[:0], top)
			}
		}
	})
	b.Run("plain", func(b *testing.B) {
		for b.Loop() {
			from, to := uint32(rng.IntN(int(g.Base))), uint32(rng.IntN(int(g.Base)))
			if _, _, err := plain.Shortest(b.Context(), search.Weights{Costing: c, Metric: base}, []search.End{{Edge: from}}, []search.End{{Edge: to}}); err != nil {
				b.Fatal(err)
			}
		}
	})
}

var car = profile.Options{
	Kind: profile.Auto, TopSpeed: 140, UseFerry: 0.5, UseHighways: 0.5, UseTolls: 0.5, ServicePenalty: 15, ServiceFactor: 1,
	ManeuverPenalty: 5, DestinationOnlyPenalty: 60, FerryCost: 300,
}
