package search_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/profile"
	"github.com/waygate/waygate/road/search"
	"github.com/waygate/waygate/road/search/searchtest"
)

// corners gives places at the south-west and the north-east.
func corners(g *graph.Graph) (first, last []search.End) {
	from, to := graph.Edge(0), graph.Edge(0)
	height := func(e graph.Edge) int64 {
		p := g.Position[g.ByEdge[e].Tail]
		return int64(p.Lon) + int64(p.Lat)
	}
	for e := range g.Base {
		if height(e) < height(from) {
			from = e
		}
		if height(e) > height(to) {
			to = e
		}
	}
	return []search.End{{Edge: from, Along: 0.5}}, []search.End{{Edge: to, Along: 0.5}}
}

// TestStops crosses a town of 36,000 edges by every search, and leaves.
func TestStops(t *testing.T) {
	g := searchtest.Grid(rand.New(rand.NewPCG(1, 1)), 96)
	c := profile.New(g, car)
	w := search.Weights{Costing: c}
	first, last := corners(g)
	both, one, spread := search.NewQuery(g), search.NewAStar(g), search.NewTree(g)
	settled := func() int { return both.Settled }
	for name, x := range map[string]struct {
		work   func() int
		search func(ctx context.Context) error
	}{
		"from both ends": {settled, func(ctx context.Context) error {
			_, _, err := both.Shortest(ctx, w, first, last)
			return err
		}},
		"from both ends, led": {settled, func(ctx context.Context) error {
			nothing := func(graph.Edge) uint64 { return 0 }
			_, _, err := both.BidirectionalAStar(ctx, search.Request{Weights: w, Potential: nothing, Begun: nothing, From: first, To: last})
			return err
		}},
		"alternatives": {settled, func(ctx context.Context) error {
			_, err := both.Alternatives(ctx, w, first, last, 3)
			return err
		}},
		"from one end": {func() int { return one.Settled }, func(ctx context.Context) error {
			_, _, err := one.Shortest(ctx, search.Request{Weights: w, From: first, To: last})
			return err
		}},
		"spread from": {spread.Reached, func(ctx context.Context) error {
			_, err := spread.From(ctx, w, first, boundless)
			return err
		}},
		"spread back": {spread.Reached, func(ctx context.Context) error {
			_, err := spread.Back(ctx, w, first, boundless)
			return err
		}},
	} {
		t.Run(name, func(t *testing.T) { searchtest.Stops(t, search.CheckEvery, x.work, x.search) })
	}
}

// Searches of which one sees from outside only how often they look do so once
// for so many edges.
func TestLooks(t *testing.T) {
	g := searchtest.Grid(rand.New(rand.NewPCG(1, 1)), 96)
	c := profile.New(g, car)
	w := search.Weights{Costing: c}
	first, last := corners(g)
	ctx := &searchtest.CancelledContext{Context: t.Context()}
	s := search.NewTree(g)
	if err := s.To(ctx, w, first, [][]search.End{last, first}); err != nil {
		t.Fatal(err)
	}
	if least := g.Edges() * 9 / 10 / search.CheckEvery; ctx.Checks < least { // the goals are among the last
		t.Errorf("a search for far targets among %d edges looked %d times at its context, not %d times", g.Edges(), ctx.Checks, least)
	}
	// The steps after the search itself look at the context too.
	q := search.NewQuery(g)
	plain, more := &searchtest.CancelledContext{Context: t.Context()}, &searchtest.CancelledContext{Context: t.Context()}
	if _, _, err := q.Shortest(plain, w, first, last); err != nil {
		t.Fatal(err)
	}
	settled := q.Settled
	if _, err := q.Alternatives(more, w, first, last, 3); err != nil {
		t.Fatal(err)
	}
	searching := plain.Checks + (q.Settled-settled)/search.CheckEvery
	if least := searching + g.Edges()/search.ScanEvery; more.Checks < least {
		t.Errorf("alternatives among %d edges looked %d times at their context, not %d times", g.Edges(), more.Checks, least)
	}
}

// Alternatives of what lies far apart are not looked for at any price.
func TestAlternativesAreBounded(t *testing.T) {
	g := searchtest.Grid(rand.New(rand.NewPCG(1, 1)), 180)
	w := search.Weights{Costing: profile.New(g, car)}
	first, last := corners(g)
	q := search.NewQuery(g)
	all, err := q.Alternatives(t.Context(), w, first, last, 3)
	if err != nil || len(all) > 0 || q.Settled != search.AlternativesSettled {
		t.Errorf("%d ways after %d edges of %d: %v", len(all), q.Settled, g.Edges(), err)
	}
	if _, ok, err := q.Shortest(t.Context(), w, first, last); err != nil || !ok {
		t.Errorf("no way at all: %v", err)
	}
}
