// Package rate limits calls a minute by the generic cell rate algorithm: a
// steady rate with a burst of one minute's worth. A limiter keeps one time for
// each caller: in this process, or in Redis, where replicas share it.
package rate

import (
	"context"
	"time"
)

// Limiter takes calls of who at perMinute. Where a call may not pass, wait
// says how long until one may.
type Limiter interface {
	Allow(ctx context.Context, who string, perMinute int64) (wait time.Duration, ok bool, err error)
}
