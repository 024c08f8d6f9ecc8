package metrics

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/waygate/waygate/world"
)

// damaged collects for the metrics which regions are damaged.
type damaged struct {
	acquire func() (*world.World, func())
	desc    *prometheus.Desc
}

// OfDamaged collects which regions of the world in service are damaged.
func OfDamaged(acquire func() (*world.World, func())) prometheus.Collector {
	return &damaged{acquire, prometheus.NewDesc("waygate_region_damaged", "1 where a region's files are damaged: it is out of service, the one before it answers in its place, or it answers without what a damaged file held; /health says which.", []string{"region"}, nil)}
}

// Describe gives the one description.
func (d *damaged) Describe(out chan<- *prometheus.Desc) { out <- d.desc }

// Collect sends a figure for each region in service.
func (d *damaged) Collect(out chan<- prometheus.Metric) {
	w, done := d.acquire()
	defer done()
	if w == nil {
		return
	}
	for _, r := range w.Regions() {
		value := 0.0
		if r.Trouble() != "" {
			value = 1
		}
		out <- prometheus.MustNewConstMetric(d.desc, prometheus.GaugeValue, value, r.ID)
	}
}

// OfMemory returns the gauge of what the engine in service keeps.
func OfMemory(acquire func() (*world.World, func())) prometheus.Collector {
	return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "waygate_metric_bytes", Help: "Memory that the embedded engine's metrics of frequent options take, and what is derived from metrics."}, func() float64 {
		w, done := acquire()
		defer done()
		if w == nil {
			return 0
		}
		return float64(w.Memory())
	})
}
