package profile

import (
	"math/rand/v2"
	"reflect"
	"runtime"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/road/graph"
)

// TestMetricAtOnce works out junctions and a metric on one core and on four: both are the
// same.
func TestMetricAtOnce(t *testing.T) {
	g := drawnJunctions(graph.NewBuilder(), rand.New(rand.NewPCG(9, 9)))
	index := NewTurnIndex(g)
	var junctions [2][]graph.Junctions
	var metrics [2]*Metric
	for i, cores := range []int{1, 4} {
		before := runtime.GOMAXPROCS(cores)
		var err error
		junctions[i], err = Junctions(t.Context(), g)
		metrics[i] = New(g, usual(costing.Truck)).Metric(index)
		runtime.GOMAXPROCS(before)
		if err != nil {
			t.Fatal(err)
		}
	}
	if !reflect.DeepEqual(junctions[0], junctions[1]) {
		t.Error("four cores find other junctions than one")
	}
	if !reflect.DeepEqual(metrics[0], metrics[1]) || metrics[0].Bytes() == 0 {
		t.Error("four cores make another metric than one")
	}
}
