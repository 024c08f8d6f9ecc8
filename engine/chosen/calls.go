package chosen

import (
	"context"

	"github.com/waygate/waygate/engine"
)

// Route is made of the engines in turn, as are the calls below.
func (e *Engine) Route(ctx context.Context, r *engine.RouteRequest) (*engine.RouteAnswer, error) {
	return ask(ctx, e, engine.CallRoute, r, engine.Engine.Route, func(a *engine.RouteAnswer, w engine.Warning) { a.Warnings = append(a.Warnings, w) })
}

// TraceRoute is made in turn.
func (e *Engine) TraceRoute(ctx context.Context, r *engine.MatchRequest) (*engine.TraceAnswer, error) {
	return ask(ctx, e, engine.CallTraceRoute, r, engine.Engine.TraceRoute, func(a *engine.TraceAnswer, w engine.Warning) { a.Warnings = append(a.Warnings, w) })
}

// TraceAttributes is made in turn.
func (e *Engine) TraceAttributes(ctx context.Context, r *engine.MatchRequest) (*engine.AttributesAnswer, error) {
	return ask(ctx, e, engine.CallTraceAttributes, r, engine.Engine.TraceAttributes, func(a *engine.AttributesAnswer, w engine.Warning) { a.Warnings = append(a.Warnings, w) })
}

// Matrix is made in turn.
func (e *Engine) Matrix(ctx context.Context, r *engine.MatrixRequest) (*engine.MatrixAnswer, error) {
	return ask(ctx, e, engine.CallMatrix, r, engine.Engine.Matrix, func(a *engine.MatrixAnswer, w engine.Warning) { a.Warnings = append(a.Warnings, w) })
}

// Isochrone is made in turn.
func (e *Engine) Isochrone(ctx context.Context, r *engine.IsochroneRequest) (*engine.IsochroneAnswer, error) {
	return ask(ctx, e, engine.CallIsochrone, r, engine.Engine.Isochrone, func(a *engine.IsochroneAnswer, w engine.Warning) { a.Warnings = append(a.Warnings, w) })
}

// Locate is made in turn.
func (e *Engine) Locate(ctx context.Context, r *engine.LocateRequest) (*engine.LocateAnswer, error) {
	return ask(ctx, e, engine.CallLocate, r, engine.Engine.Locate, func(a *engine.LocateAnswer, w engine.Warning) { a.Warnings = append(a.Warnings, w) })
}

// Nearest is made in turn. Its answer has no room for the warning.
func (e *Engine) Nearest(ctx context.Context, r *engine.NearestRequest) (*engine.NearestAnswer, error) {
	return ask(ctx, e, engine.CallNearest, r, engine.Engine.Nearest, func(*engine.NearestAnswer, engine.Warning) {})
}

// Centroid is made in turn.
func (e *Engine) Centroid(ctx context.Context, r *engine.RouteRequest) (*engine.RouteAnswer, error) {
	return ask(ctx, e, engine.CallCentroid, r, engine.Engine.Centroid, func(a *engine.RouteAnswer, w engine.Warning) { a.Warnings = append(a.Warnings, w) })
}
