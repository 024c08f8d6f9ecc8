package metric

import (
	"context"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/parallel"
	"github.com/waygate/waygate/road/cch"
	"github.com/waygate/waygate/road/search"
)

// reservation is memory taken for as long as one request lasts. It counts with the
// traveller it is for.
type reservation struct {
	m     *metricCache
	entry *cacheEntry
	bytes int64
}

// reserveFor takes memory for something of a traveller's that is not kept, by the
// rules of claim; nil where there is none.
func (m *metricCache) reserveFor(to *cacheEntry, bytes int64) *reservation {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.reserve(to, bytes) {
		return nil
	}
	return &reservation{m: m, entry: to, bytes: bytes}
}

// resize puts what was made in place of what was lent for it.
func (l *reservation) resize(bytes int64) {
	l.m.mu.Lock()
	defer l.m.mu.Unlock()
	l.m.used += bytes - l.bytes
	l.entry.bytes += bytes - l.bytes
	l.bytes = bytes
	l.m.evictOverLimit()
}

// Release gives it back.
func (l *reservation) Release() {
	l.m.mu.Lock()
	defer l.m.mu.Unlock()
	l.m.commit(l.entry, l.bytes, 0)
}

// ForRequest works out what tables read of weights that are used only once.
// It takes a place among the metrics in the making, and waits no longer than the
// context lasts. The memory it takes is given back by the loan's end, which is
// the caller's to call. Where there is none, the loan is nil.
func ForRequest(ctx context.Context, m *Store, w search.Weights, who *cacheEntry) (cch.Costs, *reservation, error) {
	select {
	case m.slots <- struct{}{}:
	case <-ctx.Done():
		return cch.Costs{}, nil, ctx.Err()
	}
	l := m.reserveFor(who, m.EstimateOnce(who.who.Options.Costing))
	if l == nil {
		<-m.slots
		return cch.Costs{}, nil, nil
	}
	var costs cch.Costs
	var ok bool
	made := make(chan *parallel.Panic)
	end := func(p *parallel.Panic) {
		select {
		case made <- p:
		case <-ctx.Done():
			l.Release() // the request has ended
		}
	}
	parallel.Go(func() {
		costs, ok = once(ctx, m, w, l)
		end(nil)
	}, end)
	select {
	case p := <-made:
		switch {
		case p != nil:
			l.Release()
			panic(p)
		case !ok:
			l.Release()
			return cch.Costs{}, nil, fault.New(fault.UpstreamUnavailable, "the region is being replaced; try again").With("retry_after", 1)
		case ctx.Err() != nil:
			l.Release()
			return cch.Costs{}, nil, ctx.Err()
		}
		return costs, l, nil
	case <-ctx.Done():
		return cch.Costs{}, nil, ctx.Err()
	}
}

// ForOnce works out what tables read of weights without a metric, for one
// call: its memory is the call's own. ok is false where the region is being
// replaced. It waits for a place among the metrics in the making no longer than
// the context lasts.
func ForOnce(ctx context.Context, m *Store, w Weights) (costs cch.Costs, ok bool, err error) {
	select {
	case m.slots <- struct{}{}:
	case <-ctx.Done():
		return costs, false, ctx.Err()
	}
	defer func() { <-m.slots }()
	costs, _, ok, err = m.tableCosts(ctx, w.Weights)
	return costs, ok, err
}

// once works out what tables read of weights, in memory that was lent for it; not
// ok where the region was closed. It gives a place among the metrics in the
// making back.
func once(ctx context.Context, m *Store, w search.Weights, l *reservation) (costs cch.Costs, ok bool) {
	defer func() { <-m.slots }()
	costs, bytes, ok, err := m.tableCosts(ctx, w)
	if err == nil && ok { // else the request has ended
		l.resize(bytes)
	}
	return costs, ok
}
