package cch_test

import (
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/road/cch"
	"github.com/waygate/waygate/road/profile"
	"github.com/waygate/waygate/road/search"
	"github.com/waygate/waygate/road/search/searchtest"
)

// TestAgainstSlowSearch compares with a search without copies, hierarchies or two sides.
func TestAgainstSlowSearch(t *testing.T) {
	cases := searchtest.Cases(200)
	reached, restricted := 0, 0
	for drawn := range searchtest.Draw(cases, 3, searchtest.Random) {
		seed, r, n := drawn.Seed, drawn.Rand, drawn.Network
		topology := cch.Contracted(n.Graph)
		router, index := cch.NewRouter(topology), profile.NewTurnIndex(n.Graph)
		for range 2 { // two costings on one topology
			opt := car
			if r.IntN(3) == 0 {
				opt.Costing = costing.Truck
			}
			opt.UseHighways = r.Float64()
			c := profile.New(n.Graph, opt)
			m := cch.Customised(topology, n.Graph, c, c.Metric(index))
			for range 4 {
				from, to := n.End(r, c), n.End(r, c)
				want := n.Slow(c, from, to)
				got, ok := router.Shortest(c, m, []search.End{from}, []search.End{to})
				if ok != (want != searchtest.Unreached) || ok && got.Cost != want {
					t.Fatalf("seed %d: %v to %v costs %d (found %v), want %d", seed, from, to, got.Cost, ok, want)
				}
				if !ok {
					continue
				}
				reached++
				n.Check(t, seed, c, got)
				if len(n.Graph.CopyOf) > 0 {
					restricted++
				}
			}
		}
	}
	if reached < cases || restricted < cases/4 {
		t.Errorf("only %d paths found, %d of them near restrictions over several ways: the cases prove too little", reached, restricted)
	}
}
