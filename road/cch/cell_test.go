package cch_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/waygate/waygate/road/cch"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/profile"
	"github.com/waygate/waygate/road/search"
	"github.com/waygate/waygate/road/search/searchtest"
)

// TestWholeCells checks that cells given as a whole have the very edges that a search
// without bands finds, each in its band.
func TestWholeCells(t *testing.T) {
	blocks, looks, cases := 0, 0, searchtest.Cases(60)
	for seed := range uint64(cases) {
		r := rand.New(rand.NewPCG(seed, 40))
		var g *graph.Graph
		if seed%2 == 0 {
			g = searchtest.Grid(r, 8+r.IntN(8))
		} else {
			g = searchtest.Random(r).Graph
		}
		opt := car
		opt.ExcludeTunnels = r.IntN(2) == 0
		c := profile.New(g, opt)
		topology := cch.Contracted(g)
		m := cch.Customised(topology, g, c, c.Metric(profile.NewTurnIndex(g)))
		costs := cch.Costs{Costing: c, Metric: m, Measures: topology.Measure(c, m)}
		for range 3 {
			b, l := compareWholes(t, r, topology, costs, []search.End{(&searchtest.Network{Graph: g}).End(r, c)})
			blocks, looks = blocks+b, looks+l
		}
	}
	if blocks-looks < 50*cases {
		t.Errorf("%d looks at ranks for %d edges in bands", looks, blocks)
	}
}

// TestWholeCellsCounty checks the same on a whole county.
func TestWholeCellsCounty(t *testing.T) {
	s := county(t)
	costs := cch.Costs{Costing: s.costing, Metric: s.metric, Measures: s.topology.Measure(s.costing, s.metric)}
	r, blocks, looks, cases := rand.New(rand.NewPCG(1, 1)), 0, 0, searchtest.Cases(5)
	for range cases {
		b, l := compareWholes(t, r, s.topology, costs, s.drawPlace())
		blocks, looks = blocks+b, looks+l
	}
	if blocks-looks < 5000*cases {
		t.Errorf("%d looks at ranks for %d edges in bands", looks, blocks)
	}
}

// compareWholes compares searches around a place, and gives how many edges were in
// blocks and at how many ranks the searches looked.
func compareWholes(t *testing.T, r *rand.Rand, topology *cch.Topology, costs cch.Costs, place []search.End) (blocks, looks int) {
	t.Helper()
	x := cch.NewRangeQuery(topology)
	most := search.Measure{Millis: math.MaxUint32, Decimetres: math.MaxUint32}
	for back, find := range []func(within cch.RangeLimits) ([]search.Reached, error){
		func(w cch.RangeLimits) ([]search.Reached, error) { return x.From(t.Context(), costs, place, w) },
		func(w cch.RangeLimits) ([]search.Reached, error) { return x.Back(t.Context(), costs, place, w) },
	} {
		bound := search.Measure{Millis: 50_000 + r.Uint32N(800_000)}
		middle := bound.Millis / 2
		if r.IntN(3) == 0 {
			bound = most
		}
		inner, outer := cch.Band{Most: most}, cch.Band{Most: most}
		inner.Most.Millis, outer.Least.Millis, outer.Most.Millis = middle, middle+r.Uint32N(20_000), bound.Millis
		bands := []cch.Band{inner, outer}
		all, err := find(cch.RangeLimits{Bound: bound})
		if err != nil {
			t.Fatal(err)
		}
		want := map[graph.Edge]search.Reached{}
		for _, a := range all {
			want[a.Edge] = a
		}
		rest, err := find(cch.RangeLimits{Bound: bound, Bands: bands})
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range rest {
			if want[a.Edge] != a {
				t.Fatalf("edge %d is %v with bands and %v without", a.Edge, a, want[a.Edge])
			}
			delete(want, a.Edge)
		}
		for _, a := range rest {
			if slices.ContainsFunc(bands, func(b cch.Band) bool { return inBand(&b, a, back == 1) }) {
				t.Fatalf("edge %d, %v, is in a band and given beside", a.Edge, a)
			}
		}
		for i := range bands {
			for _, b := range x.Blocks(i) {
				for e := range topology.Edges(b) {
					a, ok := want[e]
					if !ok || !inBand(&bands[i], a, back == 1) {
						t.Fatalf("edge %d, %v (found %v), is given as in %v", e, a, ok, bands[i])
					}
					delete(want, e)
					blocks++
				}
			}
		}
		if len(want) > 0 {
			t.Fatalf("%d of %d edges are missing with bands", len(want), len(all))
		}
		looks += x.Looks()
	}
	return blocks, looks
}

func inBand(b *cch.Band, a search.Reached, back bool) bool {
	if back {
		return b.Contains(a.Measure, a.Plus(a.Own))
	}
	return b.Contains(a.Minus(a.Own), a.Measure)
}
