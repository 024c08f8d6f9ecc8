package metrics

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/waygate/waygate/upstream"
)

// servers collects the state of an engine's servers for the metrics.
type servers struct {
	look                          func() []upstream.State
	up, inFlight, calls, repeated *prometheus.Desc
}

// OfServers collects the state of each server of a remote engine, as look returns them.
func OfServers(engine string, look func() []upstream.State) prometheus.Collector {
	desc := func(name, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc("waygate_upstream_"+name, help, append([]string{"server"}, labels...), prometheus.Labels{"engine": engine})
	}
	return &servers{
		look:     look,
		up:       desc("up", "1 where a server of a routing engine gets calls, 0 where it gets none until it answers a probe; on trial, with one call at a time, it is 1."),
		inFlight: desc("in_flight", "Calls that a server is at work on."),
		calls:    desc("calls_total", "Calls that a server ended: answered, failed, or cancelled because another server was quicker or the caller left.", "outcome"),
		repeated: desc("repeated_total", "Calls sent to a server because another one was slow or had failed."),
	}
}

// Describe serves prometheus.Collector.
func (s *servers) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{s.up, s.inFlight, s.calls, s.repeated} {
		to <- d
	}
}

// Collect serves prometheus.Collector.
func (s *servers) Collect(to chan<- prometheus.Metric) {
	for _, x := range s.look() {
		up := 1.0
		if x.Condition == upstream.Down {
			up = 0
		}
		to <- prometheus.MustNewConstMetric(s.up, prometheus.GaugeValue, up, x.Server)
		to <- prometheus.MustNewConstMetric(s.inFlight, prometheus.GaugeValue, float64(x.InFlight), x.Server)
		to <- prometheus.MustNewConstMetric(s.repeated, prometheus.CounterValue, float64(x.Hedges), x.Server)
		for outcome, n := range map[string]int64{"answered": x.Answered, "failed": x.Failed, "cancelled": x.Cancelled} {
			to <- prometheus.MustNewConstMetric(s.calls, prometheus.CounterValue, float64(n), x.Server, outcome)
		}
	}
}
