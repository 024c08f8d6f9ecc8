package scheduled

import (
	"sync/atomic"
	"time"

	"github.com/waygate/waygate/parallel"
)

// turnFor is how long work goes on at least before it lets others run.
const turnFor = 100 * time.Microsecond

// epoch is a moment that others are counted from, by a clock that is never set.
var epoch = time.Now()

// turn is when work that gives way to others last did, after epoch and on whichever of
// its goroutines.
type turn struct{ last atomic.Int64 }

// yield lets others run where it is time for it.
func (t *turn) yield(now time.Time) {
	if t.over(now) {
		parallel.Yield()
	}
}

// over reports whether it is time to let others run, which begins the next turn.
func (t *turn) over(now time.Time) bool {
	at := int64(now.Sub(epoch))
	over := at-t.last.Load() >= int64(turnFor)
	if over {
		t.last.Store(at)
	}
	return over
}
