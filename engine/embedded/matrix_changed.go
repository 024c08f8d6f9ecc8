package embedded

import (
	"math"
	"slices"

	"github.com/waygate/waygate/road/cch"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/search"
)

const (
	// mostOver is how many ways to changed edges and on from them are kept for a matrix.
	mostOver = 1 << 19
	// detourEdges is about how many edges the search for a detour settles.
	detourEdges = 500
)

// pastChanges fills the cells where edges are closed or slowed, and gives the rows that it
// leaves empty. Ways that lead over none of these edges are what they were: a way that
// does leads from its source to one of them and on from there, for no more than it costs.
// The others are searched for one by one, until that has taken a quarter of what one search
// for all of a row would.
func (m *matrix) pastChanges(from, to [][]search.End) (left []int, err error) {
	w := m.who.weights
	changed, few := w.Overlay.Changed(mostChanged)
	var entered [][]search.End
	if w.hierarchy != nil && few {
		entered = m.entered(changed)
	}
	if w.hierarchy == nil || !few || len(entered)*(len(from)+len(to)) > mostOver {
		return m.all(), nil
	}
	x, err := m.e.metrics.measures(m.ctx, w)
	if err != nil {
		return nil, err
	}
	costs := cch.Costs{Costing: w.Costing, Metric: w.hierarchy, Measures: x}
	all, err := m.table(costs, from, to)
	if err != nil {
		return nil, err
	}
	before, err := m.table(costs, from, entered)
	if err != nil {
		return nil, err
	}
	after, err := m.table(costs, entered, to)
	if err != nil {
		return nil, err
	}
	onChanged := func(ends []search.End) bool {
		return slices.ContainsFunc(ends, func(x search.End) bool { _, is := slices.BinarySearch(changed, x.Edge); return is })
	}
	targets := make([]bool, len(to))
	for j := range to {
		targets[j] = onChanged(m.to[j])
	}
	byTarget := make([][]int, len(to)) // the sources from which the way is to be searched for
	rows, ways := []int(nil), 0        // with such
	for i := range from {
		if m.ctx.Err() != nil {
			return nil, m.ctx.Err()
		}
		source, odd := onChanged(m.from[i]), []int(nil)
		for j := range to {
			if source || targets[j] || all[i][j].Cost != cch.Unreached && leadsOver(before[i], after, j, all[i][j].Cost) {
				odd = append(odd, j)
			}
		}
		m.cells[i] = all[i]
		for _, j := range odd {
			byTarget[j] = append(byTarget[j], i)
		}
		if len(odd) > 0 {
			rows, ways = append(rows, i), ways+len(odd)
		}
	}
	// What a metric of the changed roads takes, for which there have to be many rows.
	most := math.Inf(1)
	if len(rows) >= overlayRows {
		most = float64(m.e.g.Edges()) * (customNanos + measureNanos) / settleNanos
	}
	if float64(ways)*detourEdges > most {
		return rows, nil
	}
	return m.oneByOne(byTarget, most/4)
}

// leadsOver reports whether the way to a target may lead over one of some edges, given
// what it takes to each of them and on from each.
func leadsOver(before []cch.Cell, after [][]cch.Cell, target int, cost uint64) bool {
	for k := range before {
		if in, out := before[k].Cost, after[k][target].Cost; in != cch.Unreached && out != cch.Unreached && in+out <= cost+tied {
			return true
		}
	}
	return false
}

// entered gives the beginnings of those edges, of some, that a way can come to over none
// of the others.
func (m *matrix) entered(changed []graph.Edge) [][]search.End {
	g, c := m.e.g, m.who.weights.Costing
	var list [][]search.End
	for _, e := range changed {
		enters := false
		g.EachBefore(e, func(from graph.Edge) {
			_, follows := c.Follow(from, e)
			_, also := slices.BinarySearch(changed, g.Original(from))
			enters = enters || follows && !also
		})
		if enters {
			list = append(list, []search.End{{Edge: e}})
		}
	}
	return list
}
