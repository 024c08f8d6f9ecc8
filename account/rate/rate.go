// Package rate limits calls a minute by the generic cell rate algorithm: a
// steady rate with a burst of one minute's worth. A limiter keeps one time for
// each caller: in this process, or in Redis, where replicas share it.
package rate

import (
	"context"
	"time"
)

// Limiter takes calls of who at perMinute. Where a call may not pass, wait
// says how long until one may; that call costs nothing. perMinute may change
// from call to call, as when a plan is upgraded; at 0 or below nobody passes.
// err is only that of ctx.
type Limiter interface {
	Allow(ctx context.Context, who string, perMinute int64) (wait time.Duration, ok bool, err error)
}

// schedule is a rate in ticks, the unit a limiter's clock counts in.
type schedule struct {
	every int64 // between calls at the steady rate
	burst int64 // how far ahead of the clock a caller may be: perMinute calls, at most a minute
}

// scheduleOf gives the schedule of a rate above 0. Rounding down to whole ticks makes
// the steady rate higher by at most perMinute/(ticks a minute); the burst is
// perMinute calls exactly. Above a call a tick calls cannot be told
// apart.
func scheduleOf(perMinute int64, tick time.Duration) schedule {
	ticks := int64(time.Minute / tick)
	perMinute = min(perMinute, ticks)
	every := ticks / perMinute
	return schedule{every: every, burst: every * perMinute}
}

// take takes a call at now of a caller who is due at a time. next is when the
// caller is due then, to be kept whether or not the call may pass, and wait is
// above 0 where it may not.
//
// Nobody gets ahead of the clock by more than the burst. Who is met there all
// the same has seen the clock jump back, and is held to have used the burst
// up, but no more than that.
func (p schedule) take(now, due int64) (next, wait int64) {
	due = min(max(due, now), now+p.burst)
	if wait = due + p.every - now - p.burst; wait > 0 {
		return due, wait
	}
	return due + p.every, 0
}
