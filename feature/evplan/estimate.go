package evplan

import (
	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
)

// Estimate returns about what a plan takes: the direct route, the matrix between the stations
// of the first search, and the ways of the plan. It assumes that stations are spread over the
// straight line between locations. A journey that needs no stop takes less, and one that needs
// more stations than the first search has takes more.
func (s *Service) Estimate(r *Request) engine.Estimate {
	var sum engine.Estimate
	sections := len(r.Locations) - 1
	for i := range sections {
		a, b := r.Locations[i].Point, r.Locations[i+1].Point
		way := s.Engine.Estimate(engine.CallRoute, &engine.RouteRequest{Costing: costing.Auto, Options: r.Options, Conditions: r.Conditions, Locations: engine.Stops([]geo.Point{a, b}), Want: engine.WantPieces})
		sum = sum.Plus(way).Plus(way)
		n := max(1, mostAtFirst/sections)
		places := make([]geo.Point, n+2)
		for k := range places {
			places[k] = geo.Between(a, b, float64(k)/float64(n+1))
		}
		sum = sum.Plus(s.Engine.Estimate(engine.CallMatrix, &engine.MatrixRequest{Sources: engine.Stops(places[:n+1]), Targets: engine.Stops(places[1:]), Costing: costing.Auto, Options: r.Options, Conditions: r.Conditions}))
	}
	for range usualRounds {
		sum = sum.Plus(effort(mostAtFirst + 2))
	}
	return sum
}

// usualRounds is about how many searches it takes until all ways of a plan are measured.
const usualRounds = 3
