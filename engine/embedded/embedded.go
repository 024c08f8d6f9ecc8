// Package embedded is our own routing kernel behind the engine contract: it
// snaps, searches and narrates on a region in this process.
package embedded

import (
	"context"
	"math/rand/v2"
	"sync/atomic"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded/answer"
	"github.com/waygate/waygate/engine/embedded/estimate"
	"github.com/waygate/waygate/engine/embedded/explain"
	"github.com/waygate/waygate/engine/embedded/judge"
	"github.com/waygate/waygate/engine/embedded/kernel"
	"github.com/waygate/waygate/engine/embedded/live"
	"github.com/waygate/waygate/engine/embedded/locate"
	"github.com/waygate/waygate/engine/embedded/many"
	"github.com/waygate/waygate/engine/embedded/plan"
	"github.com/waygate/waygate/engine/embedded/reach"
	"github.com/waygate/waygate/engine/embedded/trace"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/guidance/narrate"
	"github.com/waygate/waygate/parallel"
	"github.com/waygate/waygate/region"
)

var _ engine.Engine = (*Engine)(nil)

// Engine routes on one opened region. It is safe for many goroutines and lives
// no longer than the region.
type Engine struct {
	*live.Roads
	base      *plan.Base
	refusals  *explain.RefusalCache // of failures
	many      *many.Service
	reach     *reach.Service
	locations *locate.Service
	traces    *trace.Service
	judge     *judge.Service
}

// New opens the kernel on a region. It takes milliseconds, whatever the
// region's size.
func New(r *region.Region) (*Engine, error) {
	d, err := kernel.Open(r)
	if err != nil {
		return nil, err
	}
	return newEngine(plan.NewBase(d), r.Manifest.Bounds.Centre().Lat), nil
}

// newEngine puts the calls on what they share, at about a latitude.
func newEngine(b *plan.Base, lat float64) *Engine {
	c := &explain.RefusalCache{}
	return &Engine{
		Roads: live.New(b), base: b, refusals: c, many: many.New(b, c), reach: reach.New(b, c, lat),
		locations: locate.New(b, c), traces: trace.New(b), judge: judge.New(b),
	}
}

// Sections names the sections of a region that the kernel is made of, whether
// every region has them or not.
func Sections() []string { return kernel.Sections() }

// Verify reads all of Sections and reports the first thing that cannot be: checksums
// do not find a file that was written wrongly.
func (e *Engine) Verify() error { return e.base.Verify() }

// Junctions returns how many junctions and ends of roads the region has.
func (e *Engine) Junctions() int { return len(e.base.Graph.Position) }

// Sample returns the places of so many junctions, drawn evenly from all, the same ones at
// every call; nil of a region without roads.
func (e *Engine) Sample(n int) []geo.Point {
	nodes := e.base.Graph.Position
	if len(nodes) == 0 {
		return nil
	}
	draw := rand.New(rand.NewPCG(uint64(len(nodes)), uint64(n)))
	list := make([]geo.Point, n)
	for i := range list {
		list[i] = nodes[draw.IntN(len(nodes))].Point()
	}
	return list
}

// SetAlarm has panicked hear of panics of what is worked out in the background,
// for no caller. Those of a call are the call's.
func (e *Engine) SetAlarm(panicked func(*parallel.Panic)) { e.base.Metrics.Alarm = panicked }

// SetMetricMemory sets how many bytes are taken by metrics of travellers other
// than the usual, by what else is derived for matrices, isochrones and
// alternatives, and by what a matrix works out for itself alone, as long as it
// lasts: 256 MiB where it is not called, 0 keeps nothing. What is beyond
// is let go of, but not before it has been made where it is in the making.
// Working one out takes 20 to 40 MB besides, and garbage until it is collected.
func (e *Engine) SetMetricMemory(bytes int64) {
	e.base.Metrics.SetMemory(bytes)
}

// MetricBytes is about how much of that a metric of a car takes: without as much room what
// is live, and options that come back, are searched on the roads themselves.
func (e *Engine) MetricBytes() int64 {
	hierarchy, _ := e.base.Metrics.EstimateHierarchy(costing.Auto)
	return e.base.Topology.TurnBytes() + hierarchy
}

// SetBackground has metrics for which no request waits made once admit allows it,
// which it takes back with done. Without it they are made at once.
func (e *Engine) SetBackground(admit func(ctx context.Context, e engine.Estimate) (done func(), err error)) {
	e.base.Metrics.Admit = admit
}

// Memory returns how many bytes are taken of what SetMetricMemory allows.
func (e *Engine) Memory() int64 {
	return e.base.Metrics.Memory()
}

// Can is everything but what only a remote engine would do: it takes no member
// that it does not know, and matches a trace to closed roads too.
func (e *Engine) Can() engine.Can {
	return engine.Can{
		Name: "embedded", Calls: engine.Calls(),
		TunnelCodes: true, Rounds: true, Vehicles: true, ExcludedPlaces: true, Exclusions: true, AlternatesVia: true, ShapeFormats: true, TaggedSurface: true, IsochroneStarts: true,
		SpeedSources: []string{"default"}, Languages: narrate.Languages(),
	}
}

// Status always succeeds: the kernel is here.
func (e *Engine) Status(context.Context) (engine.Status, error) {
	return engine.Status{Version: e.base.Version, GraphDate: e.base.Date}, nil
}

// Route finds a route through all locations. See engine.Engine.
func (e *Engine) Route(ctx context.Context, r *engine.RouteRequest) (*engine.RouteAnswer, error) {
	s := e.base.Scratch.Get().(*plan.Scratch)
	defer e.base.Scratch.GiveBack(s)
	q := &plan.Request{Base: e.base, Query: r, Ctx: ctx, Arrives: true, Detoured: new(atomic.Int64)}
	p := q.Planner(s)
	if err := p.Prepare(); err != nil {
		return nil, err
	}
	routes, err := p.Plan(ctx)
	if err != nil {
		return nil, e.refusals.Explained(ctx, p.Searcher, err)
	}
	p.WarnClosed(p.Weights.Hierarchy != nil, r.Locations, "parts of the route are")
	return &engine.RouteAnswer{Routes: answer.Routes(e.base.Graph, r.Want, &r.Output, routes), Warnings: append(answer.Warnings(e.base.Graph, r.Costing, &r.Options, &r.Output), p.Warnings...)}, nil
}

// Matrix works out the ways from every source to every target. See engine.Engine.
func (e *Engine) Matrix(ctx context.Context, r *engine.MatrixRequest) (*engine.MatrixAnswer, error) {
	return e.many.Matrix(ctx, r)
}

// Centroid finds the meeting point of several locations. See engine.Engine.
func (e *Engine) Centroid(ctx context.Context, r *engine.RouteRequest) (*engine.RouteAnswer, error) {
	return e.many.Centroid(ctx, r)
}

// Isochrone outlines what is within reach of a place. See engine.Engine.
func (e *Engine) Isochrone(ctx context.Context, r *engine.IsochroneRequest) (*engine.IsochroneAnswer, error) {
	return e.reach.Isochrone(ctx, r)
}

// TraceRoute answers with routes along the matched way. See engine.Engine.
func (e *Engine) TraceRoute(ctx context.Context, r *engine.MatchRequest) (*engine.TraceAnswer, error) {
	return e.traces.TraceRoute(ctx, r)
}

// TraceAttributes describes the edges of the matched way. See engine.Engine.
func (e *Engine) TraceAttributes(ctx context.Context, r *engine.MatchRequest) (*engine.AttributesAnswer, error) {
	return e.traces.TraceAttributes(ctx, r)
}

// Judge judges a route that another engine found by the roads of the region. See
// judge.Service.
func (e *Engine) Judge(ctx context.Context, q *judge.Question, r *engine.Route) (*judge.Verdict, error) {
	return e.judge.Judge(ctx, q, r)
}

// Locate describes where a route from each location would set out. See engine.Engine.
func (e *Engine) Locate(ctx context.Context, r *engine.LocateRequest) (*engine.LocateAnswer, error) {
	return e.locations.Locate(ctx, r)
}

// Nearest lists the usable roads near a location. See engine.Engine.
func (e *Engine) Nearest(ctx context.Context, r *engine.NearestRequest) (*engine.NearestAnswer, error) {
	return e.locations.Nearest(ctx, r)
}

// Estimate returns the work that a call is expected to take. See engine.Engine.
func (e *Engine) Estimate(call engine.Call, request any) engine.Estimate {
	return estimate.Of(e.base, call, request)
}
