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

// Work is a job as it is passed to its Kind.
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

// Stop is closed when the work is to end early and return what it has so far.
func (w *Work) Stop() <-chan struct{} { return w.stop }

func (w *Work) conclude() { w.stopOnce.Do(func() { close(w.stop) }) }

// Progress sets how much of the work is done, as a share from 0 to 1, and a note for
// the job's owner. Both are stored when the lease is renewed, several times a second.
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

// Kind does the work of one kind of job and returns its result. The context ends when
// the job is cancelled, its lease is lost, or the process stops.
type Kind func(ctx context.Context, w *Work) (result []byte, err error)

// worker is the part of a Queue that runs jobs.
type worker struct {
	*Queue
	kinds     map[string]Kind
	condition string // in SQL: the kind is one of kinds
}

// Run works on jobs of these kinds until ctx ends. The contexts of runs end with it, and
// their jobs go back to the queue. Run returns when all runs have ended, or at the latest
// Options.Grace and a second for the database after ctx: a run that ignores its context
// keeps its job until the lease ends.
func (q *Queue) Run(ctx context.Context, kinds map[string]Kind) {
	if q.options.Workers < 0 || len(kinds) == 0 {
		<-ctx.Done()
		return
	}
	names := make([]string, 0, len(kinds))
	for name := range kinds {
		names = append(names, strconv.Quote(name))
	}
	w := &worker{Queue: q, kinds: kinds, condition: strings.ReplaceAll("kind IN ("+strings.Join(names, ", ")+")", `"`, "'")}
	// Outcomes are recorded and leases kept until all runs have ended, which is after ctx.
	last, end := context.WithCancel(context.WithoutCancel(ctx))
	defer end()
	var work, keeping parallel.Group
	for range q.options.Workers {
		work.Go(func() {
			parallel.Supervise(ctx, func(ctx context.Context) { w.loop(ctx, last) }, w.panicked)
		})
	}
	work.Go(func() { parallel.Supervise(ctx, w.sweepRegularly, w.panicked) })
	keeping.Go(func() { parallel.Supervise(last, w.keepLeases, w.panicked) })
	<-ctx.Done()
	if !work.WaitFor(q.options.Grace) {
		w.abandon()
	}
	end()
	keeping.WaitFor(time.Second)
}

// panicked logs a defect of the queue itself; the goroutine is started again.
func (w *worker) panicked(p *parallel.Panic) {
	w.options.Log.Error("panic in the queue of jobs", "value", p.Value, "stack", string(p.Stack))
}

// loop takes and runs jobs, one after another.
func (w *worker) loop(ctx, last context.Context) {
	const longest = 30 * time.Second
	pause := w.options.Poll
	for ctx.Err() == nil {
		l, err := w.claim(ctx)
		switch {
		case err != nil && ctx.Err() == nil:
			pause = min(2*pause, longest)
			w.options.Log.Warn("the queue of jobs cannot read its database", "error", err, "again_in", pause)
		case l != nil:
			pause = w.options.Poll
			w.Wake() // there may be more, for another worker
			w.work(ctx, last, l)
			continue
		default:
			pause = w.options.Poll
		}
		select {
		case <-ctx.Done():
		case <-w.wake:
		case <-time.After(pause):
		}
	}
}

// work runs a job and records its outcome, unless last ends before.
func (w *worker) work(ctx, last context.Context, l *lease) {
	running, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	work := &Work{ID: l.ID, Key: l.Key, Attempt: l.Attempts, stop: make(chan struct{})}
	if l.Stopping {
		work.conclude()
	}
	r := &run{lease: l, work: work, end: stop, until: time.Now().Add(w.options.Lease)}
	w.runs.add(r)
	defer w.runs.remove(r)
	var result []byte
	err := parallel.Try(func() (err error) {
		if work.Request, err = unpack(l.request); err != nil {
			return err
		}
		l.request = nil
		result, err = w.kinds[l.Kind](running, work)
		return err
	})
	lost := errors.Is(context.Cause(running), errLost)
	stop(nil)
	if p := (*parallel.Panic)(nil); errors.As(err, &p) {
		w.options.Log.Error("a job panicked", "job", l.ID, "kind", l.Kind, "value", p.Value, "stack", string(p.Stack))
	}
	if lost {
		return // the job was cancelled, or another process runs it
	}
	w.record(last, l, func(ctx context.Context) error {
		// The last progress is stored with the outcome, however short the run was.
		if valid, err := w.renew(ctx, r); err != nil || len(valid) == 0 {
			return stillHeld(nil, err)
		}
		switch {
		case err == nil:
			return w.succeed(ctx, l, result)
		case errors.Is(err, context.Canceled) && l.Attempts < mostRuns: // the process stops
			return w.handBack(ctx, l, false)
		case errors.Is(err, context.Canceled):
			err = errTwice()
		}
		return w.fail(ctx, l, err)
	})
}

// record stores an outcome with several attempts: a job whose outcome is not stored is
// done again.
func (w *worker) record(ctx context.Context, l *lease, write func(context.Context) error) {
	for n := range 6 {
		limited, cancel := context.WithTimeout(ctx, w.options.Lease/2)
		err := write(limited)
		cancel()
		if err == nil || errors.Is(err, errLost) || ctx.Err() != nil {
			return
		}
		w.options.Log.Warn("the outcome of a job cannot be written down", "job", l.ID, "error", err)
		select {
		case <-ctx.Done():
			return
		case <-time.After(time.Duration(50<<n) * time.Millisecond):
		}
	}
}

func (w *worker) sweepRegularly(ctx context.Context) {
	for {
		if err := w.sweep(ctx); err != nil && ctx.Err() == nil {
			w.options.Log.Warn("the queue of jobs cannot tidy up", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(min(sweepEvery, w.options.Lease)):
		}
	}
}
