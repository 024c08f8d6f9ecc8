// Package counted reports every call of an engine to an observer, such as the metrics of a
// server.
package counted

import (
	"context"
	"time"

	"github.com/waygate/waygate/engine"
)

// Observer is called once a call has ended: which it was, of which engine, how
// long it took, and the error it ended with. It is called by many goroutines.
type Observer func(ctx context.Context, name string, call engine.Call, took time.Duration, err error)

// Engine is an engine with an observer, itself an engine. Can and Memory ask
// nothing of a server and are not heard of.
type Engine struct {
	engine.Engine
	observe Observer
	name    string
}

var _ engine.Engine = (*Engine)(nil)

// New returns an engine that calls observe after each call of e.
func New(e engine.Engine, observe Observer) *Engine {
	return &Engine{Engine: e, observe: observe, name: e.Can().Name}
}

// timed makes a call.
func timed[R, A any](ctx context.Context, e *Engine, call engine.Call, r R, ask func(context.Context, R) (A, error)) (A, error) {
	began := time.Now()
	answer, err := ask(ctx, r)
	e.observe(ctx, e.name, call, time.Since(began), err)
	return answer, err
}

// Status is counted, as are the calls below.
func (e *Engine) Status(ctx context.Context) (engine.Status, error) {
	return timed(ctx, e, engine.CallStatus, struct{}{}, func(ctx context.Context, _ struct{}) (engine.Status, error) {
		return e.Engine.Status(ctx)
	})
}

// Route is counted.
func (e *Engine) Route(ctx context.Context, r *engine.RouteRequest) (*engine.RouteAnswer, error) {
	return timed(ctx, e, engine.CallRoute, r, e.Engine.Route)
}

// TraceRoute is counted.
func (e *Engine) TraceRoute(ctx context.Context, r *engine.MatchRequest) (*engine.TraceAnswer, error) {
	return timed(ctx, e, engine.CallTraceRoute, r, e.Engine.TraceRoute)
}

// TraceAttributes is counted.
func (e *Engine) TraceAttributes(ctx context.Context, r *engine.MatchRequest) (*engine.AttributesAnswer, error) {
	return timed(ctx, e, engine.CallTraceAttributes, r, e.Engine.TraceAttributes)
}

// Matrix is counted.
func (e *Engine) Matrix(ctx context.Context, r *engine.MatrixRequest) (*engine.MatrixAnswer, error) {
	return timed(ctx, e, engine.CallMatrix, r, e.Engine.Matrix)
}

// Isochrone is counted.
func (e *Engine) Isochrone(ctx context.Context, r *engine.IsochroneRequest) (*engine.IsochroneAnswer, error) {
	return timed(ctx, e, engine.CallIsochrone, r, e.Engine.Isochrone)
}

// Locate is counted.
func (e *Engine) Locate(ctx context.Context, r *engine.LocateRequest) (*engine.LocateAnswer, error) {
	return timed(ctx, e, engine.CallLocate, r, e.Engine.Locate)
}

// Nearest is counted.
func (e *Engine) Nearest(ctx context.Context, r *engine.NearestRequest) (*engine.NearestAnswer, error) {
	return timed(ctx, e, engine.CallNearest, r, e.Engine.Nearest)
}

// Centroid is counted.
func (e *Engine) Centroid(ctx context.Context, r *engine.RouteRequest) (*engine.RouteAnswer, error) {
	return timed(ctx, e, engine.CallCentroid, r, e.Engine.Centroid)
}
