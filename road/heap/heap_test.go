package heap_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/waygate/waygate/road/heap"
)

// TestHeap pushes and pops at random, beside a list that is searched.
func TestHeap(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	var h heap.Heap[uint64, int]
	var list []heap.Item[uint64, int]
	popped := 0
	for i := range 20_000 {
		if r.IntN(2) == 0 || len(list) == 0 {
			x := heap.Item[uint64, int]{Key: r.Uint64N(500), Value: i}
			h.Push(x.Key, x.Value)
			list = append(list, x)
			continue
		}
		got := h.Pop()
		at := slices.Index(list, got)
		if at < 0 {
			t.Fatalf("%v is not there", got)
		}
		for _, x := range list {
			if x.Key < got.Key {
				t.Fatalf("%v came before %v", got, x)
			}
		}
		list = slices.Delete(list, at, at+1)
		popped++
	}
	if len(h) != len(list) || popped < 5000 {
		t.Errorf("%d of %d left, %d popped", len(h), len(list), popped)
	}
}
