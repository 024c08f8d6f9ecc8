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

// Route answers a checked request with a JSON object on the face that was
// asked for. On the native endpoint blocks of the gateway are added at the top.
func (s *Service) Route(ctx context.Context, r *Request) ([]byte, error) {
	answer, err := s.Engine.Route(ctx, &r.Route)
	if err != nil {
		return nil, s.hinted(err, r.Route.Locations)
	}
	can := s.Engine.Can()
	var blocks []block
	if r.adr != nil {
		blocks = append(blocks, block{name: "adr", value: r.adr.block(can.TunnelCodes, answer)})
	}
	if r.avoid != nil {
		blocks = append(blocks, block{name: "avoid", value: r.avoid.caveats(can.Exclusions)})
	}
	if warnings := slices.Concat(r.warnings, answer.Warnings); len(warnings) > 0 {
		blocks = append(blocks, block{name: "warnings", value: warnings, list: true})
	}
	return splice(answer.Body, blocks)
}

// RouteCompatible answers a checked request of the compatible endpoint, on
// which nothing is added.
func (s *Service) RouteCompatible(ctx context.Context, r *Request) ([]byte, error) {
	answer, err := s.Engine.Route(ctx, &r.Route)
	if err != nil {
		return nil, s.hinted(err, r.Route.Locations)
	}
	if r.skipWaypoints {
		return without(answer.Body, "waypoints"), nil
	}
	return answer.Body, nil
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
