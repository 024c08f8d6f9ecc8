package many

import (
	"slices"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded/metric"
	"github.com/waygate/waygate/road/cch"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/overlay"
	"github.com/waygate/waygate/road/search"
)

// atArrival works the cells out again for which it makes a difference that closures count by
// the time at which one comes there who sets out now. The cells are those of the closures that
// hold now; a request with a time has them by the clock.
func (m *matrix) atArrival(r *engine.RouteRequest) error {
	live := m.e.Current.Get()
	if m.who.Clock != nil || !live.Passing() || !r.Wants("current") || r.Options.On(costing.IgnoreClosures) {
		return nil
	}
	longest, unreached, err := m.longest()
	if err != nil {
		return err
	}
	byRow := make([][]int, len(m.from))
	reached := func(c cch.Cell) bool { return c.Cost != cch.Unreached }
	if err := m.overClosures(live.Changing(live.Taken, m.e.Now().Add(longest)), byRow, reached); err != nil {
		return err
	}
	if unreached { // one may come to a place once a closure has ended
		soon := max(longest, metric.DetourTime(r.Costing, m.far()))
		ending := slices.DeleteFunc(live.Changing(live.Taken, m.e.Now().Add(soon)), func(e graph.Edge) bool { return !m.who.Weights.Overlay.ClosedLive(e) })
		if err := m.overClosures(ending, byRow, func(c cch.Cell) bool { return !reached(c) }); err != nil {
			return err
		}
	}
	var rows []int
	for i := range byRow {
		if len(byRow[i]) > 0 {
			rows = append(rows, i)
		}
	}
	if m.again = len(rows) > 0; !m.again {
		return nil
	}
	later, err := m.e.PlanArriving(m.ctx, r, true)
	if err != nil {
		return err
	}
	later.Places, later.Detoured = m.who.Places, m.who.Detoured
	if m.free == nil && !m.who.Weights.Overlay.ClosesLive() && !m.who.Excludes {
		m.free = make([][]cch.Cell, len(m.cells))
		for _, i := range rows {
			m.free[i] = slices.Clone(m.cells[i])
		}
	}
	return m.byClock(later, len(rows), func(p *hubSearch, k int) error {
		i := rows[k]
		others := make([][]search.End, len(byRow[i]))
		for n, j := range byRow[i] {
			others[n] = m.to[j]
		}
		return p.toMany(p.Ctx, m.from[i], others, func(n int, c cch.Cell) { m.cells[i][byRow[i][n]] = c })
	})
}

// longest is about the most time that a way can take which costs no more than the dearest cell:
// twice that of the longest. unreached is whether there are cells without a way.
func (m *matrix) longest() (took time.Duration, unreached bool, err error) {
	for _, row := range m.cells {
		if m.ctx.Err() != nil {
			return 0, false, m.ctx.Err()
		}
		for _, c := range row {
			if c.Cost == cch.Unreached {
				unreached = true
			} else {
				took = max(took, 2*time.Duration(c.Millis)*time.Millisecond)
			}
		}
	}
	return took, unreached, nil
}

// overClosures adds the cells whose way may lead over one of some closures, of those wanted:
// where that cannot be worked out fast, all that are wanted. What is closed or slow now counts as
// open and free.
func (m *matrix) overClosures(closures []graph.Edge, byRow [][]int, wanted func(cch.Cell) bool) error {
	if len(closures) == 0 {
		return nil
	}
	plain := m.who.Who
	plain.View = overlay.View{}
	w := m.e.Metrics.Get(plain, true)
	var past *over
	if x := m.e.Metrics.CachedMeasures(w); w.Hierarchy != nil && x != nil && len(closures) <= metric.MostChanged {
		var err error
		costs := cch.Costs{Costing: w.Costing, Metric: w.Hierarchy, Measures: x}
		if past, err = m.over(costs, m.from, m.to, closures, float64(len(m.from))*m.within()*metric.SettleNanos/2); err != nil {
			return err
		}
	}
	const dearest = 1 << 62
	for i, row := range m.cells {
		if m.ctx.Err() != nil {
			return m.ctx.Err()
		}
		add := func(j int) {
			if wanted(row[j]) && !slices.Contains(byRow[i], j) {
				byRow[i] = append(byRow[i], j)
			}
		}
		if past == nil {
			for j := range row {
				add(j)
			}
			continue
		}
		most := slices.Clone(row)
		for j := range most {
			most[j].Cost = min(most[j].Cost, dearest) // so that any way counts where there is none
		}
		past.leads(i, most, add)
	}
	return nil
}
