package cch_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/importer/importertest"
	"github.com/waygate/waygate/realdata"
	"github.com/waygate/waygate/road/cch"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/profile"
	"github.com/waygate/waygate/road/search"
)

func BenchmarkDelaware(b *testing.B) {
	s := newState(b, importertest.Region(b, realdata.Delaware(b)))
	g := s.graph
	b.Logf("%d nodes, %d edges", g.Nodes(), g.Edges())
	b.Run("order", func(b *testing.B) {
		for b.Loop() {
			cch.Dissected(cch.Network(g))
		}
	})
	d, t := cch.Dissected(cch.Network(g)), s.topology
	b.Run("topology", func(b *testing.B) {
		for b.Loop() {
			cch.ContractedBy(g, d)
		}
	})
	b.Logf("%d ranks, %d arcs", len(t.Edge), len(t.Above))
	c, m := s.costing, s.metric
	base := c.Metric(profile.NewTurnIndex(g))
	b.Run("customise", func(b *testing.B) {
		for b.Loop() {
			cch.Customised(t, g, c, base)
		}
	})
	q := cch.NewQuery(t)
	plain := search.NewQuery(g)
	rng := rand.New(rand.NewPCG(1, 2))
	b.Run("query", func(b *testing.B) {
		for b.Loop() {
			q.Begin(m)
			q.From(graph.Edge(rng.IntN(int(g.Base))), 0)
			q.To(graph.Edge(rng.IntN(int(g.Base))), 0)
			q.Run(cch.Unreached)
		}
	})
	b.Run("path", func(b *testing.B) {
		var path []graph.Edge
		for b.Loop() {
			q.Begin(m)
			q.From(graph.Edge(rng.IntN(int(g.Base))), 0)
			q.To(graph.Edge(rng.IntN(int(g.Base))), 0)
			if cost, top := q.Run(cch.Unreached); cost != cch.Unreached {
				path = q.Path(path[:0], top)
			}
		}
	})
	b.Run("measure", func(b *testing.B) {
		for b.Loop() {
			t.Measure(c, m)
		}
	})
	x := t.Measure(c, m)
	table, costs := cch.NewTable(t), cch.Costs{Costing: c, Metric: m, Measures: x}
	for _, n := range []int{10, 100} {
		b.Run(fmt.Sprintf("table %d x %d", n, n), func(b *testing.B) {
			out := make([][]cch.Cell, n)
			for i := range out {
				out[i] = make([]cch.Cell, n)
			}
			for b.Loop() {
				if err := table.Run(b.Context(), costs, s.places(n), s.places(n), out); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("plain", func(b *testing.B) {
		for b.Loop() {
			from, to := graph.Edge(rng.IntN(int(g.Base))), graph.Edge(rng.IntN(int(g.Base)))
			if _, _, err := plain.Shortest(b.Context(), search.Weights{Costing: c, Metric: base}, []search.End{{Edge: from}}, []search.End{{Edge: to}}); err != nil {
				b.Fatal(err)
			}
		}
	})
}

var car = costing.Options{
	Costing: costing.Auto, TopSpeed: 140, UseFerry: 0.5, UseHighways: 0.5, UseTolls: 0.5, ServicePenalty: 15, ServiceFactor: 1,
	ManeuverPenalty: 5, DestinationOnlyPenalty: 60, FerryCost: 300,
}
