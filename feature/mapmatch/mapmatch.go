// Package mapmatch answers requests to match a trace of positions to the
// roads: it reads and checks a request and asks the engine.
package mapmatch

import (
	"context"
	"slices"

	"github.com/waygate/waygate/engine"
)

// Limits of a request.
const (
	MaxPoints = 20_000 // positions of a trace
	maxNames  = 200    // of a filter
)

// Service matches traces with one engine. Engine is required.
type Service struct {
	Engine engine.Engine
}

// Request is a checked request.
type Request struct {
	Match    engine.MatchRequest
	warnings []engine.Warning
}

// Route answers with routes along the matched way. The warnings are those of the
// request and of the engine.
func (s *Service) Route(ctx context.Context, r *Request) (*engine.TraceAnswer, []engine.Warning, error) {
	a, err := s.Engine.TraceRoute(ctx, &r.Match)
	if err != nil {
		return nil, nil, err
	}
	return a, slices.Concat(r.warnings, a.Warnings), nil
}

// Attributes answers with the edges of the matched way and the places of the
// positions on it. The warnings are those of the request and of the engine.
func (s *Service) Attributes(ctx context.Context, r *Request) (*engine.AttributesAnswer, []engine.Warning, error) {
	r.tellsNothing()
	a, err := s.Engine.TraceAttributes(ctx, &r.Match)
	if err != nil {
		return nil, nil, err
	}
	return a, slices.Concat(r.warnings, a.Warnings), nil
}
