package embedded

import (
	"math"
	"slices"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/guide"
)

// intersection is a node on the way, as OSRM describes it: the bearings of
// its roads in order, which of them may be entered, and the ones travelled.
type intersection struct {
	Location [2]float64 `json:"location"`
	Bearings []int      `json:"bearings"`
	Entry    []bool     `json:"entry"`
	In       *int       `json:"in,omitempty"`
	Out      *int       `json:"out,omitempty"`
	Classes  []string   `json:"classes,omitempty"`
}

// intersections lists the nodes from a manoeuvre's place up to the next. The
// places where a leg begins and ends count too, with the one road there.
func intersections(g *graph.Graph, modes graph.Modes, d *guided, m *guide.Manoeuvre) []intersection {
	path := d.leg.path
	if m.Begin == m.End { // the destination
		in, back := 0, (m.Before+180)%360
		return []intersection{{Location: position(d.line.Points[m.BeginShape]), Bearings: []int{back}, Entry: []bool{true}, In: &in}}
	}
	out := make([]intersection, 0, m.End-m.Begin)
	for i := m.Begin; i < m.End; i++ {
		at := position(d.line.Points[d.line.Step[i]])
		classes := classesOf(g, path[i].Edge)
		if i > 0 && path[i-1].End >= 1-1e-9 && path[i].Begin <= 1e-9 {
			x := crossing(g, modes, path[i-1].Edge, path[i].Edge)
			x.Location, x.Classes = at, classes
			out = append(out, x)
			continue
		}
		if i > m.Begin {
			continue // a location passed within an edge
		}
		o := 0
		x := intersection{Location: at, Bearings: []int{m.After}, Entry: []bool{true}, Out: &o, Classes: classes}
		if i > 0 { // turned round within an edge
			in, back := 1, (m.Before+180)%360
			x.Bearings, x.Entry, x.In = []int{m.After, back}, []bool{true, false}, &in
			if back < m.After {
				o, in = 1, 0
				x.Bearings, x.Entry = []int{back, m.After}, []bool{false, true}
			}
		}
		out = append(out, x)
	}
	return out
}

// crossing describes the node between two edges of a path.
func crossing(g *graph.Graph, modes graph.Modes, p, c uint32) intersection {
	type arm struct {
		bearing int
		edge    uint32
	}
	node := g.Tail[c]
	in, out := g.Opposite[p], g.Original(c)
	arms := make([]arm, 0, 8)
	for e := g.FirstOut[node]; e < g.FirstOut[node+1]; e++ {
		if e == in || e == out || (g.Access[e]|g.Access[g.Opposite[e]])&modes != 0 {
			arms = append(arms, arm{int(math.Round(g.Course(e))) % 360, e})
		}
	}
	slices.SortFunc(arms, func(a, b arm) int { return a.bearing - b.bearing })
	x := intersection{Bearings: make([]int, len(arms)), Entry: make([]bool, len(arms))}
	at := make([]int, 2)
	for i, a := range arms {
		x.Bearings[i] = a.bearing
		x.Entry[i] = a.edge == out || a.edge != in && guide.MayEnter(g, p, a.edge, modes)
		if a.edge == in {
			at[0] = i
			x.In = &at[0]
		}
		if a.edge == out {
			at[1] = i
			x.Out = &at[1]
		}
	}
	return x
}

// classesOf gives OSRM's classes of an edge; nil for none.
func classesOf(g *graph.Graph, e uint32) []string {
	s := g.Segment(e)
	var c []string
	if g.SegFlags[s]&graph.Toll != 0 {
		c = append(c, "toll")
	}
	if g.Class[s] == graph.Motorway {
		c = append(c, "motorway")
	}
	if g.Use[s] == graph.Ferry || g.Use[s] == graph.RailFerry {
		c = append(c, "ferry")
	}
	if g.SegFlags[s]&graph.Tunnel != 0 {
		c = append(c, "tunnel")
	}
	return c
}

// compatibleManeuverOf words a manoeuvre in OSRM's vocabulary.
func compatibleManeuverOf(list []guide.Manoeuvre, i int) compatibleManeuver {
	m := &list[i]
	out := compatibleManeuver{BearingBefore: m.Before, BearingAfter: m.After, Modifier: modifier(m)}
	switch t := m.Type; {
	case t == guide.Start, t == guide.StartRight, t == guide.StartLeft:
		out.Type, out.Modifier = "depart", side(t == guide.StartLeft, t == guide.StartRight)
	case t == guide.Destination, t == guide.DestinationRight, t == guide.DestinationLeft:
		out.Type, out.Modifier = "arrive", side(t == guide.DestinationLeft, t == guide.DestinationRight)
	case t == guide.UturnLeft, t == guide.UturnRight:
		out.Type, out.Modifier = "turn", "uturn"
		if m.Stays {
			out.Type = "continue"
		}
	case t == guide.Becomes, t == guide.Continue:
		out.Type = "new name"
		switch {
		case list[i-1].Travel != m.Travel:
			out.Type = "notification"
		case m.Stays:
			out.Type = "continue"
		case len(m.Names) == 0:
			out.Type = "turn"
		}
	case t >= guide.SlightRight && t <= guide.SlightLeft:
		switch {
		case m.EndOfRoad:
			out.Type = "end of road"
		case m.Stays:
			out.Type = "continue"
		default:
			out.Type = "turn"
		}
	case t == guide.RampStraight, t == guide.RampRight, t == guide.RampLeft:
		out.Type = "on ramp"
	case t == guide.ExitRight:
		out.Type, out.Modifier = "off ramp", "slight right"
	case t == guide.ExitLeft:
		out.Type, out.Modifier = "off ramp", "slight left"
	case t == guide.StayStraight:
		out.Type, out.Modifier = "fork", "straight"
	case t == guide.StayRight:
		out.Type, out.Modifier = "fork", "slight right"
	case t == guide.StayLeft:
		out.Type, out.Modifier = "fork", "slight left"
	case t == guide.Merge:
		out.Type = "merge"
	case t == guide.MergeRight:
		out.Type, out.Modifier = "merge", "slight right"
	case t == guide.MergeLeft:
		out.Type, out.Modifier = "merge", "slight left"
	case t == guide.RoundaboutEnter, t == guide.RoundaboutExit:
		out.Type, out.Exit = "roundabout", m.Exits
		if rotaryName(list, i) != "" {
			out.Type = "rotary"
		}
		if t == guide.RoundaboutExit {
			out.Type = "exit " + out.Type
		}
	default: // ferries, stairs, lifts
		out.Type = "notification"
	}
	return out
}

func side(left, right bool) string {
	switch {
	case left:
		return "left"
	case right:
		return "right"
	}
	return ""
}

// modifier is OSRM's word for the change of course.
func modifier(m *guide.Manoeuvre) string {
	switch d := geo.Turn(float64(m.Before), float64(m.After)); {
	case d <= 10 || d >= 350:
		return "straight"
	case d <= 44:
		return "slight right"
	case d <= 135:
		return "right"
	case d <= 180:
		return "sharp right"
	case d <= 224:
		return "sharp left"
	case d <= 315:
		return "left"
	}
	return "slight left"
}

// rotaryName is the name of the roundabout that a manoeuvre enters or leaves,
// if it has one of its own: not that of a road that leads through it.
func rotaryName(list []guide.Manoeuvre, i int) string {
	switch list[i].Type {
	case guide.RoundaboutExit:
		i--
	case guide.RoundaboutEnter:
	default:
		return ""
	}
	if i < 1 || i+1 >= len(list) || list[i].Type != guide.RoundaboutEnter {
		return ""
	}
	name, _ := named(list[i].Names)
	before, _ := named(list[i-1].Names)
	after, _ := named(list[i+1].Names)
	if name == before || name == after {
		return ""
	}
	return name
}
