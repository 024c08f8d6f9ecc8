package cch

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/profile"
	"github.com/waygate/waygate/road/search/searchtest"
)

// TestPartsAreTheSame customises with several goroutines what one customises alone.
func TestPartsAreTheSame(t *testing.T) {
	networks := map[string]*graph.Graph{"grid": searchtest.Grid(rand.New(rand.NewPCG(1, 1)), 40)}
	for n := range searchtest.Draw(30, 12, searchtest.Varied) {
		networks[fmt.Sprint(n.Seed)] = n.Graph
	}
	for name, g := range networks {
		topology := Contracted(g)
		alone := newWeights(topology, 1)
		for _, workers := range []int{2, 3} {
			several := newWeights(topology, workers)
			if name == "grid" && (len(several.parts.subtrees) < partsForWorker || len(several.parts.top) == 0) {
				t.Fatalf("%d subtrees, %d stretches above", len(several.parts.subtrees), len(several.parts.top))
			}
			for _, k := range []costing.Costing{costing.Auto, costing.Pedestrian} {
				c := profile.New(g, costing.Default(k))
				m := c.Metric(profile.NewTurnIndex(g))
				want, got := without(topology.customise(t.Context(), g, c, m, alone)), without(topology.customise(t.Context(), g, c, m, several))
				if !reflect.DeepEqual(want, got) {
					t.Errorf("%s, %s: %d workers make another metric than one", name, k, workers)
				}
			}
		}
	}
}

// TestPartsAreAllRanks counts each rank once, in a subtree or above all.
func TestPartsAreAllRanks(t *testing.T) {
	for n := range searchtest.Draw(30, 12, searchtest.Varied) {
		topology := Contracted(n.Graph)
		for _, most := range []uint32{1, 4, 1 << 20} {
			p := topology.subtrees(most)
			times := make([]int, len(topology.Edge))
			for i, list := range [][]stretch{p.subtrees, p.top} {
				for _, s := range list {
					for v := s.from; v < s.to; v++ {
						times[v]++
						if size := topology.Size[v]; (i == 0) != (size <= most) {
							t.Errorf("seed %d: rank %d, above %d others, is in a part of the wrong kind", n.Seed, v, size-1)
						}
					}
				}
			}
			for v, n := range times {
				if n != 1 {
					t.Fatalf("rank %d is in %d parts", v, n)
				}
			}
		}
	}
}
