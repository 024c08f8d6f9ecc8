package embedded_test

import (
	"runtime"
	"slices"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"github.com/waygate/waygate/bench"
	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded"
	"github.com/waygate/waygate/importer/importertest"
	"github.com/waygate/waygate/realdata"
	"github.com/waygate/waygate/region/regiontest"
	"github.com/waygate/waygate/road/graph"
)

// BenchmarkKernelTime routes pairs by distance rank over 35 places, each
// costing with its usual options, in this process: snapping, search, guidance
// and JSON, no HTTP. It reports the median, the 99th percentile and the longest
// of one round of 5,000 pairs, in milliseconds of the processor: a clock on the
// wall would measure who else is at work.
func BenchmarkKernelTime(b *testing.B) {
	const count = 5000
	r := regiontest.Open(b, importertest.Region(b, realdata.File(b, "osm/all-35-places.osm.pbf")))
	g, err := graph.Open(r)
	if err != nil {
		b.Fatal(err)
	}
	e, err := embedded.New(r)
	if err != nil {
		b.Fatal(err)
	}
	for _, kind := range costing.All {
		set, err := bench.NewMaker(g, kind, 1).Routes(b.Context(), count)
		if err != nil {
			b.Fatal(err)
		}
		for _, d := range []engine.Directions{engine.NoDirections, engine.Instructions} {
			b.Run(kind.String()+"/"+string(d), func(b *testing.B) {
				runtime.LockOSThread()
				defer runtime.UnlockOSThread()
				took := make([]time.Duration, 0, count)
				for range b.N {
					took = took[:0]
					for i := range set {
						p := pair{from: set[i].Points[0].Point(), to: set[i].Points[1].Point()}
						q := p.request(b, kind)
						q.Directions = d
						start := processor()
						if _, err := e.Route(b.Context(), q); err == nil {
							took = append(took, processor()-start)
						}
					}
				}
				slices.Sort(took)
				if len(took) < count*9/10 {
					b.Fatalf("only %d of %d pairs have a route", len(took), count)
				}
				for _, m := range []struct {
					unit string
					took time.Duration
				}{{"ms-p50", took[len(took)/2]}, {"ms-p99", took[len(took)*99/100]}, {"ms-max", took[len(took)-1]}} {
					b.ReportMetric(float64(m.took.Microseconds())/1000, m.unit)
				}
			})
		}
	}
}

// processor returns the time that the thread has had a processor for.
func processor() time.Duration {
	const threadTime = 3 // CLOCK_THREAD_CPUTIME_ID
	var t syscall.Timespec
	if _, _, err := syscall.Syscall(syscall.SYS_CLOCK_GETTIME, threadTime, uintptr(unsafe.Pointer(&t)), 0); err != 0 {
		panic(err)
	}
	return time.Duration(t.Nano())
}
