package osrm

import (
	"strings"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/wire/schema"
)

// Table is a request to the table service.
type Table struct {
	Matrix               engine.MatrixRequest
	From, To             []int // coordinates; nil is all
	Durations, Distances bool
	Fallback             float64 // metres a second in a straight line; 0 is none
	Asked                bool    // that line is drawn from where it was asked, rather than from the road
	Scale                float64 // of durations
	SkipWaypoints        bool    // sources and destinations are left out
}

// Points returns where the ways are.
func (t *Table) Points() []geo.Point { return t.Matrix.Points() }

// Costing returns the way of travel.
func (t *Table) Costing() costing.Costing { return t.Matrix.Costing }

// Table reads a request of the table service; one of more than so many cells is
// refused.
func (u *URL) Table(cells int) (*Table, error) {
	q, err := u.read(TableService)
	if err != nil {
		return nil, err
	}
	t := q.table
	t.SkipWaypoints = q.route.SkipWaypoints
	m := &t.Matrix
	m.Costing, m.Options = q.route.Costing, q.route.Options
	m.Sources, m.Targets = pick(q.route.Locations, t.From), pick(q.route.Locations, t.To)
	if n := len(m.Sources) * len(m.Targets); n > cells {
		return nil, Refuse(TooBig, "%d sources and %d destinations make %d cells, and one request may have %d", len(m.Sources), len(m.Targets), n, cells)
	}
	return t, nil
}

// pick returns the places of a list; all where there is none.
func pick(all []engine.Location, list []int) []engine.Location {
	if list == nil {
		return all
	}
	out := make([]engine.Location, len(list))
	for i, at := range list {
		out[i] = all[at]
	}
	return out
}

func tableAnnotations(q *query, name, value string) error {
	t := q.table
	t.Durations, t.Distances = false, false
	for word := range strings.SplitSeq(value, ",") {
		switch word {
		case "duration":
			t.Durations = true
		case "distance":
			t.Distances = true
		default:
			return Refuse(InvalidValue, "%s has %q and takes duration and distance", name, fault.Clip(word))
		}
	}
	return nil
}

// MaxNearest is how many roads one answer of the nearest service may have.
const MaxNearest = 100

// Nearest is a request to the nearest service.
type Nearest struct {
	Nearest       engine.NearestRequest
	SkipWaypoints bool // the roads are left out
}

// Points returns where the place is.
func (n *Nearest) Points() []geo.Point { return []geo.Point{n.Nearest.Location.Point} }

// Costing returns the way of travel.
func (n *Nearest) Costing() costing.Costing { return n.Nearest.Costing }

// Nearest reads a request of the nearest service.
func (u *URL) Nearest() (*Nearest, error) {
	q, err := u.read(NearestService)
	if err != nil {
		return nil, err
	}
	if err := q.noPreference("the nearest road is the nearest whatever is preferred"); err != nil {
		return nil, err
	}
	return &Nearest{engine.NearestRequest{
		Location: q.route.Locations[0], Costing: q.route.Costing, Options: q.route.Options, Number: q.number,
	}, q.route.SkipWaypoints}, nil
}

func nearestNumber(q *query, name, value string) error {
	v, ok := schema.Whole(value)
	switch {
	case !ok || v < 1:
		return Refuse(InvalidValue, "%s is %q and must be a whole number from 1 to %d", name, fault.Clip(value), MaxNearest)
	case v > MaxNearest:
		return Refuse(TooBig, "%s is %d and may be at most %d", name, v, MaxNearest)
	}
	q.number = v
	return nil
}

// Trip is a request to the trip service.
type Trip struct {
	Route       engine.RouteRequest
	Open        bool // does not come back to where it began
	First, Last bool // the first and the last coordinate are the ends
}

// Points returns the places.
func (t *Trip) Points() []geo.Point { return t.Route.Points() }

// Costing returns the way of travel.
func (t *Trip) Costing() costing.Costing { return t.Route.Costing }

// Trip reads a request of the trip service.
func (u *URL) Trip() (*Trip, error) {
	q, err := u.read(TripService)
	if err != nil {
		return nil, err
	}
	t := q.trip
	t.Route = *q.route
	return t, nil
}
