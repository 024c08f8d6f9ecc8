package many

import (
	"context"
	"errors"

	"github.com/waygate/waygate/engine/embedded/metric"
	"github.com/waygate/waygate/engine/embedded/plan"
	"github.com/waygate/waygate/road/cch"
	"github.com/waygate/waygate/road/overlay"
	"github.com/waygate/waygate/road/search"
)

// OverlayRows is from how many sources on a metric of the roads under conditions is worth
// working out, which costs what a few searches from one source do.
const OverlayRows = 16

// checkEvery is how many cells or places are gone through one by one between
// two looks at whether the caller has gone.
const checkEvery = 1 << 9

// withOverlay fills the cells where a condition changes the roads, for a request without a time.
func (m *matrix) withOverlay() error {
	w := m.who.Weights.Weights
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
	if len(rows) >= OverlayRows {
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

// each returns what is left of every place.
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
		s := m.e.Trees.Get().(*search.Tree)
		defer m.e.Trees.GiveBack(s)
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
	costs, lent, err := metric.ForRequest(m.ctx, m.e.Metrics, w, m.who.Weights.Entry)
	if err != nil || lent == nil {
		return false, err
	}
	defer lent.Release()
	return true, m.sweep(costs, from, to, rows)
}

// singleEdges is about how many edges of a search it takes to begin another.
const singleEdges = 100

// timed fills the cells of a request with a time: from each source or, where it is
// that of the arrival, to each target.
func (m *matrix) timed() error {
	back := m.who.Clock.Backwards()
	hubs, others := m.from, m.to
	if back {
		hubs, others = m.to, m.from
	}
	for i := range m.cells {
		m.cells[i] = make([]cch.Cell, len(m.to))
	}
	if w := m.who.Weights; w.Hierarchy == nil && m.who.Who.View == (overlay.View{}) && metric.CustomiseForTimed(m.e.Data, float64(len(hubs)), m.within()) {
		made, ok, err := m.e.Metrics.Customised(m.ctx, m.who.Who)
		if err != nil {
			return err
		}
		if ok {
			who := *m.who
			who.Weights.Hierarchy, who.Weights.Entry = made.Hierarchy, made.Entry
			m.who = &who
		}
	}
	return m.byClock(m.who, len(hubs), func(p *hubSearch, i int) error {
		return p.toMany(p.Ctx, hubs[i], others, func(j int, c cch.Cell) {
			if back {
				m.cells[j][i] = c
			} else {
				m.cells[i][j] = c
			}
		})
	})
}

// byClock works on the numbers below n in parallel, each time with a search and a clock of
// its own.
func (m *matrix) byClock(who *plan.Request, n int, work func(p *hubSearch, i int) error) error {
	return inParallel(m.ctx, n, func(ctx context.Context, next func() (int, bool)) error {
		s := m.e.Scratch.Get().(*plan.Scratch)
		defer m.e.Scratch.GiveBack(s)
		p := hubSearch{who.Fork(ctx, s), int(m.within())}
		for i, ok := next(); ok; i, ok = next() {
			if err := work(&p, i); err != nil {
				return err
			}
		}
		return nil
	})
}

// hubSearch finds the ways between a place and others at the clock's time.
type hubSearch struct {
	*plan.Searcher
	most int // edges that searches from a place, one for each way, may settle
}

// ordered puts the ends of a way in order.
func (p *hubSearch) ordered(hub, other []search.End) (from, to []search.End) {
	if p.Clock.Backwards() {
		return other, hub
	}
	return hub, other
}

// toMany finds the way between a place and every other, at the clock's time. Where
// the hierarchy has paths without waiting and that no condition changes, they are
// the best. The others are searched for one by one as long as that takes little, and then
// many at once.
func (p *hubSearch) toMany(ctx context.Context, hub []search.End, others [][]search.End, put func(j int, c cch.Cell)) error {
	var odd []int
	for j, other := range others {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if p.Weights.Hierarchy == nil {
			odd = append(odd, j)
			continue
		}
		from, to := p.ordered(hub, other)
		p.Clock.SetEnds(plan.EdgesOf(from, to)...)
		found, ok := p.Router().Shortest(p.Costing, p.Weights.Hierarchy, from, to)
		switch {
		case !ok:
			put(j, cch.Cell{Cost: cch.Unreached})
		case p.Affected(found):
			odd = append(odd, j)
		default:
			put(j, p.cell(found))
		}
	}
	if p.Weights.Hierarchy != nil {
		n, err := p.singly(ctx, hub, others, odd, put)
		if err != nil {
			return err
		}
		odd = odd[n:]
	}
	return p.remaining(ctx, hub, others, odd, put)
}

// singly searches for the ways to some of the others one by one, led by the hierarchy, until that
// has settled as many edges as one search for all of them would, each of which takes four times as
// long. It returns how many it found.
func (p *hubSearch) singly(ctx context.Context, hub []search.End, others [][]search.End, which []int, put func(j int, c cch.Cell)) (n int, err error) {
	for left := p.most; n < len(which); n++ {
		if left -= singleEdges; left < 0 {
			return n, nil
		}
		from, to := p.ordered(hub, others[which[n]])
		p.Clock.SetEnds(plan.EdgesOf(from, to)...)
		p.Settled = 0
		found, ok, err := p.Astar(plan.WithCheckLimit(ctx, left/1024+1, plan.ErrBeyondBound), p.Who, p.Weights, p.Clock, from, to)
		if errors.Is(err, plan.ErrBeyondBound) {
			return n, nil
		}
		if err != nil {
			return n, err
		}
		c := cch.Cell{Cost: cch.Unreached}
		if ok {
			c = p.cell(found)
		}
		put(which[n], c)
		left -= p.Settled
	}
	return n, nil
}

// remaining finds the ways to some of the others by one search, or by one for each kind of
// ends: roads that are open to their destinations only, and roads that are closed at times, are
// open to some of the journeys.
func (p *hubSearch) remaining(ctx context.Context, hub []search.End, others [][]search.End, which []int, put func(j int, c cch.Cell)) error {
	s := p.Base.TimeDependent.Get().(*search.TimeDependent)
	defer p.Base.TimeDependent.GiveBack(s)
	kinds := map[string][]int{}
	for _, j := range which {
		k := p.Clock.Kind(plan.EdgesOf(hub), plan.EdgesOf(others[j]))
		kinds[k] = append(kinds[k], j)
	}
	for _, list := range kinds {
		p.Clock.SetEnds(plan.EdgesOf(hub, others[list[0]])...)
		ends := make([][]search.End, len(list))
		for k, j := range list {
			ends[k] = others[j]
		}
		if err := s.To(ctx, p.Weights.Weights, p.Clock, hub, ends); err != nil {
			return err
		}
		for k, j := range list {
			cost, took, waited, ok := s.At(k)
			c := cch.Cell{Cost: cost, Measure: took}
			switch {
			case !ok:
				c = cch.Cell{Cost: cch.Unreached}
			case waited && p.Clock.Backwards():
				c = p.cell(s.Path(k)) // who is early need not wait on the way
			}
			put(j, c)
		}
	}
	return nil
}

// cell returns the cell of a path, as the route along it has it.
func (p *hubSearch) cell(f search.Found) cch.Cell {
	t := p.Times(f)
	seconds, metres := 0.0, 0.0
	for i, e := range f.Edges {
		o := p.Base.Graph.Original(e)
		begin, end := plan.Travelled(f, i)
		if x, limited := t.Limited[i]; limited {
			seconds += x.Seconds
		} else {
			seconds += p.Weights.Seconds(o) * (end - begin)
		}
		if t.Waits != nil {
			seconds += float64(t.Waits[i]) / 1000
		}
		metres += p.Base.Graph.EdgeLength(o) * (end - begin)
		if i > 0 {
			seconds += p.Weights.Turn(f.Edges[i-1], o).Seconds
		}
	}
	return cch.Cell{Cost: f.Cost, Measure: search.MeasureOf(seconds, metres)}
}
