package osrm

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/guidance"
)

// step is one of an answer, as far as it is read.
type step struct {
	Distance, Duration, Weight float64
	Name, Ref, Mode            string
	Destinations, Exits        string
	DrivingSide                string `json:"driving_side"`
	Geometry                   json.RawMessage
	Maneuver                   struct {
		Type, Modifier, Instruction string
		Exit                        int
		Location                    [2]float64
		Before                      *float64 `json:"bearing_before"`
		After                       float64  `json:"bearing_after"`
	}
	Intersections []intersection
}

// intersection is a junction of a step, as far as it is read.
type intersection struct {
	Location [2]float64
	Bearings []float64
	Entry    []bool
	In, Out  *int
	Classes  []string
	Lanes    []lane // before the manoeuvre, where an OSRM server wrote them
}

type lane struct {
	Indications []string
	Valid       bool
}

// sameSpot is the rounding error of a line's fifth digit, in metres, and otherSpot an error that no line
// of the right number of digits is.
const (
	sameSpot  = 2
	otherSpot = 100
)

// add puts a step at the end of a leg. It begins where its manoeuvre is said to
// be, which may have more digits than its line.
func (s *step) add(l *engine.Leg, geometries string) error {
	line, err := readGeometry(s.Geometry, geometries)
	if err != nil {
		return err
	}
	at := geo.Point{Lon: s.Maneuver.Location[0], Lat: s.Maneuver.Location[1]}
	if len(line) < 2 || len(line) == 2 && line[0] == line[1] { // the end, which is drawn with two points
		line = []geo.Point{at}
	}
	if geo.Distance(line[0], at) > otherSpot {
		return fmt.Errorf("a step's line begins at %s and its manoeuvre is at %s", line[0], at)
	}
	line[0] = at
	if n := len(l.Line); n > 0 && geo.Distance(l.Line[n-1], at) < sameSpot {
		l.Line = l.Line[:n-1]
	}
	m := s.manoeuvre(len(l.Manoeuvres) == 0)
	if n := len(l.Manoeuvres); n > 0 && m.Ferry != l.Manoeuvres[n-1].Ferry && s.Maneuver.Type != "arrive" {
		if m.Type = guidance.FerryExit; m.Ferry {
			m.Type = guidance.FerryEnter
		}
	}
	m.BeginShape, m.EndShape = len(l.Line), len(l.Line)+len(line)-1
	l.Line = append(l.Line, line...)
	l.Intersections = append(l.Intersections, s.passed(&m, line))
	l.Toll, l.Highway, l.Ferry = l.Toll || m.Toll, l.Highway || m.Highway, l.Ferry || m.Ferry
	l.Manoeuvres = append(l.Manoeuvres, m)
	l.Instructions = append(l.Instructions, s.Maneuver.Instruction)
	return nil
}

func (s *step) manoeuvre(first bool) guidance.Manoeuvre {
	m := guidance.Manoeuvre{
		Type: s.kind(first), Metres: s.Distance, Seconds: s.Duration, Cost: s.Weight,
		Before: -1, After: int(math.Round(s.Maneuver.After)),
		Exits: max(0, s.Maneuver.Exit), DriveOnLeft: s.DrivingSide == "left", EndOfRoad: s.Maneuver.Type == "end of road", ToStayOn: s.Maneuver.Type == "continue",
		Travel: map[string]guidance.Travel{"cycling": guidance.Cycling, "pushing bike": guidance.Pushing, "walking": guidance.Walking}[s.Mode],
		Ferry:  s.Mode == "ferry",
	}
	if s.Name != "" {
		m.Names = []guidance.Name{{Text: s.Name}}
	}
	for ref := range strings.SplitSeq(s.Ref, ";") {
		if ref = strings.TrimSpace(ref); ref != "" {
			m.Names = append(m.Names, guidance.Name{Text: ref, Ref: true})
		}
	}
	m.Sign.Number = listed(s.Exits, ";")
	branch, toward, both := strings.Cut(s.Destinations, ": ")
	if !both {
		branch, toward = "", s.Destinations
	}
	m.Sign.Branch, m.Sign.Toward = listed(branch, ","), listed(toward, ",")
	if b := s.Maneuver.Before; b != nil {
		m.Before = int(math.Round(*b))
	}
	return m
}

// listed splits a text into its elements; nil where it has none.
func listed(text, separator string) (list []string) {
	for part := range strings.SplitSeq(text, separator) {
		if part = strings.TrimSpace(part); part != "" {
			list = append(list, part)
		}
	}
	return list
}

// marks are the roads that OSRM's classes mean.
var marks = map[string]engine.RoadMarks{
	"toll": engine.TollRoad, "motorway": engine.MotorwayRoad, "ferry": engine.FerryLine, "tunnel": engine.TunnelRoad, "restricted": engine.RestrictedRoad,
}

// passed reads the junctions of a step with a line, and what they say of its roads.
func (s *step) passed(m *guidance.Manoeuvre, line []geo.Point) []engine.Intersection {
	list := make([]engine.Intersection, 0, len(s.Intersections))
	from := 0
	for k := range s.Intersections {
		x := &s.Intersections[k]
		at := geo.Point{Lon: x.Location[0], Lat: x.Location[1]}
		for i := from; i < len(line) && k > 0; i++ {
			if geo.Distance(line[i], at) < sameSpot {
				from = i
				break
			}
		}
		out := engine.Intersection{Point: m.BeginShape + from, In: -1, Out: -1, Admin: -1}
		for i, b := range x.Bearings {
			out.Roads = append(out.Roads, engine.Road{Bearing: int16(math.Round(math.Mod(b, 360))), Entry: i < len(x.Entry) && x.Entry[i]})
		}
		if i := x.In; i != nil && *i >= 0 && *i < len(out.Roads) {
			out.In = *i
		}
		if i := x.Out; i != nil && *i >= 0 && *i < len(out.Roads) {
			out.Out = *i
		}
		for _, class := range x.Classes {
			out.Road |= marks[class]
		}
		m.Toll, m.Highway, m.Ferry = m.Toll || out.Road&engine.TollRoad != 0, m.Highway || out.Road&engine.MotorwayRoad != 0, m.Ferry || out.Road&engine.FerryLine != 0
		list = append(list, out)
	}
	return list
}

// turnTypes and the others are the manoeuvres that OSRM's modifiers mean.
var (
	turnTypes = map[string]guidance.Type{
		"slight right": guidance.SlightRight, "right": guidance.Right, "sharp right": guidance.SharpRight,
		"slight left": guidance.SlightLeft, "left": guidance.Left, "sharp left": guidance.SharpLeft, "uturn": guidance.UturnLeft,
	}
	forkTypes = map[string]guidance.Type{
		"slight right": guidance.StayRight, "right": guidance.StayRight, "sharp right": guidance.StayRight,
		"slight left": guidance.StayLeft, "left": guidance.StayLeft, "sharp left": guidance.StayLeft, "uturn": guidance.Continue,
	}
)

// kind returns the manoeuvre that a step's words mean, as far as OSRM's words distinguish
// them.
func (s *step) kind(first bool) guidance.Type {
	m := &s.Maneuver
	right, left := strings.HasSuffix(m.Modifier, "right"), strings.HasSuffix(m.Modifier, "left")
	sided := func(straight, onRight, onLeft guidance.Type) guidance.Type {
		switch {
		case right:
			return onRight
		case left:
			return onLeft
		}
		return straight
	}
	switch m.Type {
	case "depart":
		return sided(guidance.Start, guidance.StartRight, guidance.StartLeft)
	case "arrive":
		return sided(guidance.Destination, guidance.DestinationRight, guidance.DestinationLeft)
	case "turn", "end of road", "continue", "roundabout turn":
		switch t, ok := turnTypes[m.Modifier]; {
		case t == guidance.UturnLeft && s.DrivingSide == "left":
			return guidance.UturnRight
		case ok:
			return t
		}
	case "fork":
		return cmp.Or(forkTypes[m.Modifier], guidance.StayStraight)
	case "on ramp":
		return sided(guidance.RampStraight, guidance.RampRight, guidance.RampLeft)
	case "off ramp":
		return sided(guidance.RampStraight, guidance.ExitRight, guidance.ExitLeft)
	case "merge":
		return sided(guidance.Merge, guidance.MergeRight, guidance.MergeLeft)
	case "roundabout", "rotary":
		return guidance.RoundaboutEnter
	case "exit roundabout", "exit rotary":
		return guidance.RoundaboutExit
	}
	if first {
		return guidance.Start
	}
	return guidance.Continue
}
