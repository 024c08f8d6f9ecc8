package main

import (
	"context"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// A process is at rest if it allocates less than restBytes in restEvery, and it has
// worked if it has allocated workBytes since memory was last given back.
const (
	restEvery = 5 * time.Second
	restBytes = 1 << 20
	workBytes = 16 << 20
)

// giveBackAtRest returns memory of past requests to the system when the process is at
// rest: the garbage collector only runs after enough allocations, and at rest there are
// none.
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
			runtime.GC() // empties pools, whose contents the second collection frees
			debug.FreeOSMemory()
		}
	}
}

// rest has the bytes allocated at the last check, and when memory was last given back.
type rest struct{ before, givenBack uint64 }

// due is called every restEvery with the bytes ever allocated. It reports whether the
// process has come to rest after work.
func (r *rest) due(allocated uint64) bool {
	still := allocated-r.before < restBytes
	r.before = allocated
	if !still || allocated-r.givenBack < workBytes {
		return false
	}
	r.givenBack = allocated
	return true
}

// allocated returns the bytes of heap ever allocated.
func allocated() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
