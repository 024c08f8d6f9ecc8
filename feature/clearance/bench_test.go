package clearance

import (
	"fmt"
	"math"
	"syscall"
	"testing"
	"time"

	"github.com/waygate/waygate/clearance/artefact"
)

// BenchmarkReport reports on 20 km of a surveyed road in 10,000 positions, under the open sky but
// for a bridge each kilometre, and under trees for a share of it.
func BenchmarkReport(b *testing.B) {
	for _, trees := range []float64{0, 0.3} {
		d := straight(20_000, func(x, y float64) *artefact.Cell {
			switch c := free(20); {
			case math.Mod(x, 1000) > 990:
				return under(20, 5.1+x/1e5)
			case math.Mod(x, 100) < 100*trees && math.Abs(y) > 2:
				c = under(20, 5.2+math.Abs(math.Sin(x*0.7))*2)
				c.Kind = artefact.Foliage
				return c
			default:
				return c
			}
		})
		g := d.open(b)
		var xy []float64
		for i := range 10_000 {
			xy = append(xy, float64(i)*2, 0.2*math.Sin(float64(i)/20))
		}
		line := way(b, g, xy...)
		for _, height := range []float64{4, 5} {
			b.Run(fmt.Sprintf("trees=%v/height=%v", trees, height), func(b *testing.B) {
				width := 2.55
				q := &Request{Line: line, Height: height, Width: &width}
				var a *Report
				began, n := processor(b), 0
				for b.Loop() {
					a = report(b, q, given{g, "drawn", false})
					n++
				}
				b.ReportMetric(float64((processor(b)-began).Microseconds())/float64(n)/1000, "processor-ms/op")
				if a.Height.Coverage.Kind != "complete" {
					b.Error(a.Height.Coverage)
				}
				b.Log(a.Height.Verdict, a.Height.Reasons, a.Width.Verdict)
			})
		}
	}
}

// processor returns the time that the process has had on a processor.
func processor(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
