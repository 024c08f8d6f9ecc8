package searchgraph

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/waygate/waygate/road/graph"
)

// TestArcsAsPut reads what was put into a search graph: arcs of all depths, with weights
// and ranks that fit into few bits and with others.
func TestArcsAsPut(t *testing.T) {
	type arc struct {
		depth, cost uint32
		via         Rank
	}
	costs := []uint32{0, 1, MostWeight, MostWeight + 1, 1 << 30, Never - 1, Never}
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 0))
		ranks := 1 + rng.IntN(1500)
		first := 0 // with arcs
		if seed%5 == 0 {
			first = 70_000 // whose paths lead over ranks farther below than two bytes tell
		}
		ranks += first
		want := make([][]arc, ranks)
		kept := 0
		for v := first; v < ranks; v++ {
			arcs := rng.IntN(6)
			if v/100%3 == 1 { // some of whose blocks have more than a byte counts
				arcs = rng.IntN(80)
			}
			for _, depth := range rng.Perm(MostHeight)[:arcs] {
				a := arc{uint32(depth), costs[rng.IntN(len(costs))], graph.None}
				switch below := rng.IntN(v + 1); {
				case rng.IntN(8) == 0:
					a.via = Lowered
				case below > 0 && rng.IntN(3) > 0:
					a.via = Rank(v - below)
				}
				want[v] = append(want[v], a)
				kept += IsCheapest(a.cost, a.via)
			}
		}
		w, n := New(ranks, kept), 0
		for v, arcs := range want {
			for _, a := range arcs {
				n += w.SetArc(n, Rank(v), a.depth, a.cost, a.via)
			}
			w.End(Rank(v), n)
		}
		if err := w.Trim(); err != nil || n != kept || len(w.Arcs) != kept || len(w.Via) != kept {
			t.Fatalf("seed %d: %d arcs put, of %d: %v", seed, n, kept, err)
		}
		if first > 0 && ranks-first > 100 && (len(w.Farthest) == 0 || len(w.Far) == len(w.Farthest)) {
			t.Errorf("seed %d: %d of %d far paths are the farthest", seed, len(w.Farthest), len(w.Far))
		}
		if ranks-first > 300 && len(w.LongBlocks) == 0 {
			t.Errorf("seed %d: none of %d blocks is long", seed, len(w.Blocks))
		}
		next := uint32(0)
		for v, arcs := range want {
			arcs = slices.DeleteFunc(arcs, func(a arc) bool { return IsCheapest(a.cost, a.via) == 0 })
			from, to := w.Span(Rank(v))
			if from != next || int(to-from) != len(arcs) || len(w.Of(Rank(v))) != len(arcs) {
				t.Fatalf("seed %d: rank %d has arcs %d to %d, want %d after %d", seed, v, from, to, len(arcs), next)
			}
			next = to
			for i, a := range arcs {
				at := from + uint32(i)
				depth, weight := w.Open(w.Arcs[at])
				if got := (arc{depth, weight, w.Middle(Rank(v), at)}); got != a {
					t.Fatalf("seed %d: arc %d of rank %d is %v, want %v", seed, i, v, got, a)
				}
				if !w.IsThere(w.Arcs[at]) || w.Find(Rank(v), a.depth) != at {
					t.Fatalf("seed %d: arc %d of rank %d is not found by its depth, or has no weight", seed, i, v)
				}
			}
		}
	}
}

// TestMostArcsOfABlock counts the arcs of ranks that have as many as the height lets them.
func TestMostArcsOfABlock(t *testing.T) {
	const each = MostHeight - 1
	w, n := New(InBlock+1, (InBlock+1)*each), 0
	for v := range Rank(InBlock + 1) {
		for depth := range uint32(each) {
			n += w.SetArc(n, v, depth, 1, graph.None)
		}
		w.End(v, n)
	}
	for v := range Rank(InBlock + 1) {
		if from, to := w.Span(v); from != uint32(v)*each || to != from+each {
			t.Errorf("rank %d has arcs %d to %d", v, from, to)
		}
	}
}
