package metrics

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/waygate/waygate/feed"
)

// feeds collects the state of the feeds for the metrics.
type feeds struct {
	set                                     *feed.Set
	state, age, records, rejected, failures *prometheus.Desc
}

// OfFeeds collects the state, the age and the records of each feed of a set.
func OfFeeds(set *feed.Set) prometheus.Collector {
	desc := func(name, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc("waygate_feed_"+name, help, append([]string{"kind", "feed"}, labels...), nil)
	}
	return &feeds{
		set:      set,
		state:    desc("state", "1 for the state a feed is in.", "state"),
		age:      desc("age_seconds", "Age of what a feed has in force."),
		records:  desc("records", "Records that a feed has in force."),
		rejected: desc("rejected", "Records of the last good poll that were left out, by reason.", "reason"),
		failures: desc("failures", "Polls in a row that failed."),
	}
}

// Describe serves prometheus.Collector.
func (f *feeds) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{f.state, f.age, f.records, f.rejected, f.failures} {
		to <- d
	}
}

// Collect serves prometheus.Collector.
func (f *feeds) Collect(to chan<- prometheus.Metric) {
	for _, s := range f.set.Status() {
		tell := func(d *prometheus.Desc, value float64, labels ...string) {
			to <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, append([]string{s.Kind, s.ID}, labels...)...)
		}
		for _, state := range feed.States() {
			value := 0.0
			if s.State == state {
				value = 1
			}
			tell(f.state, value, string(state))
		}
		if s.AgeS != nil {
			tell(f.age, *s.AgeS)
		}
		tell(f.records, float64(s.Records))
		tell(f.failures, float64(s.Failures))
		for _, r := range s.Rejects {
			tell(f.rejected, float64(r.Count), r.Reason)
		}
	}
}
