package api

import (
	"context"
	"time"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/engine"
)

// watch is what an engine's calls are counted with.
type watch struct {
	name string // of the engine
	edge *edge.Edge
}

// counted makes a call and counts how long it took.
func counted[R, A any](ctx context.Context, w watch, call string, r *R, ask func(context.Context, *R) (*A, error)) (*A, error) {
	began := time.Now()
	answer, err := ask(ctx, r)
	w.edge.EngineCall(ctx, w.name, call, began, err)
	return answer, err
}

// What engines can do, counted.
type (
	timed struct {
		engine.Engine
		watch
	}
	timedMatcher struct {
		engine.Matcher
		watch
	}
	timedMatrixer struct {
		engine.Matrixer
		watch
	}
	timedIsochroner struct {
		engine.Isochroner
		watch
	}
	timedNearester struct {
		engine.Nearester
		watch
	}
)

func (t timed) Route(ctx context.Context, r *engine.RouteRequest) (*engine.RouteAnswer, error) {
	return counted(ctx, t.watch, "route", r, t.Engine.Route)
}

func (t timedMatcher) TraceRoute(ctx context.Context, r *engine.MatchRequest) (*engine.RouteAnswer, error) {
	return counted(ctx, t.watch, "trace_route", r, t.Matcher.TraceRoute)
}

func (t timedMatcher) TraceAttributes(ctx context.Context, r *engine.MatchRequest) (*engine.RouteAnswer, error) {
	return counted(ctx, t.watch, "trace_attributes", r, t.Matcher.TraceAttributes)
}

func (t timedMatrixer) Matrix(ctx context.Context, r *engine.MatrixRequest) (*engine.MatrixAnswer, error) {
	return counted(ctx, t.watch, "matrix", r, t.Matrixer.Matrix)
}

func (t timedNearester) Nearest(ctx context.Context, r *engine.NearestRequest) (*engine.NearestAnswer, error) {
	return counted(ctx, t.watch, "nearest", r, t.Nearester.Nearest)
}

func (t timedIsochroner) Isochrone(ctx context.Context, r *engine.IsochroneRequest) (*engine.IsochroneAnswer, error) {
	return counted(ctx, t.watch, "isochrone", r, t.Isochroner.Isochrone)
}
