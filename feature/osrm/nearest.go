package osrm

import (
	"context"
	"strconv"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/compatible"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
)

// Roads lists the roads near a place with one engine, which is required.
type Roads struct {
	Engine engine.Engine
	Bounds geo.Bounds // of the region, for hints
}

// Near is a checked request for them.
type Near struct {
	Nearest engine.NearestRequest

	silent bool // waypoints are left out
}

// Costing is the way of travel.
func (n *Near) Costing() costing.Costing { return n.Nearest.Costing }

// Points are where its coordinates are.
func (n *Near) Points() []geo.Point { return []geo.Point{n.Nearest.Location.Point} }

func (n *Near) parameters() map[string]compatible.Reader {
	return map[string]compatible.Reader{"number": func(_ *compatible.Query, name, value string) error {
		v, err := strconv.Atoi(value)
		switch {
		case err != nil || v < 1:
			return compatible.Refuse(compatible.InvalidValue, "%s is %q and must be a whole number from 1 to %d", name, fault.Clip(value), MaxNearest)
		case v > MaxNearest:
			return compatible.Refuse(compatible.TooBig, "%s is %d and may be at most %d", name, v, MaxNearest)
		}
		n.Nearest.Number = v
		return nil
	}}
}

// NearestParameters lists every parameter of the service that it heeds.
func NearestParameters() []string {
	return unweighed(names(new(Near).parameters(), compatible.Places, compatible.Vehicle))
}

// Read checks a request.
func (s *Roads) Read(profile, coordinates, query string) (*Near, error) {
	n := &Near{Nearest: engine.NearestRequest{Number: 1}}
	q, err := compatible.Read(profile, coordinates, query, compatible.Limits{Least: 1, Most: 1, Bounds: s.Bounds}, n.parameters(), compatible.Places, compatible.Vehicle)
	if err != nil {
		return nil, err
	}
	if err := q.NoPreference("the nearest road is the nearest whatever is preferred"); err != nil {
		return nil, err
	}
	n.silent = q.SkipWaypoints
	near := &n.Nearest
	near.Location, near.Costing, near.Options = q.Route.Locations[0], q.Route.Costing, q.Route.Options
	return n, nil
}

// Answer lists the roads, the nearest first.
func (s *Roads) Answer(ctx context.Context, n *Near) ([]byte, error) {
	a, err := s.Engine.Nearest(ctx, &n.Nearest)
	if err != nil {
		return nil, hinted(err, []engine.Location{n.Nearest.Location}, nil, s.Bounds)
	}
	if n.silent {
		return []byte(`{"code":"Ok"}`), nil
	}
	dst := []byte(`{"code":"Ok","waypoints":[`)
	for i, r := range a.Roads {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = waypoint(dst, r.Point, n.Nearest.Location.Point)
		dst = strconv.AppendInt(append(dst, `,"nodes":[`...), r.Nodes[0], 10)
		dst = strconv.AppendInt(append(dst, ','), r.Nodes[1], 10)
		dst = append(dst, `]}`...)
	}
	return append(dst, `]}`...), nil
}
