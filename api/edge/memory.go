package edge

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/waygate/waygate/world"
)

// newMemory is the gauge of what the engine in service keeps.
func newMemory(acquire func() (*world.World, func())) prometheus.Collector {
	return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "waygate_metric_bytes", Help: "Memory that the embedded engine's metrics of frequent options take, and what is derived from metrics."}, func() float64 {
		w, done := acquire()
		defer done()
		if w == nil {
			return 0
		}
		return float64(w.Memory())
	})
}
