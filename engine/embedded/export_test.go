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

// AppendDecimal writes numbers of answers.
var AppendDecimal = appendDecimal
