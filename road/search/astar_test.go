package search_test

import (
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/costing/costingtest"
	"github.com/waygate/waygate/road/profile"
	"github.com/waygate/waygate/road/search"
	"github.com/waygate/waygate/road/search/searchtest"
)

// bentTraveller draws a traveller of random options, and closes and slows edges.
func bentTraveller(drawn searchtest.Drawn) (*profile.Costing, search.Weights) {
	r, g := drawn.Rand, drawn.Graph
	c := profile.New(g, costingtest.Draw(r, costing.All[r.IntN(len(costing.All))]))
	w := weights(g, c, drawn.Seed)
	w.Overlay = drawn.Overlay(r)
	return c, w
}

// TestOverlayAgainstSlowSearch compares both searches with the slow one on
// networks where edges are closed and slowed, for travellers of random options.
func TestOverlayAgainstSlowSearch(t *testing.T) {
	cases := searchtest.Cases(160)
	reached, bent := 0, 0
	for drawn := range searchtest.Draw(cases, 11, searchtest.Either) {
		seed, r, n := drawn.Seed, drawn.Rand, drawn.Network
		c, w := bentTraveller(drawn)
		both, astar := search.NewQuery(n.Graph), search.NewAStar(n.Graph)
		for range 4 {
			from, to := n.End(r, c), n.End(r, c)
			want := n.SlowOverlay(c, w.Overlay, from, to)
			for name, find := range map[string]func() (search.Found, bool, error){
				"both ends": func() (search.Found, bool, error) {
					return both.Shortest(t.Context(), w, []search.End{from}, []search.End{to})
				},
				"one end": func() (search.Found, bool, error) {
					return astar.Shortest(t.Context(), search.Request{Weights: w, From: []search.End{from}, To: []search.End{to}})
				},
			} {
				got, ok, err := find()
				if err != nil {
					t.Fatal(err)
				}
				if ok != (want != searchtest.Unreached) || ok && got.Cost != want {
					t.Fatalf("seed %d, %s: %v to %v costs %d (found %v), want %d", seed, name, from, to, got.Cost, ok, want)
				}
				if ok {
					n.CheckOverlay(t, seed, c, w.Overlay, got)
					reached++
				}
			}
			if want != n.Slow(c, from, to) {
				bent++
			}
		}
	}
	if reached < cases || bent < cases/10 {
		t.Errorf("only %d paths found, %d of them bent: the cases prove too little", reached, bent)
	}
}
