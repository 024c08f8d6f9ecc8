package along

import (
	"time"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/geo/corridor"
)

// Estimate returns about what Rank takes: the route, where it is to be worked out, the search
// for places near it, and the ways to and from them. The straight line between its stops
// stands in for a route that is not known yet.
func (s *Service) Estimate(r *Request) engine.Estimate {
	var sum engine.Estimate
	line, anchors := r.Line, engine.Stops(r.Stops)
	if line == nil {
		line = r.Stops
		sum = s.Engine.Estimate(engine.CallRoute, &engine.RouteRequest{Costing: r.Costing, Options: r.Options, Conditions: r.Conditions, Locations: anchors})
	} else {
		anchors = samples(geo.NewRuler(line))
	}
	sum = sum.Plus(lineEffort(len(line)))
	points := make([]geo.Point, len(r.Places))
	for i := range r.Places {
		points[i] = r.Places[i].Point
	}
	if r.Kind != nil && len(line) > 1 {
		sum = sum.Plus(kindEffort())
		ruler := geo.NewRuler(line)
		for i := range MostOfKind {
			points = append(points, ruler.At(ruler.Length()*float64(i)/MostOfKind).Point)
		}
	}
	if r.Corridor > 0 {
		c := corridor.New(line)
		sum = sum.Plus(lineEffort(len(line) + len(points))).Plus(nearEffort(c, corridor.PointIndex(points), r.Corridor))
		points = points[:min(len(points), MaxPlaces)]
	}
	if len(points) == 0 {
		return sum
	}
	last := len(anchors) - 1
	places := engine.Stops(points)
	there := &engine.MatrixRequest{Sources: anchors[:last], Targets: append(places[:len(places):len(places)], anchors[1:]...), Costing: r.Costing, Options: r.Options, Conditions: r.Conditions}
	back := &engine.MatrixRequest{Sources: places, Targets: anchors[1:], Costing: r.Costing, Options: r.Options, Conditions: r.Conditions}
	return sum.Plus(s.Engine.Estimate(engine.CallMatrix, there)).Plus(s.Engine.Estimate(engine.CallMatrix, back)).Plus(rankEffort(len(points), len(line)))
}

// estimateSearch returns about what it takes to look for something along a way. Detours are
// estimated as those to stations that lie evenly on its line: as many as there are at all,
// at most MostMeasured.
func (s *Service) estimateSearch(a *Ahead, search *Search) engine.Estimate {
	var sum engine.Estimate
	line := a.Line
	if line == nil {
		line = a.Stops
		sum = s.Engine.Estimate(engine.CallRoute, &engine.RouteRequest{Costing: a.Costing, Options: a.Options, Locations: engine.Stops(a.Stops), Want: engine.WantPieces})
	}
	c := corridor.New(line)
	sum = sum.Plus(lineEffort(len(line)))
	stations := 0
	for _, x := range search.Near {
		sum = sum.Plus(nearEffort(c, x, search.Metres))
		stations += x.Len()
	}
	if search.Timed && a.Line != nil {
		at := samples(geo.NewRuler(line))
		last := len(at) - 1
		sum = sum.Plus(s.Engine.Estimate(engine.CallMatrix, &engine.MatrixRequest{Sources: at[:last], Targets: at[1:], Costing: a.Costing, Options: a.Options}))
	}
	if !search.Detours {
		return sum
	}
	r := &Request{Stops: a.Stops, Costing: a.Costing, Options: a.Options}
	if a.Line != nil {
		r.Stops, r.Line = nil, a.Line
	}
	stations = min(stations, MostMeasured)
	for i := range stations {
		p, _ := c.At(c.Length() * float64(i) / float64(stations))
		r.Places = append(r.Places, Place{Point: p})
	}
	return sum.Plus(s.Estimate(r))
}

// nearestNanos is about how long it takes to find where on a line a place is nearest, for
// each vertex of the line.
const nearestNanos = 15

// rankEffort returns about what it takes to find places on a line and put them in order.
func rankEffort(places, vertices int) engine.Estimate {
	return engine.Estimate{Kind: "rank", Work: time.Duration(places * vertices * nearestNanos), Bytes: int64(places) * 500, Cores: 1, Cheaper: "fewer places or a shorter line"}
}
