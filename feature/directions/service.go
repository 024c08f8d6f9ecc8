// Package directions answers requests for a route: it reads and checks a
// request on either of its two faces, asks the engine, and adds the gateway's
// own blocks to the engine's answer.
package directions

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/body"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
)

// Service finds routes with one engine. Engine is required.
type Service struct {
	Engine engine.Engine
	Bounds geo.Bounds // of the region, for hints; empty where unknown
}

// Answer is the routes found with what belongs at the top of an answer.
type Answer struct {
	*engine.RouteAnswer                  // its warnings are among Warnings
	ADR                 *ADR             // nil where no load was told
	Avoid               *Avoidance       // nil where nothing was to be avoided
	Warnings            []engine.Warning // of the request and of the engine
}

// Route answers a checked request.
func (s *Service) Route(ctx context.Context, r *Request) (*Answer, error) {
	q := &r.Route
	if r.adr != nil {
		q.Want |= engine.WantTunnels
	}
	if r.Rationale {
		q.Want |= engine.WantLine
	}
	if r.Landmarks {
		q.Want |= engine.WantManoeuvres
	}
	found, err := s.Engine.Route(ctx, q)
	if err != nil {
		return nil, s.hinted(err, q.Locations)
	}
	can := s.Engine.Can()
	a := &Answer{RouteAnswer: found, Warnings: slices.Concat(r.warnings, found.Warnings)}
	if r.adr != nil {
		var tunnels []engine.Tunnel
		if len(found.Routes) > 0 {
			tunnels = found.Routes[0].Tunnels
		}
		a.ADR = r.adr.block(can.TunnelCodes, tunnels)
	}
	if r.avoid != nil {
		a.Avoid = r.avoid.caveats(can.Exclusions)
	}
	return a, nil
}

// hinted adds to a refusal for want of a road what a swapped position would
// explain.
func (s *Service) hinted(err error, locations []engine.Location) error {
	var e *fault.Error
	if engine.Code(err) != engine.CodeNoSegment || !errors.As(err, &e) {
		return err
	}
	for i, l := range locations {
		if hint := body.Swapped(l.Point, s.Bounds); hint != "" {
			told := *e
			told.Fields = maps.Clone(e.Fields)
			told.Detail += fmt.Sprintf("; locations[%d]: %s", i, hint)
			return told.With("hint", hint)
		}
	}
	return err
}
