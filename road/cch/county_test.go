package cch_test

import (
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/road/cch"
	"github.com/waygate/waygate/road/search"
	"github.com/waygate/waygate/road/search/searchtest"
)

// TestCounty compares with the plain search on a whole county.
func TestCounty(t *testing.T) {
	s := county(t)
	fast, plain := cch.NewRouter(s.topology), search.NewQuery(s.graph)
	found, cases := 0, searchtest.Cases(100)
	for range cases {
		from, to := s.place(), s.place()
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
