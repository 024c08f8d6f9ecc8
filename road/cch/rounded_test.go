package cch

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/waygate/waygate/road/search"
)

// TestRoundedUp checks that rounded measures are no less than they were and hardly more.
func TestRoundedUp(t *testing.T) {
	values := []uint32{0, 1, 1<<roundedBits - 1, 1 << roundedBits, 1<<roundedBits + 1, 1<<20 - 1, math.MaxInt32, math.MaxUint32 - 1, math.MaxUint32}
	rng := rand.New(rand.NewPCG(1, 1))
	for range 10000 {
		values = append(values, rng.Uint32()>>rng.IntN(32))
	}
	for i, x := range values {
		m := search.Measure{Millis: x, Decimetres: values[len(values)-1-i]}
		got := roundUp(m).measure()
		for _, pair := range [][2]uint32{{m.Millis, got.Millis}, {m.Decimetres, got.Decimetres}} {
			if pair[1] < pair[0] || uint64(pair[1]) > uint64(pair[0])+uint64(pair[0])>>(roundedBits-1) {
				t.Fatalf("%d is rounded up to %d", pair[0], pair[1])
			}
		}
	}
}
