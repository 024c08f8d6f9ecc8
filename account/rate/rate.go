// Package rate limits calls a minute: of a caller with a rate of n at most n calls pass
// in any sixty seconds. A limiter remembers when the calls of the last minute passed:
// in this process, or in Redis, which replicas share.
package rate

import (
	"context"
	"slices"
	"time"
)

// Limiter takes a call of who at perMinute. If the call may not pass, wait is how long
// until one may; that call costs nothing. perMinute may change from call to call, as
// when a plan is upgraded; at 0 or below nobody passes. err is only that of ctx.
type Limiter interface {
	Allow(ctx context.Context, who string, perMinute int64) (wait time.Duration, ok bool, err error)
}

// mostKept limits, up to one or two, what is remembered of a caller. Up to so many
// calls a minute each is remembered by itself; at higher rates calls that are closer
// together than a minute's mostKept-th part count as made at its end.
const mostKept = 1024

// stepOf returns the step, in ticks, by which times of calls are remembered at a rate
// above 0; minute is the ticks of a minute.
func stepOf(perMinute, minute int64) int64 {
	if perMinute <= mostKept {
		return 1
	}
	return minute / mostKept
}

// calls are the calls of one caller that passed in the last minute. Times are in ticks,
// the unit of a limiter's clock.
type calls struct {
	kept []callsAt
	gone int64 // that passed before, of all since the log began
}

// callsAt is a time at which calls passed. Moments rise.
type callsAt struct {
	at   int64 // not before the last of them, and less than a step after it
	upTo int64 // calls so far, these included
}

// all returns how many passed since the log began.
func (c *calls) all() int64 {
	if n := len(c.kept); n > 0 {
		return c.kept[n-1].upTo
	}
	return c.gone
}

// take takes a call at now. wait is above 0 if it may not pass: how long until one may,
// which is less than a minute and a step.
//
// Calls in the future come from a clock that jumped back, or from a coarser step. They
// count as made now.
func (c *calls) take(now, perMinute, minute int64) (wait int64) {
	step := stepOf(perMinute, minute)
	at := (now + step - 1) / step * step
	for i := len(c.kept) - 1; i >= 0 && c.kept[i].at > at; i-- {
		c.kept[i].at = at
	}
	past := 0
	for past < len(c.kept) && c.kept[past].at+minute <= now {
		c.gone = c.kept[past].upTo
		past++
	}
	c.kept = slices.Delete(c.kept, 0, past)
	all := c.all()
	for i := range c.kept {
		before := c.gone
		if i > 0 {
			before = c.kept[i-1].upTo
		}
		if all-before < perMinute {
			break
		}
		wait = c.kept[i].at + minute - now
	}
	if wait > 0 {
		return wait
	}
	if n := len(c.kept); n > 0 && c.kept[n-1].at == at {
		c.kept[n-1].upTo++
		return 0
	}
	c.kept = append(c.kept, callsAt{at, all + 1})
	return 0
}
