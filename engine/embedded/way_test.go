package embedded_test

import (
	"slices"
	"testing"

	"github.com/waygate/waygate/realdata"
	"github.com/waygate/waygate/road/graph"
)

// TestEdgesOf compares the index by way with a look at every road.
func TestEdgesOf(t *testing.T) {
	e := open(t, realdata.File(t, "osm/liechtenstein-bench.osm.pbf"))
	g := e.Graph()
	want := map[int64][]graph.Edge{}
	for s, way := range g.WayID {
		want[way] = append(want[way], g.Forward[s], g.ByEdge[g.Forward[s]].Opposite)
	}
	for way, edges := range want {
		if got := e.EdgesOf(way); !slices.Equal(got, edges) {
			t.Fatalf("way %d has the edges %v, want %v", way, got, edges)
		}
	}
	if got := e.EdgesOf(-1); got != nil {
		t.Errorf("no way has the edges %v", got)
	}
}
