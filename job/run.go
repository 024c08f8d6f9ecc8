package job

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/waygate/waygate/parallel"
)

// Work is a job as its kind is given it.
type Work struct {
	ID, Key string
	Request []byte
	Attempt int // 1 or 2

	stop     chan struct{}
	stopOnce sync.Once

	mu    sync.Mutex
	share float64
	note  string
}

// run is a job under way in this process.
type run struct {
	lease *lease
	work  *Work
	end   context.CancelCauseFunc
	until time.Time // the lease is held for certain; of keepLeases
}

// Stop is closed when the work is to end with what it has.
func (w *Work) Stop() <-chan struct{} { return w.stop }

func (w *Work) conclude() { w.stopOnce.Do(func() { close(w.stop) }) }

// Progress tells how far the work is: a share from 0 to 1, and a note of its own.
// It is written down now and then.
func (w *Work) Progress(share float64, note string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.share, w.note = share, note
}

func (w *Work) progress() (share float64, note string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.share, w.note
}

// Kind does the work of one kind. The context ends when the job is cancelled or
// lost, or the process stops.
type Kind func(ctx context.Context, w *Work) (result []byte, err error)

// Run works on jobs of these kinds until ctx ends. What runs then is told to end, and
// handed back. Run returns when all has ended, Options.Grace after ctx at the latest and
// a second for the database: a job that goes on is left to its lease.
func (q *Queue) Run(ctx context.Context, kinds map[string]Kind) {
	if q.options.Workers < 0 || len(kinds) == 0 {
		<-ctx.Done()
		return
	}
	names := make([]string, 0, len(kinds))
	for name := range kinds {
		names = append(names, strconv.Quote(name))
	}
	known := strings.ReplaceAll("kind IN ("+strings.Join(names, ", ")+")", `"`, "'")
	// What jobs came to is written down, and their leases kept, until all have ended.
	last, end := context.WithCancel(context.WithoutCancel(ctx))
	defer end()
	var work, keeping parallel.Group
	for range q.options.Workers {
		work.Go(func() {
			parallel.Keep(ctx, func(ctx context.Context) { q.loop(ctx, last, known, kinds) }, q.panicked)
		})
	}
	work.Go(func() { parallel.Keep(ctx, q.sweepRegularly, q.panicked) })
	keeping.Go(func() { parallel.Keep(last, q.keepLeases, q.panicked) })
	<-ctx.Done()
	if !work.Within(q.options.Grace) {
		q.abandon()
	}
	end()
	keeping.Within(time.Second)
}

// panicked tells of a defect; the queue goes on.
func (q *Queue) panicked(p *parallel.Panic) {
	q.options.Log.Error("panic in the queue of jobs", "value", p.Value, "stack", string(p.Stack))
}

// loop takes a job and runs it, and so on.
func (q *Queue) loop(ctx, last context.Context, known string, kinds map[string]Kind) {
	const longest = 30 * time.Second
	pause := q.options.Poll
	for ctx.Err() == nil {
		l, err := q.claim(ctx, known)
		switch {
		case err != nil && ctx.Err() == nil:
			pause = min(2*pause, longest)
			q.options.Log.Warn("the queue of jobs cannot read its database", "error", err, "again_in", pause)
		case l != nil:
			pause = q.options.Poll
			q.Wake() // there may be more, for another worker
			q.work(ctx, last, l, kinds[l.Kind])
			continue
		default:
			pause = q.options.Poll
		}
		select {
		case <-ctx.Done():
		case <-q.wake:
		case <-time.After(pause):
		}
	}
}

// work runs a job and writes down what became of it, as long as last has not ended.
func (q *Queue) work(ctx, last context.Context, l *lease, kind Kind) {
	running, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	w := &Work{ID: l.ID, Key: l.Key, Attempt: l.Attempts, stop: make(chan struct{})}
	if l.Stopping {
		w.conclude()
	}
	r := &run{lease: l, work: w, end: stop, until: time.Now().Add(q.options.Lease)}
	q.mu.Lock()
	q.running[l.holder] = r
	q.mu.Unlock()
	defer func() {
		q.mu.Lock()
		delete(q.running, l.holder)
		q.mu.Unlock()
	}()
	var result []byte
	err := parallel.Try(func() (err error) {
		if w.Request, err = unpack(l.request); err != nil {
			return err
		}
		l.request = nil
		result, err = kind(running, w)
		return err
	})
	lost := errors.Is(context.Cause(running), errLost)
	stop(nil)
	if p := (*parallel.Panic)(nil); errors.As(err, &p) {
		q.options.Log.Error("a job panicked", "job", l.ID, "kind", l.Kind, "value", p.Value, "stack", string(p.Stack))
	}
	if lost {
		return // it was cancelled, or somebody else has it
	}
	q.record(last, l, func(ctx context.Context) error {
		// The last it told belongs to what it came to, however short the run was.
		if held, err := q.renew(ctx, r); err != nil || len(held) == 0 {
			return q.held(nil, err)
		}
		switch {
		case err == nil:
			return q.succeed(ctx, l, result)
		case errors.Is(err, context.Canceled) && l.Attempts < mostRuns: // the process stops
			return q.handBack(ctx, l, false)
		case errors.Is(err, context.Canceled):
			err = errTwice()
		}
		return q.fail(ctx, l, err)
	})
}

// record writes an outcome down, trying for a while: what is not written down is
// done again.
func (q *Queue) record(ctx context.Context, l *lease, write func(context.Context) error) {
	for n := range 6 {
		limited, cancel := context.WithTimeout(ctx, q.options.Lease/2)
		err := write(limited)
		cancel()
		if err == nil || errors.Is(err, errLost) || ctx.Err() != nil {
			return
		}
		q.options.Log.Warn("the outcome of a job cannot be written down", "job", l.ID, "error", err)
		select {
		case <-ctx.Done():
			return
		case <-time.After(time.Duration(50<<n) * time.Millisecond):
		}
	}
}

func (q *Queue) sweepRegularly(ctx context.Context) {
	for {
		if err := q.sweep(ctx); err != nil && ctx.Err() == nil {
			q.options.Log.Warn("the queue of jobs cannot tidy up", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(min(sweepEvery, q.options.Lease)):
		}
	}
}
