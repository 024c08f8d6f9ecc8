package embedded

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

// measures gives the measures of a traveller's metric, which must be there: those
// of the region's metrics are in it, others are worked out when first asked for. It
// waits for them no longer than the context lasts; they are worked out all the
// same. Where there is no memory to keep them, those who ask meanwhile share
// them.
func (m *metrics) measures(ctx context.Context, w weights) (*cch.Measures, error) {
	if x := m.mapped[w.hierarchy]; x != nil {
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

// measuresAtHand gives the measures of a traveller's metric, nil where they would have to
// be worked out first.
func (m *metrics) measuresAtHand(w weights) *cch.Measures {
	if x := m.mapped[w.hierarchy]; x != nil {
		return x
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if w.entry == nil || w.entry.measured == nil {
		return nil
	}
	select {
	case <-w.entry.measured.ready:
		return w.entry.measured.measures
	default:
		return nil
	}
}

// measured gives the place of a metric's measures, and has them worked out
// where nobody has.
func (m *metrics) measured(w weights) *measuresOnce {
	m.mu.Lock()
	defer m.mu.Unlock()
	k := w.entry
	if k.measured != nil {
		return k.measured
	}
	x := &measuresOnce{ready: make(chan struct{})}
	k.measured = x
	bytes := w.hierarchy.MeasureBytes()
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
			x.measures = m.topology.Measure(w.Costing, w.hierarchy)
			taken = x.measures.Bytes()
		}
		end(taken)
	}, func(p *parallel.Panic) {
		x.panicked = p
		end(0)
	})
	return x
}
