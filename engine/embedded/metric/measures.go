package metric

import (
	"context"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/parallel"
	"github.com/waygate/waygate/road/cch"
)

// measuresOnce are the times and lengths of the arcs of a metric, which matrices
// and isochrones ask for.
type measuresOnce struct {
	ready    chan struct{} // closed once they are there, or came to nothing
	measures *cch.Measures // nil where the region was closed
	panicked *parallel.Panic
}

// Measures returns the measures of a traveller's metric, which must be there: those
// of the region's metrics are in it, others are worked out when first asked for. It
// waits for them no longer than the context lasts; they are worked out all the
// same. Where there is no memory to keep them, those who ask meanwhile share
// them.
func (m *Store) Measures(ctx context.Context, w Weights) (*cch.Measures, error) {
	if x := m.mapped[w.Hierarchy]; x != nil {
		return x, nil
	}
	x := m.measured(w)
	select {
	case <-x.ready:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if x.panicked != nil {
		panic(x.panicked)
	}
	if x.measures == nil {
		return nil, fault.New(fault.UpstreamUnavailable, "the region is being replaced; try again").With("retry_after", 1)
	}
	return x.measures, nil
}

// CachedMeasures returns the measures of a traveller's metric, nil where they would have to
// be worked out first.
func (m *Store) CachedMeasures(w Weights) *cch.Measures {
	if x := m.mapped[w.Hierarchy]; x != nil {
		return x
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if w.Entry == nil || w.Entry.measured == nil {
		return nil
	}
	select {
	case <-w.Entry.measured.ready:
		return w.Entry.measured.measures
	default:
		return nil
	}
}

// measured returns the place of a metric's measures, and has them worked out
// where that is not done.
func (m *Store) measured(w Weights) *measuresOnce {
	m.mu.Lock()
	defer m.mu.Unlock()
	k := w.Entry
	if k.measured != nil {
		return k.measured
	}
	x := &measuresOnce{ready: make(chan struct{})}
	k.measured = x
	bytes := w.Hierarchy.MeasureBytes()
	counted := !k.evicted && m.reserve(k, bytes)
	end := func(taken int64) {
		defer close(x.ready)
		m.mu.Lock()
		defer m.mu.Unlock()
		if counted {
			m.commit(k, bytes, taken)
		}
		if !counted || taken == 0 {
			k.measured = nil
		}
	}
	parallel.Go(func() {
		taken := int64(0)
		if done, ok := m.use(); ok {
			defer done()
			x.measures = m.Topology.Measure(w.Costing, w.Hierarchy)
			taken = x.measures.Bytes()
		}
		end(taken)
	}, func(p *parallel.Panic) {
		x.panicked = p
		end(0)
	})
	return x
}
