package fleet

import "context"

const (
	// lookEvery is how much work passes between two looks at the context: some fifth of a
	// millisecond.
	lookEvery = 40_000
	// timeEvery is how many such looks pass between two at the clock, which the search
	// reads itself where its iterations are short.
	timeEvery = 50
	// workTime is what one piece of work takes, in nanoseconds and about: a place looked
	// at, a stop laid anew.
	workTime = 5
)

// watch counts work and now and then looks whether it is still wanted. Once it is not,
// loops end where they are, and what they found so far means nothing. It belongs to one
// goroutine.
type watch struct {
	ctx   context.Context
	clock *clock // nil has no time
	left  int64  // work until the next look
	until int    // looks until the clock is read
	spent int64  // work up to the next look
	over  bool
}

// newWatch begins to count. clock may be nil.
func newWatch(ctx context.Context, c *clock) *watch {
	return &watch{ctx: ctx, clock: c, until: timeEvery}
}

// idle is a watch over what is never broken off.
func idle() *watch { return newWatch(context.Background(), nil) }

// spend counts n pieces of work, and reports whether the work is to end.
func (w *watch) spend(n int) bool {
	if w.left -= int64(n); w.left < 0 {
		w.look(false)
	}
	return w.over
}

// look looks at the context, and every now and then, or where it is told to, at the clock.
func (w *watch) look(clock bool) bool {
	w.spent += lookEvery - w.left
	w.left = lookEvery
	if w.until--; clock || w.until <= 0 {
		w.until = timeEvery
		w.over = w.over || w.clock != nil && (w.clock.stopped() || w.clock.ended())
	}
	w.over = w.over || w.ctx.Err() != nil
	return w.over
}

// anyhow has what comes next done whatever time it is.
func (w *watch) anyhow() { w.clock, w.over = nil, w.ctx.Err() != nil }

// work is how much was counted.
func (w *watch) work() int64 { return w.spent - w.left }
