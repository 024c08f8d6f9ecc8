package search_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/search"
	"github.com/waygate/waygate/road/search/searchtest"
)

// TestByEdge compares with a look through all ends.
func TestByEdge(t *testing.T) {
	var x search.ByEdge
	for seed := range uint64(searchtest.Cases(300)) {
		r := rand.New(rand.NewPCG(seed, 1))
		ends := make([]search.End, r.IntN(40))
		for i := range ends {
			ends[i] = search.End{Edge: graph.Edge(r.IntN(12)), Along: r.Float64()}
		}
		before := slices.Clone(ends)
		x.Reset(ends)
		for e := range graph.Edge(13) {
			want := slices.DeleteFunc(slices.Clone(ends), func(end search.End) bool { return end.Edge != e })
			if got := x.On(e); !slices.Equal(got, want) {
				t.Fatalf("seed %d: on edge %d %v, want %v", seed, e, got, want)
			}
		}
		if !slices.Equal(ends, before) {
			t.Fatalf("seed %d: the list was changed", seed)
		}
	}
}
