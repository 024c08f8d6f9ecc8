package cch_test

import (
	"testing"
	"time"

	"github.com/waygate/waygate/road/cch"
	"github.com/waygate/waygate/road/overlay"
	"github.com/waygate/waygate/road/profile"
	"github.com/waygate/waygate/road/search"
	"github.com/waygate/waygate/road/search/searchtest"
)

// TestLiveAgainstSlowSearch compares a hierarchy with slow traffic, slow turns and closures
// in it with a search that looks at each road.
func TestLiveAgainstSlowSearch(t *testing.T) {
	cases := searchtest.Cases(100)
	reached, slowed := 0, 0
	for drawn := range searchtest.Draw(cases, 5, searchtest.Random) {
		seed, r, n := drawn.Seed, drawn.Rand, drawn.Network
		topology := cch.Contracted(n.Graph)
		router := cch.NewRouter(topology)
		plain := profile.New(n.Graph, car)
		turns := n.SlowTurns(r, 40)
		speeds := make([]uint8, n.Graph.Base)
		for range r.IntN(10) {
			speeds[r.IntN(len(speeds))] = uint8(1 + r.IntN(60))
		}
		layer := overlay.NewSnapshot(overlay.Roads{Taken: time.Now(), Turns: turns, Speeds: speeds}, nil).Layer(overlay.View{Live: true})
		live := plain.WithOverlay(overlay.WithLayer(layer, false))
		m := cch.Customised(topology, n.Graph, live, plain.Metric(profile.NewTurnIndex(n.Graph)).WithOverlay(live))
		for range 6 {
			from, to := n.End(r, plain), n.End(r, plain)
			want := n.SlowOverlay(plain, overlay.WithLayer(layer, false), from, to)
			got, ok := router.Shortest(live, m, []search.End{from}, []search.End{to})
			if ok != (want != searchtest.Unreached) || ok && got.Cost != want {
				t.Fatalf("seed %d: %v to %v costs %d (found %v), want %d", seed, from, to, got.Cost, ok, want)
			}
			if !ok {
				continue
			}
			reached++
			n.CheckOverlay(t, seed, plain, overlay.WithLayer(layer, false), got)
			if n.Slow(plain, from, to) != want {
				slowed++
			}
		}
	}
	if reached < cases || slowed < cases/4 {
		t.Errorf("only %d paths found, %d of them slowed: the cases prove too little", reached, slowed)
	}
}
