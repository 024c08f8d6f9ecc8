// Package many answers calls about many ways at once: matrices, and the meeting point of
// several places.
package many

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded/answer"
	"github.com/waygate/waygate/engine/embedded/explain"
	"github.com/waygate/waygate/engine/embedded/kernel"
	"github.com/waygate/waygate/engine/embedded/metric"
	"github.com/waygate/waygate/engine/embedded/plan"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/parallel"
	"github.com/waygate/waygate/road/cch"
	"github.com/waygate/waygate/road/conditional"
	"github.com/waygate/waygate/road/search"
)

// Service answers calls about many ways at once.
type Service struct {
	*plan.Base
	refusals *explain.RefusalCache
	tables   kernel.Pool // of *cch.Table
}

// New returns the service of a region.
func New(b *plan.Base, c *explain.RefusalCache) *Service {
	e := &Service{Base: b, refusals: c}
	topology := b.Topology
	e.tables.New = func() any { return cch.NewTable(topology) }
	return e
}

// Matrix works out the ways from every source to every target on as many
// cores as the call may use, those of each time after those of another.
// See engine.Engine.
func (e *Service) Matrix(ctx context.Context, r *engine.MatrixRequest) (*engine.MatrixAnswer, error) {
	a := newAnswer(r)
	detoured, allLooked := new(atomic.Int64), true
	var last *plan.Request
	var refused error
	said := map[engine.Warning]bool{}
	parts := byTime(r)
	for k := range parts {
		x := &parts[k]
		who, looked, err := e.part(ctx, x, a, detoured)
		switch {
		case err == nil:
			last, allLooked = who, allLooked && looked
		case engine.Code(err) != engine.CodeNoSegment:
			return nil, err
		case refused == nil:
			refused = err
		}
		if who != nil {
			a.Warnings = appendNew(a.Warnings, said, who.Warnings)
		}
	}
	if last == nil {
		return nil, refused
	}
	last.WarnClosed(allLooked, slices.Concat(r.Sources, r.Targets), fmt.Sprintf("%d of the ways are", detoured.Load()))
	a.Warnings = append(answer.Warnings(e.Graph, last.Query.Costing, &last.Query.Options, &last.Query.Output), appendNew(a.Warnings, said, last.Warnings)...)
	stay(r, a)
	return a, nil
}

// part works out the ways of one time, and returns who travels then and whether it was looked
// which ways closures change. It fails with CodeNoSegment, and the places' misses in the answer,
// where no source or no target is on the network.
func (e *Service) part(ctx context.Context, x *part, a *engine.MatrixAnswer, detoured *atomic.Int64) (who *plan.Request, looked bool, err error) {
	r := x.request
	q := &engine.RouteRequest{Costing: r.Costing, Options: r.Options, Conditions: x.conditions(), Locations: x.first()}
	if who, err = e.PlanOf(ctx, q); err != nil {
		return nil, false, err
	}
	who.Places, who.Detoured = len(r.Sources)+len(r.Targets), detoured
	from, err := e.snapAll(ctx, who, side{list: r.Sources, which: x.sources, direction: plan.AtDeparture, name: "sources"})
	if err != nil {
		return nil, false, err
	}
	to, err := e.snapAll(ctx, who, side{list: r.Targets, which: x.targets, direction: plan.AtArrival, name: "targets", known: from.eitherWay})
	if err != nil {
		return nil, false, err
	}
	if q.When != nil {
		x.note(a, who.LocalTime)
	}
	from.into(a.Sources)
	to.into(a.Targets)
	if err := cmp.Or(from.refused, to.refused); err != nil {
		return who, false, err
	}
	m := &matrix{e: e, ctx: ctx, who: who, from: from.ends, to: to.ends, cells: make([][]cch.Cell, len(from.ends))}
	m.far = func() float64 { return plan.Farthest(r.Sources, r.Targets) }
	m.within = sync.OnceValue(func() float64 { return e.Around(r.Sources[0].Point, m.far()) })
	if err := m.run(); err != nil {
		return nil, false, err
	}
	if err := m.atArrival(q); err != nil {
		return nil, false, err
	}
	if looked, err = m.compare(); err != nil {
		return nil, false, err
	}
	for i, row := range m.cells {
		for j, c := range row {
			if c.Cost != cch.Unreached {
				a.Cells[from.index[i]][to.index[j]] = engine.MatrixCell{Seconds: float64(c.Millis) / 1000, Metres: float64(c.Decimetres) / 10, Reached: true}
			}
		}
	}
	return who, looked, nil
}

// stay makes the way from a place to itself one of no length, wherever paths begin and end
// near it.
func stay(r *engine.MatrixRequest, a *engine.MatrixAnswer) {
	// By place the number of its first target plus 1, and by target that of the next there.
	first, next := make(map[geo.Point]int, len(r.Targets)), make([]int, len(r.Targets))
	for j := range r.Targets {
		at := r.Targets[j].Point
		next[j], first[at] = first[at], j+1
	}
	for i := range r.Sources {
		for n := first[r.Sources[i].Point]; n > 0; n = next[n-1] {
			j := n - 1
			if plan.SamePlace(&r.Sources[i], &r.Targets[j]) && a.Sources[i].Miss == "" && a.Targets[j].Miss == "" {
				a.Cells[i][j] = engine.MatrixCell{Reached: true}
			}
		}
	}
}

// ends are the locations of one side, of those looked for, that are on the network.
type ends struct {
	ends    [][]search.End
	index   []int            // in the request
	order   []int            // the numbers of all that were looked for,
	places  []engine.Snapped // and where each of these is
	refused error            // where none is on the network: why the first is not
	// eitherWay are those that are the same for the other direction.
	eitherWay map[geo.Point]standing
}

// standing has the facts of a location on the network that a matrix keeps.
type standing struct {
	location *engine.Location
	at       geo.Point
	ends     []search.End
	plan.SnapWarnings
	eitherWay bool // as in snapped
}

// side are the sources of a matrix, or its targets.
type side struct {
	list      []engine.Location
	which     []int // are looked for; nil is all
	direction plan.Direction
	name      string
	known     map[geo.Point]standing // some of the other side that serve here too
}

// snapAll finds where the locations of one side are, of those looked for.
func (e *Service) snapAll(ctx context.Context, who *plan.Request, x side) (ends, error) {
	list, order := x.list, alongCurve(x.list, x.which)
	found := make([]standing, len(order))
	misses := make([]error, len(order))
	var left []int
	for k, i := range order {
		if at, ok := x.known[list[i].Point]; ok && *at.location == list[i] {
			found[k] = at
		} else {
			left = append(left, k)
		}
	}
	parts := slices.Collect(slices.Chunk(left, snapTogether))
	err := inParallel(ctx, len(parts), func(ctx context.Context, next func() (int, bool)) error {
		s := e.Scratch.Get().(*plan.Scratch)
		defer e.Scratch.GiveBack(s)
		p := who.With(s, list)
		p.Ctx = ctx
		for n, ok := next(); ok; n, ok = next() {
			for _, k := range parts[n] {
				if ctx.Err() != nil {
					return ctx.Err()
				}
				var at plan.Snapped
				at, misses[k] = p.Locate(order[k], x.direction)
				misses[k] = e.refusals.Explained(ctx, p, misses[k])
				found[k] = standing{&list[order[k]], at.Waypoint.Snapped, at.Ends, at.SnapWarnings, at.EitherWay}
			}
		}
		return nil
	})
	if err != nil {
		return ends{}, err
	}
	all := ends{ends: make([][]search.End, 0, len(order)), index: make([]int, 0, len(order)), order: order, places: make([]engine.Snapped, len(order)), eitherWay: map[geo.Point]standing{}}
	first := 0 // of the places, by number
	for k, i := range order {
		at := &all.places[k]
		if misses[k] != nil {
			miss, err := miss(misses[k], x.name)
			if err != nil {
				return ends{}, err
			}
			misses[k], at.Miss = miss, strings.TrimPrefix(miss.Detail, fmt.Sprintf("%s[%d] ", x.name, i))
			at.RoadM, _ = miss.Fields[explain.NearestRoad].(float64)
			if i < order[first] {
				first = k
			}
			continue
		}
		at.Point = found[k].at
		if who.Clock != nil {
			at.Zone, _ = conditional.Zone(e.Graph.Country[e.Graph.Segment(e.Graph.Original(found[k].ends[0].Edge))])
		}
		who.WarnPlace(x.name, i, found[k].SnapWarnings, &list[i])
		all.ends, all.index = append(all.ends, found[k].ends), append(all.index, i)
		if found[k].eitherWay && x.direction == plan.AtDeparture { // the sources are looked for first
			all.eitherWay[list[i].Point] = found[k]
		}
	}
	if len(all.ends) == 0 {
		all.refused = misses[first]
	}
	return all, nil
}

// into puts where the locations are into an answer. One that is on the network at another time
// stays there.
func (x *ends) into(places []engine.Snapped) {
	for k, p := range x.places {
		if old := &places[x.order[k]]; p.Miss == "" || *old == (engine.Snapped{}) {
			*old = p
		}
	}
}

// snapTogether is how many locations near one another a core looks for at a time.
const snapTogether = 16

// alongCurve returns the numbers of locations, of some or with nil of all, in the order of a
// Hilbert curve: what is near one looked for is in the core's memory when the next is.
func alongCurve(list []engine.Location, which []int) []int {
	if which == nil {
		which = make([]int, len(list))
		for i := range which {
			which[i] = i
		}
	}
	numbers := uint64(1)<<bits.Len(uint(len(list))) - 1 // in place of the last bits, for places of a few metres
	keys := make([]uint64, len(which))
	for k, i := range which {
		keys[k] = geo.Hilbert(list[i].Point.Fix())&^numbers | uint64(i)
	}
	slices.Sort(keys)
	order := make([]int, len(which))
	for k, key := range keys {
		order[k] = int(key & numbers)
	}
	return order
}

// miss returns the refusal of a location that is not on the network, in terms of
// the list it stands in; any other failure stays one.
func miss(err error, name string) (*fault.Error, error) {
	var f *fault.Error
	if engine.Code(err) != engine.CodeNoSegment || !errors.As(err, &f) {
		return nil, err
	}
	f.Detail = strings.Replace(f.Detail, "locations[", name+"[", 1)
	return f, nil
}

// inParallel runs work on as many cores as the call may use; next hands out the numbers below n, each
// once.
func inParallel(ctx context.Context, n int, work func(ctx context.Context, next func() (int, bool)) error) error {
	var taken atomic.Int64
	next := func() (int, bool) {
		i := int(taken.Add(1)) - 1
		return i, i < n
	}
	workers := min(n, engine.Workers(ctx))
	failures := make([]error, workers)
	var all parallel.Group
	for i := range workers {
		all.Go(func() { failures[i] = work(ctx, next) })
	}
	all.Wait()
	for _, err := range failures {
		if err != nil {
			return err
		}
	}
	return nil
}

// matrix is one in the making.
type matrix struct {
	e        *Service
	ctx      context.Context
	who      *plan.Request
	from, to [][]search.End
	cells    [][]cch.Cell   // by source; nil where its row is not there yet
	far      func() float64 // the most between a source and another place, in metres
	within   func() float64 // about how many edges a search from one source looks at
	// free are the cells on the roads without live closures, where closures are all that bends
	// them; nil, as a whole or a row, where that is not known or there is no difference.
	free  [][]cch.Cell
	again bool // some cells were worked out again for closures that begin or end
}

// run fills the cells: from the hierarchy unless a condition changes the roads. For
// options without a metric it is made first where that takes less than searching
// from source after source; else, once it has been made, it does the rest.
func (m *matrix) run() error {
	switch {
	case m.who.Clock != nil:
		return m.timed()
	case !m.who.Weights.Overlay.Empty():
		return m.withOverlay()
	}
	if m.who.Weights.Hierarchy == nil {
		rows, err := m.led()
		if err != nil || len(rows) == 0 {
			return err
		}
		fill := m.plain
		if metric.CustomiseFirst(m.e.Data, float64(len(rows)), float64(len(m.to)), m.within()) {
			fill = m.customised
		}
		if err := fill(rows); err != nil {
			return err
		}
	}
	var rows []int
	for i := range m.cells {
		if m.cells[i] == nil {
			rows = append(rows, i)
		}
	}
	if len(rows) == 0 {
		return nil
	}
	return m.tables(rows)
}

// tables has every core sweep some of the sources.
func (m *matrix) tables(rows []int) error {
	w := m.who.Weights
	x, err := m.e.Metrics.Measures(m.ctx, w)
	if err != nil {
		return err
	}
	return m.sweep(cch.Costs{Costing: w.Costing, Metric: w.Hierarchy, Measures: x}, m.from, m.to, rows)
}

// sweep fills some rows on a metric.
func (m *matrix) sweep(costs cch.Costs, from, to [][]search.End, rows []int) error {
	some := make([][]search.End, len(rows))
	for k, i := range rows {
		some[k] = from[i]
	}
	out, err := m.table(costs, some, to)
	for i := range out {
		m.cells[rows[i]] = out[i]
	}
	return err
}

// table returns a row of cells for each of some sources, on a metric.
func (m *matrix) table(costs cch.Costs, from, to [][]search.End) ([][]cch.Cell, error) {
	out := make([][]cch.Cell, len(from))
	all := make([]cch.Cell, len(from)*len(to))
	for i := range out {
		out[i] = all[i*len(to) : (i+1)*len(to)]
	}
	// Sources are swept some at a time: parts too small leave a sweep half empty.
	workers := engine.Workers(m.ctx)
	size := max(cch.Lanes, (len(from)+workers-1)/workers)
	parts := slices.Collect(slices.Chunk(from, size))
	return out, inParallel(m.ctx, len(parts), func(ctx context.Context, next func() (int, bool)) error {
		t := m.e.tables.Get().(*cch.Table)
		defer m.e.tables.GiveBack(t)
		for i, ok := next(); ok; i, ok = next() {
			if err := t.Run(ctx, costs, parts[i], to, out[i*size:i*size+len(parts[i])]); err != nil {
				return err
			}
		}
		return nil
	})
}

// customised has the metric of the traveller's options made, to be kept where
// there is memory for it, else for these tables alone. Where the region is being
// replaced it searches from source after source.
func (m *matrix) customised(rows []int) error {
	// The metric takes as long as settling so many edges, which another metric might have led.
	m.e.Metrics.Searched(m.who.Weights, m.e.Graph.Edges()*metric.CustomNanos/metric.SettleNanos)
	w, ok, err := m.e.Metrics.Customised(m.ctx, m.who.Who)
	if err != nil {
		return err
	}
	if ok {
		m.travel(w)
		return nil
	}
	costs, ok, err := metric.ForOnce(m.ctx, m.e.Metrics, m.who.Weights)
	switch {
	case err != nil:
		return err
	case !ok:
		return m.plain(rows)
	}
	return m.sweep(costs, m.from, m.to, rows)
}

// all returns the numbers of all rows.
func (m *matrix) all() []int {
	rows := make([]int, len(m.from))
	for i := range rows {
		rows[i] = i
	}
	return rows
}

// travel goes on with other weights of the same traveller.
func (m *matrix) travel(w metric.Weights) {
	who := *m.who
	who.Weights, who.Costing = w, w.Costing
	m.who = &who
}

// plain searches from source after source, until another request has had the metric
// made.
func (m *matrix) plain(rows []int) error {
	var ready atomic.Pointer[metric.Weights]
	err := inParallel(m.ctx, len(rows), func(ctx context.Context, next func() (int, bool)) error {
		s := m.e.Trees.Get().(*search.Tree)
		defer m.e.Trees.GiveBack(s)
		for k, ok := next(); ok && ready.Load() == nil; k, ok = next() {
			i := rows[k]
			if err := s.To(ctx, m.who.Weights.Weights, m.from[i], m.to); err != nil {
				return err
			}
			m.e.Metrics.Searched(m.who.Weights, s.Settled)
			cells, err := row(ctx, s, m.to)
			if err != nil {
				return err
			}
			m.cells[i] = cells
			// Another request with the same options may have had the metric made meanwhile.
			if w, ok := m.e.Metrics.Existing(m.who.Who); ok {
				ready.Store(&w)
			}
		}
		return nil
	})
	if w := ready.Load(); w != nil {
		m.travel(*w)
	}
	return err
}

// row reads what a search found from a source to all targets.
func row(ctx context.Context, s *search.Tree, targets [][]search.End) ([]cch.Cell, error) {
	cells := make([]cch.Cell, len(targets))
	for j, to := range targets {
		if j%checkEvery == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		cost, took, ok := s.At(to)
		if !ok {
			cost = cch.Unreached
		}
		cells[j] = cch.Cell{Cost: cost, Measure: took}
	}
	return cells, nil
}
