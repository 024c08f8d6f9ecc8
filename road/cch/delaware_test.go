package cch_test

import (
	"math/rand/v2"
	"testing"

	"github.com/waygate/waygate/realdata"
	"github.com/waygate/waygate/road/cch"
	"github.com/waygate/waygate/road/cch/order"
	"github.com/waygate/waygate/road/profile"
	"github.com/waygate/waygate/road/search"
)

// TestDelaware compares with the plain search on a real state.
func TestDelaware(t *testing.T) {
	g := network(t, realdata.Delaware(t))
	topology := cch.NewTopology(g, order.Dissect(cch.Network(g)).Roads)
	c := profile.New(g, car)
	w := search.Weights{Costing: c, Metric: c.Metric(profile.NewTurnIndex(g))}
	m := topology.Customise(g, c, w.Metric)
	fast, plain := cch.NewRouter(topology), search.NewQuery(g)
	r := rand.New(rand.NewPCG(1, 2))
	end := func() []search.End {
		for {
			if e := r.Uint32N(g.Base); c.Allowed(e) {
				return []search.End{{Edge: e, Along: r.Float64()}, {Edge: g.Opposite[e], Along: r.Float64(), Extra: 7}}
			}
		}
	}
	found := 0
	for range 100 {
		from, to := end(), end()
		want, there, err := plain.Shortest(t.Context(), w, from, to)
		if err != nil {
			t.Fatal(err)
		}
		got, ok := fast.Shortest(c, m, from, to)
		if ok != there || ok && got.Cost != want.Cost {
			t.Fatalf("%v to %v costs %d (%v), want %d (%v)", from, to, got.Cost, ok, want.Cost, there)
		}
		if ok {
			found++
		}
	}
	if found < 50 {
		t.Errorf("only %d found", found)
	}
}
