package edge

import (
	"context"
	"sync/atomic"
	"time"
)

// timed is a context that ends at a deadline, as that of context.WithDeadline does,
// and makes what it takes to tell of its end when somebody first waits for that.
// Hardly any request has somebody who does: loops ask, and never wait.
type timed struct {
	context.Context
	at    time.Time
	told  atomic.Pointer[told]
	ended atomic.Bool
}

// told is the context that those are told by who wait.
type told struct {
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
	if of := t.told.Load(); of != nil {
		return of.Done()
	}
	ctx, cancel := context.WithDeadline(t.Context, t.at)
	of := &told{ctx, cancel}
	if !t.told.CompareAndSwap(nil, of) {
		cancel()
		of = t.told.Load()
	}
	if t.ended.Load() {
		of.cancel()
	}
	return of.Done()
}

// Err serves context.Context.
func (t *timed) Err() error {
	if of := t.told.Load(); of != nil {
		return of.Err()
	}
	if err := t.Context.Err(); err != nil {
		return err
	}
	if !time.Now().Before(t.at) {
		<-t.Done() // from here on it has ended so, whatever comes
		return t.told.Load().Err()
	}
	if t.ended.Load() {
		return context.Canceled
	}
	return nil
}

// Value serves context.Context. Contexts within this one find the one that tells.
func (t *timed) Value(key any) any {
	if of := t.told.Load(); of != nil {
		return of.Value(key)
	}
	return t.Context.Value(key)
}

// end lets go of what it took. Who still waits is told.
func (t *timed) end() {
	t.ended.Store(true)
	if of := t.told.Load(); of != nil {
		of.cancel()
	}
}
