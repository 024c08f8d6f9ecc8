// Package waittest has what tests share that wait for another goroutine or process.
package waittest

import (
	"context"
	"iter"
	"testing"
	"time"
)

// Patience is how long a test waits for what must come about: so long that a machine on which
// other programs compete for the processors makes it slow and not red.
const Patience = 5 * time.Minute

// Until waits until ok, and fails the test with what was waited for where it does not come
// about within Patience.
func Until(t testing.TB, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(Patience); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("not within %s: %s", Patience, what)
		}
	}
}

// Limits returns limits of time, each four times the one before, from the first to Patience. It
// is for tests of what happens when a time is up during work that has begun: on a slow
// machine a short time may be up before that.
func Limits(first time.Duration) iter.Seq[time.Duration] {
	return func(yield func(time.Duration) bool) {
		for limit := first; limit < Patience && yield(limit); limit *= 4 {
		}
	}
}

// Timed returns a context whose time is up when the test says so: code that waits for it gets
// what he would at a deadline, at a moment of the test's choice on however slow a machine.
// Beyond that it has the values of its parent, and not its end.
func Timed(parent context.Context) (ctx context.Context, up func()) {
	done := make(chan struct{})
	return timed{parent, done}, func() { close(done) }
}

type timed struct {
	context.Context
	done chan struct{}
}

// Done serves context.Context.
func (t timed) Done() <-chan struct{} { return t.done }

// Err serves context.Context.
func (t timed) Err() error {
	select {
	case <-t.done:
		return context.DeadlineExceeded
	default:
		return nil
	}
}
