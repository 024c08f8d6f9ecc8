package many

import (
	"cmp"
	"math"
	"slices"

	"github.com/waygate/waygate/engine/embedded/metric"
	"github.com/waygate/waygate/road/cch"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/profile"
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
	w := m.who.Weights
	if w.Hierarchy == nil {
		return m.all(), nil
	}
	x, edges, trees := m.e.Metrics.CachedMeasures(w), float64(m.e.Graph.Edges()), float64(len(from))*m.within()*metric.SettleNanos
	if x == nil && edges*metric.MeasureNanos < trees/2 {
		if x, err = m.e.Metrics.Measures(m.ctx, w); err != nil {
			return nil, err
		}
	}
	changed, few := w.Overlay.Changed(metric.MostChanged)
	if x == nil || !few {
		return m.all(), nil
	}
	costs := cch.Costs{Costing: w.Costing, Metric: w.Hierarchy, Measures: x}
	over, err := m.over(costs, from, to, changed, trees/2)
	if err != nil || over == nil {
		return m.all(), err
	}
	all, err := m.table(costs, from, to)
	if err != nil {
		return nil, err
	}
	byTarget := make([][]int, len(to)) // the sources from which the way is to be searched for
	rows, ways := []int(nil), 0        // with such
	if !m.who.Excludes {
		m.free = make([][]cch.Cell, len(all))
	}
	for i := range from {
		if m.ctx.Err() != nil {
			return nil, m.ctx.Err()
		}
		before := ways
		over.leads(i, all[i], func(j int) {
			byTarget[j] = append(byTarget[j], i)
			ways++
		})
		if m.cells[i] = all[i]; ways > before {
			rows = append(rows, i)
			if m.free != nil {
				m.free[i] = slices.Clone(all[i]) // its cells are searched for again
			}
		}
	}
	// The cost of a metric of the changed roads, for which there have to be many rows.
	most := math.Inf(1)
	if len(rows) >= OverlayRows {
		most = edges * (metric.CustomNanos + metric.MeasureNanos) / metric.SettleNanos
	}
	if float64(ways)*detourEdges > most {
		return rows, nil
	}
	return m.oneByOne(byTarget, most/4)
}

// over has the costs to come to some edges, and on from each.
type over struct {
	before, after [][]cch.Cell // by source and edge, by edge and target
	from, to      []bool       // sources and targets that are on one of the edges
}

// over works out the ways over some edges, on a metric without what makes them dearer; nil
// where that takes more than so long, in nanoseconds, or takes too much memory.
func (m *matrix) over(costs cch.Costs, from, to [][]search.End, changed []graph.Edge, most float64) (*over, error) {
	entered, err := m.entered(costs.Costing, changed)
	if err != nil {
		return nil, err
	}
	takes := metric.SweepTime(m.e.Data, float64(len(from)), float64(len(entered))) + metric.SweepTime(m.e.Data, float64(len(entered)), float64(len(to)))
	if len(entered)*(len(from)+len(to)) > mostOver || takes > most {
		return nil, nil
	}
	x := &over{}
	if x.before, err = m.table(costs, from, entered); err != nil {
		return nil, err
	}
	if x.after, err = m.table(costs, entered, to); err != nil {
		return nil, err
	}
	onChanged := func(places [][]search.End) []bool {
		on := make([]bool, len(places))
		for i, ends := range places {
			on[i] = slices.ContainsFunc(ends, func(x search.End) bool { _, is := slices.BinarySearch(changed, x.Edge); return is })
		}
		return on
	}
	x.from, x.to = onChanged(m.from), onChanged(m.to)
	return x, nil
}

// leads calls yield for the targets to which the way from a source may lead over one of the
// edges, given what the ways take.
func (x *over) leads(source int, row []cch.Cell, yield func(target int)) {
	nearest := nearestFirst(x.before[source])
	for j, c := range row {
		if x.from[source] || x.to[j] || c.Cost != cch.Unreached && leadsOver(nearest, x.after, j, c.Cost) {
			yield(j)
		}
	}
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

// entered returns the beginnings of those edges, of some, that a way can come to over none
// of the others.
func (m *matrix) entered(c *profile.Costing, changed []graph.Edge) (list [][]search.End, err error) {
	g := m.e.Graph
	for i, e := range changed {
		if i%checkEvery == 0 && m.ctx.Err() != nil {
			return nil, m.ctx.Err()
		}
		enters := false
		g.EachPredecessor(e, func(from graph.Edge) {
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
