package cch_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/road/cch"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/profile"
	"github.com/waygate/waygate/road/search"
	"github.com/waygate/waygate/road/search/searchtest"
)

// TestStops checks what goes down the hierarchy to looking at its context so
// often, and to ending at the look at which the caller has gone.
func TestStops(t *testing.T) {
	g := searchtest.Grid(rand.New(rand.NewPCG(1, 1)), 72)
	c := profile.New(g, costing.Default(costing.Auto))
	topology := cch.Contracted(g)
	metric := cch.Customised(topology, g, c, c.Metric(profile.NewTurnIndex(g)))
	costs := cch.Costs{Costing: c, Metric: metric, Measures: topology.Measure(c, metric)}
	reach, table := cch.NewRangeQuery(topology), cch.NewTable(topology)
	place := []search.End{{Edge: g.Base / 2, Along: 0.5}}
	all := search.Measure{Millis: 1 << 30, Decimetres: 1 << 30}
	places := make([][]search.End, 2*cch.TargetsBetween)
	for i := range places {
		places[i] = []search.End{{Edge: g.Base / graph.Edge(len(places)) * graph.Edge(i)}}
	}
	sources, cells := places[:2*cch.BatchSize], make([][]cch.Cell, 2*cch.BatchSize)
	for i := range cells {
		cells[i] = make([]cch.Cell, len(places))
	}
	if err := table.Run(t.Context(), costs, sources, places, cells); err != nil || table.Work() < 2*cch.ArcsBetween {
		t.Fatalf("a sweep goes over %d arcs, too few to prove anything: %v", table.Work(), err)
	}
	for name, x := range map[string]struct {
		least int
		run   func(ctx context.Context) error
	}{
		"reach from": {g.Edges() / 4096, func(ctx context.Context) error {
			reached, err := reach.From(ctx, costs, place, cch.RangeLimits{Bound: all})
			if err == nil && len(reached) < g.Edges()*9/10 {
				t.Errorf("only %d edges are reached", len(reached))
			}
			return err
		}},
		"reach back": {g.Edges() / 4096, func(ctx context.Context) error {
			_, err := reach.Back(ctx, costs, place, cch.RangeLimits{Bound: all})
			return err
		}},
		// Twice while aiming, at each source, in each of two sweeps and along each row.
		"table": {2 + 2 + 2*cch.BatchSize + 2*2 + 2*len(sources), func(ctx context.Context) error { return table.Run(ctx, costs, sources, places, cells) }},
	} {
		t.Run(name, func(t *testing.T) {
			whole := &searchtest.CancelledContext{Context: t.Context()}
			if err := x.run(whole); err != nil || whole.Checks < x.least {
				t.Fatalf("%d looks at the context, not %d: %v", whole.Checks, x.least, err)
			}
			for after := 1; after <= whole.Checks; after += 1 + whole.Checks/16 {
				gone := &searchtest.CancelledContext{Context: t.Context(), After: after}
				if err := x.run(gone); !errors.Is(err, context.Canceled) || gone.Checks > after+1 {
					t.Errorf("the caller goes at look %d of %d: %v after %d looks", after, whole.Checks, err, gone.Checks)
				}
			}
		})
	}
}
