package link

import (
	"context"
	"errors"
	"testing"

	"github.com/waygate/waygate/road/graph"
)

// TestTurns checks that turns of the county are found by the junctions before and
// after, and by the nodes next to the turn.
func TestTurns(t *testing.T) {
	g, _ := open(t)
	near := func(e graph.Edge) int64 { return g.AppendNodes(nil, e)[1] }
	var list []Turn
	want := map[TurnTime]bool{}
	bent := 0
	for _, e := range drivable(g, 200) {
		n := g.ByEdge[e].Head
		for f := g.FirstOut[n]; f < g.FirstOut[n+1]; f++ {
			seconds := float32(len(list))
			if back := g.ByEdge[e].Opposite; near(back) != 0 && near(f) != 0 {
				list = append(list, Turn{From: near(back), Via: g.NodeID[n], To: near(f), Seconds: seconds, At: 7})
			} else {
				list = append(list, Turn{From: g.NodeID[g.ByEdge[e].Tail], Via: g.NodeID[n], To: g.NodeID[g.ByEdge[f].Head], Seconds: seconds, At: 7})
				bent++
			}
			want[TurnTime{e, f, seconds, 7}] = true
		}
	}
	given := len(list)
	list = append(list, Turn{From: 1, Via: g.NodeID[0], To: 2, Seconds: 1}, Turn{From: g.NodeID[0], Via: 1, To: 2})
	found, missed, err := Turns(t.Context(), g, list)
	if err != nil || missed != 2 || given == 0 {
		t.Fatalf("%d missed of %d, %v", missed, given, err)
	}
	hits := 0
	for _, x := range found {
		if want[x] {
			hits++
		}
	}
	// Edges drawn twice count as given last.
	if hits < len(want)*9/10 || hits < len(found)*9/10 {
		t.Errorf("%d turns found, %d of them among the %d meant", len(found), hits, len(want))
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if _, _, err := Turns(ended, g, list); !errors.Is(err, context.Canceled) {
		t.Errorf("after its context: %v", err)
	}
}
