package embedded

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"

	"github.com/waygate/waygate/road/cch"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/search"
)

// mostEntered is how many edges may have changed for a matrix to be worked out as if none
// had, but for the ways over them.
const mostEntered = 1 << 10

// pastChanges fills the cells where edges are closed or slowed, and gives the rows that it
// leaves empty. Ways that lead over none of these edges are what they were: a way that
// does leads from its source to one of them and on from there, for no more than it costs.
// The others are searched for one by one, until that has taken half of what one search
// for all of a row would.
func (m *matrix) pastChanges(from, to [][]search.End) (left []int, err error) {
	w := m.who.weights
	changed, few := w.Overlay.Changed(mostEntered)
	if !few || w.hierarchy == nil {
		for i := range from {
			left = append(left, i)
		}
		return left, nil
	}
	x, err := m.e.metrics.measures(m.ctx, w)
	if err != nil {
		return nil, err
	}
	costs := cch.Costs{Costing: w.Costing, Metric: w.hierarchy, Measures: x}
	entered := m.entered(changed)
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
	}
	return m.detours(byTarget)
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

// detours searches for ways one by one, given by their targets, and gives the rows of
// which that takes too long.
func (m *matrix) detours(byTarget [][]int) (rows []int, err error) {
	left := make([]atomic.Int64, len(m.from)) // by row: how many edges its searches may settle yet
	for i := range left {
		left[i].Store(int64(m.within() / 2))
	}
	err = inParallel(m.ctx, len(byTarget), func(ctx context.Context, next func() (int, bool)) error {
		s := m.e.scratch.Get().(*scratch)
		defer m.e.scratch.giveBack(s)
		p := *m.who
		p.s, p.ctx, p.turned = s, ctx, turned{}
		for j, ok := next(); ok; j, ok = next() {
			for _, i := range byTarget[j] {
				most := int(left[i].Load())
				if most < 0 {
					continue
				}
				p.settled = 0
				found, ok, err := p.astar(&bounded{ctx, min(most/1024+1, m.e.searches.all), errBeyond}, p.who, p.weights, nil, m.from[i], m.to[j])
				left[i].Add(int64(-p.settled))
				switch {
				case errors.Is(err, errBeyond):
					left[i].Store(-1)
				case err != nil:
					return err
				case ok:
					m.cells[i][j] = p.cell(found)
				default:
					m.cells[i][j] = cch.Cell{Cost: cch.Unreached}
				}
			}
		}
		return nil
	})
	for i := range left {
		if left[i].Load() < 0 {
			rows = append(rows, i)
		}
	}
	return rows, err
}
