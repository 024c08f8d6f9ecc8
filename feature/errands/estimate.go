package errands

import (
	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
)

// Estimate is what a plan takes at the most: the direct route, where candidates are looked
// for beside it, the matrix of as many as there may be, and the route of the plan. Where
// candidates are is not known before: they are taken to be halfway.
func (s *Service) Estimate(r *Request) engine.Estimate {
	var sum engine.Estimate
	route := func(points []geo.Point) {
		sum = sum.Plus(s.Engine.Estimate(engine.CallRoute, &engine.RouteRequest{Locations: engine.Stops(points), Costing: costing.Auto, Options: r.Options}))
	}
	if r.NeedsPlaces() {
		route([]geo.Point{r.Origin, r.Destination})
	}
	halfway := geo.Between(r.Origin, r.Destination, 0.5)
	var candidates, stops []geo.Point
	for i := range r.Errands {
		at, n := halfway, MostPerErrand
		if p := r.Errands[i].Place; p != nil {
			at, n = p.Point, 1
		}
		stops = append(stops, at)
		for range min(n, MostCandidates-len(candidates)) {
			candidates = append(candidates, at)
		}
	}
	ends := func(first, last []geo.Point) []geo.Point { return append(append([]geo.Point{}, first...), last...) }
	sources, targets := ends([]geo.Point{r.Origin}, candidates), ends(candidates, []geo.Point{r.Destination})
	sum = sum.Plus(s.Engine.Estimate(engine.CallMatrix, &engine.MatrixRequest{Sources: engine.Stops(sources), Targets: engine.Stops(targets), Costing: costing.Auto, Options: r.Options}))
	route(ends(ends([]geo.Point{r.Origin}, stops), []geo.Point{r.Destination}))
	return sum
}
