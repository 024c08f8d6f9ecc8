package many

import (
	"github.com/waygate/waygate/road/cch"
	"github.com/waygate/waygate/road/overlay"
)

// mostCompared is how many cells a matrix may have that is worked out once more without
// closures to find those that they change.
const mostCompared = 1 << 10

// compare counts the cells that live closures make dearer. It reports whether that could be
// looked at.
func (m *matrix) compare() (looked bool, err error) {
	p := m.who
	closes := p.Weights.Overlay.ClosesLive()
	if p.Clock != nil { // they were counted one by one
		return p.Weights.Hierarchy != nil && !(closes && p.Weights.Layer != nil), nil
	}
	if closes && m.free == nil && !p.Excludes && len(m.from)*len(m.to) <= mostCompared {
		plain := p.Who
		plain.View = overlay.View{}
		w := m.e.Metrics.Get(plain, true)
		if x := m.e.Metrics.CachedMeasures(w); w.Hierarchy != nil && x != nil {
			if m.free, err = m.table(cch.Costs{Costing: w.Costing, Metric: w.Hierarchy, Measures: x}, m.from, m.to); err != nil {
				return false, err
			}
		}
	}
	if m.free == nil {
		return !closes && !m.again, nil
	}
	n := int64(0)
	for i := range m.free {
		if m.ctx.Err() != nil {
			return false, m.ctx.Err()
		}
		for j, c := range m.free[i] {
			if c.Cost != cch.Unreached && m.cells[i][j].Cost > c.Cost+cch.Tied {
				n++
			}
		}
	}
	p.Detoured.Store(n)
	return true, nil
}
