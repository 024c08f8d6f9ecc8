package api

import (
	"net/netip"
	"sync"
	"time"
)

// demoClients bounds the addresses the demo lane remembers.
const demoClients = 1 << 16

// limiter is the generic cell rate algorithm for many callers: a steady rate
// with a burst of one minute's worth. It keeps one time per caller.
type limiter struct {
	mu       sync.Mutex
	every    time.Duration // between calls at the steady rate
	burst    time.Duration
	arrival  map[netip.Addr]time.Time // when the next call would arrive at the steady rate
	capacity int
	now      func() time.Time
}

func newLimiter(perMinute, capacity int, now func() time.Time) *limiter {
	return &limiter{every: time.Minute / time.Duration(perMinute), burst: time.Minute, arrival: map[netip.Addr]time.Time{}, capacity: capacity, now: now}
}

// allow takes one call of who. Where it may not pass, wait says how long until
// it may.
func (l *limiter) allow(who netip.Addr) (wait time.Duration, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	due, known := l.arrival[who]
	if due.Before(now) {
		due = now
	}
	due = due.Add(l.every)
	if ahead := due.Sub(now); ahead > l.burst {
		return ahead - l.burst, false
	}
	if !known && len(l.arrival) >= l.capacity {
		l.forget(now)
	}
	l.arrival[who] = due
	return 0, true
}

// forget makes room: callers who have nothing outstanding go first, then any.
// A look at a few is enough, for map order is random.
func (l *limiter) forget(now time.Time) {
	looked := 0
	for who, due := range l.arrival {
		looked++
		if !due.After(now) || looked == 16 {
			delete(l.arrival, who)
			if looked >= 16 {
				return
			}
		}
	}
}
