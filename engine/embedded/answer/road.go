package answer

import (
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/profile"
)

// EdgeOf describes the road that a step of a path goes along, but for its line and
// country.
func EdgeOf(g *graph.Graph, c *profile.Costing, step *graph.Step, s graph.Segment) engine.Edge {
	flags := g.BySegment[s].Flags
	return engine.Edge{
		Way: g.WayID[s], Class: g.BySegment[s].Class.String(), Use: g.BySegment[s].Use.String(), Surface: g.BySegment[s].Surface.String(),
		SurfaceTagged: flags&graph.SurfaceTagged != 0,
		Toll:          c.Tolled(step.Edge), Bridge: flags&graph.Bridge != 0, Tunnel: flags&graph.Tunnel != 0,
		Metres: g.EdgeLength(step.Edge) * (step.End - step.Begin), Seconds: step.Seconds, Cost: step.Cost, Turn: step.Turn,
	}
}

// CycleLane returns the kind of lane for cyclists along a road; "" where OSM does not say.
func CycleLane(own graph.EdgeFlags) string {
	switch {
	case own&graph.BikeTrack != 0:
		return "separated"
	case own&graph.BikeLane != 0:
		return "dedicated"
	case own&graph.BikeShared != 0:
		return "shared"
	}
	return ""
}

// SlopeOf returns how steep an edge is and how high it lies; nil where that is not
// known.
func SlopeOf(g *graph.Graph, e graph.Edge) *engine.Slope {
	s, ok := g.SlopeOf(e)
	if !ok {
		return nil
	}
	return &engine.Slope{Grade: weightedGrade(s), Up: s.Up, Down: s.Down, Mean: s.Mean}
}

// weightedGrade puts the grade of a slope in per cent, as Valhalla does.
func weightedGrade(s graph.Slope) float64 { return (float64(s.Grade) - graph.FlatGrade) / 0.6 }

// NodeType returns the kind of a node in Valhalla's words.
func NodeType(f graph.NodeFlags) string {
	for _, t := range [...]struct {
		flag graph.NodeFlags
		name string
	}{
		{graph.Gate, "gate"},
		{graph.Bollard, "bollard"},
		{graph.TollBooth, "toll_booth"},
		{graph.BorderControl, "border_control"},
		{graph.MotorwayJunction, "motor_way_junction"},
		{graph.Lift, "elevator"},
	} {
		if f&t.flag != 0 {
			return t.name
		}
	}
	return "street_intersection"
}
