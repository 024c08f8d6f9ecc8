package cch

import (
	"testing"

	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/search/searchtest"
)

// TestParents compares parents with those that arcs tell: the lowest ancestor that
// these lead to, by its depth and what is below it.
func TestParents(t *testing.T) {
	next, other, cases := 0, 0, searchtest.Cases(100)
	for drawn := range searchtest.Draw(cases, 21, searchtest.Random) {
		topology := Contracted(drawn.Graph)
		for v := range Rank(len(topology.Edge)) {
			got, want := topology.Parent(v), Rank(graph.None)
			if above := topology.above(v); len(above) > 0 {
				for want = v + 1; topology.Depth[want] != above[0]; {
					want++
				}
			}
			if got != want {
				t.Fatalf("seed %d: the parent of %d is %d, want %d", drawn.Seed, v, got, want)
			}
			if want == v+1 {
				next++
			} else {
				other++
			}
		}
	}
	if next < 10*cases || other < 2*cases {
		t.Errorf("%d parents come next and %d do not: too few to prove anything", next, other)
	}
}
