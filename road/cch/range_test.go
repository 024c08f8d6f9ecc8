package cch_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/waygate/waygate/road/cch"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/profile"
	"github.com/waygate/waygate/road/search"
	"github.com/waygate/waygate/road/search/searchtest"
)

// TestRangeQuery compares trees from the hierarchy with those of the plain search:
// without a bound by their costs, with one by what lies within.
func TestRangeQuery(t *testing.T) {
	boundless := search.Measure{Millis: math.MaxUint32, Decimetres: math.MaxUint32}
	compared, all, cases := 0, 0, searchtest.Cases(200)
	for drawn := range searchtest.Draw(cases, 8, searchtest.Random) {
		seed, r, n := drawn.Seed, drawn.Rand, drawn.Network
		topology := cch.Contracted(n.Graph)
		opt := car
		opt.ExcludeTunnels, opt.UseHighways = r.IntN(2) == 0, r.Float64()
		c := profile.New(n.Graph, opt)
		m := cch.Customised(topology, n.Graph, c, c.Metric(profile.NewTurnIndex(n.Graph)))
		costs := cch.Costs{Costing: c, Metric: m, Measures: topology.Measure(c, m)}
		fast, plain := cch.NewRangeQuery(topology), search.NewTree(n.Graph)
		for range 3 {
			place := []search.End{n.End(r, c), n.End(r, c)}
			for _, bound := range []search.Measure{boundless, {Millis: r.Uint32N(100_000)}, {Decimetres: r.Uint32N(20_000)}} {
				got, err := fast.From(t.Context(), costs, place, cch.RangeLimits{Bound: bound})
				if err != nil {
					t.Fatal(err)
				}
				want, err := plain.From(t.Context(), search.Weights{Costing: c}, place, bound)
				if err != nil {
					t.Fatal(err)
				}
				all, compared = all+max(len(got), len(want)), compared+sameTree(t, seed, got, want)
				if got, err = fast.Back(t.Context(), costs, place, cch.RangeLimits{Bound: bound}); err != nil {
					t.Fatal(err)
				}
				if want, err = plain.Back(t.Context(), search.Weights{Costing: c}, place, bound); err != nil {
					t.Fatal(err)
				}
				all, compared = all+max(len(got), len(want)), compared+sameTree(t, seed, got, want)
			}
		}
	}
	if all < 100*cases || compared < all*95/100 {
		t.Errorf("%d of %d edges are the same", compared, all)
	}
}

// sameTree compares two trees and gives their size, or 0 where ways of one
// cost and another time let them differ.
func sameTree(t *testing.T, seed uint64, got, want []search.Reached) int {
	t.Helper()
	b := map[graph.Edge]search.Reached{}
	for _, x := range want {
		b[x.Edge] = x
	}
	if len(b) != len(got) {
		return 0
	}
	for _, x := range got {
		y, ok := b[x.Edge]
		switch {
		case ok && (x.Cost != y.Cost || x.Own != y.Own):
			t.Fatalf("seed %d: edge %d: got %v, want %v", seed, x.Edge, x, y)
		case !ok || x.Measure != y.Measure:
			return 0
		}
	}
	return len(got)
}

// TestRangeQueryCounty compares bounded trees on a whole county.
func TestRangeQueryCounty(t *testing.T) {
	s := county(t)
	costs := cch.Costs{Costing: s.costing, Metric: s.metric, Measures: s.topology.Measure(s.costing, s.metric)}
	fast, plain := cch.NewRangeQuery(s.topology), search.NewTree(s.graph)
	same, all, cases := 0, 0, searchtest.Cases(20)
	for range cases {
		place, bound := s.drawPlace(), search.Measure{Millis: 300_000}
		for i := range 2 {
			search1, search2 := fast.From, plain.From
			if i == 1 {
				search1, search2 = fast.Back, plain.Back
			}
			got, err := search1(t.Context(), costs, place, cch.RangeLimits{Bound: bound})
			if err != nil {
				t.Fatal(err)
			}
			want, err := search2(t.Context(), search.Weights{Costing: s.costing}, place, bound)
			if err != nil {
				t.Fatal(err)
			}
			cost := map[graph.Edge]uint64{}
			for _, x := range want {
				cost[x.Edge] = x.Cost
			}
			for _, x := range got {
				if cost[x.Edge] == x.Cost {
					same++
				}
			}
			all += max(len(got), len(want))
		}
	}
	// Ways of one cost and different times may be on both sides of the bound.
	if all < 500*cases || same < all*999/1000 {
		t.Errorf("%d of %d edges are the same", same, all)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := fast.From(ctx, costs, s.drawPlace(), cch.RangeLimits{Bound: search.Measure{Millis: 1}}); !errors.Is(err, context.Canceled) {
		t.Errorf("a search whose caller went away ended with %v", err)
	}
}

func BenchmarkRangeQuery(b *testing.B) {
	s := county(b)
	m := s.topology.Measure(s.costing, s.metric)
	costs := cch.Costs{Costing: s.costing, Metric: s.metric, Measures: m}
	base := s.costing.Metric(profile.NewTurnIndex(s.graph))
	for _, minutes := range []uint32{2, 5, 15} {
		bound := search.Measure{Millis: minutes * 60_000}
		b.Run("hierarchy", func(b *testing.B) {
			x, n := cch.NewRangeQuery(s.topology), 0
			for b.Loop() {
				got, err := x.From(b.Context(), costs, s.drawPlace(), cch.RangeLimits{Bound: bound})
				if err != nil {
					b.Fatal(err)
				}
				n += len(got)
			}
			b.ReportMetric(float64(n)/float64(b.N), "edges")
		})
		b.Run("plain", func(b *testing.B) {
			x := search.NewTree(s.graph)
			for b.Loop() {
				if _, err := x.From(b.Context(), search.Weights{Costing: s.costing, Metric: base}, s.drawPlace(), bound); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
