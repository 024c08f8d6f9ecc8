package metrics

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Jobs is how the queue of jobs stands.
type Jobs struct {
	Queued, Running int64         // in all processes
	Oldest          time.Duration // how long the oldest that waits does
	Here            int           // that this process works on
	Outcomes        map[JobOutcome]int64
}

// JobOutcome counts the runs of a kind of job with one outcome in this process.
type JobOutcome struct{ Kind, What string }

// jobQueue collects the state of the queue for the metrics. While the database does not
// answer it collects nothing.
type jobQueue struct {
	look                         func(context.Context) (Jobs, error)
	jobs, oldest, here, outcomes *prometheus.Desc
}

// OfJobs collects the state of the queue of jobs, as look returns it.
func OfJobs(look func(context.Context) (Jobs, error)) prometheus.Collector {
	desc := func(name, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc("waygate_jobs"+name, help, labels, nil)
	}
	return &jobQueue{
		look: look, jobs: desc("", "Jobs of all processes, by state: queued or running.", "state"),
		oldest: desc("_oldest_seconds", "How long the oldest job that waits does."), here: desc("_here", "Jobs that this process works on."),
		outcomes: desc("_ended_total", "What became of runs in this process: succeeded, failed, cancelled, again for another run, lost.", "kind", "outcome"),
	}
}

// Describe serves prometheus.Collector.
func (q *jobQueue) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{q.jobs, q.oldest, q.here, q.outcomes} {
		to <- d
	}
}

// Collect serves prometheus.Collector.
func (q *jobQueue) Collect(to chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	s, err := q.look(ctx)
	if err != nil {
		return
	}
	to <- prometheus.MustNewConstMetric(q.jobs, prometheus.GaugeValue, float64(s.Queued), "queued")
	to <- prometheus.MustNewConstMetric(q.jobs, prometheus.GaugeValue, float64(s.Running), "running")
	to <- prometheus.MustNewConstMetric(q.oldest, prometheus.GaugeValue, s.Oldest.Seconds())
	to <- prometheus.MustNewConstMetric(q.here, prometheus.GaugeValue, float64(s.Here))
	for o, n := range s.Outcomes {
		to <- prometheus.MustNewConstMetric(q.outcomes, prometheus.CounterValue, float64(n), o.Kind, o.What)
	}
}
