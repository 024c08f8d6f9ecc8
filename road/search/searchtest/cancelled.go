package searchtest

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/graph"
)

// CancelledContext is a context that counts how often it is looked at, and whose caller has
// gone from a certain look on. For one goroutine.
type CancelledContext struct {
	context.Context
	After   int // the look at which the caller has gone; 0 is never
	Checks  int
	OnCheck func() // called at each look, where it is not nil
}

// Err looks.
func (g *CancelledContext) Err() error {
	g.Checks++
	if g.OnCheck != nil {
		g.OnCheck()
	}
	if g.After > 0 && g.Checks >= g.After {
		return context.Canceled
	}
	return g.Context.Err()
}

// Stops checks that a search looks at its context at least once in so many units of its work,
// and once the caller has gone it does no more work and ends with the context's error. work
// returns how much the search has done since it began. It counts rather than measures, so
// that it passes on a busy machine.
func Stops(t *testing.T, most int, work func() int, search func(ctx context.Context) error) {
	t.Helper()
	last, widest := 0, 0
	whole := &CancelledContext{Context: t.Context()}
	whole.OnCheck = func() {
		now := work()
		if now < last { // a new search, or the first look, before anything is forgotten
			last = 0
		}
		if whole.Checks > 1 {
			widest = max(widest, now-last)
		}
		last = now
	}
	if err := search(whole); err != nil {
		t.Fatal(err)
	}
	if done := work(); done < 8*most {
		t.Fatalf("the search does %d units of work: too little to prove anything", done)
	} else if widest = max(widest, done-last); widest > most {
		t.Errorf("%d units of work are done between two looks at the context, %d are allowed", widest, most)
	}
	for _, after := range []int{1, 2, whole.Checks / 2, whole.Checks} {
		var at int
		gone := &CancelledContext{Context: t.Context(), After: after}
		gone.OnCheck = func() {
			if gone.Checks == after {
				at = work()
			}
		}
		if err := search(gone); !errors.Is(err, context.Canceled) {
			t.Errorf("the caller goes at look %d of %d: the search ends with %v", after, whole.Checks, err)
			continue
		}
		if after > 1 && work() != at {
			t.Errorf("%d units of work are done after the caller has gone", work()-at)
		}
	}
}

// Grid draws a town of so many streets each way, about a hundred metres apart.
func Grid(r *rand.Rand, streets int) *graph.Graph {
	b := graph.NewBuilder()
	at := make([]geo.Fixed, streets*streets)
	for i := range at {
		at[i] = geo.Fixed{Lon: 90_000_000 + int32(i%streets)*13_000 + r.Int32N(4000), Lat: 470_000_000 + int32(i/streets)*9000 + r.Int32N(3000)}
		b.AddNode(graph.NodeFacts{Position: at[i], Access: graph.AllModes})
	}
	road := func(x, y int) {
		way := graph.Direction{Access: graph.AllModes, Speed: uint8(20 + r.IntN(80))}
		b.AddSegment(graph.SegmentFacts{From: graph.AddedNode(x), To: graph.AddedNode(y), Forward: way, Backward: way}, []geo.Fixed{at[x], at[y]})
	}
	for i := range at {
		if (i+1)%streets != 0 {
			road(i, i+1)
		}
		if i+streets < len(at) {
			road(i, i+streets)
		}
	}
	return b.Build()
}
