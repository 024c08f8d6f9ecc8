package graph

import (
	"slices"
	"testing"
)

// TestEach compares what comes before an edge, and its copies, with a look at every edge.
func TestEach(t *testing.T) {
	g := rich(t)
	copies, all := 0, len(g.Copies)+int(g.Base)
	for o := range g.Base {
		var before, same, wantBefore, wantSame []Edge
		g.EachPredecessor(o, func(e Edge) { before = append(before, e) })
		g.EachCopy(o, func(e Edge) { same = append(same, e) })
		for e := range Edge(all) {
			if g.ByEdge[g.Original(e)].Head == g.ByEdge[o].Tail {
				wantBefore = append(wantBefore, e)
			}
			if g.Original(e) == o {
				wantSame = append(wantSame, e)
			}
		}
		slices.Sort(before)
		slices.Sort(same)
		if !slices.Equal(before, wantBefore) || !slices.Equal(same, wantSame) {
			t.Errorf("edge %d: %v before it, want %v; %v are it, want %v", o, before, wantBefore, same, wantSame)
		}
		copies += len(same) - 1
	}
	if copies == 0 {
		t.Error("no edge has a copy: the test tests nothing")
	}
}
