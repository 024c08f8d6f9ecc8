// Package directions answers requests for a route: it asks the engine, and adds
// what the gateway says of the routes beside it.
package directions

import (
	"context"
	"fmt"
	"slices"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/feature/clearance"
	"github.com/waygate/waygate/feature/landmarks"
	"github.com/waygate/waygate/feature/rationale"
	"github.com/waygate/waygate/feature/scenic"
	"github.com/waygate/waygate/feature/zones"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/coverage"
	"github.com/waygate/waygate/index/surroundings"
	"github.com/waygate/waygate/index/zone"
)

// Service finds routes with one engine. Engine is required.
type Service struct {
	Engine engine.Engine
	Bounds geo.Bounds // of the region, for hints; empty where unknown
	// Coverage is how densely restrictions for lorries are tagged; nil where nobody
	// has counted.
	Coverage *coverage.Grid
	// Known gives access to the known traffic; nil is a deployment without traffic data.
	Known     *engine.KnownTraffic
	Landmarks *landmarks.Service   // nil names none
	Ground    *surroundings.Reader // nil is a region without a map: no route is called scenic
	// Zones judges the clean-air zones of Zoned; nil looks for none.
	Zones *zones.Service
	Zoned *zone.Index
	// Surveys reports on measured clearances; required where a request has Clearance.
	Surveys Surveys
	// Around finds what is known of a way beside what its caller declared; nil finds nothing.
	Around func(ctx context.Context, line []geo.Point) (*rationale.Context, error)
}

// Request is a checked request for a route.
type Request struct {
	Route     engine.RouteRequest
	Load      *Load            // nil where none was given
	Avoid     *Avoidance       // nil where nothing was to be avoided
	Rationale *rationale.Price // the route is to be explained; nil is not
	Scenic    *float64         // minutes that a scenic route may take more; nil is for none
	Traffic   bool             // legs are to have a traffic block
	Landmarks bool             // places are to be named where it turns
	Clearance bool             // measured clearances are to be reported; of lorries only
	Emissions *zones.Vehicle   // of the vehicle, for zones; nil where none were given
	Warnings  []engine.Warning // of what the caller said
}

// Answer is the routes found with what belongs at the top of an answer.
type Answer struct {
	*engine.RouteAnswer                      // its warnings are among Warnings
	ADR                 *ADR                 // nil where no load was given
	Avoid               *Avoidance           // nil where nothing was to be avoided
	Scenic              *scenic.Block        // nil where none was asked for
	Scenery             *scenic.Chosen       // the scenic route; nil where none was found
	SceneryTraffic      []*Traffic           // by leg of the scenic route; nil where there is none, or no traffic was asked for
	Damaged             []error              // tiles of the map that could not be read
	Coverage            *Coverage            // nil where there is no grid, and for vehicles other than lorries
	Zones               *zones.Block         // nil where no route runs through a zone
	Landmarks           *landmarks.Block     // nil where none were asked for
	Rationale           *rationale.Rationale // of the first route; nil where none was asked for
	Traffic             []*Traffic           // by leg of each route; nil where none was asked for
	Clearance           *clearance.Report    // nil where none was asked for, and where no survey covers any of the first route
	Warnings            []engine.Warning     // of the request and of the engine
}

// Route answers a checked request.
func (s *Service) Route(ctx context.Context, r *Request) (*Answer, error) {
	q := &r.Route
	if r.Load != nil {
		q.Want |= engine.WantTunnels
	}
	if r.Rationale != nil || r.Traffic || r.Clearance {
		q.Want |= engine.WantLine
	}
	if r.Scenic != nil && s.Ground != nil {
		q.Want |= scenic.Wants
	}
	if r.Landmarks {
		q.Want |= engine.WantManoeuvres
	}
	if s.Coverage != nil && q.Costing == costing.Truck {
		q.Want |= engine.WantLine
	}
	if s.Zones != nil && len(s.Zoned.All()) > 0 {
		q.Want |= engine.WantLine | engine.WantPieces
	}
	noting, note := engine.WithNote(ctx)
	found, err := s.Engine.Route(noting, q)
	if err != nil {
		return nil, engine.WithHint(err, s.Bounds, q.Points(), func(i int) string { return fmt.Sprintf("locations[%d]", i) })
	}
	can := note.Engine(s.Engine).Can() // of several engines the one that answered
	a := &Answer{RouteAnswer: found, Coverage: covered(s.Coverage, q.Costing, found.Routes), Warnings: slices.Concat(r.Warnings, found.Warnings)}
	if r.Load != nil {
		var tunnels []engine.Tunnel
		if len(found.Routes) > 0 {
			tunnels = found.Routes[0].Tunnels
		}
		a.ADR = r.Load.block(can.TunnelCodes, found.Audit, tunnels)
	}
	if r.Avoid != nil {
		a.Avoid = r.Avoid.caveats(can.Exclusions)
	}
	routes := found.Routes
	if r.Scenic != nil {
		if routes, err = s.scenery(ctx, r, a); err != nil {
			return nil, err
		}
	}
	if r.Traffic {
		if a.Traffic, err = s.traffic(ctx, q, found.Routes); err != nil {
			return nil, err
		}
		if c := a.Scenery; c != nil {
			if a.SceneryTraffic, err = s.traffic(ctx, q, c.Answer.Routes[c.Index:c.Index+1]); err != nil {
				return nil, err
			}
		}
	}
	if s.Zones != nil {
		a.Zones = s.Zones.Along(s.Zoned, r.Emissions, q.When, routes)
		if a.Zones != nil {
			a.Warnings = append(a.Warnings, zones.Warn(a.Zones.Warning())...)
		}
	}
	if r.Clearance && len(routes) > 0 {
		if err := s.measure(ctx, q, a); err != nil {
			return nil, err
		}
	}
	if r.Landmarks {
		named := s.Landmarks.Annotate(&q.Output, found)
		a.Landmarks = &named
		if c := a.Scenery; c != nil && c.Answer != found {
			other := *c.Answer
			other.Routes = c.Answer.Routes[c.Index : c.Index+1]
			s.Landmarks.Annotate(&q.Output, &other)
		}
	}
	if r.Rationale != nil {
		if a.Rationale, err = s.explain(ctx, r, found); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// scenery makes the scenic block of the first route. It returns the routes of the answer, with
// the scenic one after them where that is none of them.
func (s *Service) scenery(ctx context.Context, r *Request, a *Answer) (routes []engine.Route, err error) {
	found := a.RouteAnswer
	if s.Ground == nil {
		a.Scenic = scenic.Unavailable()
		return found.Routes, nil
	}
	service := scenic.Service{Engine: s.Engine, Ground: s.Ground}
	a.Scenic, a.Scenery, a.Damaged, err = service.Compare(ctx, &scenic.Request{Route: &r.Route, MaxExtra: *r.Scenic}, found)
	if c := a.Scenery; c != nil && c.Answer != found {
		return append(slices.Clone(found.Routes), c.Answer.Routes[c.Index]), err
	}
	return found.Routes, err
}

// traffic makes the traffic blocks of routes.
func (s *Service) traffic(ctx context.Context, q *engine.RouteRequest, routes []engine.Route) ([]*Traffic, error) {
	if s.Known == nil {
		return noTraffic(routes, s.Engine.Can().SpeedSources), nil
	}
	return traffic(ctx, s.Known, q, routes)
}

// explain makes the rationale of the first route.
func (s *Service) explain(ctx context.Context, r *Request, found *engine.RouteAnswer) (*rationale.Rationale, error) {
	why, err := rationale.Explain(ctx, s.Engine, &r.Route, found.Routes[0].Rounded(), *r.Rationale)
	if err == nil && s.Around != nil {
		why.Context, err = s.Around(ctx, found.Routes[0].Line())
	}
	return why, err
}
