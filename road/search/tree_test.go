package search_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/profile"
	"github.com/waygate/waygate/road/search"
	"github.com/waygate/waygate/road/search/searchtest"
)

var boundless = search.Measure{Millis: math.MaxUint32, Decimetres: math.MaxUint32}

// least returns the cost of each original edge that was reached.
func least(g *graph.Graph, reached []search.Reached) map[graph.Edge]uint64 {
	cost := map[graph.Edge]uint64{}
	for _, x := range reached {
		e := g.Original(x.Edge)
		if c, ok := cost[e]; !ok || x.Cost < c {
			cost[e] = x.Cost
		}
	}
	return cost
}

// TestTreeOfSeveralPlaces compares trees from and to places at which paths have taken some time
// already with the best of the searches from each of them.
func TestTreeOfSeveralPlaces(t *testing.T) {
	compared := 0
	for drawn := range searchtest.Draw(searchtest.Cases(10), 6, searchtest.Random) {
		seed, r, n := drawn.Seed, drawn.Rand, drawn.Network
		c := profile.New(n.Graph, car)
		s := search.NewTree(n.Graph)
		places := []search.End{n.End(r, c), n.End(r, c), n.End(r, c)}
		own := map[graph.Edge]bool{}
		for i := range places {
			places[i].Begun = uint32(r.IntN(120_000))
			own[places[i].Edge] = true
		}
		w := weights(n.Graph, c, seed)
		from, err := s.From(t.Context(), w, places, boundless)
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range from {
			if x.Millis < min(places[0].Begun, places[1].Begun, places[2].Begun) {
				t.Fatalf("seed %d: edge %d takes %d ms", seed, x.Edge, x.Millis)
			}
		}
		cheapest := least(n.Graph, from)
		back, err := s.Back(t.Context(), w, places, boundless)
		if err != nil {
			t.Fatal(err)
		}
		nearest := least(n.Graph, back)
		best := func(e graph.Edge, way func(place, end search.End) uint64) uint64 {
			sum := uint64(math.MaxUint64)
			for _, p := range places {
				begun := uint64(p.Begun)
				if cost := way(p, search.End{Edge: e, Along: 1}); cost < math.MaxUint64-begun {
					sum = min(sum, cost+begun)
				}
			}
			return sum
		}
		for e := range n.Graph.Base {
			if own[e] || c.Edge(e) == profile.Forbidden {
				continue
			}
			if got, want := costOf(cheapest, e), best(e, func(p, x search.End) uint64 { return n.Slow(c, p, x) }); got != want {
				t.Fatalf("seed %d: from %v, edge %d: cost %d, want %d", seed, places, e, got, want)
			}
			if got, want := costOf(nearest, e), best(e, func(p, x search.End) uint64 { return n.Slow(c, x, p) }); got != want {
				t.Fatalf("seed %d: to %v, edge %d: cost %d, want %d", seed, places, e, got, want)
			}
			compared++
		}
	}
	if compared == 0 {
		t.Error("nothing is compared")
	}
}

// TestTreeAgainstSlowSearch compares trees with a search for each edge.
func TestTreeAgainstSlowSearch(t *testing.T) {
	compared, cases := 0, searchtest.Cases(20)
	for drawn := range searchtest.Draw(cases, 5, searchtest.Random) {
		seed, r, n := drawn.Seed, drawn.Rand, drawn.Network
		c := profile.New(n.Graph, car)
		w := weights(n.Graph, c, seed)
		s := search.NewTree(n.Graph)
		for range 2 {
			place := n.End(r, c)
			reached, err := s.From(t.Context(), w, []search.End{place}, boundless)
			if err != nil {
				t.Fatal(err)
			}
			from := least(n.Graph, reached)
			if reached, err = s.Back(t.Context(), w, []search.End{place}, boundless); err != nil {
				t.Fatal(err)
			}
			back := least(n.Graph, reached)
			for e := range n.Graph.Base {
				if e == place.Edge || c.Edge(e) == profile.Forbidden {
					continue
				}
				end := search.End{Edge: e, Along: 1}
				for name, x := range map[string]struct{ got, want uint64 }{
					"from": {costOf(from, e), n.Slow(c, place, end)},
					"back": {costOf(back, e), n.Slow(c, end, place)},
				} {
					if x.got != x.want {
						t.Fatalf("seed %d: %s %v, edge %d: cost %d, want %d", seed, name, place, e, x.got, x.want)
					}
					if x.got != searchtest.Unreached {
						compared++
					}
				}
			}
			targets := make([][]search.End, 3)
			for i := range targets {
				targets[i] = []search.End{n.End(r, c)}
			}
			if err := s.To(t.Context(), w, []search.End{place}, targets); err != nil {
				t.Fatal(err)
			}
			for _, to := range targets {
				got, _, ok := s.At(to)
				if want := n.Slow(c, place, to[0]); got != want || ok != (want != searchtest.Unreached) {
					t.Fatalf("seed %d: %v to %v costs %d, want %d", seed, place, to, got, want)
				}
			}
		}
	}
	if compared < 40*cases {
		t.Errorf("only %d edges were reached", compared)
	}
}

func costOf(all map[graph.Edge]uint64, e graph.Edge) uint64 {
	if c, ok := all[e]; ok {
		return c
	}
	return searchtest.Unreached
}

// checkBound draws a bound, and compares what a search finds within it with
// those of all edges that keep to it. It gives how many do not.
func checkBound(t *testing.T, drawn searchtest.Drawn, all []search.Reached, keeps func(search.Reached, search.Measure) bool, find func(search.Measure) ([]search.Reached, error)) (cut int) {
	t.Helper()
	r := drawn.Rand
	bound := search.Measure{Millis: r.Uint32N(120_000), Decimetres: r.Uint32N(2) * r.Uint32N(20_000)}
	want := map[graph.Edge]search.Reached{}
	for _, x := range all {
		if keeps(x, bound) {
			want[x.Edge] = x
		} else {
			cut++
		}
	}
	got, err := find(bound)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != len(want) {
		t.Fatalf("seed %d: %d edges within %v, want %d", drawn.Seed, len(got), bound, len(want))
	}
	for _, x := range got {
		if want[x.Edge] != x {
			t.Fatalf("seed %d: %+v, want %+v", drawn.Seed, x, want[x.Edge])
		}
	}
	return cut
}

// TestTreeKeepsToItsBound checks that a bound leaves out exactly the edges
// whose paths begin beyond it.
func TestTreeKeepsToItsBound(t *testing.T) {
	cut, cases := 0, searchtest.Cases(300)
	for drawn := range searchtest.Draw(cases, 6, searchtest.Random) {
		r, n := drawn.Rand, drawn.Network
		c := profile.New(n.Graph, car)
		s, w, place := search.NewTree(n.Graph), search.Weights{Costing: c}, n.End(r, c)
		all, err := s.From(t.Context(), w, []search.End{place}, boundless)
		if err != nil {
			t.Fatal(err)
		}
		cut += checkBound(t, drawn, all,
			func(x search.Reached, bound search.Measure) bool {
				o := n.Graph.Original(x.Edge)
				return x.Within(bound) || x.Minus(search.MeasureOf(c.Seconds(o), n.Graph.EdgeLength(o))).Within(bound)
			},
			func(bound search.Measure) ([]search.Reached, error) {
				return s.From(t.Context(), w, []search.End{place}, bound)
			})
	}
	if cut < 4*cases {
		t.Errorf("only %d edges lay beyond the bound", cut)
	}
}

func TestTreeStops(t *testing.T) {
	n := searchtest.Random(rand.New(rand.NewPCG(1, 1)))
	c := profile.New(n.Graph, car)
	s, place := search.NewTree(n.Graph), n.End(rand.New(rand.NewPCG(1, 2)), c)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	w := search.Weights{Costing: c}
	if _, err := s.From(ctx, w, []search.End{place}, boundless); !errors.Is(err, context.Canceled) {
		t.Errorf("From ended with %v", err)
	}
	if _, err := s.Back(ctx, w, []search.End{place}, boundless); !errors.Is(err, context.Canceled) {
		t.Errorf("Back ended with %v", err)
	}
	if err := s.To(ctx, w, []search.End{place}, [][]search.End{{place}}); !errors.Is(err, context.Canceled) {
		t.Errorf("To ended with %v", err)
	}
}
