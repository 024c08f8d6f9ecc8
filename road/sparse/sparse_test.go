package sparse

import (
	"math/rand/v2"
	"testing"
)

// TestTableAgainstMap does to a table what it does to a map.
func TestTableAgainstMap(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var table Table[uint64]
	for round := range 40 {
		table.Reset()
		want := map[uint32]uint64{}
		most := []uint32{10, 1 << 10, 1 << 20, 1<<32 - 1}[round%4]
		for n := range r.IntN(20_000) {
			i := r.Uint32N(most)
			if round%4 == 3 && n%2 == 0 {
				i = ^i // the highest numbers too
			}
			if got := table.Get(i); got != want[i] {
				t.Fatalf("round %d: %d is %d, want %d", round, i, got, want[i])
			}
			if r.IntN(3) > 0 {
				x := r.Uint64()
				*table.At(i), want[i] = x, x
			}
		}
		seen := 0
		for i, x := range table.All {
			if *x != want[i] {
				t.Fatalf("round %d: all has %d for %d, want %d", round, *x, i, want[i])
			}
			if _, ok := want[i]; ok {
				seen++
			}
		}
		if seen != len(want) {
			t.Errorf("round %d: all has %d of %d numbers", round, seen, len(want))
		}
	}
}

func TestAllStops(t *testing.T) {
	var table Table[int]
	for range table.All {
		t.Error("an empty table has a number")
	}
	*table.At(7), *table.At(1000) = 1, 2
	n := 0
	for range table.All {
		if n++; n == 3 {
			break
		}
	}
	if n != 3 {
		t.Errorf("%d numbers, want 3", n)
	}
}

// TestMemory compares what a table takes with what was reached, wherever that lies,
// and what it keeps after a reset.
func TestMemory(t *testing.T) {
	const reached = 10_000
	var small, large Table[uint64]
	for i := range uint32(reached) {
		*small.At(i), *large.At(1<<31 + i) = 1, 1
	}
	if small.Bytes() > 8*reached+16<<10 || large.Bytes() > 8*reached+16<<10 {
		t.Errorf("%d and %d bytes for %d numbers", small.Bytes(), large.Bytes(), reached)
	}
	for i := range uint32(1 << 20) {
		*large.At(i) = 1
	}
	large.Reset()
	if large.Bytes() > 2*keptBytes {
		t.Errorf("%d bytes are kept", large.Bytes())
	}
	if allocs := testing.AllocsPerRun(10, func() {
		for i := range uint32(reached) {
			*small.At(i * 3) = 1
		}
		small.Reset()
	}); allocs != 0 {
		t.Errorf("%v allocations in a table that was used before", allocs)
	}
}
