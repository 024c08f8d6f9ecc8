package errands

import (
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
)

// About how many nanoseconds it takes to measure a vertex of the direct route, to compare one with
// a place, to look for places in one circle, to judge opening hours, and to search for a plan.
const (
	lineNanos    = 50
	nearestNanos = 15
	circleNanos  = 3e5
	judgeNanos   = 3e4
	solveNanos   = 1e6
)

// vertexMetres is about how far the vertices of a route are apart.
const vertexMetres = 20

func effort(kind string, nanos int) engine.Estimate {
	return engine.Estimate{Kind: "errands " + kind, Work: time.Duration(nanos), Bytes: 4 << 20, Cores: 1, Cheaper: "places of your own, or fewer errands"}
}

func lineEffort(vertices int) engine.Estimate { return effort("line", vertices*lineNanos) }

func aroundEffort(samples int) engine.Estimate { return effort("around", samples*circleNanos) }

// chooseEffort is of choosing among so many places along a route of so many vertices.
func chooseEffort(places, vertices int) engine.Estimate {
	return effort("choose", places*vertices*nearestNanos+min(places, mostJudged)*judgeNanos)
}

func solveEffort() engine.Estimate { return effort("solve", solveNanos) }

// Estimate returns the most work that a plan takes: the direct route, where candidates are looked
// for beside it, the search for them, the matrix of as many as there may be, and the route of the plan. Where
// candidates are is not known before: they are taken to be halfway.
func (s *Service) Estimate(r *Request) engine.Estimate {
	var sum engine.Estimate
	route := func(points []geo.Point) {
		sum = sum.Plus(s.Engine.Estimate(engine.CallRoute, &engine.RouteRequest{Locations: engine.Stops(points), Costing: costing.Auto, Options: r.Options}))
	}
	samples, vertices := 0, 0
	if r.NeedsPlaces() {
		route([]geo.Point{r.Origin, r.Destination})
		metres := geo.Distance(r.Origin, r.Destination)
		samples, vertices = samplesOf(metres, radiusOf(r)), int(metres/vertexMetres)
		sum = sum.Plus(lineEffort(vertices))
	}
	halfway := geo.Between(r.Origin, r.Destination, 0.5)
	var candidates, stops []geo.Point
	for i := range r.Errands {
		at, n := halfway, MostPerErrand
		if p := r.Errands[i].Place; p != nil {
			at, n = p.Point, 1
		} else {
			sum = sum.Plus(aroundEffort(samples)).Plus(chooseEffort(samples*mostYielded, vertices))
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
	return sum.Plus(solveEffort())
}
