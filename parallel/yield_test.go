package parallel_test

import (
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/waygate/waygate/parallel"
)

func TestYieldLetsOthersRun(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	var ran atomic.Bool
	go ran.Store(true)
	for range 100 { // another test's goroutine may come first
		if ran.Load() {
			return
		}
		parallel.Yield()
	}
	t.Error("a goroutine that was ready did not run")
}

func BenchmarkYield(b *testing.B) {
	for range b.N {
		parallel.Yield()
	}
}
