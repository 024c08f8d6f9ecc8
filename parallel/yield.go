package parallel

import (
	"runtime"
	"runtime/metrics"
)

// Yield lets other goroutines run where any is ready. runtime.Gosched by itself wakes
// up a thread each time there is an idle processor, to find nothing to do.
func Yield() {
	ready := []metrics.Sample{{Name: "/sched/goroutines/runnable:goroutines"}}
	if metrics.Read(ready); ready[0].Value.Uint64() > 0 {
		runtime.Gosched()
	}
}
