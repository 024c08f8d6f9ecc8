package main

import (
	"context"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// A process has come to rest where it allocates less than restBytes in restEvery,
// and it has worked where it has allocated workBytes since it last gave memory back.
const (
	restEvery = 5 * time.Second
	restBytes = 1 << 20
	workBytes = 16 << 20
)

// giveBackAtRest gives the memory that requests have left behind back to the
// machine once nobody asks any more: the collector runs when there is more to
// collect, and at rest there never is.
func giveBackAtRest(ctx context.Context) {
	tick := time.NewTicker(restEvery)
	defer tick.Stop()
	var r rest
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if r.due(allocated()) {
			runtime.GC() // a first time for what pools keep, which the second lets go of
			debug.FreeOSMemory()
		}
	}
}

// rest knows how much had been allocated when it was last told, and when memory was
// last given back.
type rest struct{ told, givenBack uint64 }

// due is told every restEvery how many bytes were ever allocated. It reports whether
// the process has come to rest after work.
func (r *rest) due(allocated uint64) bool {
	still := allocated-r.told < restBytes
	r.told = allocated
	if !still || allocated-r.givenBack < workBytes {
		return false
	}
	r.givenBack = allocated
	return true
}

// allocated is how many bytes of heap were ever allocated.
func allocated() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
