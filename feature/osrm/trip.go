package osrm

import (
	"context"
	"encoding/json"
	"fmt"
	"math"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/compatible"
	"github.com/waygate/waygate/fault"
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
	silent      bool // waypoints are left out
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
	t.Route, t.silent = q.Route, q.SkipWaypoints
	return t, nil
}

// Answer finds the order that takes the least time and the route in it.
func (s *Trips) Answer(ctx context.Context, t *Trip) ([]byte, error) {
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
	return t.write(a.Body, order)
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

// write turns a route in the order found into a trip: its waypoints stand in the
// order of the request and tell their place in the trip.
func (t *Trip) write(body []byte, order []int) ([]byte, error) {
	var route struct {
		Routes    []json.RawMessage            `json:"routes"`
		Waypoints []map[string]json.RawMessage `json:"waypoints"`
	}
	if err := json.Unmarshal(body, &route); err != nil || len(route.Routes) == 0 || len(route.Waypoints) < len(order) {
		return nil, fault.New(fault.Upstream, "the routing engine's answer is not a route in OSRM's format").With("upstream_status", 200)
	}
	answer := struct {
		Code      string                       `json:"code"`
		Trips     []json.RawMessage            `json:"trips"`
		Waypoints []map[string]json.RawMessage `json:"waypoints,omitempty"`
	}{Code: "Ok", Trips: route.Routes[:1]}
	if !t.silent {
		answer.Waypoints = make([]map[string]json.RawMessage, len(order))
		for at, i := range order {
			p := route.Waypoints[at]
			p["trips_index"] = json.RawMessage("0")
			p["waypoint_index"] = json.RawMessage(fmt.Sprint(at))
			answer.Waypoints[i] = p
		}
	}
	return json.Marshal(answer)
}
