package embedded

import (
	"context"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/road/cch"
	"github.com/waygate/waygate/road/overlay"
	"github.com/waygate/waygate/road/search"
)

// overlayRows is from how many sources on a metric of the roads under conditions is worth
// working out, which costs what a few searches from one source do.
const overlayRows = 16

// checkEvery is how many cells or places are gone through one by one between
// two looks at whether the caller has gone.
const checkEvery = 1 << 9

// withOverlay fills the cells where a condition changes the roads, at no time told.
func (m *matrix) withOverlay() error {
	w := m.who.weights.Weights
	from, err := m.each(m.from, w.Departures)
	if err != nil {
		return err
	}
	to, err := m.each(m.to, w.Arrivals)
	if err != nil {
		return err
	}
	rows, err := m.pastChanges(from, to)
	if err != nil {
		return err
	}
	plain, filled := w.ApplyOverlay(), false
	if len(rows) >= overlayRows {
		filled, err = m.tablesWithOverlay(plain, from, to, rows)
	}
	if err == nil && !filled {
		err = m.treesWithOverlay(plain, from, to, rows)
	}
	if err != nil {
		return err
	}
	// A place before a closure cannot be left by the end of its edge, but one
	// gets from it to another before the closure.
	for i := range from {
		for j := range to {
			if j%checkEvery == 0 && m.ctx.Err() != nil {
				return m.ctx.Err()
			}
			if len(from[i]) == len(m.from[i]) && len(to[j]) == len(m.to[j]) {
				continue
			}
			if cost, took, ok := w.Direct(m.from[i], m.to[j]); ok && cost < m.cells[i][j].Cost {
				m.cells[i][j] = cch.Cell{Cost: cost, Measure: took}
			}
		}
	}
	return nil
}

// each gives what is left of every place.
func (m *matrix) each(places [][]search.End, left func([]search.End) []search.End) ([][]search.End, error) {
	list := make([][]search.End, len(places))
	for i := range list {
		if i%checkEvery == 0 && m.ctx.Err() != nil {
			return nil, m.ctx.Err()
		}
		list[i] = left(places[i])
	}
	return list, nil
}

// treesWithOverlay searches from source after source.
func (m *matrix) treesWithOverlay(w search.Weights, from, to [][]search.End, rows []int) error {
	return inParallel(m.ctx, len(rows), func(ctx context.Context, next func() (int, bool)) error {
		s := m.e.trees.Get().(*search.Tree)
		defer m.e.trees.giveBack(s)
		for k, ok := next(); ok; k, ok = next() {
			i := rows[k]
			if err := s.To(ctx, w, from[i], to); err != nil {
				return err
			}
			cells, err := row(ctx, s, to)
			if err != nil {
				return err
			}
			m.cells[i] = cells
		}
		return nil
	})
}

// tablesWithOverlay works out a metric of the roads under conditions and sweeps it; false where
// there is no memory for one.
func (m *matrix) tablesWithOverlay(w search.Weights, from, to [][]search.End, rows []int) (bool, error) {
	costs, lent, err := m.e.metricForRequest(m.ctx, w, m.who.weights.entry)
	if err != nil || lent == nil {
		return false, err
	}
	defer lent.release()
	return true, m.sweep(costs, from, to, rows)
}

// maxSingleSearches is how many ways from one place on are searched for one by one before
// one search finds them all.
const maxSingleSearches = 4

// timed fills the cells where a time was told: from each source or, where it is
// that of the arrival, to each target.
func (m *matrix) timed() error {
	back := m.who.clock.Backwards()
	hubs, others := m.from, m.to
	if back {
		hubs, others = m.to, m.from
	}
	for i := range m.cells {
		m.cells[i] = make([]cch.Cell, len(m.to))
	}
	if w := m.who.weights; w.hierarchy == nil && m.who.who.view == (overlay.View{}) && m.e.customiseForTimed(float64(len(hubs)), m.within()) {
		made, ok, err := m.e.metrics.customised(m.ctx, m.who.who)
		if err != nil {
			return err
		}
		if ok {
			who := *m.who
			who.weights.hierarchy, who.weights.entry = made.hierarchy, made.entry
			m.who = &who
		}
	}
	return m.byClock(m.who, len(hubs), func(p *planner, i int) error {
		return p.toMany(p.ctx, hubs[i], others, func(j int, c cch.Cell) {
			if back {
				m.cells[j][i] = c
			} else {
				m.cells[i][j] = c
			}
		})
	})
}

// byClock works on the numbers below n in parallel, each time with a planner and a clock of
// its own.
func (m *matrix) byClock(who *planner, n int, work func(p *planner, i int) error) error {
	return inParallel(m.ctx, n, func(ctx context.Context, next func() (int, bool)) error {
		s := m.e.scratch.Get().(*scratch)
		defer m.e.scratch.giveBack(s)
		p := *who
		p.s, p.ctx, p.clock, p.turned, p.aimed = s, ctx, who.clock.Clone(), turned{}, aimed{}
		for i, ok := next(); ok; i, ok = next() {
			if err := work(&p, i); err != nil {
				return err
			}
		}
		return nil
	})
}

// ordered puts the ends of a way in order.
func (p *planner) ordered(hub, other []search.End) (from, to []search.End) {
	if p.clock.Backwards() {
		return other, hub
	}
	return hub, other
}

// toMany finds the way between a place and every other, at the clock's time. Where
// the hierarchy has paths on which nobody waits and that no condition changes, they are
// the best; of the others some are searched for one by one, and many at once.
func (p *planner) toMany(ctx context.Context, hub []search.End, others [][]search.End, put func(j int, c cch.Cell)) error {
	var odd []int
	for j, other := range others {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if p.weights.hierarchy == nil {
			odd = append(odd, j)
			continue
		}
		if p.s.router == nil {
			p.s.router = cch.NewRouter(p.e.topology)
		}
		from, to := p.ordered(hub, other)
		p.clock.SetEnds(edgesOf(from, to)...)
		found, ok := p.s.router.Shortest(p.costing, p.weights.hierarchy, from, to)
		switch {
		case !ok:
			put(j, cch.Cell{Cost: cch.Unreached})
		case p.bent(found):
			odd = append(odd, j)
		default:
			put(j, p.cell(found))
		}
	}
	if p.weights.hierarchy != nil && len(odd) <= maxSingleSearches {
		for _, j := range odd {
			from, to := p.ordered(hub, others[j])
			p.clock.SetEnds(edgesOf(from, to)...)
			found, ok, err := p.shortest(ctx, from, to)
			if err != nil {
				return err
			}
			c := cch.Cell{Cost: cch.Unreached}
			if ok {
				c = p.cell(found)
			}
			put(j, c)
		}
		return nil
	}
	return p.remaining(ctx, hub, others, odd, put)
}

// remaining finds the ways to some of the others by one search, or by one for each kind of
// ends: roads that are open to their destinations only, and roads that are closed at times, are
// open to some of the journeys.
func (p *planner) remaining(ctx context.Context, hub []search.End, others [][]search.End, which []int, put func(j int, c cch.Cell)) error {
	s := p.e.timeDependent.Get().(*search.TimeDependent)
	defer p.e.timeDependent.giveBack(s)
	kinds := map[string][]int{}
	for _, j := range which {
		k := p.clock.Kind(edgesOf(hub), edgesOf(others[j]))
		kinds[k] = append(kinds[k], j)
	}
	for _, list := range kinds {
		p.clock.SetEnds(edgesOf(hub, others[list[0]])...)
		ends := make([][]search.End, len(list))
		for k, j := range list {
			ends[k] = others[j]
		}
		if err := s.To(ctx, p.weights.Weights, p.clock, hub, ends); err != nil {
			return err
		}
		for k, j := range list {
			cost, took, waited, ok := s.At(k)
			c := cch.Cell{Cost: cost, Measure: took}
			switch {
			case !ok:
				c = cch.Cell{Cost: cch.Unreached}
			case waited && p.clock.Backwards():
				c = p.cell(s.Path(k)) // who is early need not wait on the way
			}
			put(j, c)
		}
	}
	return nil
}

// cell is what a path takes, as the route along it tells.
func (p *planner) cell(f search.Found) cch.Cell {
	t := p.times(f)
	seconds, metres := 0.0, 0.0
	for i, e := range f.Edges {
		o := p.e.g.Original(e)
		begin, end := travelled(f, i)
		seconds += p.weights.Seconds(o) * (end - begin)
		if t.waits != nil {
			seconds += float64(t.waits[i]) / 1000
		}
		metres += p.e.g.EdgeLength(o) * (end - begin)
		if i > 0 {
			seconds += p.weights.Turn(f.Edges[i-1], o).Seconds
		}
	}
	return cch.Cell{Cost: f.Cost, Measure: search.MeasureOf(seconds, metres)}
}

// planOf is who a request without a route is for, and what bends the roads for
// it. Its first place tells the time zone.
func (e *Engine) planOf(ctx context.Context, r *engine.RouteRequest) (*planner, error) {
	return e.planArriving(ctx, r, false)
}

// planArriving is planOf; arrives is as that of a planner.
func (e *Engine) planArriving(ctx context.Context, r *engine.RouteRequest, arrives bool) (*planner, error) {
	s := e.scratch.Get().(*scratch)
	defer e.scratch.giveBack(s)
	p := &planner{e: e, s: s, r: r, ctx: ctx, arrives: arrives}
	if err := p.prepare(); err != nil {
		return nil, err
	}
	if o := p.weights.Overlay; p.clock != nil || !o.Empty() {
		// Searches for many ways look at more roads than the hierarchy spares them.
		if w := e.metrics.get(p.who, true); w.layer == p.weights.layer { // or the overlay is of another
			p.weights = w
		}
		p.weights.Overlay, p.costing = o, p.weights.Costing
		if p.clock != nil {
			p.clock.Wait = p.costing.Wait()
		}
	}
	p.s = nil
	return p, nil
}
