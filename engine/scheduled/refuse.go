package scheduled

import (
	"context"
	"errors"
	"math"
	"time"

	"github.com/waygate/waygate/fault"
)

// Reason is why a call was turned down.
type Reason string

// The reasons.
const (
	TooDear Reason = "too_dear" // by its own estimate it takes longer than a request may
	Full    Reason = "full"     // as many wait as may
	Busy    Reason = "busy"     // its turn would come too late
	Late    Reason = "late"     // its turn did not come in time
)

// Reasons lists them.
func Reasons() []Reason { return []Reason{TooDear, Full, Busy, Late} }

// turnDown refuses a call that could not be answered in time, at once. The lock
// is held.
func (s *Scheduler) turnDown(ctx context.Context, r *Request, g *grant, now time.Time) error {
	l := &s.classes[g.class]
	alone := g.alone(s)
	if limit := r.limit(); limit > 0 && alone > limit {
		s.refused[TooDear]++
		return tooDear(g, alone, limit)
	}
	wait := l.wait(g.who, now)
	if l.waiting >= s.options.Queue {
		s.refused[Full]++
		return busy(wait)
	}
	if limit, ok := ctx.Deadline(); ok && wait > 0 {
		if left := limit.Sub(now) * 9 / 10; wait+alone > left { // a tenth is for what turns out longer
			s.refused[Busy]++
			return busy(wait + alone - left)
		}
	}
	return nil
}

// tooLate is the refusal of a call whose turn did not come. A caller who left
// gets no answer.
func (s *Scheduler) tooLate(ctx context.Context, g *grant) error {
	if err := ctx.Err(); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.late(g)
}

// late counts such a refusal. The lock is held.
func (s *Scheduler) late(g *grant) error {
	s.refused[Late]++
	return busy(s.classes[g.class].wait(g.who, s.options.Now()))
}

// busy refuses a call until there is likely to be room.
func busy(wait time.Duration) error {
	seconds := max(1, int(math.Ceil(wait.Seconds())))
	return fault.New(fault.UpstreamUnavailable, "the routing engine has more work waiting than it can do in the time a request may take; try again in %d s", seconds).
		With("retry_after", seconds)
}

// tooDear names the estimate, the limit and what would do.
func tooDear(g *grant, alone, limit time.Duration) *fault.Error {
	e := fault.New(fault.BadRequest, "this would take about %.0f s of work, and a request may take %.0f s", math.Ceil(alone.Seconds()), limit.Seconds())
	if g.estimate.Cheaper != "" {
		e.Detail += "; it would be less with " + g.estimate.Cheaper
	}
	return e.With("estimated_ms", alone.Milliseconds()).With("limit_ms", limit.Milliseconds())
}
