package centroid_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/road/centroid"
	"github.com/waygate/waygate/road/profile"
	"github.com/waygate/waygate/road/search"
	"github.com/waygate/waygate/road/search/searchtest"
)

var car = costing.Options{
	Costing: costing.Auto, TopSpeed: 140, UseFerry: 0.5, UseHighways: 0.5, UseTolls: 0.5, ServicePenalty: 15, ServiceFactor: 1,
	ManeuverPenalty: 5, DestinationOnlyPenalty: 60, FerryCost: 300,
}

// slow tries every node: what each traveller pays to it by the slow search.
func slow(n *searchtest.Network, c *profile.Costing, from [][]search.End) (best centroid.Bound) {
	best = centroid.Unbounded
	nodes := make([][]uint64, len(from)) // by traveller and node
	for i, ends := range from {
		nodes[i] = make([]uint64, n.Graph.Nodes())
		for j := range nodes[i] {
			nodes[i][j] = searchtest.Unreached
		}
		for _, s := range ends {
			for e, cost := range n.Heads(c, s) {
				at := &nodes[i][n.Graph.ByEdge[e].Head]
				*at = min(*at, cost)
			}
		}
	}
	for node := range n.Graph.Nodes() {
		var costs centroid.Bound
		all := true
		for i := range from {
			cost := nodes[i][node]
			all = all && cost != searchtest.Unreached
			costs.Total += cost
			costs.Longest = max(costs.Longest, cost)
		}
		if all && (costs.Total < best.Total || costs.Total == best.Total && costs.Longest < best.Longest) {
			best = costs
		}
	}
	return best
}

// TestAgainstEveryNode compares the meeting place with the best of all nodes,
// on random networks with restrictions of every kind, with and without a
// metric, with the same query again and again, and under bounds.
func TestAgainstEveryNode(t *testing.T) {
	cases := searchtest.Cases(60)
	met, bounded := 0, 0
	for drawn := range searchtest.Draw(cases, 7, searchtest.Random) {
		seed, r, n := drawn.Seed, drawn.Rand, drawn.Network
		opt := car
		if r.IntN(3) == 0 {
			opt.Costing = costing.Truck
		}
		w := search.Weights{Costing: profile.New(n.Graph, opt)}
		if seed%2 == 0 {
			w.Metric = w.Costing.Metric(profile.NewTurnIndex(n.Graph))
		}
		q := centroid.NewQuery(n.Graph)
		for range 2 {
			from := make([][]search.End, 2+r.IntN(3))
			for i := range from {
				for range 1 + r.IntN(2) {
					from[i] = append(from[i], n.End(r, w.Costing))
				}
			}
			want := slow(n, w.Costing, from)
			got, ok, err := q.Find(context.Background(), w, from, centroid.Unbounded)
			if err != nil {
				t.Fatal(err)
			}
			if ok != (want != centroid.Unbounded) || ok && got.Costs != want {
				t.Fatalf("seed %d: %v meet at %v (%v), want %v", seed, from, got.Costs, ok, want)
			}
			if !ok {
				continue
			}
			met++
			total := uint64(0)
			for _, p := range got.Paths {
				if last := p.Edges[len(p.Edges)-1]; n.Graph.ByEdge[last].Head != got.Node {
					t.Fatalf("seed %d: a path does not end at the meeting place", seed)
				}
				if len(p.Edges) > 1 {
					n.Check(t, seed, w.Costing, p)
				}
				total += p.Cost
			}
			if total != want.Total {
				t.Fatalf("seed %d: the paths cost %d, want %d", seed, total, want.Total)
			}
			// A bound just above the best leaves it, the best itself does not.
			if _, ok, _ := q.Find(context.Background(), w, from, centroid.Bound{Total: want.Total + 1, Longest: want.Longest}); !ok {
				t.Fatalf("seed %d: a bound above the best hides it", seed)
			}
			if p, ok, _ := q.Find(context.Background(), w, from, want); ok {
				t.Fatalf("seed %d: %v was found to be better than the best, %v", seed, p.Costs, want)
			}
			bounded++
		}
	}
	if met < cases || bounded < cases {
		t.Errorf("only %d meetings in %d cases: they prove too little", met, cases)
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	r := rand.New(rand.NewPCG(3, 3))
	n := searchtest.Random(r)
	c := profile.New(n.Graph, car)
	from := [][]search.End{{n.End(r, c)}, {n.End(r, c)}}
	if _, _, err := centroid.NewQuery(n.Graph).Find(ctx, search.Weights{Costing: c}, from, centroid.Unbounded); err == nil {
		t.Error("a search went on after its context ended")
	}
}
