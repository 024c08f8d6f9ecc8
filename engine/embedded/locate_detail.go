package embedded

import (
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/search"
	"github.com/waygate/waygate/road/snap"
)

// edgeDetail is what the graph holds of an edge at a place on it.
func (p *planner) edgeDetail(end search.End, c snap.Candidate) *engine.EdgeDetail {
	g, e := p.e.g, end.Edge
	s := g.Segment(e)
	flags, own := g.SegFlags[s], g.EdgeFlags[e]
	return &engine.EdgeDetail{
		ID: uint32(e), Metres: c.Metres, Heading: courseAt(g, e, c.Point),
		Outbound: p.reachOf(e, atDeparture), Inbound: p.reachOf(e, atArrival), EndNode: uint32(g.Head[e]),
		Names: namesOf(g, e), Line: lineOf(g, s), Length: g.EdgeLength(e), Slope: slopeOf(g, e),
		Class: g.Class[s].String(), Use: g.Use[s].String(), Surface: g.Surface[s].String(), Link: flags&graph.Link != 0,
		Speed: g.Speed[e], SpeedLimit: g.Limited[e], SpeedTagged: flags&graph.SpeedTagged != 0,
		Access: accessOf(g.Access[e]), Bounded: g.Limits[g.Limit[e]] != graph.Limits{}, Signed: hasSign(g, e),
		Toll: flags&graph.Toll != 0, Tunnel: flags&graph.Tunnel != 0, Bridge: flags&graph.Bridge != 0, Roundabout: flags&graph.Roundabout != 0,
		DestinationOnly: g.Destination[e]&graph.Auto != 0, DestinationOnlyTruck: g.Destination[e]&graph.Truck != 0,
		Signal: own&graph.HeadSignal != 0, StopSign: own&graph.HeadStop != 0, GiveWay: own&graph.HeadGiveWay != 0,
		Forward: !g.Backward(e), DeadEnd: own&graph.DeadEnd != 0, TruckRoute: own&graph.TruckRoute != 0,
		BikeNetwork: flags&graph.BikeNetwork != 0, CycleLane: cycleLane(own),
		BorderControl: g.NodeFlags[g.Head[e]]&graph.BorderControl != 0,
		SidewalkLeft:  own&graph.SidewalkLeft != 0, SidewalkRight: own&graph.SidewalkRight != 0,
		Hiking: g.Hiking[s],
	}
}

func hasSign(g *graph.Graph, e graph.Edge) bool {
	for _, key := range []string{"destination", "destination:ref", "junction:ref"} {
		if g.EdgeAttribute(e, key) != "" {
			return true
		}
	}
	return false
}

func accessOf(m graph.Modes) engine.Access {
	return engine.Access{
		Bicycle: m&graph.Bicycle != 0, Bus: m&graph.Bus != 0, Car: m&graph.Auto != 0, Emergency: m&graph.Emergency != 0, HOV: m&graph.HOV != 0,
		Pedestrian: m&graph.Pedestrian != 0, Taxi: m&graph.Taxi != 0, Truck: m&graph.Truck != 0, Wheelchair: m&graph.Wheelchair != 0,
		Moped: m&graph.MotorScooter != 0, Motorcycle: m&graph.Motorcycle != 0,
	}
}

func (p *planner) nodeDetail(n graph.Node) *engine.NodeDetail {
	g := p.e.g
	first, end := g.FirstOut[n], g.FirstOut[n+1]
	d := &engine.NodeDetail{
		ID: uint32(n), OSM: g.NodeID[n], Edges: int(end - first), Type: nodeType(g.NodeFlags[n]), Access: accessOf(g.NodeAccess[n]),
		PrivateAccess: g.NodeFlags[n]&graph.PrivateAccess != 0, Signal: g.NodeFlags[n]&graph.Signal != 0, Lonely: first == end,
	}
	if first < end {
		s := g.Segment(first)
		d.DriveOnLeft = g.SegFlags[s]&graph.DriveOnLeft != 0
		if c := g.Country[s]; c != 0 {
			d.Country = countryCode(c)
		}
	}
	return d
}
