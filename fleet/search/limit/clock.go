package limit

import "time"

// Clock measures the progress of a search: by iterations, by time, or by whichever is
// further.
type Clock struct {
	Iterations int64 // at most; 0 has no limit
	time       time.Duration
	elapsed    func() time.Duration
	stop       <-chan struct{}
}

// NewClock starts a clock. At most are the limits of iterations and of time, 0 for none;
// elapsed returns how much of the time has passed, nil for that since now; and stop, when
// closed, ends the search.
func NewClock(iterations int64, atMost time.Duration, elapsed func() time.Duration, stop <-chan struct{}) *Clock {
	c := &Clock{Iterations: iterations, time: atMost, elapsed: elapsed, stop: stop}
	if c.elapsed == nil {
		start := time.Now()
		c.elapsed = func() time.Duration { return time.Since(start) }
	}
	return c
}

// Stopped reports whether the caller has ended the search.
func (c *Clock) Stopped() bool {
	select {
	case <-c.stop:
		return true
	default:
		return false
	}
}

// ended reports whether all of the time has passed.
func (c *Clock) ended() bool { return c.time > 0 && c.elapsed() >= c.time }

// Shares returns the shares of the work and of the time that are done; 0 for what has
// no limit. If there is a limit of work, time counts only after its first half: a
// search that ends before then takes the same course on a busy machine.
func (c *Clock) Shares(iterations int64) (work, elapsed float64) {
	if c.Iterations > 0 {
		work = float64(iterations) / float64(c.Iterations)
	}
	if c.time > 0 {
		elapsed = float64(c.elapsed()) / float64(c.time)
		if c.Iterations > 0 {
			elapsed = max(0, 2*elapsed-1)
		}
	}
	return work, elapsed
}
