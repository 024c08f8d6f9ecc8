package osrm

import (
	"cmp"
	"encoding/json"
	"math"
	"net/http"
	"slices"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/guidance"
	wirejson "github.com/waygate/waygate/wire/json"
)

// ReadRoutes reads the routes of an answer in OSRM's format that was asked for
// in an output: their sums, lines and steps. The line of a route without steps is
// that of its first leg.
func ReadRoutes(doc []byte, o *engine.Output) (routes []engine.Route, language string, err error) {
	var answer struct {
		Routes []struct {
			Distance, Duration, Weight float64
			Geometry                   json.RawMessage
			VoiceLocale                string
			Legs                       []struct {
				Distance, Duration, Weight float64
				Steps                      []step
			}
		}
	}
	if err := json.Unmarshal(doc, &answer); err != nil || len(answer.Routes) == 0 {
		return nil, "", unlike(err)
	}
	for _, r := range answer.Routes {
		language = cmp.Or(language, r.VoiceLocale)
		route := engine.Route{Sums: engine.Sums{Metres: r.Distance, Seconds: r.Duration, Cost: r.Weight, Bounds: geo.NoBounds()}, Legs: make([]engine.Leg, max(1, len(r.Legs)))}
		for i, l := range r.Legs {
			leg := &route.Legs[i]
			leg.Metres, leg.Seconds, leg.Cost = l.Distance, l.Duration, l.Weight
			for k := range l.Steps {
				if err := l.Steps[k].add(leg, o.Geometries); err != nil {
					return nil, "", unlike(err)
				}
			}
			route.Highway = route.Highway || leg.Highway
		}
		if len(route.Line()) == 0 && len(r.Geometry) > 0 {
			if route.Legs[0].Line, err = readGeometry(r.Geometry, o.Geometries); err != nil {
				return nil, "", unlike(err)
			}
		}
		for _, p := range route.Line() {
			route.Bounds = route.Bounds.Extend(p)
		}
		routes = append(routes, route)
	}
	return routes, cmp.Or(language, o.Language), nil
}

// step is one of an answer, as far as it is read.
type step struct {
	Distance, Duration, Weight float64
	Name                       string
	Geometry                   json.RawMessage
	Maneuver                   struct {
		Type, Modifier, Instruction string
		Location                    [2]float64
		Before                      *float64 `json:"bearing_before"`
		After                       float64  `json:"bearing_after"`
	}
	Intersections []struct{ Classes []string } // of the roads that leave them
}

// sameSpot is what the fifth digit of a line may be off, in metres.
const sameSpot = 2

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
	line[0] = at
	if n := len(l.Line); n > 0 && geo.Distance(l.Line[n-1], at) < sameSpot {
		l.Line = l.Line[:n-1]
	}
	m := guidance.Manoeuvre{
		Type: s.kind(len(l.Manoeuvres) == 0), Metres: s.Distance, Seconds: s.Duration, Cost: s.Weight,
		BeginShape: len(l.Line), EndShape: len(l.Line) + len(line) - 1, Before: -1, After: int(math.Round(s.Maneuver.After)),
	}
	for _, x := range s.Intersections {
		m.Highway = m.Highway || slices.Contains(x.Classes, "motorway")
	}
	l.Highway = l.Highway || m.Highway
	if s.Name != "" {
		m.Names = []guidance.Name{{Text: s.Name}}
	}
	if b := s.Maneuver.Before; b != nil {
		m.Before = int(math.Round(*b))
	}
	l.Line = append(l.Line, line...)
	l.Manoeuvres = append(l.Manoeuvres, m)
	l.Instructions = append(l.Instructions, s.Maneuver.Instruction)
	return nil
}

// turnTypes and forkTypes are the manoeuvres that OSRM's modifiers mean.
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

// kind is the manoeuvre that a step's words mean, as far as OSRM tells them
// apart.
func (s *step) kind(first bool) guidance.Type {
	m := &s.Maneuver
	switch m.Type {
	case "depart":
		return guidance.Start
	case "arrive":
		return guidance.Destination
	case "turn", "end of road", "continue":
		if t, ok := turnTypes[m.Modifier]; ok {
			return t
		}
	case "fork":
		return cmp.Or(forkTypes[m.Modifier], guidance.StayStraight)
	case "merge":
		return guidance.Merge
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

// readGeometry reads a line in the form asked for.
func readGeometry(raw json.RawMessage, geometries string) ([]geo.Point, error) {
	digits := 5
	if geometries == "polyline6" {
		digits = 6
	}
	return wirejson.ReadLine(raw, digits)
}

func unlike(err error) error {
	return fault.Wrap(err, fault.Upstream, "the routing engine's answer is not a route").With("upstream_status", http.StatusOK)
}
