package metrics

import (
	"context"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// backlogFresh is how long a figure of the outbox is used again: the metrics are
// public, and each look is a query.
const backlogFresh = 5 * time.Second

// backlog collects how many messages wait and how many were given up, for the metrics.
// While the database does not answer it collects nothing.
type backlog struct {
	look  func(context.Context) (waiting, failed int64, err error)
	now   func() time.Time
	gauge *prometheus.Desc

	mu              sync.Mutex
	at              time.Time
	waiting, failed int64
	known           bool
}

// OfOutbox collects how many messages wait and were given up, as look returns them.
func OfOutbox(look func(context.Context) (waiting, failed int64, err error), now func() time.Time) prometheus.Collector {
	return &backlog{look: look, now: now, gauge: prometheus.NewDesc("waygate_outbox_messages", "E-mails and webhooks, by state: waiting or given up.", []string{"state"}, nil)}
}

// Describe serves prometheus.Collector.
func (b *backlog) Describe(to chan<- *prometheus.Desc) { to <- b.gauge }

// Collect serves prometheus.Collector.
func (b *backlog) Collect(to chan<- prometheus.Metric) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if age := b.now().Sub(b.at); !b.known || age > backlogFresh || age < 0 {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		waiting, failed, err := b.look(ctx)
		b.waiting, b.failed, b.known, b.at = waiting, failed, err == nil, b.now()
	}
	if b.known {
		to <- prometheus.MustNewConstMetric(b.gauge, prometheus.GaugeValue, float64(b.waiting), "waiting")
		to <- prometheus.MustNewConstMetric(b.gauge, prometheus.GaugeValue, float64(b.failed), "failed")
	}
}
