package outbox_test

import (
	"context"
	"testing"
	"time"

	"github.com/waygate/waygate/outbox"
	"github.com/waygate/waygate/waittest"
)

// start runs an outbox until the test ends, and sees that it then stops.
func start(t *testing.T, box *outbox.Outbox) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { box.Run(ctx); close(ended) }()
	t.Cleanup(func() {
		cancel()
		select {
		case <-ended:
		case <-time.After(waittest.Patience):
			t.Error("Run does not end")
		}
	})
}
