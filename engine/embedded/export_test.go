package embedded

import (
	"context"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/road/cch"
	"github.com/waygate/waygate/road/contour"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/overlay"
	"github.com/waygate/waygate/road/search"
)

// WithoutHierarchy gives the kernel on the same region with no metric of any
// hierarchy: it searches the roads themselves.
func (e *Engine) WithoutHierarchy() *Engine {
	m := newMetrics(e.g, e.topology, ofRegion{}, e.conditions, func() (func(), bool) { return nil, false })
	plain := &Engine{g: e.g, searches: usualBounds, tree: e.tree, topology: e.topology, metrics: m, conditions: e.conditions}
	plain.scratch.New, plain.trees.New, plain.timeDependent.New, plain.outliners.New = e.scratch.New, e.trees.New, e.timeDependent.New, e.outliners.New
	m.layer = func(v overlay.View) *overlay.Layer { return plain.live.Get().Layer(v) }
	plain.places, plain.height = e.places, e.height
	plain.use, plain.tables.New = e.use, e.tables.New
	return plain
}

// SetSearches bounds searches that the hierarchy does not answer, in all and from one
// end: by so many looks at the context.
func (e *Engine) SetSearches(all, fromOneEnd int) {
	e.searches.all, e.searches.fromOneEnd = all, fromOneEnd
}

// SetCatchments has it looked at once from where one comes to the targets of a matrix.
func (e *Engine) SetCatchments() { e.searches.beforeCatchment = 0 }

// Graph is the road network that the kernel routes on.
func (e *Engine) Graph() *graph.Graph { return e.g }

// Audit recounts the bytes that are kept for travellers, and how many of them
// have a metric of their own or something in the making.
func (e *Engine) Audit() (bytes int64, own, busy int) {
	m := e.metrics
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, k := range m.entries {
		if k.users > 0 {
			busy++
		}
		if k.weights.Metric != nil {
			bytes += k.weights.Metric.Bytes()
		}
		if k.turns != nil && k.weights.layer != nil {
			bytes += k.turns.Bytes()
		}
		if h := k.weights.hierarchy; h != nil && h != m.defaults[k.who.options] {
			bytes += h.Bytes()
			own++
			if k.weights.kept != nil {
				bytes += k.weights.kept.Bytes()
			}
		}
		if k.measured != nil && k.users == 0 {
			bytes += k.measured.measures.Bytes()
		}
	}
	return bytes, own, busy
}

// Once works out a metric for one request of usual options: the bytes it holds,
// and what gives them back, nil where there is no memory for it.
func (e *Engine) Once(ctx context.Context) (bytes int64, end func(), err error) {
	w := e.metrics.forOptions(costing.Default(costing.Auto), false)
	costs, l, err := e.metricForRequest(ctx, search.Weights{Costing: w.Costing}, w.entry)
	if err != nil || l == nil {
		return 0, nil, err
	}
	turns := w.Costing.Metric(e.metrics.index())
	return turns.Bytes() + costs.Metric.Bytes() + costs.Measures.Bytes(), l.release, nil
}

// Making is how many metrics are in the making that have a place for it.
func (e *Engine) Making() int { return len(e.metrics.slots) }

// Break has everything panic that is worked out for options of their own, as a
// damaged section does.
func (e *Engine) Break() {
	broken := *e.topology
	broken.TurnAt, broken.TurnArc = nil, nil
	e.topology, e.metrics.topology = &broken, &broken
}

// Stages answers a request and tells how long the search took, from the
// locations to a path with its times, and how long guidance did: the path's line
// and its manoeuvres. Words and JSON are neither's.
func (e *Engine) Stages(ctx context.Context, r *engine.RouteRequest) (searched, guided time.Duration, err error) {
	s := e.scratch.Get().(*scratch)
	defer e.scratch.giveBack(s)
	begin := time.Now()
	p := &planner{e: e, s: s, r: r, ctx: ctx}
	if err := p.prepare(); err != nil {
		return 0, 0, err
	}
	routes, err := p.plan(ctx)
	if err != nil {
		return 0, 0, err
	}
	found := time.Now()
	routesOf(e.g, engine.WantManoeuvres, &engine.Output{Language: r.Language}, routes[:1])
	return found.Sub(begin), time.Since(found), nil
}

// StrokeByStroke is Isochrone with every road searched and drawn by itself.
func (e *Engine) StrokeByStroke(ctx context.Context, r *engine.IsochroneRequest) (*engine.IsochroneAnswer, error) {
	return e.isochrone(ctx, r, func([]contour.Level, costing.Costing) []cch.Band { return nil })
}

// ReachAtTime gives the edges that an isochrone of a request with a time reaches: by
// the clock and, where ok is true, by the hierarchy.
func (e *Engine) ReachAtTime(ctx context.Context, r *engine.IsochroneRequest) (byClock, byHierarchy map[graph.Edge]search.Reached, ok bool, err error) {
	who, err := e.planOf(ctx, &engine.RouteRequest{Costing: r.Costing, Options: r.Options, Conditions: r.Conditions, Locations: []engine.Location{r.Location}})
	if err != nil {
		return nil, nil, false, err
	}
	s := e.scratch.Get().(*scratch)
	defer e.scratch.giveBack(s)
	d := atDeparture
	if r.Reverse {
		d = atArrival
	}
	place, err := who.with(s, []engine.Location{r.Location}).locate(0, d)
	if err != nil {
		return nil, nil, false, err
	}
	who.clock.Arrive = r.Reverse
	who.clock.SetEnds(edgesOf(place.ends)...)
	into := func(all map[graph.Edge]search.Reached) *reachAtTime {
		add := func(list []search.Reached) {
			for _, x := range list {
				all[x.Edge] = x
			}
		}
		return &reachAtTime{who, place.ends, r.Reverse, bound(r.Contours), add, add}
	}
	byClock, byHierarchy = map[graph.Edge]search.Reached{}, map[graph.Edge]search.Reached{}
	if err := e.treeByClock(ctx, into(byClock)); err != nil {
		return nil, nil, false, err
	}
	ok, err = e.treeOfNoTime(ctx, into(byHierarchy))
	return byClock, byHierarchy, ok, err
}
