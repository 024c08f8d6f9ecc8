package main

import (
	"runtime"
	"testing"
)

func TestRest(t *testing.T) {
	const mega = 1 << 20
	var r rest
	for i, step := range []struct {
		allocated uint64 // since the last step
		due       bool
	}{
		{60 * mega, false}, // starting
		{20 * mega, false},
		{100, true}, // at rest
		{100, false},
		{0, false},
		{5 * mega, false}, // a few requests
		{100, false},
		{12 * mega, false}, // and more of them: together they are work
		{mega - 1, true},
		{mega - 1, false},
	} {
		if got := r.due(r.before + step.allocated); got != step.due {
			t.Errorf("step %d: due is %t", i, got)
		}
	}
}

func TestAllocated(t *testing.T) {
	before := allocated()
	kept := make([]byte, 1<<20)
	if after := allocated(); after < before+1<<20 {
		t.Errorf("%d bytes before and %d after a further %d", before, after, len(kept))
	}
	runtime.KeepAlive(kept)
}
