package embedded

import (
	"context"

	"github.com/waygate/waygate/costing"
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

// reserveFor takes memory for something of a traveller's that nobody keeps, by the
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

// release gives it back.
func (l *reservation) release() {
	l.m.mu.Lock()
	defer l.m.mu.Unlock()
	l.m.commit(l.entry, l.bytes, 0)
}

// metricForRequest works out what tables read of weights that nobody will come back with.
// It takes a place among the metrics in the making, and waits no longer than the
// context lasts. The memory it takes is given back by the loan's end, which is
// the caller's to call. Where there is none, the loan is nil.
func (e *Engine) metricForRequest(ctx context.Context, w search.Weights, who *cacheEntry) (cch.Costs, *reservation, error) {
	m := e.metrics
	select {
	case m.slots <- struct{}{}:
	case <-ctx.Done():
		return cch.Costs{}, nil, ctx.Err()
	}
	l := m.reserveFor(who, m.estimateOnce(who.who.options.Costing))
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
			l.release() // nobody waits for it
		}
	}
	parallel.Go(func() {
		costs, ok = e.once(ctx, w, l)
		end(nil)
	}, end)
	select {
	case p := <-made:
		switch {
		case p != nil:
			l.release()
			panic(p)
		case !ok:
			l.release()
			return cch.Costs{}, nil, fault.New(fault.UpstreamUnavailable, "the region is being replaced; try again").With("retry_after", 1)
		case ctx.Err() != nil:
			l.release()
			return cch.Costs{}, nil, ctx.Err()
		}
		return costs, l, nil
	case <-ctx.Done():
		return cch.Costs{}, nil, ctx.Err()
	}
}

// metricOnce works out what tables read of weights without a metric, for one
// call: its memory is the call's own. ok is false where the region is being
// replaced. It waits for a place among the metrics in the making no longer than
// the context lasts.
func (e *Engine) metricOnce(ctx context.Context, w weights) (costs cch.Costs, ok bool, err error) {
	m := e.metrics
	select {
	case m.slots <- struct{}{}:
	case <-ctx.Done():
		return costs, false, ctx.Err()
	}
	defer func() { <-m.slots }()
	costs, _, ok, err = e.tableCosts(ctx, w.Weights)
	return costs, ok, err
}

// once works out what tables read of weights, in memory that was lent for it; not
// ok where the region was closed. It gives a place among the metrics in the
// making back.
func (e *Engine) once(ctx context.Context, w search.Weights, l *reservation) (costs cch.Costs, ok bool) {
	defer func() { <-e.metrics.slots }()
	costs, bytes, ok, err := e.tableCosts(ctx, w)
	if err == nil && ok { // else nobody waits for it
		l.resize(bytes)
	}
	return costs, ok
}

// tableCosts works out what tables read of weights, and how many bytes it takes
// with the metric of turns; not ok where the region is being replaced. Its only
// error is that of its context.
func (e *Engine) tableCosts(ctx context.Context, w search.Weights) (costs cch.Costs, bytes int64, ok bool, err error) {
	done, ok := e.use()
	if !ok {
		return costs, 0, false, nil
	}
	defer done()
	// A context that is asked for its error may have the call wait for another seat, and
	// those in the seats may wait for the place among the metrics in the making that this
	// one has: one derived from it hears of its end alone.
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	if w.Metric == nil {
		if w.Metric, err = w.Costing.MetricContext(ctx, e.metrics.index()); err != nil {
			return costs, 0, true, err
		}
	}
	h, err := e.topology.Customise(ctx, e.g, w.Costing, w.Metric)
	if err != nil {
		return costs, 0, true, err
	}
	measures, err := e.topology.MeasureContext(ctx, w.Costing, h)
	if err != nil {
		return costs, 0, true, err
	}
	costs = cch.Costs{Costing: w.Costing, Metric: h, Measures: measures}
	return costs, w.Metric.Bytes() + h.Bytes() + costs.Measures.Bytes(), true, nil
}

// estimateOnce is about how much memory a metric under conditions takes with its
// measures: as much as that of usual options.
func (m *metrics) estimateOnce(k costing.Costing) int64 {
	hierarchy, measures := m.estimateHierarchy(k)
	return m.topology.TurnBytes() + hierarchy + measures
}
