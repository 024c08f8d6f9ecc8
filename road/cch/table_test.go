package cch_test

import (
	"errors"
	"reflect"
	"testing"

	"github.com/waygate/waygate/road/cch"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/profile"
	"github.com/waygate/waygate/road/search"
	"github.com/waygate/waygate/road/search/searchtest"
)

// TestTable compares every cell with the route between its ends.
func TestTable(t *testing.T) {
	reached, cases := 0, searchtest.Cases(200)
	for drawn := range searchtest.Draw(cases, 4, searchtest.Either) {
		seed, r, n := drawn.Seed, drawn.Rand, drawn.Network
		topology := cch.Contracted(n.Graph)
		options := car
		options.ExcludeTolls = r.IntN(2) == 0 // where they may end none the less
		c := profile.New(n.Graph, options)
		m := cch.Customised(topology, n.Graph, c, c.Metric(profile.NewTurnIndex(n.Graph)))
		costs := cch.Costs{Costing: c, Metric: m, Measures: topology.Measure(c, m)}
		router, table, plain := cch.NewRouter(topology), cch.NewTable(topology), cch.NewTable(topology).Plainly()
		for range 2 { // the second time on used scratch
			places := func(k int) [][]search.End {
				list := make([][]search.End, k)
				for i := range list {
					for range 1 + r.IntN(2) {
						list[i] = append(list[i], n.End(r, c))
					}
				}
				return list
			}
			sources, targets := places(1+r.IntN([]int{11, 2 * cch.BatchSize}[r.IntN(2)])), places(r.IntN(6))
			out, plainly := cells(len(sources), len(targets)), cells(len(sources), len(targets))
			if err := errors.Join(table.Run(t.Context(), costs, sources, targets, out), plain.Run(t.Context(), costs, sources, targets, plainly)); err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(out, plainly) {
				t.Fatalf("seed %d: not the same as without the processor's help", seed)
			}
			for i, from := range sources {
				for j, to := range targets {
					want, ok := router.Shortest(c, m, from, to)
					if ok != (out[i][j].Cost != cch.Unreached) || ok && out[i][j].Cost != want.Cost {
						t.Fatalf("seed %d: %v to %v costs %d, want %d (%v)", seed, from, to, out[i][j].Cost, want.Cost, ok)
					}
					if ok {
						reached++
					}
				}
			}
		}
	}
	if reached < 10*cases {
		t.Errorf("only %d cells were reached", reached)
	}
}

// cells is room for those of so many sources and targets.
func cells(sources, targets int) [][]cch.Cell {
	out := make([][]cch.Cell, sources)
	for i := range out {
		out[i] = make([]cch.Cell, targets)
	}
	return out
}

// TestTableMeasures compares times and lengths with those of the paths.
func TestTableMeasures(t *testing.T) {
	s := county(t)
	costs := cch.Costs{Costing: s.costing, Metric: s.metric, Measures: s.topology.Measure(s.costing, s.metric)}
	sources, targets := s.places(20), s.places(20)
	out := cells(len(sources), len(targets))
	if err := cch.NewTable(s.topology).Run(t.Context(), costs, sources, targets, out); err != nil {
		t.Fatal(err)
	}
	router, reached, differ := cch.NewRouter(s.topology), 0, 0
	for i, from := range sources {
		for j, to := range targets {
			f, ok := router.Shortest(s.costing, s.metric, from, to)
			if ok != (out[i][j].Cost != cch.Unreached) || ok && f.Cost != out[i][j].Cost {
				t.Fatalf("%v to %v costs %d, want %d", from, to, out[i][j].Cost, f.Cost)
			}
			if !ok {
				continue
			}
			reached++
			seconds, metres := s.walk(f)
			if abs(seconds-float64(out[i][j].Millis)/1000) > 1 || abs(metres-float64(out[i][j].Decimetres)/10) > 100 {
				differ++ // another path of the same cost, perhaps
			}
		}
	}
	if reached < 150 || differ > reached/100 {
		t.Errorf("%d of %d cells measure something else than their paths", differ, reached)
	}
}

// TestTableAtNodes asks for the way from places at nodes to themselves, which takes no
// time, though turns that cost nothing do; and to them from elsewhere, where the search on
// the roads is to take as long.
func TestTableAtNodes(t *testing.T) {
	s := county(t)
	g, timed := s.costing.Graph(), 0
	costs := cch.Costs{Costing: s.costing, Metric: s.metric, Measures: s.topology.Measure(s.costing, s.metric)}
	table, tree, out := cch.NewTable(s.topology), search.NewTree(g), cells(1, 1)
	for e := range g.Base {
		if g.BySegment[g.Segment(e)].Flags&graph.Roundabout == 0 || s.costing.Edge(e) == profile.Forbidden {
			continue
		}
		var at []search.End
		n := g.ByEdge[e].Head
		for f := g.FirstOut[n]; f < g.FirstOut[n+1]; f++ {
			if s.costing.Edge(f) != profile.Forbidden {
				at = append(at, search.End{Edge: f})
				if turn := s.costing.Turn(e, f); turn.Cost == 0 && turn.Seconds > 1 {
					timed++
				}
			}
		}
		place := [][]search.End{append(at, search.End{Edge: e, Along: 1})}
		if err := table.Run(t.Context(), costs, place, place, out); err != nil {
			t.Fatal(err)
		}
		if got := out[0][0]; got != (cch.Cell{}) {
			t.Errorf("from %v to itself: %+v", at, got)
		}
		from := [][]search.End{{{Edge: e}}}
		if err := errors.Join(table.Run(t.Context(), costs, from, place, out), tree.To(t.Context(), search.Weights{Costing: s.costing}, from[0], place)); err != nil {
			t.Fatal(err)
		}
		if cost, took, _ := tree.At(place[0]); out[0][0] != (cch.Cell{Cost: cost, Measure: took}) {
			t.Errorf("to %v: %+v, and on the roads %d, %+v", at, out[0][0], cost, took)
		}
	}
	if timed == 0 {
		t.Error("no turn costs nothing and takes time: the places prove nothing")
	}
}

func abs(x float64) float64 { return max(x, -x) }
