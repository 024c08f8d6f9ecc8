package cch_test

import (
	"math"
	"slices"
	"testing"

	"github.com/waygate/waygate/road/cch"
	"github.com/waygate/waygate/road/profile"
	"github.com/waygate/waygate/road/search"
	"github.com/waygate/waygate/road/search/searchtest"
)

// TestRangeQueryBehind compares trees on networks where edges are closed and slowed, from
// the hierarchy and what is searched behind these, with those of the plain search.
func TestRangeQueryBehind(t *testing.T) {
	boundless := search.Measure{Millis: math.MaxUint32 / 4, Decimetres: math.MaxUint32 / 4}
	told, unsure, compared, all, cases := 0, 0, 0, 0, searchtest.Cases(300)
	for drawn := range searchtest.Draw(cases, 17, searchtest.Either) {
		seed, r, n := drawn.Seed, drawn.Rand, drawn.Network
		topology := cch.Contracted(n.Graph)
		opt := car
		opt.UseHighways = r.Float64()
		c := profile.New(n.Graph, opt)
		m := cch.Customised(topology, n.Graph, c, c.Metric(profile.NewTurnIndex(n.Graph)))
		costs := cch.Costs{Costing: c, Metric: m, Measures: topology.Measure(c, m)}
		fast, plain, again := cch.NewRangeQuery(topology), search.NewTree(n.Graph), search.NewTree(n.Graph)
		for range 4 {
			w := search.Weights{Costing: c, Overlay: n.Overlay(r)}
			changed, ok := w.Overlay.Changed(math.MaxInt)
			if !ok {
				t.Fatalf("seed %d: the changes are not told", seed)
			}
			place := w.Departures([]search.End{n.End(r, c), n.End(r, c)})
			arriving := w.Arrivals([]search.End{n.End(r, c), n.End(r, c)})
			slowed := func(x search.End) bool { return w.Overlay.Changes(x.Edge) }
			if slices.ContainsFunc(place, slowed) || slices.ContainsFunc(arriving, slowed) {
				continue
			}
			for _, bound := range []search.Measure{boundless, {Millis: r.Uint32N(100_000)}, {Decimetres: r.Uint32N(20_000)}} {
				within := cch.Within{Bound: bound, Changed: changed}
				for back := range 2 {
					find, anew, slow, ends := fast.From, again.FromBehind, plain.From, place
					if back == 1 {
						find, anew, slow, ends = fast.Back, again.BackBehind, plain.Back, arriving
					}
					got, err := find(t.Context(), costs, ends, within)
					if err != nil {
						t.Fatal(err)
					}
					behind, sure, err := anew(t.Context(), w.ApplyOverlay(), ends, bound, search.Behind{Edges: fast.Behind(), Known: fast.Known})
					if err != nil {
						t.Fatal(err)
					}
					want, err := slow(t.Context(), w.ApplyOverlay(), ends, bound)
					if err != nil {
						t.Fatal(err)
					}
					if told++; !sure {
						unsure++
						continue
					}
					all, compared = all+max(len(got)+len(behind), len(want)), compared+sameTree(t, seed, slices.Concat(got, behind), want)
				}
			}
		}
	}
	t.Logf("%d of %d trees are not told, %d of %d edges the same", unsure, told, compared, all)
	if all < 20*cases || compared < all*95/100 || unsure > told/20 {
		t.Errorf("%d of %d trees are not told, %d of %d edges the same", unsure, told, compared, all)
	}
}
