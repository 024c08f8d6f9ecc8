package osrm

import (
	"context"
	"math"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/compatible"
	"github.com/waygate/waygate/geo"
)

// Trips finds the order in which to visit places. Engine is required.
type Trips struct {
	Engine engine.Engine
	Bounds geo.Bounds // of the region, for hints
}

// Trip is a checked request for one.
type Trip struct {
	Route       engine.RouteRequest
	open        bool // does not come back to where it began
	first, last bool // the first and the last coordinate are the ends
}

// Costing is the way of travel.
func (t *Trip) Costing() costing.Costing { return t.Route.Costing }

// Points are where its coordinates are.
func (t *Trip) Points() []geo.Point { return t.Route.Points() }

func (t *Trip) parameters() map[string]compatible.Reader {
	return map[string]compatible.Reader{
		"roundtrip":   compatible.Flag(func(_ *compatible.Query, v bool) { t.open = !v }),
		"source":      compatible.Word(func(_ *compatible.Query, v string) { t.first = v == "first" }, "any", "first"),
		"destination": compatible.Word(func(_ *compatible.Query, v string) { t.last = v == "last" }, "any", "last"),
	}
}

// TripParameters lists every parameter of the service.
func TripParameters() []string {
	return names(new(Trip).parameters(), compatible.Drawing, compatible.Places, compatible.Vehicle)
}

// Read checks a request.
func (s *Trips) Read(profile, coordinates, query string) (*Trip, error) {
	t := &Trip{}
	q, err := compatible.Read(profile, coordinates, query, compatible.Limits{Least: 2, Most: MaxTrip, Bounds: s.Bounds}, t.parameters(), compatible.Drawing, compatible.Places, compatible.Vehicle)
	if err != nil {
		return nil, err
	}
	t.Route = q.Route
	t.Route.SkipWaypoints = q.SkipWaypoints
	return t, nil
}

// Tour is a route that visits places in the order found.
type Tour struct {
	*engine.RouteAnswer
	Order []int // the places of the request as the route visits them
}

// Answer finds the order that takes the least time and the route in it.
func (s *Trips) Answer(ctx context.Context, t *Trip) (*Tour, error) {
	places := t.Route.Locations
	m, err := s.Engine.Matrix(ctx, &engine.MatrixRequest{Sources: places, Targets: places, Costing: t.Route.Costing, Options: t.Route.Options})
	if err != nil {
		return nil, hinted(err, places, nil, s.Bounds)
	}
	if err := missing(m.Sources, places, nil, s.Bounds); err != nil {
		return nil, err
	}
	cost := costs(m)
	order := visit(cost, ends{round: !t.open, first: t.first, last: t.last})
	if order == nil {
		return nil, compatible.Refuse(noTrips, "no trip visits all %d coordinates: some lie on parts of the network that do not meet", len(places))
	}
	r := t.Route
	r.Locations = make([]engine.Location, 0, len(order)+1)
	for _, i := range order {
		r.Locations = append(r.Locations, places[i])
	}
	if !t.open {
		r.Locations = append(r.Locations, places[order[0]])
	}
	a, err := s.Engine.Route(ctx, &r)
	if err != nil {
		return nil, err
	}
	return &Tour{a, order}, nil
}

// costs are the seconds between places, by source and then target; infinite
// where there is no way.
func costs(m *engine.MatrixAnswer) [][]float64 {
	cost := make([][]float64, len(m.Cells))
	for i, row := range m.Cells {
		cost[i] = make([]float64, len(row))
		for j := range row {
			cost[i][j] = math.Inf(1)
			if row[j].Reached {
				cost[i][j] = row[j].Seconds
			}
		}
	}
	return cost
}
