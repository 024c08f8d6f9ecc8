package embedded

import (
	"cmp"
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
	if w.hierarchy == nil {
		return m.all(), nil
	}
	x, edges, trees := m.e.metrics.measuresAtHand(w), float64(m.e.g.Edges()), float64(len(from))*m.within()*settleNanos
	if x == nil && edges*measureNanos < trees/2 {
		if x, err = m.e.metrics.measures(m.ctx, w); err != nil {
			return nil, err
		}
	}
	changed, few := w.Overlay.Changed(mostChanged)
	if x == nil || !few {
		return m.all(), nil
	}
	entered, err := m.entered(changed)
	if err != nil {
		return nil, err
	}
	over := sweep(m.e, float64(len(from)), float64(len(entered))) + sweep(m.e, float64(len(entered)), float64(len(to)))
	if len(entered)*(len(from)+len(to)) > mostOver || over > trees/2 {
		return m.all(), nil
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
		source, nearest, others := onChanged(m.from[i]), nearestFirst(before[i]), ways
		for j := range to {
			if source || targets[j] || all[i][j].Cost != cch.Unreached && leadsOver(nearest, after, j, all[i][j].Cost) {
				byTarget[j] = append(byTarget[j], i)
				ways++
			}
		}
		if m.cells[i] = all[i]; ways > others {
			rows = append(rows, i)
		}
	}
	// What a metric of the changed roads takes, for which there have to be many rows.
	most := math.Inf(1)
	if len(rows) >= overlayRows {
		most = edges * (customNanos + measureNanos) / settleNanos
	}
	if float64(ways)*detourEdges > most {
		return rows, nil
	}
	return m.oneByOne(byTarget, most/4)
}

// entry is a changed edge, by its number, and what it takes to come there.
type entry struct {
	cost uint64
	edge int
}

// nearestFirst lists the edges that are come to, those that cost least first.
func nearestFirst(before []cch.Cell) []entry {
	var list []entry
	for k, c := range before {
		if c.Cost != cch.Unreached {
			list = append(list, entry{c.Cost, k})
		}
	}
	slices.SortFunc(list, func(a, b entry) int { return cmp.Compare(a.cost, b.cost) })
	return list
}

// leadsOver reports whether the way to a target may lead over one of some edges, given
// what it takes to each of them and on from each.
func leadsOver(before []entry, after [][]cch.Cell, target int, cost uint64) bool {
	for _, x := range before {
		if x.cost > cost+cch.Tied {
			return false
		}
		if out := after[x.edge][target].Cost; out != cch.Unreached && x.cost+out <= cost+cch.Tied {
			return true
		}
	}
	return false
}

// entered gives the beginnings of those edges, of some, that a way can come to over none
// of the others.
func (m *matrix) entered(changed []graph.Edge) (list [][]search.End, err error) {
	g, c := m.e.g, m.who.weights.Costing
	for i, e := range changed {
		if i%checkEvery == 0 && m.ctx.Err() != nil {
			return nil, m.ctx.Err()
		}
		enters := false
		g.EachBefore(e, func(from graph.Edge) {
			if enters {
				return
			}
			_, follows := c.Follow(from, e)
			_, also := slices.BinarySearch(changed, g.Original(from))
			enters = follows && !also
		})
		if enters {
			list = append(list, []search.End{{Edge: e}})
		}
	}
	return list, nil
}
