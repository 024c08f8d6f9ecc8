package metrics

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// TestBacklogAtOnce has the metrics collected by several at once: the figure of the outbox is
// looked up once.
func TestBacklogAtOnce(t *testing.T) {
	looks := 0
	b := OfOutbox(func(context.Context) (waiting, failed int64, err error) { looks++; return 3, 1, nil }, time.Now)
	var work sync.WaitGroup
	for range 4 {
		work.Go(func() {
			figures := make(chan prometheus.Metric, 2)
			b.Collect(figures)
			if len(figures) != 2 {
				t.Errorf("%d figures", len(figures))
			}
		})
	}
	work.Wait()
	if looks != 1 {
		t.Errorf("looked %d times", looks)
	}
}
