package route

import (
	"context"
	"reflect"

	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/scheduled"
	"github.com/waygate/waygate/feature/receipt"
	"github.com/waygate/waygate/feature/trip"
	"github.com/waygate/waygate/wire/native"
	"github.com/waygate/waygate/wire/osrm"
	"github.com/waygate/waygate/world"
)

// OSRMTable is an answer of the table service.
type OSRMTable struct {
	Code         string                 `json:"code" enum:"Ok"`
	Durations    [][]*float64           `json:"durations,omitempty" doc:"seconds, a row for each source; null where there is no way"`
	Distances    [][]*float64           `json:"distances,omitempty" doc:"metres of the same ways"`
	Fallback     [][]int                `json:"fallback_speed_cells,omitempty" doc:"[row, column] of the cells that fallback_speed filled"`
	Sources      []osrm.Waypoint        `json:"sources,omitempty"`
	Destinations []osrm.Waypoint        `json:"destinations,omitempty"`
	Warnings     []native.AnswerWarning `json:"warnings,omitempty" doc:"of what in the query had no effect, and what the routing engine has to say"`
	Receipt      *receipt.Receipt       `json:"receipt,omitempty" doc:"present when the request asked for it"`
}

// OSRMNearest is an answer of the nearest service.
type OSRMNearest struct {
	Code      string                 `json:"code" enum:"Ok"`
	Waypoints []osrm.NearRoad        `json:"waypoints,omitempty" doc:"the nearest first"`
	Warnings  []native.AnswerWarning `json:"warnings,omitempty" doc:"of what in the query had no effect"`
	Receipt   *receipt.Receipt       `json:"receipt,omitempty" doc:"present when the request asked for it"`
}

// OSRMMatch is an answer of the match service.
type OSRMMatch struct {
	Code        string                 `json:"code" enum:"Ok"`
	Matchings   []OSRMRoute            `json:"matchings" minItems:"1" doc:"a route for each stretch without a gap, with confidence from 0 to 1"`
	Tracepoints []osrm.Tracepoint      `json:"tracepoints,omitempty" doc:"one for each coordinate; null where it was not matched"`
	Warnings    []native.AnswerWarning `json:"warnings,omitempty" doc:"of what in the query had no effect, and what the routing engine has to say"`
	Receipt     *receipt.Receipt       `json:"receipt,omitempty" doc:"present when the request asked for it"`
}

// OSRMTrip is an answer of the trip service.
type OSRMTrip struct {
	Code      string                 `json:"code" enum:"Ok"`
	Trips     []OSRMRoute            `json:"trips" minItems:"1" maxItems:"1"`
	Waypoints []osrm.TripWaypoint    `json:"waypoints,omitempty" doc:"in the order of the request"`
	Warnings  []native.AnswerWarning `json:"warnings,omitempty" doc:"of what in the query had no effect, and what the routing engine has to say"`
	Receipt   *receipt.Receipt       `json:"receipt,omitempty" doc:"present when the request asked for it"`
}

// osrmDoc describes a service; fails are its statuses of failures beyond the usual.
func osrmDoc[T any](s osrm.Service, summary, description string, fails ...int) edge.Doc {
	return edge.Doc{
		Summary: summary,
		Description: description + " Beyond the contract, for clients of OSRM's family. Every failure has the form {\"code\", \"message\"}, " +
			"as of GET /route/v1/{profile}/{coordinates}.",
		Tags: []string{"compatible"}, Params: s.Parameters(),
		Answers: []edge.Answer{{Description: "Ok", Type: reflect.TypeFor[T](), Open: true}}, Fails: fails,
	}
}

func tableDoc() edge.Doc {
	return osrmDoc[OSRMTable](osrm.TableService, "Table of times and distances (compatible form)",
		"The cheapest way from every source to every destination. A pair without a way is null, unless fallback_speed estimates it in a straight line.")
}

func nearestDoc() edge.Doc {
	return osrmDoc[OSRMNearest](osrm.NearestService, "Roads near a coordinate (compatible form)", "The usable roads nearest to a coordinate.")
}

func matchDoc() edge.Doc {
	return osrmDoc[OSRMMatch](osrm.MatchService, "Match a trace to the roads (compatible form)",
		"The way that a trace of positions was taken along the roads, with a leg between each two of its positions, or of those that waypoints names.", noRoute)
}

func tripDoc() edge.Doc {
	return osrmDoc[OSRMTrip](osrm.TripService, "Order of a round of visits (compatible form)",
		"The route through all coordinates in the order that takes the least time: for certain up to about ten of them, close to it above.", noRoute)
}

// readTable reads a request of the table service.
func (m matrices) readTable(u *osrm.URL) (*osrm.Table, error) { return u.Table(m.most()) }

func answerTable(ctx context.Context, here *world.Region, t *osrm.Table) ([]byte, []engine.Warning, error) {
	a, err := here.Engine.Matrix(ctx, &t.Matrix)
	if err != nil {
		return nil, nil, osrm.WithHint(err, t.Matrix.Sources, t.From, here.Bounds)
	}
	body, err := osrm.WriteTable(t, a, here.Bounds)
	return body, a.Warnings, err
}

func answerNearest(ctx context.Context, here *world.Region, n *osrm.Nearest) ([]byte, []engine.Warning, error) {
	a, err := here.Engine.Nearest(ctx, &n.Nearest)
	if err != nil {
		return nil, nil, osrm.WithHint(err, []engine.Location{n.Nearest.Location}, nil, here.Bounds)
	}
	body, err := osrm.WriteNearest(n, a)
	return body, nil, err
}

func answerMatch(ctx context.Context, here *world.Region, m *osrm.Match) ([]byte, []engine.Warning, error) {
	a, err := m.Matched(here.Engine.TraceRoute(ctx, &m.Match))
	if err != nil {
		return nil, nil, err
	}
	body, err := osrm.WriteMatch(&m.Match, a)
	return body, a.Warnings, err
}

func answerTrip(ctx context.Context, here *world.Region, t *osrm.Trip) ([]byte, []engine.Warning, error) {
	q := t.Route
	places := q.Locations
	between := &engine.MatrixRequest{Sources: places, Targets: places, Costing: q.Costing, Options: q.Options}
	if err := scheduled.Estimated(ctx, func() engine.Estimate {
		return here.Engine.Estimate(engine.CallMatrix, between).Plus(trip.Effort(len(places))).Plus(here.Engine.Estimate(engine.CallRoute, &q))
	}); err != nil {
		return nil, nil, err
	}
	m, err := here.Engine.Matrix(ctx, between)
	if err != nil {
		return nil, nil, osrm.WithHint(err, places, nil, here.Bounds)
	}
	if err := osrm.Missing(m.Sources, places, nil, here.Bounds); err != nil {
		return nil, nil, err
	}
	order, err := trip.Order(ctx, m, trip.Ends{Round: !t.Open, First: t.First, Last: t.Last})
	if err != nil {
		return nil, nil, err
	}
	if order == nil {
		return nil, nil, osrm.Refuse(osrm.NoTrips, "no trip visits all %d coordinates: some lie on parts of the network that do not meet", len(places))
	}
	q.Locations = make([]engine.Location, 0, len(order)+1)
	for _, i := range order {
		q.Locations = append(q.Locations, places[i])
	}
	if !t.Open {
		q.Locations = append(q.Locations, places[order[0]])
	}
	a, err := here.Engine.Route(ctx, &q)
	if err != nil {
		return nil, nil, err
	}
	body, err := osrm.WriteTrip(&q, a, order)
	return body, a.Warnings, err
}
