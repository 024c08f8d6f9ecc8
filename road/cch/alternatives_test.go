package cch_test

import (
	"context"
	"reflect"
	"testing"

	"github.com/waygate/waygate/importer/importertest"
	"github.com/waygate/waygate/realdata"
	"github.com/waygate/waygate/road/cch"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/profile"
	"github.com/waygate/waygate/road/search"
	"github.com/waygate/waygate/road/search/searchtest"
)

// TestAlternativesAreGood judges every alternative by a slow search: it is a
// real path, not much dearer than the best, differs from those before it, and
// has a stretch that lies on cheapest paths from the start and to the end.
func TestAlternativesAreGood(t *testing.T) {
	found := 0
	for drawn := range searchtest.Draw(searchtest.Cases(300), 3, searchtest.Random) {
		seed, r, n := drawn.Seed, drawn.Rand, drawn.Network
		topology := cch.Contracted(n.Graph)
		c := profile.New(n.Graph, car)
		m := cch.Customised(topology, n.Graph, c, c.Metric(profile.NewTurnIndex(n.Graph)))
		from, to := n.End(r, c), n.End(r, c)
		j := cch.Journey{Costing: c, Metric: m, From: []search.End{from}, To: []search.End{to}}
		all, err := cch.NewRouter(topology).Alternatives(t.Context(), j, 2)
		if err != nil {
			t.Fatal(err)
		}
		want := n.Slow(c, from, to)
		if (want == searchtest.Unreached) != (len(all) == 0) || len(all) > 0 && all[0].Cost != want {
			t.Fatalf("seed %d: the first is not the cheapest path", seed)
		}
		for i, a := range all {
			n.Check(t, seed, c, a.Found)
			if i == 0 {
				continue
			}
			found++
			var before []search.Roads
			for _, x := range all[:i] {
				before = append(before, search.RoadsOf(n.Graph, x.Found))
			}
			entry := search.Entry(c, j.From, j.To)
			if float64(a.Cost-entry) > float64(want-entry)*search.AlternativeStretch+1 || !differs(n.Graph, a.Found, before) {
				t.Errorf("seed %d: alternative %d costs %d, the best %d, or is one of the others", seed, i, a.Cost, want)
			}
			if !copied(n.Graph, a.Edges) && longestPlateau(n, c, a.Found, from, to) < search.AlternativePlateau*float64(want-entry)-2 {
				t.Errorf("seed %d: alternative %d has no stretch on cheapest paths from both sides", seed, i)
			}
		}
	}
	if found < searchtest.Cases(300)/30 {
		t.Errorf("only %d alternatives: the cases prove too little", found)
	}
}

// A router that has found paths which have arcs in common finds those of the next
// journey as a new one does.
func TestAlternativesAreForgotten(t *testing.T) {
	found, cases := 0, searchtest.Cases(300)
	for drawn := range searchtest.Draw(cases, 97, searchtest.Random) {
		seed, r, n := drawn.Seed, drawn.Rand, drawn.Network
		topology, c := cch.Contracted(n.Graph), profile.New(n.Graph, car)
		m := cch.Customised(topology, n.Graph, c, c.Metric(profile.NewTurnIndex(n.Graph)))
		again := cch.NewRouter(topology)
		for range 4 {
			j := cch.Journey{Costing: c, Metric: m, From: []search.End{n.End(r, c)}, To: []search.End{n.End(r, c)}}
			want, _ := cch.NewRouter(topology).Alternatives(t.Context(), j, 2)
			got, _ := again.Alternatives(t.Context(), j, 2)
			if !reflect.DeepEqual(got, want) {
				t.Fatalf("seed %d: alternatives are %v, want %v", seed, got, want)
			}
			found += max(0, len(want)-1)
			j.From = []search.End{n.End(r, c)}
			first, _ := cch.NewRouter(topology).Shortest(c, m, j.From, j.To)
			if next, _ := again.Shortest(c, m, j.From, j.To); !reflect.DeepEqual(next, first) {
				t.Fatalf("seed %d: the path after them is %v, want %v", seed, next, first)
			}
		}
	}
	if found < cases/20 {
		t.Errorf("only %d alternatives: the cases prove too little", found)
	}
}

// copied reports whether a path is inside of a restriction over several ways,
// where more than its edge counts.
func copied(g *graph.Graph, edges []graph.Edge) bool {
	for _, e := range edges {
		if g.Original(e) != e {
			return true
		}
	}
	return false
}

// longestPlateau tries every stretch of a path.
func longestPlateau(n *searchtest.Network, c *profile.Costing, f search.Found, from, to search.End) (longest float64) {
	part := func(e graph.Edge, share float64) uint64 { return search.PartCost(c, e, share) }
	until := []uint64{part(f.From.Edge, 1-f.From.Along)}
	for i := 1; i < len(f.Edges)-1; i++ {
		until = append(until, until[i-1]+uint64(c.Turn(f.Edges[i-1], f.Edges[i]).Cost)+uint64(c.Edge(f.Edges[i])))
	}
	for x := range until {
		if n.Slow(c, search.End{Edge: f.Edges[x], Along: 1}, to) < f.Cost-until[x] {
			continue
		}
		for y := x; y < len(until); y++ {
			if n.Slow(c, from, search.End{Edge: f.Edges[y], Along: 1}) == until[y] {
				longest = max(longest, float64(until[y]-until[x]))
			}
		}
	}
	return longest
}

// TestAlternativesAsPlateaus compares with the search of plateaus, which has no hierarchy:
// about as many journeys have an alternative.
func TestAlternativesAsPlateaus(t *testing.T) {
	s := newState(t, importertest.Region(t, realdata.File(t, "osm/malta-20180827.osm.pbf")))
	router, slow := cch.NewRouter(s.topology), search.NewQuery(s.graph)
	ours, theirs, both := 0, 0, 0
	const journeys = 100
	for range journeys {
		j := cch.Journey{Costing: s.costing, Metric: s.metric, From: s.drawPlace(), To: s.drawPlace()}
		a, err := router.Alternatives(t.Context(), j, 2)
		if err != nil {
			t.Fatal(err)
		}
		b, err := slow.Alternatives(context.Background(), search.Weights{Costing: s.costing}, j.From, j.To, 2)
		if err != nil {
			t.Fatal(err)
		}
		if len(a) != 0 && len(b) != 0 && a[0].Cost != b[0].Cost {
			t.Fatalf("the best costs %d and %d", a[0].Cost, b[0].Cost)
		}
		if len(a) > 1 {
			ours++
		}
		if len(b) > 1 {
			theirs++
			if len(a) > 1 {
				both++
			}
		}
	}
	t.Logf("of %d journeys %d have an alternative over a meeting, %d by a plateau, %d both", journeys, ours, theirs, both)
	if theirs < journeys/4 || ours < theirs || both*10 < theirs*8 {
		t.Errorf("of %d journeys %d have an alternative over a meeting, %d by a plateau, %d both", journeys, ours, theirs, both)
	}
}

func BenchmarkAlternatives(b *testing.B) {
	s := newState(b, importertest.Region(b, realdata.File(b, "osm/malta-20180827.osm.pbf")))
	router, slow := cch.NewRouter(s.topology), search.NewQuery(s.graph)
	draw := func() cch.Journey {
		return cch.Journey{Costing: s.costing, Metric: s.metric, From: s.drawPlace(), To: s.drawPlace()}
	}
	b.Run("shortest", func(b *testing.B) {
		for b.Loop() {
			j := draw()
			router.Shortest(j.Costing, j.Metric, j.From, j.To)
		}
	})
	b.Run("meetings", func(b *testing.B) {
		for b.Loop() {
			if _, err := router.Alternatives(b.Context(), draw(), 2); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("plateaus", func(b *testing.B) {
		for b.Loop() {
			j := draw()
			if _, err := slow.Alternatives(b.Context(), search.Weights{Costing: s.costing}, j.From, j.To, 2); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func differs(g *graph.Graph, f search.Found, before []search.Roads) bool {
	_, ok := search.Differs(g, f, before)
	return ok
}
