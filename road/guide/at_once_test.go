package guide_test

import (
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/waygate/waygate/guidance"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/guide"
)

// TestContinuationsAtOnce works out on one core and on four how roads continue: both find
// the same.
func TestContinuationsAtOnce(t *testing.T) {
	g := randomTown(rand.New(rand.NewPCG(5, 6)), 60)
	var all [2][]graph.Continuation
	for i, cores := range []int{1, 4} {
		before := runtime.GOMAXPROCS(cores)
		var err error
		all[i], err = guide.Continuations(t.Context(), g)
		runtime.GOMAXPROCS(before)
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(all[0]) <= 2*4096 || !slices.Equal(all[0], all[1]) {
		t.Errorf("four cores find other continuations of %d edges than one, or there is too little to share out", len(all[0]))
	}
}

// TestManoeuvresAtOnce has four callers ask for the manoeuvres of the same paths, whose
// builders are pooled: each gets what it gets alone.
func TestManoeuvresAtOnce(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 6))
	g := randomTown(r, 8)
	var paths []graph.Path
	var want [][]guidance.Manoeuvre
	ask := func(p graph.Path) []guidance.Manoeuvre {
		return guide.Manoeuvres(g, p, guide.Shape(g, p), guide.Options{Modes: graph.Auto})
	}
	for range 50 {
		p := walk(r, g, 2+r.IntN(20))
		paths, want = append(paths, p), append(want, ask(p))
	}
	var all sync.WaitGroup
	for k := range 4 {
		all.Go(func() {
			for n := range 2 * len(paths) {
				i := (n*(2*k+1) + k) % len(paths)
				if got := ask(paths[i]); !reflect.DeepEqual(got, want[i]) {
					t.Errorf("path %d has other manoeuvres than alone", i)
				}
			}
		})
	}
	all.Wait()
}
