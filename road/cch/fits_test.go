package cch

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/road/cch/order"
	"github.com/waygate/waygate/road/cch/searchgraph"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/search/searchtest"
)

// More arcs, turns or depths than can be numbered are refused by name, as many as can
// be are not.
func TestTooLarge(t *testing.T) {
	g := searchtest.Random(rand.New(rand.NewPCG(1, 2))).Graph
	d, err := order.Dissect(t.Context(), Network(g))
	if err != nil {
		t.Fatal(err)
	}
	whole, err := NewTopology(t.Context(), g, d.Roads)
	if err != nil {
		t.Fatal(err)
	}
	build := func(most numbers) error {
		again := &Topology{Rank: make([]Rank, g.Edges())}
		again.rankEdges(g, d.Roads)
		return again.build(context.Background(), func(yield func(from, to graph.Edge)) { turns(g, yield) }, most)
	}
	arcs, links, height := len(whole.Above), len(whole.TurnArc), whole.Height()
	if arcs == 0 || links == 0 {
		t.Fatal("an empty network")
	}
	if err := build(numbers{arcs, links, height}); err != nil {
		t.Error(err)
	}
	for what, most := range map[string]numbers{"arcs of the hierarchy": {arcs - 1, links, height}, "turns": {arcs, links - 1, height}, "ranks above one another in the hierarchy": {arcs, links, height - 1}} {
		var large *graph.TooLargeError
		if err := build(most); !errors.As(err, &large) || large.What != what || large.Count != large.Limit+1 {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// All kinds of arcs together are refused where they cannot be numbered.
func TestSharedArcsFit(t *testing.T) {
	x := func() regionMetric { return asMade(t, [][]shareArc{{{depth: 1, via: graph.None}}}) }
	end := searchgraph.Counts{Arcs: searchgraph.LongFrom - 1}
	s := sharing{begun: true, end: [2]searchgraph.Counts{end, end}}
	var large *graph.TooLargeError
	if err := s.add(costing.Bus, x(), true); !errors.As(err, &large) || large.What != "arcs of all metrics" {
		t.Error(err)
	}
	if err := new(sharing).add(costing.Auto, x(), true); err != nil {
		t.Error(err)
	}
}
