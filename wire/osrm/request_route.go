package osrm

import (
	"slices"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/wire/schema"
)

// maxAlternates is how many other routes a request may ask for.
const maxAlternates = 3

// Route is a request to the route service.
type Route struct {
	Route     engine.RouteRequest
	Landmarks bool // places are to be named where it turns
}

// Points returns where the route is.
func (r *Route) Points() []geo.Point { return r.Route.Points() }

// Costing returns the way of travel.
func (r *Route) Costing() costing.Costing { return r.Route.Costing }

// Route reads a request of the route service.
func (u *URL) Route() (*Route, error) {
	q, err := u.read(RouteService)
	if err != nil {
		return nil, err
	}
	if err := q.needSteps("landmarks"); err != nil {
		return nil, err
	}
	l := q.route.Locations
	for i := range l {
		if q.stops != nil && !slices.Contains(q.stops, i) {
			l[i].Stop = engine.Via // passed on the way
		}
		if q.continueThrough && i > 0 && i < len(l)-1 && l[i].Stop == "" {
			l[i].Stop = engine.BreakThrough
		}
	}
	return q.asked, nil
}

func alternatives(q *query, name, value string) error {
	if value == "true" || value == "false" {
		q.route.Alternates = 0
		if value == "true" {
			q.route.Alternates = 1
		}
		return nil
	}
	n, ok := schema.Whole(value)
	if !ok || n < 0 {
		return Refuse(InvalidValue, "%s is %q and must be true, false or a number from 0 to %d", name, fault.Clip(value), maxAlternates)
	}
	if n > maxAlternates {
		return Refuse(InvalidValue, "%s is %d and may be at most %d", name, n, maxAlternates)
	}
	q.route.Alternates = n
	return nil
}
