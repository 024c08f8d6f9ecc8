// Package mapmatch answers requests to match a trace of positions to the
// roads: it reads and checks a request and asks the engine.
package mapmatch

import (
	"bytes"
	"context"
	"encoding/json"
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

// Route answers with a trip along the matched way.
func (s *Service) Route(ctx context.Context, r *Request) ([]byte, error) {
	return r.finish(s.Engine.TraceRoute(ctx, &r.Match))
}

// Attributes answers with the edges of the matched way and the places of the
// positions on it.
func (s *Service) Attributes(ctx context.Context, r *Request) ([]byte, error) {
	r.tellsNothing()
	return r.finish(s.Engine.TraceAttributes(ctx, &r.Match))
}

// finish adds the warnings to an engine's answer, whose own bytes stay as they
// are unless it has a list of warnings already.
func (r *Request) finish(a *engine.RouteAnswer, err error) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	warnings := slices.Concat(r.warnings, a.Warnings)
	if len(warnings) == 0 {
		return a.Body, nil
	}
	list, err := json.Marshal(warnings)
	if err != nil {
		return nil, err
	}
	body := bytes.TrimSpace(a.Body)
	// Few answers of few engines have warnings of their own.
	if bytes.Contains(body, []byte(`"warnings"`)) {
		return joined(body, warnings)
	}
	body = bytes.TrimSuffix(body, []byte("}"))
	out := make([]byte, 0, len(body)+len(list)+16)
	out = append(out, body...)
	if len(body) > 1 {
		out = append(out, ',')
	}
	return append(append(append(out, `"warnings":`...), list...), '}'), nil
}

// joined adds warnings to those an answer has.
func joined(body []byte, warnings []engine.Warning) ([]byte, error) {
	var doc map[string]json.RawMessage
	if err := json.Unmarshal(body, &doc); err != nil {
		return nil, err
	}
	var all []json.RawMessage
	if len(doc["warnings"]) > 0 {
		if err := json.Unmarshal(doc["warnings"], &all); err != nil {
			return nil, err
		}
	}
	for _, w := range warnings {
		text, err := json.Marshal(w)
		if err != nil {
			return nil, err
		}
		all = append(all, text)
	}
	list, err := json.Marshal(all)
	if err != nil {
		return nil, err
	}
	doc["warnings"] = list
	return json.Marshal(doc)
}
