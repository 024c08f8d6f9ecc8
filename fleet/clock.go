package fleet

import "time"

// clock says how much of the work is done: by iterations, by time, or whichever is
// further.
type clock struct {
	iterations int64
	time       time.Duration
	elapsed    func() time.Duration
	stop       <-chan struct{}
}

func newClock(o *Options) *clock {
	c := &clock{iterations: o.Iterations, time: o.Time, elapsed: o.Elapsed, stop: o.Stop}
	if c.elapsed == nil {
		start := time.Now()
		c.elapsed = func() time.Duration { return time.Since(start) }
	}
	return c
}

// stopped reports whether somebody has ended the search.
func (c *clock) stopped() bool {
	select {
	case <-c.stop:
		return true
	default:
		return false
	}
}

// ended reports whether all of the time has passed.
func (c *clock) ended() bool { return c.time > 0 && c.elapsed() >= c.time }

// shares are of the work and of the time; 0 of what has no end. Beside work the clock says
// nothing for the first half of its time: a search that is done by then goes the same way on
// a busy machine.
func (c *clock) shares(iterations int64) (work, elapsed float64) {
	if c.iterations > 0 {
		work = float64(iterations) / float64(c.iterations)
	}
	if c.time > 0 {
		elapsed = float64(c.elapsed()) / float64(c.time)
		if c.iterations > 0 {
			elapsed = max(0, 2*elapsed-1)
		}
	}
	return work, elapsed
}
