package order

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
)

// TestDissectAtOnce dissects a network on one core and on four, and checks that both find
// the same order and the same sizes of the parts.
func TestDissectAtOnce(t *testing.T) {
	n := grid(rand.New(rand.NewPCG(5, 5)), 90, 90)
	var all []*Dissection
	for _, cores := range []int{1, 4} {
		before := runtime.GOMAXPROCS(cores)
		all = append(all, dissected(t, n))
		runtime.GOMAXPROCS(before)
	}
	if !slices.Equal(all[0].Roads, all[1].Roads) || !slices.Equal(all[0].Levels, all[1].Levels) {
		t.Error("four cores find another order than one")
	}
	if l := all[0].Levels[1].Largest; l <= 1000 {
		t.Errorf("the parts have %d nodes, too few to be shared out", l)
	}
}
