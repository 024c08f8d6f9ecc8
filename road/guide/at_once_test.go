package guide_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/guidance"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/guide"
)

// TestContinuationsAtOnce works out on one core and on four how roads continue: both find
// the same.
func TestContinuationsAtOnce(t *testing.T) {
	g := blocks(rand.New(rand.NewPCG(5, 6)), 50)
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
	if len(all[0]) <= 2*4096 {
		t.Fatalf("%d edges are too few to be shared out", len(all[0]))
	}
	if !slices.Equal(all[0], all[1]) {
		t.Error("four cores find other continuations than one")
	}
	goOn := 0
	for _, c := range all[0] {
		if c&(graph.ContinuesByMotor|graph.ContinuesByBicycle|graph.ContinuesOnFoot) != 0 {
			goOn++
		}
	}
	if goOn == 0 || goOn == len(all[0]) {
		t.Errorf("%d roads of %d continue, which tells nothing", goOn, len(all[0]))
	}
}

// blocks returns a larger grid than a randomTown, of streets that mostly go on under their name.
func blocks(r *rand.Rand, side int) *graph.Graph {
	b := graph.NewBuilder()
	nodes, at := make([]graph.AddedNode, side*side), make([]geo.Fixed, side*side)
	for i := range nodes {
		at[i] = geo.Point{Lon: 0.001 * (float64(i%side) + 0.3*r.Float64()), Lat: 0.001 * (float64(i/side) + 0.3*r.Float64())}.Fix()
		nodes[i] = b.AddNode(graph.NodeFacts{Position: at[i], Access: graph.AllModes})
	}
	add := func(from, to, street int) {
		s := graph.SegmentFacts{From: nodes[from], To: nodes[to], Class: graph.Class(r.IntN(8)), Use: graph.Road, Forward: graph.Direction{Access: graph.AllModes}}
		if r.IntN(4) > 0 {
			s.Backward.Access = graph.AllModes
		}
		if r.IntN(5) > 0 {
			s.Name = b.Set("name", fmt.Sprint("Street ", street))
		}
		b.AddSegment(s, []geo.Fixed{at[from], at[to]})
	}
	for i := range nodes {
		if i%side+1 < side {
			add(i, i+1, i/side)
		}
		if i+side < len(nodes) {
			add(i, i+side, side+i%side)
		}
	}
	return b.Build()
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
