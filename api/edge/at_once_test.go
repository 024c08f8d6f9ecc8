package edge

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/waygate/waygate/waittest"
)

// TestTimedAtOnce has several goroutines wait for one context while it is ended: all see the
// same end.
func TestTimedAtOnce(t *testing.T) {
	for range 100 {
		ctx := newTimed(t.Context(), time.Now().Add(waittest.Patience))
		var work sync.WaitGroup
		for range 4 {
			work.Go(func() {
				<-ctx.Done()
				if err := ctx.Err(); !errors.Is(err, context.Canceled) {
					t.Errorf("it ends with %v", err)
				}
			})
		}
		ctx.end()
		work.Wait()
	}
}
