// Package directions answers requests for a route: it asks the engine, and adds
// what the gateway says of the routes beside it.
package directions

import (
	"context"
	"fmt"
	"slices"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/coverage"
)

// Service finds routes with one engine. Engine is required.
type Service struct {
	Engine engine.Engine
	Bounds geo.Bounds // of the region, for hints; empty where unknown
	// Coverage is how densely restrictions for lorries are tagged; nil where nobody
	// has counted.
	Coverage *coverage.Grid
	// Known is what is known of traffic; nil is a deployment without traffic data.
	Known *engine.KnownTraffic
}

// Request is a checked request for a route.
type Request struct {
	Route     engine.RouteRequest
	Load      *Load            // nil where none was told
	Avoid     *Avoidance       // nil where nothing was to be avoided
	Rationale bool             // the route is to be explained
	Scenic    bool             // a scenic route was asked for
	Traffic   bool             // legs are to tell of traffic
	Landmarks bool             // places are to be named where it turns
	Warnings  []engine.Warning // of what the caller said
}

// Answer is the routes found with what belongs at the top of an answer.
type Answer struct {
	*engine.RouteAnswer                  // its warnings are among Warnings
	ADR                 *ADR             // nil where no load was told
	Avoid               *Avoidance       // nil where nothing was to be avoided
	Scenic              *Scenic          // nil where none was asked for
	Coverage            *Coverage        // nil where there is no grid, and for who is no lorry
	Traffic             []*Traffic       // by leg of each route; nil where none was asked for
	Warnings            []engine.Warning // of the request and of the engine
}

// Route answers a checked request.
func (s *Service) Route(ctx context.Context, r *Request) (*Answer, error) {
	q := &r.Route
	if r.Load != nil {
		q.Want |= engine.WantTunnels
	}
	if r.Rationale || r.Traffic {
		q.Want |= engine.WantLine
	}
	if r.Landmarks {
		q.Want |= engine.WantManoeuvres
	}
	if s.Coverage != nil && q.Costing == costing.Truck {
		q.Want |= engine.WantLine
	}
	found, err := s.Engine.Route(ctx, q)
	if err != nil {
		return nil, engine.Hinted(err, s.Bounds, q.Points(), func(i int) string { return fmt.Sprintf("locations[%d]", i) })
	}
	can := s.Engine.Can()
	a := &Answer{RouteAnswer: found, Coverage: covered(s.Coverage, q.Costing, found.Routes), Warnings: slices.Concat(r.Warnings, found.Warnings)}
	if r.Load != nil {
		var tunnels []engine.Tunnel
		if len(found.Routes) > 0 {
			tunnels = found.Routes[0].Tunnels
		}
		a.ADR = r.Load.block(can.TunnelCodes, tunnels)
	}
	if r.Avoid != nil {
		a.Avoid = r.Avoid.caveats(can.Exclusions)
	}
	if r.Scenic {
		a.Scenic = noScenery()
	}
	if r.Traffic {
		if s.Known == nil {
			a.Traffic = noTraffic(found.Routes, can.SpeedSources)
		} else if a.Traffic, err = traffic(ctx, s.Known, q, found.Routes); err != nil {
			return nil, err
		}
	}
	return a, nil
}
