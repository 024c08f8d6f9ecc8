package embedded

import (
	"github.com/waygate/waygate/road/cch"
	"github.com/waygate/waygate/road/profile"
)

// WithoutHierarchy gives the kernel on the same region with no metric of any
// hierarchy: it searches the roads themselves.
func (e *Engine) WithoutHierarchy() *Engine {
	m := newMetrics(e.g, e.topology, map[profile.Kind]*cch.Metric{}, nil, e.conditions, func() (func(), bool) { return nil, false })
	plain := &Engine{g: e.g, tree: e.tree, topology: e.topology, metrics: m, conditions: e.conditions}
	plain.scratch.New = e.scratch.New
	return plain
}

// Audit recounts the bytes that are kept for travellers, and how many of them
// have a metric of their own or something in the making.
func (e *Engine) Audit() (bytes int64, own, busy int) {
	m := e.metrics
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, k := range m.kept {
		if k.busy > 0 {
			busy++
		}
		if k.weights.Metric != nil {
			bytes += k.weights.Metric.Bytes()
		}
		if h := k.weights.hierarchy; h != nil && h != m.usual[k.who.options] {
			bytes += h.Bytes()
			own++
		}
		if k.measured != nil {
			bytes += k.weights.hierarchy.MeasureBytes()
		}
	}
	return bytes, own, busy
}
