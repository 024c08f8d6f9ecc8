package locate

import (
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded/answer"
	"github.com/waygate/waygate/engine/embedded/kernel"
	"github.com/waygate/waygate/engine/embedded/plan"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/search"
	"github.com/waygate/waygate/road/snap"
)

// edgeDetail returns the graph's facts of an edge at a place on it.
func (p *describer) edgeDetail(end search.End, c snap.Candidate) *engine.EdgeDetail {
	g, e := p.Base.Graph, end.Edge
	s := g.Segment(e)
	flags, own := g.BySegment[s].Flags, g.ByEdge[e].Flags
	return &engine.EdgeDetail{
		ID: uint32(e), Metres: c.Metres, Heading: kernel.BearingAt(g, e, c.Point),
		Outbound: p.reachOf(e, plan.AtDeparture), Inbound: p.reachOf(e, plan.AtArrival), EndNode: uint32(g.ByEdge[e].Head),
		Names: namesOf(g, e), Line: lineOf(g, s), Length: g.EdgeLength(e), Slope: answer.SlopeOf(g, e),
		Class: g.BySegment[s].Class.String(), Use: g.BySegment[s].Use.String(), Surface: g.BySegment[s].Surface.String(), Link: flags&graph.Link != 0,
		Speed: g.ByEdge[e].Speed, SpeedLimit: g.ByEdge[e].Limited, SpeedTagged: flags&graph.SpeedTagged != 0,
		Access: accessOf(g.ByEdge[e].Access), Bounded: g.Limits[g.ByEdge[e].Limit].Bind(), Signed: hasSign(g, e),
		Toll: p.Costing.Tolled(e), Tunnel: flags&graph.Tunnel != 0, Bridge: flags&graph.Bridge != 0, Roundabout: flags&graph.Roundabout != 0,
		DestinationOnly: g.ByEdge[e].Destination&graph.Auto != 0, DestinationOnlyTruck: g.ByEdge[e].Destination&graph.Truck != 0,
		Signal: own&graph.HeadSignal != 0, StopSign: own&graph.HeadStop != 0, GiveWay: own&graph.HeadGiveWay != 0,
		Forward: !g.Backward(e), DeadEnd: own&graph.DeadEnd != 0, TruckRoute: own&graph.TruckRoute != 0,
		BikeNetwork: flags&graph.BikeNetwork != 0, CycleLane: answer.CycleLane(own),
		BorderControl: g.ByNode[g.ByEdge[e].Head].Flags&graph.BorderControl != 0,
		SidewalkLeft:  own&graph.SidewalkLeft != 0, SidewalkRight: own&graph.SidewalkRight != 0,
		Hiking: g.BySegment[s].Hiking,
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

func (p *describer) nodeDetail(n graph.Node) *engine.NodeDetail {
	g := p.Base.Graph
	first, end := g.FirstOut[n], g.FirstOut[n+1]
	d := &engine.NodeDetail{
		ID: uint32(n), OSM: g.NodeID[n], Edges: int(end - first), Type: answer.NodeType(g.ByNode[n].Flags), Access: accessOf(g.ByNode[n].Access),
		PrivateAccess: g.ByNode[n].Flags&graph.PrivateAccess != 0, Signal: g.ByNode[n].Flags&graph.Signal != 0, Lonely: first == end,
	}
	if first < end {
		s := g.Segment(first)
		d.DriveOnLeft = g.BySegment[s].Flags&graph.DriveOnLeft != 0
		if c := g.Country[s]; c != 0 {
			d.Country = answer.CountryCode(c)
		}
	}
	return d
}
