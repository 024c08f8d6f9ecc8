package many

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/waygate/waygate/engine/embedded/metric"
	"github.com/waygate/waygate/engine/embedded/plan"
	"github.com/waygate/waygate/road/cch"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/profile"
	"github.com/waygate/waygate/road/search"
	"github.com/waygate/waygate/road/sparse"
)

// ledEdges is about how many edges a search settles that is led by bounds that are tight.
const ledEdges = 150

// led fills the cells for options without a metric where others lead searches for them and
// there are few, and gives the rows that it leaves empty.
func (m *matrix) led() (left []int, err error) {
	_, tight, ok := m.e.Metrics.Bound(m.who.Who, m.who.Weights)
	metric := float64(m.e.Graph.Edges()) * (metric.CustomNanos + metric.MeasureNanos) / metric.SettleNanos
	most := min(metric, float64(len(m.from))*m.within())
	if !ok || !tight || float64(len(m.from)*len(m.to))*ledEdges > most/2 {
		return m.all(), nil
	}
	byTarget, rows := make([][]int, len(m.to)), m.all()
	for i := range m.cells {
		m.cells[i] = make([]cch.Cell, len(m.to))
	}
	for j := range byTarget {
		byTarget[j] = rows
	}
	left, err = m.oneByOne(byTarget, most/2)
	for _, i := range left {
		m.cells[i] = nil
	}
	return left, err
}

// pairSearches are ways of a matrix that are searched for one by one.
type pairSearches struct {
	m          *matrix
	plain      search.Weights // with what has changed
	left       []atomic.Int64 // by row: how many edges its searches may settle yet,
	all        atomic.Int64   // and those of all rows
	mu         sync.Mutex
	catchments []*catchment
	tooLarge   bool // is one that was looked for
}

// oneByOne searches for ways, given by their targets, until so many edges have been settled,
// and gives the rows of which that takes too long.
func (m *matrix) oneByOne(byTarget [][]int, most float64) (rows []int, err error) {
	d, quarter := pairSearches{m: m, plain: m.who.Weights.ApplyOverlay(), left: make([]atomic.Int64, len(m.from))}, int64(m.within()/4)
	d.all.Store(int64(min(most, 1<<40)))
	for i := range d.left {
		d.left[i].Store(quarter)
	}
	err = inParallel(m.ctx, len(byTarget), func(ctx context.Context, next func() (int, bool)) error {
		s := m.e.Scratch.Get().(*plan.Scratch)
		defer m.e.Scratch.GiveBack(s)
		p := m.who.Fork(ctx, s)
		for j, ok := next(); ok; j, ok = next() {
			for _, i := range byTarget[j] {
				if d.all.Load() < 0 {
					d.left[i].Store(-1)
				}
				if d.left[i].Load() < 0 {
					continue
				}
				if err := d.search(ctx, p, i, j); err != nil {
					return err
				}
			}
		}
		return nil
	})
	for i := range d.left {
		if d.left[i].Load() < 0 {
			rows = append(rows, i)
		}
	}
	return rows, err
}

// search fills a cell, unless that takes too long for its row. Where it takes long it is
// looked whether one comes to the target at all.
func (d *pairSearches) search(ctx context.Context, p *plan.Searcher, i, j int) error {
	m, cell := d.m, &d.m.cells[i][j]
	*cell = cch.Cell{Cost: cch.Unreached}
	if d.cutOff(i, j) {
		return nil
	}
	for _, most := range []int{m.e.Bounds.BeforeCatchment, m.e.Bounds.All} {
		most = min(most, int(d.left[i].Load()/1024)+1)
		p.Settled = 0
		found, ok, err := p.Astar(plan.WithCheckLimit(ctx, most, plan.ErrBeyondBound), p.Who, p.Weights, nil, m.from[i], m.to[j])
		if !errors.Is(err, plan.ErrBeyondBound) {
			d.settled(i, p.Settled)
			if ok {
				*cell = d.cell(found)
			}
			return err
		}
		if err := d.addCatchment(ctx, j); err != nil {
			return err
		}
		if d.cutOff(i, j) {
			return nil // once for a catchment, so that the row need not pay for it
		}
		if d.settled(i, p.Settled); d.left[i].Load() < 0 {
			break
		}
	}
	d.left[i].Store(-1)
	return nil
}

// cell returns the cell of a path, rounded edge by edge as tables and trees do: an answer does not
// show how it was found.
func (d *pairSearches) cell(f search.Found) cch.Cell {
	g, c, took := d.m.e.Graph, d.plain.Costing, search.Measure{}
	for i, e := range f.Edges {
		o, turn := g.Original(e), 0.0
		begin, end := plan.Travelled(f, i)
		if i > 0 {
			turn = c.Turn(f.Edges[i-1], o).Seconds
		}
		if i == len(f.Edges)-1 { // a target's edge is counted by itself
			took, turn = took.Plus(search.MeasureOf(turn, 0)), 0
		}
		took = took.Plus(search.MeasureOf(turn+c.Seconds(o)*(end-begin), g.EdgeLength(o)*(end-begin)))
	}
	return cch.Cell{Cost: f.Cost, Measure: took}
}

// settled notes how many edges a search of a row has settled.
func (d *pairSearches) settled(row, edges int) {
	d.left[row].Add(int64(-edges))
	d.all.Add(int64(-edges))
}

// catchment is all from where one can come to a place, copies of edges included.
type catchment struct {
	of    []search.End
	edges sparse.Table[bool]
}

const (
	// mostCatchments is how many are kept for a matrix, and mostInCatchment how many edges
	// one has.
	mostCatchments  = 16
	mostInCatchment = 1 << 17
)

// addCatchment works out the catchment of a target, unless one is known or it is too large,
// or another was.
func (d *pairSearches) addCatchment(ctx context.Context, target int) error {
	g, c, of := d.m.e.Graph, d.plain.Costing, d.m.to[target]
	d.mu.Lock()
	known := d.tooLarge || len(d.catchments) == mostCatchments || slices.ContainsFunc(d.catchments, func(x *catchment) bool { return x.leadsOut(g, of) })
	d.mu.Unlock()
	if known {
		return nil
	}
	x, queue := &catchment{of: of}, []graph.Edge(nil)
	before := func(to graph.Edge, leads func(from, follows graph.Edge) bool) {
		g.EachPredecessor(to, func(from graph.Edge) {
			if x.edges.Get(uint32(from)) || c.Edge(g.Original(from)) == profile.Forbidden {
				return
			}
			if follows, ok := c.Follow(from, g.Original(to)); ok && leads(from, follows) && c.MayTurn(from, g.Original(to)) {
				*x.edges.At(uint32(from)) = true
				queue = append(queue, from)
			}
		})
	}
	for _, t := range d.m.who.Weights.Arrivals(of) {
		before(t.Edge, func(_, _ graph.Edge) bool { return true })
	}
	for n := 0; n < len(queue); n++ {
		if n%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if n == mostInCatchment {
			d.mu.Lock()
			defer d.mu.Unlock()
			d.tooLarge = true
			return nil
		}
		to := queue[n]
		before(to, func(_, follows graph.Edge) bool { return follows == to })
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.catchments = append(d.catchments, x)
	return nil
}

// cutOff reports whether no way leads from a source to a target, as far as that is known.
func (d *pairSearches) cutOff(source, target int) bool {
	g, from, to := d.m.e.Graph, d.m.from[source], d.m.to[target]
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.ContainsFunc(d.catchments, func(x *catchment) bool { return x.leadsOut(g, to) && !x.holds(d.plain.Costing, from) })
}

// leadsOut reports whether all that comes to a target can go on to the place of the catchment,
// so that what is not in the catchment does not come to the target either.
func (x *catchment) leadsOut(g *graph.Graph, to []search.End) bool {
	for _, t := range to {
		if slices.Contains(x.of, t) {
			continue
		}
		all := true
		g.EachCopy(t.Edge, func(e graph.Edge) { all = all && x.edges.Get(uint32(e)) })
		if !all {
			return false
		}
	}
	return true
}

// holds reports whether one may come from a source to the place of the catchment.
func (x *catchment) holds(c *profile.Costing, from []search.End) bool {
	g := c.Graph()
	isOf := func(e graph.Edge) bool {
		return slices.ContainsFunc(x.of, func(t search.End) bool { return t.Edge == e })
	}
	for _, s := range from {
		if isOf(s.Edge) || x.edges.Get(uint32(s.Edge)) {
			return true
		}
		n := g.ByEdge[s.Edge].Head
		for f := g.FirstOut[n]; f < g.FirstOut[n+1]; f++ {
			if to, ok := c.Follow(s.Edge, f); isOf(f) || ok && x.edges.Get(uint32(to)) {
				return true
			}
		}
	}
	return false
}
