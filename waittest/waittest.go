// Package waittest has what tests share that wait for another goroutine or process.
package waittest

import (
	"context"
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

// Timed gives a context whose time is up when the test says so: whoever waits for it hears
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
