// Package limit counts the work of a search, and ends it by its caller's context, its
// time or its iterations.
package limit

import (
	"context"

	"github.com/waygate/waygate/fleet"
)

const (
	// LookEvery is how much work passes between two looks at the context: some fifth of a
	// millisecond.
	LookEvery = 40_000
	// timeEvery is how many such looks pass between two readings of the clock. Where
	// iterations are short the search reads it by itself.
	timeEvery = 50
	// WorkTime is about how long one piece of work takes, in nanoseconds: evaluating a
	// place, or recomputing a stop.
	WorkTime = 5
)

// Watch counts work, and checks now and then whether the work is still wanted. Once it
// is not, loops end where they are, and their results mean nothing. A Watch belongs to
// one goroutine.
type Watch struct {
	ctx   context.Context
	clock *Clock // nil has no time
	left  int64  // work until the next look
	until int    // looks until the clock is read
	spent int64  // work up to the next look
	Over  bool   // the work is to end
}

// NewWatch starts a watch. The clock, if it is not nil, ends the work too.
func NewWatch(ctx context.Context, c *Clock) *Watch {
	return &Watch{ctx: ctx, clock: c, until: timeEvery}
}

// Unlimited returns a watch over work that never ends early.
func Unlimited() *Watch { return NewWatch(context.Background(), nil) }

// Spend counts n pieces of work, and reports whether the work is to end.
func (w *Watch) Spend(n int) bool {
	if w.left -= int64(n); w.left < 0 {
		w.Look(false)
	}
	return w.Over
}

// Look checks the context, and, now and then or if clock is true, the clock.
func (w *Watch) Look(clock bool) bool {
	w.spent += LookEvery - w.left
	w.left = LookEvery
	if w.until--; clock || w.until <= 0 {
		w.until = timeEvery
		w.Over = w.Over || w.clock != nil && (w.clock.Stopped() || w.clock.ended())
	}
	w.Over = w.Over || w.ctx.Err() != nil
	return w.Over
}

// ClockRead records that the clock was read by other means, so that the watch need not
// read it soon.
func (w *Watch) ClockRead() { w.until = timeEvery }

// WithoutTime ignores the time from now on; only the context ends the work.
func (w *Watch) WithoutTime() { w.clock, w.Over = nil, w.ctx.Err() != nil }

// Work returns how much was counted.
func (w *Watch) Work() int64 { return w.spent - w.left }

// Err returns the error of the context, nil while the work is wanted.
func (w *Watch) Err() error { return w.ctx.Err() }

// Checked checks a problem unless the work ends first. The error is that of
// Problem.Check, or the context's.
func Checked(p *fleet.Problem, w *Watch) error {
	if err := p.CheckWithin(w); err != nil {
		return err
	}
	return w.Err()
}
