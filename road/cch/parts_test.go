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

// networks returns a grid with so many nodes a side and some that are drawn, by their names.
func networks(side, drawn int, seed uint64) map[string]*graph.Graph {
	all := map[string]*graph.Graph{"grid": searchtest.Grid(rand.New(rand.NewPCG(1, 1)), side)}
	for n := range searchtest.Draw(drawn, seed, searchtest.Varied) {
		all[fmt.Sprint(n.Seed)] = n.Graph
	}
	return all
}

// TestPiecesAreTheSame customises in pieces of several sizes what is customised in one.
func TestPiecesAreTheSame(t *testing.T) {
	for name, g := range networks(40, 30, 12) {
		topology := Contracted(g)
		all := uint32(len(topology.Edge))
		for _, k := range []costing.Costing{costing.Auto, costing.Pedestrian} {
			c := profile.New(g, costing.Default(k))
			turns := newRespect(topology, g, c, c.Metric(profile.NewTurnIndex(g)))
			want := topology.inPieces(turns, all)
			for _, most := range []uint32{1, 2, 5, all/32 + 1, all / 3} {
				if p := topology.subtrees(most); name == "grid" && (len(p.subtrees) < 2 || len(p.top) == 0) {
					t.Fatalf("%d subtrees, %d stretches above", len(p.subtrees), len(p.top))
				}
				if got := topology.inPieces(turns, most); !reflect.DeepEqual(want, got) {
					t.Errorf("%s, %s: pieces of %d ranks make another metric than one of %d", name, k, most, all)
				}
			}
		}
	}
}

// TestCustomiserIsUsedAgain makes one metric after the other with the same scratch.
func TestCustomiserIsUsedAgain(t *testing.T) {
	g := searchtest.Grid(rand.New(rand.NewPCG(1, 1)), 20)
	topology := Contracted(g)
	again := newCustomiser(topology, 50)
	for _, k := range []costing.Costing{costing.Auto, costing.Pedestrian, costing.Auto} {
		c := profile.New(g, costing.Default(k))
		turns := newRespect(topology, g, c, c.Metric(profile.NewTurnIndex(g)))
		if got := again.whole(turns); !reflect.DeepEqual(topology.inPieces(turns, pieceRanks), got) {
			t.Errorf("%s is another metric with scratch that was used before", k)
		}
	}
}

// TestPiecesAreSmall compares what is held of pieces with what is said of it.
func TestPiecesAreSmall(t *testing.T) {
	g := searchtest.Grid(rand.New(rand.NewPCG(1, 1)), 60)
	topology := Contracted(g)
	c := profile.New(g, costing.Default(costing.Auto))
	turns := newRespect(topology, g, c, c.Metric(profile.NewTurnIndex(g)))
	all := topology.workingBytes(uint32(len(topology.Edge)))
	for _, most := range []int{len(topology.Edge), 1000, 100} {
		x := newCustomiser(topology, uint32(most))
		x.whole(turns)
		took := 0
		for _, p := range []piece{x.top, x.piece} {
			took += 8*(cap(p.up)+cap(p.down)) + 4*(cap(p.head)+cap(p.rank)+cap(p.first)+cap(p.lower.first)+cap(p.lower.next)+cap(p.lower.arc)+cap(p.arcTo))
		}
		says := topology.workingBytes(uint32(most))
		if t.Logf("pieces of %d ranks take %d bytes, of %d for all", most, took, all); int64(took) > says+says/4 {
			t.Errorf("pieces of %d ranks take %d bytes, more than %d", most, took, says)
		}
		if most < len(topology.Edge) && int64(took) > all*3/4 {
			t.Errorf("pieces of %d ranks take %d bytes, all %d", most, took, all)
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
						if size := topology.Size(v); (i == 0) != (size <= most) {
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
