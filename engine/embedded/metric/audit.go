package metric

import (
	"context"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/road/search"
)

// The functions of this file are for tests.

// Audit recounts the bytes that are kept for travellers, and how many of them
// have a metric of their own or something in the making.
func Audit(m *Store) (bytes int64, own, busy int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, k := range m.entries {
		if k.users > 0 {
			busy++
		}
		if k.weights.Metric != nil {
			bytes += k.weights.Metric.Bytes()
		}
		if k.turns != nil && k.weights.Layer != nil {
			bytes += k.turns.Bytes()
		}
		if h := k.weights.Hierarchy; h != nil && h != m.defaults[k.who.Options] {
			bytes += h.Bytes()
			own++
			if k.weights.kept != nil {
				bytes += k.weights.kept.Bytes()
			}
		}
		if k.measured != nil && k.users == 0 {
			bytes += k.measured.measures.Bytes()
		}
	}
	return bytes, own, busy
}

// Pending returns how many metrics are in the making that have a place for it.
func Pending(m *Store) int { return len(m.slots) }

// MakeNone ends all making of metrics that are kept, as while a region is being replaced.
func MakeNone(m *Store) { m.use = func() (func(), bool) { return nil, false } }

// CustomiseOnce works out a metric for one request of usual options: the bytes it holds,
// and what gives them back, nil where there is no memory for it.
func CustomiseOnce(ctx context.Context, m *Store) (bytes int64, end func(), err error) {
	w := m.ForOptions(costing.Default(costing.Auto), false)
	costs, l, err := ForRequest(ctx, m, search.Weights{Costing: w.Costing}, w.Entry)
	if err != nil || l == nil {
		return 0, nil, err
	}
	turns := w.Costing.Metric(m.index())
	return turns.Bytes() + costs.Metric.Bytes() + costs.Measures.Bytes(), l.Release, nil
}
