package world

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
)

// A new region is on probation for so many calls of its engine, or so long. Once it has had
// leastCalls, a share of failed calls that exceeds that of the region before by moreFailed
// brings that one back. A share of fewer calls than leastCalls is no measure: then it is
// taken to be unknownShare at the least.
const (
	leastCalls    = 50
	mostCalls     = 2000
	probationTime = 10 * time.Minute
	probationLook = time.Minute
	moreFailed    = 0.10
	unknownShare  = 0.50
)

// tally counts the calls of a region's engine.
type tally struct {
	calls, failed atomic.Int64
	before        *tally          // of the region that it replaced; nil without
	judge         chan<- struct{} // wakes Set.Watch once there is something to judge
}

// compare has a wake-up sent once the calls suffice to judge the region beside the one that it
// replaces. It is called before the region is in service.
func (t *tally) compare(before *tally, judge chan<- struct{}) { t.before, t.judge = before, judge }

// observe is a counted.Observer. What the caller, the load on this process or a remote server is
// to blame for is not counted.
func (t *tally) observe(ctx context.Context, _ string, call engine.Call, _ time.Duration, err error) {
	var f *fault.Error
	switch {
	case call == engine.CallStatus, ctx.Err() != nil:
		return
	case err != nil && errors.As(err, &f) && (f.Slug == fault.BadRequest || f.Slug.NotEnabled() || f.Fields["retry_after"] != nil || failedFar(f)):
		return
	case err != nil:
		t.failed.Add(1)
	}
	if n := t.calls.Add(1); t.before != nil && (n == mostCalls || n >= leastCalls && err != nil && t.worse()) {
		wake(t.judge)
	}
}

// failedFar reports whether a failure is that of a remote server, which has no part in a region.
func failedFar(f *fault.Error) bool {
	status, _ := f.Fields["upstream_status"].(int)
	return f.Slug == fault.UpstreamUnavailable || f.Slug == fault.UpstreamTimeout || f.Slug == fault.Upstream && (status >= 500 || status == 200)
}

// worse reports whether so many more calls fail than with the region before that it is back.
func (t *tally) worse() bool {
	was := t.before.share()
	if t.before.calls.Load() < leastCalls {
		was = max(was, unknownShare)
	}
	return t.calls.Load() >= leastCalls && t.share() > was+moreFailed
}

// share returns that of failed calls.
func (t *tally) share() float64 {
	return float64(t.failed.Load()) / float64(max(1, t.calls.Load()))
}

// retain keeps a region open that is about to be replaced in its folder, until the probation
// of the next has ended, and lets go of the one that was kept before. nil keeps none.
func (s *Set) retain(f *folder, old *Region) {
	kept := f.before
	f.before = nil
	if old != nil && old.tally != nil && !old.out() {
		s.mu.Lock()
		s.inUse[old]++
		s.mu.Unlock()
		f.before = old
	}
	if kept != nil {
		s.release([]*Region{kept})
	}
}

// probation looks how the region in a folder does that is on probation, and brings the one
// before it back where more of its calls fail.
func (s *Set) probation(i int) {
	f := s.folders[i]
	if f.before == nil {
		return
	}
	if f.region.tally == nil || f.region.tally.before == nil { // it was replaced meanwhile, as its files were damaged
		s.retain(f, nil)
		return
	}
	calls, is, was := f.region.tally.calls.Load(), f.region.tally.share(), f.before.tally.share()
	switch {
	case f.region.tally.worse():
		s.options.Log.Error("more calls fail than with the region before, which is back in service", "region", f.region.ID, "dir", f.dir, "calls", calls, "failed_share", is, "before", was)
		s.options.refuse(f, f.region.files.SealedHash(), fmt.Sprintf("fails %.0f %% of %d calls, where the region before failed %.0f %%", 100*is, calls, 100*was), f.before)
		if err := s.put(i, f.before); err != nil {
			s.options.Log.Error("the region before cannot be taken into service", "dir", f.dir, "error", err)
		}
		s.retain(f, nil)
		if s.options.Swapped != nil {
			s.options.Swapped(false)
		}
	case calls >= mostCalls || time.Since(f.region.Since) > probationTime:
		s.retain(f, nil)
	}
	s.options.keepServing(f)
}
