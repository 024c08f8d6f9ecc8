package cch_test

import (
	"math"
	"slices"
	"testing"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/cch"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/overlay"
	"github.com/waygate/waygate/road/profile"
	"github.com/waygate/waygate/road/search"
	"github.com/waygate/waygate/road/search/searchtest"
)

// TestRangeQueryBehind compares trees on networks where edges are closed and slowed, from
// the hierarchy and what is searched behind these, with those of the plain search.
func TestRangeQueryBehind(t *testing.T) {
	boundless := search.Measure{Millis: math.MaxUint32 / 4, Decimetres: math.MaxUint32 / 4}
	trees, unsure, compared, all, loose, cases := 0, 0, 0, 0, 0, searchtest.Cases(300)
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
				t.Fatalf("seed %d: the changes are not found", seed)
			}
			place := w.Departures([]search.End{n.End(r, c), n.End(r, c)})
			arriving := w.Arrivals([]search.End{n.End(r, c), n.End(r, c)})
			slowed := func(x search.End) bool { return w.Overlay.Affects(x.Edge, overlay.Span{From: x.Along, To: 1}) }
			slowedBack := func(x search.End) bool { return w.Overlay.Affects(x.Edge, overlay.Span{To: x.Along}) }
			if slices.ContainsFunc(place, slowed) || slices.ContainsFunc(arriving, slowedBack) {
				continue
			}
			for _, bound := range []search.Measure{boundless, {Millis: r.Uint32N(100_000)}, {Decimetres: r.Uint32N(20_000)}} {
				within := cch.RangeLimits{Bound: bound, Changed: changed}
				if bound != boundless {
					inner := search.Measure{Millis: bound.Millis / 2, Decimetres: bound.Decimetres / 2}
					if bound.Millis == 0 {
						inner.Millis = math.MaxUint32
					} else {
						inner.Decimetres = math.MaxUint32
					}
					within.Bands = []cch.Band{{Most: inner}}
				}
				for back := range 2 {
					find, anew, slow, ends := fast.From, again.FromBeyondClosure, plain.From, place
					if back == 1 {
						find, anew, slow, ends = fast.Back, again.BackBeyondClosure, plain.Back, arriving
					}
					got, err := find(t.Context(), costs, ends, within)
					if err != nil {
						t.Fatal(err)
					}
					beyond, sure, err := anew(t.Context(), w.ApplyOverlay(), ends, bound, search.BeyondClosure{Edges: fast.BeyondClosure(), PathTo: fast.PathTo})
					if err != nil {
						t.Fatal(err)
					}
					want, err := slow(t.Context(), w.ApplyOverlay(), ends, bound)
					if err != nil {
						t.Fatal(err)
					}
					if trees++; !sure {
						unsure++
						continue
					}
					reached := slices.Concat(got, beyond)
					known := map[graph.Edge]search.Reached{}
					for _, x := range want {
						known[x.Edge] = x
					}
					for band := range within.Bands { // which are described by their edges alone
						for _, b := range fast.Blocks(band) {
							for e := range topology.Edges(b) {
								x, ok := known[e]
								if near, far := x.Minus(x.Own), x.Measure; !ok || back == 0 && !within.Bands[band].Contains(near, far) {
									loose++
								}
								x.Edge = e
								reached = append(reached, x)
							}
						}
					}
					if bound == boundless && len(reached) != len(want) {
						t.Fatalf("seed %d: %d edges are reached, want %d", seed, len(reached), len(want))
					}
					all, compared = all+max(len(reached), len(want)), compared+sameTree(t, seed, reached, want)
				}
			}
		}
	}
	t.Logf("%d of %d trees are not certain, %d of %d edges the same", unsure, trees, compared, all)
	if all < 20*cases || compared < all*95/100 || unsure > trees/20 || loose > all/100 {
		t.Errorf("%d of %d trees are not certain, %d of %d edges the same, %d in bands that they are not in", unsure, trees, compared, all, loose)
	}
}

// TestRangeQueryBehindCounty does so on a whole county, whose cells are given as a whole.
func TestRangeQueryBehindCounty(t *testing.T) {
	s := county(t)
	costs := cch.Costs{Costing: s.costing, Metric: s.metric, Measures: s.topology.Measure(s.costing, s.metric)}
	fast, plain, again := cch.NewRangeQuery(s.topology), search.NewTree(s.graph), search.NewTree(s.graph)
	whole, beyond, same, all, unsure, cases := 0, 0, 0, 0, 0, searchtest.Cases(30)
	for i := range cases {
		// The closed edges are near another place.
		w, closed := search.Weights{Costing: s.costing, Overlay: &overlay.Overlay{}}, s.drawPlace()[0].Edge
		at := s.graph.Position[s.graph.ByEdge[closed].Head].Point()
		for e := range s.graph.Base {
			if geo.Distance(at, s.graph.Position[s.graph.ByEdge[e].Head].Point()) < 400 {
				w.Overlay.Close(e, overlay.Whole)
			}
		}
		changed, ok := w.Overlay.Changed(math.MaxInt)
		place := s.drawPlace()
		if slices.ContainsFunc(place, func(x search.End) bool { return w.Overlay.Closed(x.Edge) }) {
			continue
		}
		within := cch.RangeLimits{
			Bound: search.Measure{Millis: 400_000}, Changed: changed,
			Bands: []cch.Band{{Most: search.Measure{Millis: 380_000, Decimetres: math.MaxUint32}}},
		}
		find, anew, slow := fast.From, again.FromBeyondClosure, plain.From
		if i%2 == 1 {
			find, anew, slow = fast.Back, again.BackBeyondClosure, plain.Back
		}
		got, err := find(t.Context(), costs, place, within)
		if err != nil || !ok {
			t.Fatal(err, ok)
		}
		searched, sure, err := anew(t.Context(), w.ApplyOverlay(), place, within.Bound, search.BeyondClosure{Edges: fast.BeyondClosure(), PathTo: fast.PathTo})
		if err != nil {
			t.Fatal(err)
		}
		want, err := slow(t.Context(), w.ApplyOverlay(), place, within.Bound)
		if err != nil {
			t.Fatal(err)
		}
		if !sure {
			unsure++
			continue
		}
		cost := map[graph.Edge]uint64{}
		for _, x := range want {
			cost[x.Edge] = x.Cost
		}
		for _, x := range slices.Concat(got, searched) {
			if cost[x.Edge] == x.Cost {
				same++
			}
		}
		for _, b := range fast.Blocks(0) {
			for e := range s.topology.Edges(b) {
				whole++
				if _, reached := cost[e]; reached {
					same++
				}
			}
		}
		beyond, all = beyond+len(searched), all+max(len(got)+len(searched), len(want))
	}
	t.Logf("%d of %d edges are the same, %d of blocks, %d behind; %d of %d trees are not certain", same, all, whole, beyond, unsure, cases)
	// Ways of one cost and different times may be on both sides of the bound.
	if same < all*999/1000 || whole < all/2 || beyond < 20*cases || unsure > cases/5 {
		t.Errorf("%d of %d edges are the same, %d of blocks, %d behind; %d of %d trees are not certain", same, all, whole, beyond, unsure, cases)
	}
}
