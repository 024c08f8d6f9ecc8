package build_test

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"gotest.tools/v3/assert"

	"github.com/waygate/waygate/clearance/build"
	"github.com/waygate/waygate/clearance/scan"
)

// BenchmarkBuild measures a drawn survey and reports the processor's time for ten million
// points.
func BenchmarkBuild(b *testing.B) {
	p := scene()
	p.Length = 250
	c := scanner()
	c.Line, c.Angle = 0.05, 0.005
	file, err := scan.LAS(rand.New(rand.NewPCG(1, 1)), scan.WKT(32630, 5701), c, p)
	assert.NilError(b, err)
	in := &build.Input{Clouds: []*build.Cloud{cloud(b, "a.las", file)}, Roads: roads(p)}
	o := options(b)
	o.LeastObject = 0.02
	before := processor(b)
	points := int64(0)
	for b.Loop() {
		f, err := os.Create(filepath.Join(b.TempDir(), "a"))
		assert.NilError(b, err)
		h, err := build.Build(context.Background(), f, in, o)
		assert.NilError(b, err)
		assert.NilError(b, f.Close())
		points += h.QA.Points
	}
	used := (processor(b) - before).Seconds()
	b.ReportMetric(used/float64(points)*1e7, "s/10Mpoints")
}

// processor returns the time of processors that the process has used.
func processor(tb testing.TB) time.Duration {
	tb.Helper()
	var used syscall.Rusage
	assert.NilError(tb, syscall.Getrusage(syscall.RUSAGE_SELF, &used))
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
