package island

import (
	"math/rand/v2"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/region"
	"github.com/waygate/waygate/region/regiontest"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/profile"
	"github.com/waygate/waygate/road/search"
	"github.com/waygate/waygate/road/search/searchtest"
)

// TestMainlandsAreCounted compares the mainlands of a region with a count from every
// edge, of networks below and above Enough.
func TestMainlandsAreCounted(t *testing.T) {
	on, off := 0, 0
	for seed := range uint64(searchtest.Cases(20)) {
		r := rand.New(rand.NewPCG(seed, 3))
		g := searchtest.Grid(r, 7+r.IntN(3))
		if seed%2 == 0 {
			g = searchtest.Random(r).Graph
		}
		opened, err := Open(regiontest.Of(t, Section, Version, func(path string) error { return Write(t.Context(), g, path) }), g)
		if err != nil {
			t.Fatal(err)
		}
		var s Search
		for _, k := range costing.All {
			c := profile.New(g, costing.Default(k))
			for e := range g.Base {
				for _, d := range []Direction{Departing, Arriving} {
					want := c.Allowed(e) && s.Nodes(c, e, d) >= Enough
					if got := opened[k].Has(e, d); got != want {
						t.Fatalf("seed %d: %s: edge %d, departing %v, is on the mainland: %v, want %v", seed, k, e, d, got, want)
					}
					if want {
						on++
					} else {
						off++
					}
				}
			}
		}
	}
	if on < 1000 || off < 1000 {
		t.Errorf("%d edges on mainlands and %d on islands prove too little", on, off)
	}
}

// TestReachIsThatOfPaths counts the nodes from and to edges of small networks with turn
// restrictions by a slow search without copies.
func TestReachIsThatOfPaths(t *testing.T) {
	banned := 0
	for drawn := range searchtest.Draw(searchtest.Cases(60), 5, searchtest.Random) {
		g, c := drawn.Graph, profile.New(drawn.Graph, costing.Default(costing.Auto))
		reached := make([][]uint64, g.Base) // by edge: the edges reached from it
		for e := range g.Base {
			if c.Allowed(e) {
				reached[e] = drawn.Heads(c, search.End{Edge: e})
			}
		}
		var s Search
		for e := range g.Base {
			if !c.Allowed(e) {
				continue
			}
			from, to := map[graph.Node]bool{}, map[graph.Node]bool{g.ByEdge[e].Tail: true}
			for x := range g.Base {
				if reached[e][x] != searchtest.Unreached {
					from[g.ByEdge[x].Head] = true
				}
				if reached[x] != nil && reached[x][e] != searchtest.Unreached {
					to[g.ByEdge[x].Tail] = true
				}
			}
			for d, want := range map[Direction]int{Departing: len(from), Arriving: len(to)} {
				if got := s.Nodes(c, e, d); got != want {
					t.Errorf("seed %d: edge %d, departing %v: %d nodes, want %d", drawn.Seed, e, d, got, want)
				}
			}
			if len(from) == 1 && g.FirstOut[g.ByEdge[e].Head+1]-g.FirstOut[g.ByEdge[e].Head] > 1 {
				banned++
			}
		}
	}
	if banned == 0 {
		t.Error("all edges lead on: the cases prove too little")
	}
}

// FuzzRead damages a section: reading it gives an error, or every edge can be looked up.
func FuzzRead(f *testing.F) {
	g := searchtest.Grid(rand.New(rand.NewPCG(1, 2)), 8)
	whole := regiontest.Written(f, func(path string) error { return Write(f.Context(), g, path) })
	for _, p := range regiontest.Patches {
		f.Add(p, 0)
	}
	f.Add([]byte(nil), 300)
	f.Fuzz(func(_ *testing.T, patch []byte, cut int) {
		s, err := region.ReadSection(Section, regiontest.Patched(whole, patch, cut))
		if err != nil {
			return
		}
		all, err := read(s, g)
		if err != nil {
			return
		}
		for _, k := range costing.All {
			for e := range g.Base {
				all[k].Has(e, Departing)
				all[k].Has(e, Arriving)
			}
		}
	})
}
