package rate

import (
	"context"
	"sync"
	"time"
)

// capacity limits the callers that a Local remembers of either minute. With names of 40
// bytes and one call each both take about 40 MB; each further call takes 16 bytes.
const capacity = 1 << 17

// Local limits calls in this process. Its methods are safe for concurrent use.
type Local struct {
	now   func() time.Time
	start time.Time

	mu sync.Mutex
	// The calls of the last minute, in nanoseconds since start: latest has the callers
	// since turned, before those of the turn before that have not called since. No
	// call counts for longer than a turn, so before is dropped as a whole when the
	// next turn begins.
	latest, before map[string]*calls
	rotatedAt      int64
	capacity       int
}

// New returns a limiter in this process.
func New() *Local { return NewOn(time.Now) }

// NewOn returns a limiter in this process that uses a clock.
func NewOn(now func() time.Time) *Local {
	return &Local{now: now, start: now(), latest: map[string]*calls{}, before: map[string]*calls{}, capacity: capacity}
}

// Allow takes a call.
func (l *Local) Allow(_ context.Context, who string, perMinute int64) (time.Duration, bool, error) {
	if perMinute <= 0 {
		return time.Minute, false, nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	now := int64(l.now().Sub(l.start))
	l.turn(now)
	c, known := l.latest[who]
	if !known {
		if c, known = l.before[who]; known {
			delete(l.before, who)
		} else {
			c = &calls{}
		}
		if len(l.latest) >= l.capacity {
			l.forget()
		}
		l.latest[who] = c
	}
	wait := c.take(now, perMinute, int64(time.Minute))
	return time.Duration(wait), wait == 0, nil
}

// turnLength is how long a call may count: a minute, and the step by which the time of
// a call at a high rate is rounded up.
const turnLength = int64(time.Minute) + int64(time.Minute)/mostKept

// turn starts a new turn if one is over.
func (l *Local) turn(now int64) {
	switch {
	case now < l.rotatedAt: // the clock jumped back
		l.rotatedAt = now
	case now-l.rotatedAt > turnLength:
		l.rotatedAt = now
		l.before, l.latest = l.latest, make(map[string]*calls, len(l.latest))
	}
}

// forget makes room for one caller. The order of the map decides which one goes, so
// that a flood of names cannot choose.
func (l *Local) forget() {
	for who := range l.latest {
		delete(l.latest, who)
		return
	}
}
