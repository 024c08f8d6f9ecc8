package search_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/profile"
	"github.com/waygate/waygate/road/search"
	"github.com/waygate/waygate/road/search/searchtest"
)

var car = costing.Options{
	Costing: costing.Auto, TopSpeed: 140, UseFerry: 0.5, UseHighways: 0.5, UseTolls: 0.5, ServicePenalty: 15, ServiceFactor: 1,
	ManeuverPenalty: 5, DestinationOnlyPenalty: 60, FerryCost: 300,
}

// TestAgainstSlowSearch compares the search with one without copies, labels from two sides,
// or early stopping.
func TestAgainstSlowSearch(t *testing.T) {
	cases := searchtest.Cases(600)
	reached, restricted := 0, 0
	for drawn := range searchtest.Draw(cases, 1, searchtest.Random) {
		seed, r, n := drawn.Seed, drawn.Rand, drawn.Network
		opt := car
		if r.IntN(3) == 0 {
			opt.Costing = costing.Truck
		}
		c := profile.New(n.Graph, opt)
		q := search.NewQuery(n.Graph)
		for range 4 {
			from, to := n.End(r, c), n.End(r, c)
			want := n.Slow(c, from, to)
			got, ok, err := q.Shortest(context.Background(), weights(n.Graph, c, seed), []search.End{from}, []search.End{to})
			if err != nil {
				t.Fatal(err)
			}
			if ok != (want != searchtest.Unreached) || ok && got.Cost != want {
				t.Fatalf("seed %d: %v to %v costs %d (found %v), want %d", seed, from, to, got.Cost, ok, want)
			}
			if ok {
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

// weights gives every other case its metric worked out.
func weights(g *graph.Graph, c *profile.Costing, seed uint64) search.Weights {
	w := search.Weights{Costing: c}
	if seed%2 == 0 {
		w.Metric = c.Metric(profile.NewTurnIndex(g))
	}
	return w
}

// TestAlternatives checks that alternatives are real paths, different, and in
// the order of their plateaus' promise: the first is the best.
func TestAlternatives(t *testing.T) {
	found := 0
	for drawn := range searchtest.Draw(searchtest.Cases(400), 2, searchtest.Random) {
		seed, r, n := drawn.Seed, drawn.Rand, drawn.Network
		c := profile.New(n.Graph, car)
		q := search.NewQuery(n.Graph)
		from, to := n.End(r, c), n.End(r, c)
		best, ok, err := q.Shortest(context.Background(), weights(n.Graph, c, seed), []search.End{from}, []search.End{to})
		if err != nil {
			t.Fatal(err)
		}
		all, err := q.Alternatives(context.Background(), weights(n.Graph, c, seed), []search.End{from}, []search.End{to}, 2)
		if err != nil {
			t.Fatal(err)
		}
		if ok != (len(all) > 0) || ok && all[0].Cost != best.Cost {
			t.Fatalf("seed %d: the first alternative is not the best path", seed)
		}
		for i, a := range all {
			n.Check(t, seed, c, a)
			if entry := search.Entry(c, []search.End{from}, []search.End{to}); float64(a.Cost-entry) > float64(best.Cost-entry)*search.AlternativeStretch+1 {
				t.Fatalf("seed %d: alternative %d costs %d, the best %d", seed, i, a.Cost, best.Cost)
			}
		}
		if len(all) > 1 {
			found++
		}
	}
	if found < searchtest.Cases(400)/100 {
		t.Errorf("only %d networks had an alternative: the cases prove too little", found)
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	n := searchtest.Random(rand.New(rand.NewPCG(3, 3)))
	c := profile.New(n.Graph, car)
	_, _, err := search.NewQuery(n.Graph).Shortest(ctx, search.Weights{Costing: c}, []search.End{{Edge: 0}}, []search.End{{Edge: n.Graph.Base - 1, Along: 1}})
	if err == nil {
		t.Error("a search went on after its context ended")
	}
}
