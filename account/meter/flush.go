package meter

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/waygate/waygate/store"
)

// errPaused is the error while a database that failed is not asked.
var errPaused = errors.New("it failed a moment ago and is not asked again yet")

const (
	flushTimeout     = 5 * time.Second  // for one batch
	lastFlushTimeout = 10 * time.Second // for the last one, before the process ends
	batchIDLife      = 24 * time.Hour   // of batch ids
	cleanEvery       = time.Hour        // between two clearings away
)

// Run flushes counters every Options.Flush (500 ms if 0). When ctx ends it flushes once
// more (for at most 10 seconds if the database does not answer), releases unspent
// credit, and returns.
func (g *Gate) Run(ctx context.Context) {
	tick := time.NewTicker(g.options.Flush)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			g.flusher.flushLast(context.WithoutCancel(ctx), tick)
			return
		case <-tick.C:
			g.flusher.report(ctx, g.Flush(ctx))
		}
	}
}

// Flush writes the counts to the database now, and reads what other replicas have
// counted. After an error (upstream-unavailable) all counts are kept, and a later Flush
// writes them once.
func (g *Gate) Flush(ctx context.Context) error { return g.flusher.flush(ctx, false) }

// flusher writes a gate's counts to the database in batches, and reads those of the
// other replicas.
type flusher struct {
	gate *Gate

	flushing  sync.Mutex
	unwritten *batch // not known to be in the database
	failing   bool
	purged    time.Time
	salts     map[string]string // by month
}

// flushLast flushes for the last time.
func (f *flusher) flushLast(ctx context.Context, tick *time.Ticker) {
	ctx, cancel := context.WithTimeout(ctx, lastFlushTimeout)
	defer cancel()
	for {
		err := f.flush(ctx, true)
		if err == nil {
			return
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			f.gate.log.Error("usage is lost: the database does not answer", "error", err)
			return
		}
	}
}

// report logs when flushing begins to fail and when it works again.
func (f *flusher) report(ctx context.Context, err error) {
	switch {
	case ctx.Err() != nil:
	case err != nil && !f.failing:
		f.gate.log.ErrorContext(ctx, "usage is kept in memory: the database does not answer", "error", err)
		f.failing = true
	case err == nil && f.failing:
		f.gate.log.InfoContext(ctx, "the database answers again, and usage is written")
		f.failing = false
	}
}

func (f *flusher) flush(ctx context.Context, last bool) error {
	reached, err := f.exchange(ctx, last)
	for _, r := range reached {
		f.gate.options.Crossed(ctx, r.identity, r.month, r.percent)
	}
	return store.Unavailable(err)
}

// exchange writes this replica's counts and reads those of the others.
func (f *flusher) exchange(ctx context.Context, last bool) ([]threshold, error) {
	f.flushing.Lock()
	defer f.flushing.Unlock()
	ctx, cancel := context.WithTimeout(ctx, flushTimeout)
	defer cancel()
	if f.unwritten != nil {
		if err := f.write(ctx, f.unwritten); err != nil {
			return nil, err
		}
		f.unwritten = nil
	}
	now := f.gate.now()
	just := f.gate.pools.settlements.Load() + 1 // the settlement of this batch, if it has one
	if b := f.gather(now, last); !b.empty() {
		f.unwritten = b
		if err := f.write(ctx, b); err != nil {
			return nil, err
		}
		f.unwritten = nil
	}
	if last {
		return f.crossed(now), nil
	}
	if err := f.refresh(ctx, now, just); err != nil {
		return f.crossed(now), err
	}
	f.forgetBooked()
	f.gate.pools.sweep(now, f.gate.dateOf(now).day)
	return f.crossed(now), f.clean(ctx, now)
}

// clean deletes, once in a while, the ids of batches that nobody tries again, and the
// salts of past months.
func (f *flusher) clean(ctx context.Context, now time.Time) error {
	if now.Sub(f.purged).Abs() < cleanEvery {
		return nil
	}
	if _, err := f.gate.options.DB.Exec(ctx, "DELETE FROM usage_batches WHERE at < $1", now.Add(-batchIDLife).UnixMilli()); err != nil {
		return fmt.Errorf("remove the ids of old batches: %w", err)
	}
	yesterday := now.UTC().AddDate(0, 0, -1).Format(time.DateOnly) // for a replica whose clock is behind
	if _, err := f.gate.options.DB.Exec(ctx, "DELETE FROM usage_periods WHERE period LIKE $1 AND substr(period, length(period) - 9) < $2", allowanceMark+"%", yesterday); err != nil {
		return fmt.Errorf("remove the allowances of past days: %w", err)
	}
	over := "mau:" + now.UTC().AddDate(0, -2, 0).Format("2006-01")
	if _, err := f.gate.options.DB.Exec(ctx, "DELETE FROM salts WHERE scope LIKE 'mau:%' AND scope < $1", over); err != nil {
		return fmt.Errorf("remove old salts: %w", err)
	}
	f.purged = now
	return nil
}
