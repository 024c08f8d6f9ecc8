package edge

import (
	"context"
	"sync/atomic"
	"time"
)

// timed is a context that ends at a deadline, as that of context.WithDeadline does. It makes
// the timer and the channel of its end when code first waits for that, which hardly
// any request does: loops look at Err, and never wait.
type timed struct {
	context.Context
	at       time.Time
	waitable atomic.Pointer[waitable]
	ended    atomic.Bool
}

// waitable is the context of the deadline, made at the first call of Done.
type waitable struct {
	context.Context
	cancel context.CancelFunc
}

func newTimed(parent context.Context, at time.Time) *timed {
	return &timed{Context: parent, at: at}
}

// Deadline serves context.Context.
func (t *timed) Deadline() (time.Time, bool) {
	if at, ok := t.Context.Deadline(); ok && at.Before(t.at) {
		return at, true
	}
	return t.at, true
}

// Done serves context.Context.
func (t *timed) Done() <-chan struct{} {
	if of := t.waitable.Load(); of != nil {
		return of.Done()
	}
	ctx, cancel := context.WithDeadline(t.Context, t.at)
	of := &waitable{ctx, cancel}
	if !t.waitable.CompareAndSwap(nil, of) {
		cancel()
		of = t.waitable.Load()
	}
	if t.ended.Load() {
		of.cancel()
	}
	return of.Done()
}

// Err serves context.Context.
func (t *timed) Err() error {
	if of := t.waitable.Load(); of != nil {
		return of.Err()
	}
	if err := t.Context.Err(); err != nil {
		return err
	}
	if !time.Now().Before(t.at) {
		<-t.Done() // which keeps this end, whatever comes
		return t.waitable.Load().Err()
	}
	if t.ended.Load() {
		return context.Canceled
	}
	return nil
}

// Value serves context.Context. The waitable context answers, so that contexts within this
// one end with it and need no goroutine.
func (t *timed) Value(key any) any {
	if of := t.waitable.Load(); of != nil {
		return of.Value(key)
	}
	return t.Context.Value(key)
}

// end ends the context and releases its timer.
func (t *timed) end() {
	t.ended.Store(true)
	if of := t.waitable.Load(); of != nil {
		of.cancel()
	}
}
