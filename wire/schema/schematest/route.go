package schematest

import (
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/guidance"
)

// Route returns a route of one leg in which all is known, with a turn and a roundabout
// between its start and its end.
func Route() *engine.RouteAnswer {
	a := Filled[engine.RouteAnswer]()
	route := &a.Routes[0]
	route.Waypoints = append(route.Waypoints, route.Waypoints[0], route.Waypoints[0])
	leg := &route.Legs[0]
	leg.From, leg.To = 0, 2
	for i := 1; i < 4; i++ {
		p := leg.Line[0]
		p.Lon += 0.01 * float64(i)
		leg.Line = append(leg.Line, p)
	}
	leg.Pieces, leg.Nodes = append(leg.Pieces, leg.Pieces[0], leg.Pieces[0]), append(leg.Nodes, leg.Nodes[0], leg.Nodes[0], 0)
	leg.Admins[0].CountryCode = "GB"
	turn, crossing := leg.Manoeuvres[0], leg.Intersections[0][0]
	leg.Manoeuvres, leg.Intersections, leg.Instructions = nil, nil, nil
	for i, kind := range []guidance.Type{guidance.Start, guidance.Right, guidance.RoundaboutEnter, guidance.Destination} {
		m, x := turn, crossing
		m.Type, m.BeginShape, m.EndShape, m.Begin, m.End, m.Out = kind, i, min(i+1, 3), i, min(i+1, 3), nil
		x.Point, x.In, x.Out, x.Admin = i, 0, 0, 0
		x.Marks = 1<<engine.NodeMarks(7) - 1
		x.Road = 1<<engine.RoadMarks(6) - 1
		leg.Manoeuvres, leg.Intersections = append(leg.Manoeuvres, m), append(leg.Intersections, []engine.Intersection{x})
	}
	return a
}
