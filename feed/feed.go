package feed

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/parallel"
)

// Snapshot is the result of one poll of a source. It never changes.
type Snapshot[T any] struct {
	Source    *Source
	Value     T
	Records   int       // that were taken
	Rejected  []Reject  // by reason
	Published time.Time // when the source says it was made; zero where it does not say
	Fetched   time.Time // when it was fetched
}

// At returns the time of the snapshot's records: the one that the source gives, else that of the
// fetch.
func (s *Snapshot[T]) At() time.Time {
	if !s.Published.IsZero() {
		return s.Published
	}
	return s.Fetched
}

// Read reads a source: the first document, and others that it opens. last is the
// value in force, the zero value where there is none, for sources that publish
// changes only; it must not be changed. It returns the new value and how many
// records were taken into it. What is wrong with one record is rejected and
// counted in in.Report; an error turns down the whole poll.
type Read[T any] func(ctx context.Context, in *Input, last T) (value T, records int, err error)

// Kind describes all feeds of one kind of record.
type Kind[T any] struct {
	Read       Read[T]
	Every      time.Duration         // between polls, where the source does not say; 0 is a minute
	StaleAfter time.Duration         // age from which a snapshot is stale; 0 is an hour
	MayBeEmpty bool                  // no record at all is news, and no sign of a broken source
	Swapped    func(*Snapshot[T])    // is called with every new snapshot, on the goroutine that polls; may be nil
	Check      func(s *Source) error // refuses a source whose format or options are not known; may be nil
}

// Options configure all feeds of a process.
type Options struct {
	Dir   string           // where what was fetched is kept; "" keeps nothing over a restart
	Agent string           // User-Agent; "" is waygate
	Log   *slog.Logger     // nil is slog.Default
	Now   func() time.Time // nil is time.Now
	// Counts, where it is not nil, reports whether a place counts as of a country (ISO
	// 3166-1 alpha-2) though it lies elsewhere, as one on an invented island does.
	Counts func(country string, p geo.Point) bool
}

// Feed polls one source and keeps its latest good snapshot.
type Feed[T any] struct {
	source  Source
	kind    Kind[T]
	fetcher fetcher
	spool   spool
	log     *slog.Logger
	now     func() time.Time
	counts  func(country string, p geo.Point) bool // nil is never
	latest  atomic.Pointer[Snapshot[T]]

	polling sync.Mutex // one poll at a time
	known   validators // of the document in force; the zero value fetches anew

	mu    sync.Mutex
	state state
}

// state is how the last polls went.
type state struct {
	checked  time.Time // when the source last said what is in force
	failures int       // in a row
	failure  string    // of the last poll; "" of a good one
	next     time.Time
}

// New makes a feed of a source. Nothing is fetched before it is polled.
func New[T any](o Options, s Source, k Kind[T]) (*Feed[T], error) {
	if err := s.check(); err != nil {
		return nil, fmt.Errorf("feed %s: %w", s.ID, err)
	}
	if k.Check != nil {
		if err := k.Check(&s); err != nil {
			return nil, fmt.Errorf("feed %s: %w", s.ID, err)
		}
	}
	f := &Feed[T]{source: s, kind: k, log: cmp.Or(o.Log, slog.Default()), now: o.Now, counts: o.Counts}
	if f.now == nil {
		f.now = time.Now
	}
	if o.Dir != "" {
		f.spool.dir = filepath.Join(o.Dir, s.ID)
	}
	f.fetcher = fetcher{source: &f.source, client: newClient(&f.source), agent: cmp.Or(o.Agent, "waygate"), now: f.now}
	return f, nil
}

// Forget removes what the feed, which no longer runs, kept for a restart.
func (f *Feed[T]) Forget() {
	if f.spool.dir == "" {
		return
	}
	if err := os.RemoveAll(f.spool.dir); err != nil {
		f.log.Warn("what was kept of a feed cannot be removed", "feed", f.source.ID, "error", withoutPath(err))
	}
}

// Source returns the source that the feed polls.
func (f *Feed[T]) Source() *Source { return &f.source }

// Latest returns the snapshot in force; nil before the first.
func (f *Feed[T]) Latest() *Snapshot[T] { return f.latest.Load() }

// Restore puts into force what the last good poll of an earlier process fetched.
// It is reported as old as it is.
func (f *Feed[T]) Restore(ctx context.Context) {
	f.polling.Lock()
	defer f.polling.Unlock()
	g := f.spool.last(&f.source)
	if g == nil || f.latest.Load() != nil {
		return
	}
	i := 0
	s, err := f.read(ctx, g, func(context.Context, string, *Report) (document, error) {
		if i++; i > len(g.Documents) {
			return document{}, errors.New("it has fewer documents than before")
		}
		return g.Documents[i-1], nil
	})
	if err != nil {
		f.log.Warn("what was kept of a feed cannot be read", "feed", f.source.ID, "error", err)
		return
	}
	f.known = g.Known
	f.swap(s)
	f.mu.Lock()
	f.state.checked = g.Fetched
	f.mu.Unlock()
}

// Poll fetches the source once, and swaps its snapshot in where it is new and
// good. The error says why it is not; the snapshot before it stays in force.
func (f *Feed[T]) Poll(ctx context.Context) error {
	f.polling.Lock()
	defer f.polling.Unlock()
	fresh, err := f.poll(ctx)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	now := f.now()
	f.mu.Lock()
	defer f.mu.Unlock()
	if err == nil {
		f.state.checked, f.state.failures, f.state.failure = now, 0, ""
		f.state.next = now.Add(jitter(max(f.every(), fresh)))
		return nil
	}
	f.state.failures++
	f.state.failure = clip(err.Error())
	wait := backoff(f.every(), f.state.failures)
	var r *refused
	if errors.As(err, &r) {
		wait = max(wait, r.after)
	}
	f.state.next = now.Add(jitter(wait))
	return err
}

func (f *Feed[T]) poll(ctx context.Context) (fresh time.Duration, err error) {
	g, err := f.spool.begin(&f.source, f.now())
	if err != nil {
		return 0, fmt.Errorf("no place to keep it: %w", withoutPath(err))
	}
	var known *validators
	if f.latest.Load() != nil {
		known = &f.known
	}
	s, err := f.read(ctx, g, func(ctx context.Context, ref string, _ *Report) (document, error) {
		into, err := g.next()
		if err != nil {
			return document{}, err
		}
		first := len(g.Documents) == 0
		if !first {
			known = nil
		}
		d, v, rest, err := f.fetcher.get(ctx, ref, into, known)
		if first {
			g.Known, fresh = v, rest
		}
		if err == nil {
			g.Documents = append(g.Documents, d)
		}
		return d, err
	})
	if err != nil {
		g.drop()
		if errors.Is(err, errUnchanged) {
			err = nil
		}
		return fresh, err
	}
	f.known = g.Known
	if err := f.spool.commit(g); err != nil {
		f.log.Warn("a feed cannot be kept for a restart", "feed", f.source.ID, "error", err)
	}
	f.swap(s)
	return fresh, nil
}

// aheadAtMost is how far the clock of a source may be before ours.
const aheadAtMost = 10 * time.Minute

// read reads a generation whose documents fetch gives, and judges the whole of
// it.
func (f *Feed[T]) read(ctx context.Context, g *generation, fetch func(ctx context.Context, ref string, r *Report) (document, error)) (*Snapshot[T], error) {
	report := &Report{}
	var last T
	before := f.latest.Load()
	if before != nil {
		last = before.Value
	}
	var open func(ctx context.Context, ref string) (*Input, error)
	open = func(ctx context.Context, ref string) (*Input, error) {
		d, err := fetch(ctx, ref, report)
		if err != nil {
			return nil, err
		}
		in, err := g.input(ctx, d, &f.source, report)
		if err == nil {
			in.open, in.counts = open, f.counts
		}
		return in, err
	}
	s := &Snapshot[T]{Source: &f.source, Fetched: g.Fetched}
	err := parallel.Try(func() (err error) {
		in, err := open(ctx, f.source.URL)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, in.Close()) }()
		s.Value, s.Records, err = f.kind.Read(ctx, in, last)
		return err
	})
	s.Rejected, s.Published = report.list(), report.published
	switch {
	case err != nil:
		return nil, err
	case s.Records == 0 && len(s.Rejected) > 0:
		r := s.Rejected[0]
		return nil, fmt.Errorf("none of its records can be taken: %d are rejected as %s, such as %s", r.Count, r.Reason, r.Example)
	case s.Records == 0 && !f.kind.MayBeEmpty:
		return nil, errors.New("it has no record")
	}
	if s.Published.After(g.Fetched.Add(aheadAtMost)) {
		f.log.Warn("the clock of a feed is ahead; it counts as made when it was fetched", "feed", f.source.ID, "published", s.Published)
		s.Published = g.Fetched
	}
	if before != nil && s.Published.Before(before.Published) {
		return nil, fmt.Errorf("it was made at %s, before the one in force of %s", s.Published.UTC().Format(time.RFC3339), before.Published.UTC().Format(time.RFC3339))
	}
	return s, nil
}

func (f *Feed[T]) swap(s *Snapshot[T]) {
	f.latest.Store(s)
	if f.kind.Swapped != nil {
		f.kind.Swapped(s)
	}
}

// Intervals of polls where neither the source nor its kind says.
const (
	defaultEvery = time.Minute
	defaultStale = time.Hour
	leastEvery   = time.Second
	longestWait  = time.Hour
)

func (f *Feed[T]) every() time.Duration {
	return max(leastEvery, cmp.Or(time.Duration(f.source.Every), f.kind.Every, defaultEvery))
}

func (f *Feed[T]) staleAfter() time.Duration {
	return cmp.Or(time.Duration(f.source.StaleAfter), f.kind.StaleAfter, defaultStale)
}

// backoff returns how long to wait after so many failures in a row: twice as long
// each time, to an hour, or to the feed's own interval where that is longer.
func backoff(every time.Duration, failures int) time.Duration {
	wait := every
	for range min(failures-1, 16) {
		wait = min(2*wait, max(every, longestWait))
	}
	return wait
}

// jitter spreads a wait by a tenth to either side, so that replicas do not ask
// together.
func jitter(wait time.Duration) time.Duration {
	return wait - wait/10 + rand.N(wait/5+1)
}

// Run polls until ctx ends.
func (f *Feed[T]) Run(ctx context.Context) {
	for ctx.Err() == nil {
		if err := f.Poll(ctx); err != nil && ctx.Err() == nil {
			f.log.Warn("a feed cannot be read", "feed", f.source.ID, "source", f.source.Shown(), "error", err)
		}
		f.mu.Lock()
		wait := f.state.next.Sub(f.now())
		f.mu.Unlock()
		timer := time.NewTimer(max(leastEvery/10, wait))
		select {
		case <-ctx.Done():
		case <-timer.C:
		}
		timer.Stop()
	}
}

// Client returns the HTTP client of a source, for kinds that ask it by place instead
// of polling it, and the headers to send: they go to the source's own host.
func Client(s *Source) *http.Client { return newClient(s) }
