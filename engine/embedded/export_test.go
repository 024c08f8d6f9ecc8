package embedded

import (
	"context"
	"time"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded/answer"
	"github.com/waygate/waygate/engine/embedded/kernel"
	"github.com/waygate/waygate/engine/embedded/metric"
	"github.com/waygate/waygate/engine/embedded/plan"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/search"
)

// WithoutHierarchy returns the kernel on the same region with no metric of any
// hierarchy: it searches the roads themselves.
func (e *Engine) WithoutHierarchy() *Engine {
	d := &kernel.Data{
		Graph: e.base.Graph, Tree: e.base.Tree, Topology: e.base.Topology, Conditions: e.base.Conditions, Places: e.base.Places, Height: e.base.Height, ByWay: e.base.ByWay,
		Use: e.base.Use,
	}
	b := plan.NewBase(d)
	metric.MakeNone(b.Metrics)
	plain := newEngine(b, 0)
	plain.reach.Outliners.New = e.reach.Outliners.New
	return plain
}

// SetSearches bounds searches that the hierarchy does not answer, in all and from one
// end: by so many looks at the context.
func (e *Engine) SetSearches(all, fromOneEnd int) {
	e.base.Bounds.All, e.base.Bounds.FromOneEnd = all, fromOneEnd
}

// SetCatchments has it looked at once from where one comes to the targets of a matrix.
func (e *Engine) SetCatchments() { e.base.Bounds.BeforeCatchment = 0 }

// Graph returns the road network that the kernel routes on.
func (e *Engine) Graph() *graph.Graph { return e.base.Graph }

// Audit recounts the bytes that are kept for travellers, and how many of them
// have a metric of their own or something in the making.
func (e *Engine) Audit() (bytes int64, own, busy int) { return metric.Audit(e.base.Metrics) }

// Making returns how many metrics are in the making that have a place for it.
func (e *Engine) Making() int { return metric.Pending(e.base.Metrics) }

// Break has everything panic that is worked out for options of their own, as a
// damaged section does.
func (e *Engine) Break() {
	broken := *e.base.Topology
	broken.TurnAt, broken.TurnArc = nil, nil
	e.base.Topology = &broken
}

// Stages answers a request and returns how long the search took, from the locations to a path
// with its times, and how long guidance did: the path's line and its manoeuvres. Words and
// JSON belong to neither.
func (e *Engine) Stages(ctx context.Context, r *engine.RouteRequest) (searched, guided time.Duration, err error) {
	s := e.base.Scratch.Get().(*plan.Scratch)
	defer e.base.Scratch.GiveBack(s)
	begin := time.Now()
	p := (&plan.Request{Base: e.base, Query: r, Ctx: ctx}).Planner(s)
	if err := p.Prepare(); err != nil {
		return 0, 0, err
	}
	routes, err := p.Plan(ctx)
	if err != nil {
		return 0, 0, err
	}
	found := time.Now()
	answer.Routes(e.base.Graph, engine.WantManoeuvres, &engine.Output{Language: r.Language}, routes[:1])
	return found.Sub(begin), time.Since(found), nil
}

// Once works out a metric for one request of usual options: the bytes it holds,
// and what gives them back, nil where there is no memory for it.
func (e *Engine) Once(ctx context.Context) (bytes int64, end func(), err error) {
	return metric.CustomiseOnce(ctx, e.base.Metrics)
}

// StrokeByStroke is Isochrone with every road searched and drawn by itself.
func (e *Engine) StrokeByStroke(ctx context.Context, r *engine.IsochroneRequest) (*engine.IsochroneAnswer, error) {
	return e.reach.StrokeByStroke(ctx, r)
}

// ReachAtTime returns the edges that an isochrone of a request with a time reaches: by
// the clock and, where ok is true, by the hierarchy.
func (e *Engine) ReachAtTime(ctx context.Context, r *engine.IsochroneRequest) (byClock, byHierarchy map[graph.Edge]search.Reached, ok bool, err error) {
	return e.reach.ReachAtTime(ctx, r)
}

// SetNow makes the engine take a time for now.
func (e *Engine) SetNow(now time.Time) { e.base.Now = func() time.Time { return now } }
