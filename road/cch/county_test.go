package cch_test

import (
	"maps"
	"math"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/road/cch"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/profile"
	"github.com/waygate/waygate/road/search"
	"github.com/waygate/waygate/road/search/searchtest"
)

// TestCounty compares with the plain search on a whole county.
func TestCounty(t *testing.T) {
	s := county(t)
	fast, plain := cch.NewRouter(s.topology), search.NewQuery(s.graph)
	found, cases := 0, searchtest.Cases(100)
	for range cases {
		from, to := s.drawPlace(), s.drawPlace()
		want, there, err := plain.Shortest(t.Context(), search.Weights{Costing: s.costing}, from, to)
		if err != nil {
			t.Fatal(err)
		}
		got, ok := fast.Shortest(s.costing, s.metric, from, to)
		if ok != there || ok && got.Cost != want.Cost {
			t.Fatalf("%v to %v costs %d (%v), want %d (%v)", from, to, got.Cost, ok, want.Cost, there)
		}
		if ok {
			found++
		}
	}
	if found < cases/2 {
		t.Errorf("only %d found", found)
	}
}

// Buses have most of their arcs from cars, which are there once for both.
func TestBusesShareWithCars(t *testing.T) {
	s := county(t)
	if all, shared := s.usual[costing.Bus].SharedArcs(s.metric); all < 1000 || shared < all*8/10 {
		t.Errorf("buses share %d of their %d arcs with cars", shared, all)
	}
}

// TestRangesOfSharedArcs compares what is within reach of a bus by the arcs that it
// shares with cars and by arcs of its own.
func TestRangesOfSharedArcs(t *testing.T) {
	s := county(t)
	c := profile.New(s.graph, costing.Default(costing.Bus))
	own := cch.Customised(s.topology, s.graph, c, c.Metric(profile.NewTurnIndex(s.graph)))
	x := cch.NewRangeQuery(s.topology)
	found := 0
	for range searchtest.Cases(20) {
		place, within := s.drawPlace(), cch.RangeLimits{Bound: search.Measure{Millis: 1000 * (60 + s.random.Uint32N(1200)), Decimetres: math.MaxUint32}}
		var all [2]map[graph.Edge]search.Reached
		for i, costs := range []cch.Costs{
			{Costing: c, Metric: s.usual[costing.Bus], Measures: s.measures[costing.Bus]},
			{Costing: c, Metric: own, Measures: s.topology.Measure(c, own)},
		} {
			reached, err := x.From(t.Context(), costs, place, within)
			if err != nil {
				t.Fatal(err)
			}
			all[i] = map[graph.Edge]search.Reached{}
			for _, r := range reached {
				all[i][r.Edge] = r
			}
		}
		if !maps.Equal(all[0], all[1]) {
			t.Fatalf("%v from %v: %d edges by shared arcs, %d by its own", within.Bound, place, len(all[0]), len(all[1]))
		}
		found += len(all[0])
	}
	if found < 1000 {
		t.Errorf("only %d edges were within reach", found)
	}
}
