package evplan

import (
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/ev"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/geo/corridor"
)

// About how many nanoseconds it takes: for the energy of a piece of a way, to write or to thin
// out a vertex, for a height, for a vertex beside which stations are looked for and a pair of a
// vertex and a station that are compared, for a way from one place to another with one step of
// charge in a search, and to step from one vertex to the next.
const (
	pieceNanos      = 200
	lineNanos       = 100
	heightNanos     = 2000
	vertexNanos     = 1000
	pairNanos       = 300
	transitionNanos = 10
	stepNanos       = 1.5
)

func effortOf(kind string, nanos float64, bytes int64) engine.Estimate {
	return engine.Estimate{Kind: kind, Work: time.Duration(nanos), Bytes: bytes, Cores: 1, Cheaper: "fewer locations or a narrower corridor"}
}

// effort returns about what one search among so many places takes.
func effort(places int) engine.Estimate {
	n := float64(places)
	return effortOf("ev-plan", n*n*ev.UsualSteps*transitionNanos, int64(places*places)*100)
}

// driveEffort is of the energy along so many vertices and metres of a way.
func driveEffort(vertices int, metres float64) engine.Estimate {
	return effortOf("ev-drive", float64(vertices)*pieceNanos+metres/spacing*heightNanos, int64(vertices)*100)
}

func heightsEffort(places int) engine.Estimate {
	return effortOf("ev-heights", float64(places)*heightNanos, int64(places)*100)
}

func lineEffort(vertices int) engine.Estimate {
	return effortOf("ev-line", float64(vertices)*lineNanos, int64(vertices)*100)
}

// furthestEffort is of following a route of so many vertices from each of so many places.
func furthestEffort(places, vertices int) engine.Estimate {
	return effortOf("ev-furthest", float64(places)*float64(vertices)*stepNanos, 0)
}

// nearEffort is of finding the stations of an index within so many metres of a line.
func nearEffort(c *corridor.Corridor, x *corridor.Index, metres float64) engine.Estimate {
	return effortOf("ev-near", float64(len(c.Line()))*vertexNanos+c.Pairs(x, metres)*pairNanos, 4<<20)
}

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
		metres := geo.Distance(a, b)
		drive := driveEffort(int(metres/vertexMetres), metres)
		sum = sum.Plus(way).Plus(way).Plus(drive).Plus(drive)
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

// vertexMetres is about how far the vertices of a route are apart.
const vertexMetres = 20

// usualRounds is about how many searches it takes until all ways of a plan are measured.
const usualRounds = 3
