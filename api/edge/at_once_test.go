package edge

import (
	"context"
	"crypto/sha256"
	"errors"
	"net/netip"
	"sync"
	"sync/atomic"
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

// TestLinksAtOnce has callers with links and without call at once: who guesses uses up the tries of
// a network, and none of the calls of links that have opened something.
func TestLinksAtOnce(t *testing.T) {
	now := time.Now()
	l, client := newLinks(func() time.Time { return now }), netip.MustParseAddr("192.0.2.1")
	good := sha256.Sum256([]byte("good"))
	l.found(good, true)
	var refused atomic.Int64
	var callers sync.WaitGroup
	for n := range 4 {
		callers.Go(func() {
			for i := range 200 {
				guess := sha256.Sum256([]byte{byte(n), byte(i)})
				if l.allow(t.Context(), guess, client) != nil {
					refused.Add(1)
				}
				l.found(guess, false)
			}
		})
		callers.Go(func() {
			for range 100 {
				if err := l.allow(t.Context(), good, client); err != nil {
					t.Error(err)
				}
			}
		})
	}
	callers.Wait()
	if refused.Load() != 200 {
		t.Errorf("%d of 800 guesses are refused, want 200", refused.Load())
	}
}
