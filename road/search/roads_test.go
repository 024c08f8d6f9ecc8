package search_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/search"
)

// Roads of a path are its segments in order, whatever their numbers.
func TestRoadsAreSorted(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 300 {
		n := r.IntN(400)
		most := 1 + r.IntN(1<<(1+r.IntN(18)))
		g := &graph.Graph{SegmentDir: make([]graph.DirectedSegment, most)}
		for s := range g.SegmentDir {
			g.SegmentDir[s] = graph.Segment(s).Forwards()
		}
		f := search.Found{Edges: make([]graph.Edge, n)}
		want := make(search.Roads, n)
		for i := range f.Edges {
			f.Edges[i] = graph.Edge(r.IntN(most))
			want[i] = graph.Segment(f.Edges[i])
		}
		slices.Sort(want)
		if got := search.RoadsOf(g, f); !slices.Equal(got, want) {
			t.Fatalf("%v, want %v", got, want)
		}
	}
}
