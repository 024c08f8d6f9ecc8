package embedded

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/guide"
)

// The compatible face: OSRM's route answer.

type compatibleAnswer struct {
	Code      string               `json:"code"`
	Routes    []compatibleRoute    `json:"routes"`
	Waypoints []compatibleWaypoint `json:"waypoints"`
}

type compatibleRoute struct {
	Distance   float64         `json:"distance"`
	Duration   float64         `json:"duration"`
	Weight     float64         `json:"weight"`
	WeightName string          `json:"weight_name"`
	Geometry   any             `json:"geometry,omitempty"` // string or lineString
	Legs       []compatibleLeg `json:"legs"`
}

type compatibleLeg struct {
	Distance float64          `json:"distance"`
	Duration float64          `json:"duration"`
	Weight   float64          `json:"weight"`
	Summary  string           `json:"summary"`
	Steps    []compatibleStep `json:"steps"`
}

type compatibleStep struct {
	Geometry      any                `json:"geometry"`
	Maneuver      compatibleManeuver `json:"maneuver"`
	Name          string             `json:"name"`
	Ref           string             `json:"ref,omitempty"`
	Destinations  string             `json:"destinations,omitempty"`
	Exits         string             `json:"exits,omitempty"`
	RotaryName    string             `json:"rotary_name,omitempty"`
	Mode          string             `json:"mode"`
	DrivingSide   string             `json:"driving_side"`
	Distance      float64            `json:"distance"`
	Duration      float64            `json:"duration"`
	Weight        float64            `json:"weight"`
	Intersections []intersection     `json:"intersections"`
}

type compatibleManeuver struct {
	Type          string     `json:"type"`
	Modifier      string     `json:"modifier,omitempty"`
	Location      [2]float64 `json:"location"`
	BearingBefore int        `json:"bearing_before"`
	BearingAfter  int        `json:"bearing_after"`
	Exit          int        `json:"exit,omitempty"`
	Instruction   string     `json:"instruction"`
}

type compatibleWaypoint struct {
	Name     string     `json:"name"` // always empty, by contract
	Location [2]float64 `json:"location"`
	Distance float64    `json:"distance"`
}

// writeCompatible writes routes, the best first, on the compatible face.
func writeCompatible(g *graph.Graph, r *engine.RouteRequest, routes []route) ([]byte, error) {
	if len(routes) == 0 {
		return nil, fmt.Errorf("no route to write")
	}
	a := compatibleAnswer{Code: "Ok", Waypoints: compatibleWaypoints(&routes[0])}
	for i := range routes {
		a.Routes = append(a.Routes, compatibleRouteOf(g, r, &routes[i]))
	}
	return encode(a)
}

func compatibleWaypoints(rt *route) []compatibleWaypoint {
	var out []compatibleWaypoint
	add := func(w *waypoint) {
		out = append(out, compatibleWaypoint{
			Location: position(w.snapped), Distance: round(geo.Distance(w.location.Point, w.snapped), 3),
		})
	}
	for i := range rt.legs {
		l := &rt.legs[i]
		if i == 0 {
			add(&l.from)
		}
		for j := range l.via {
			add(&l.via[j])
		}
		add(&l.to)
	}
	return out
}

func compatibleRouteOf(g *graph.Graph, r *engine.RouteRequest, rt *route) compatibleRoute {
	legs := guideLegs(g, r, rt, r.Steps)
	out := compatibleRoute{WeightName: "routability", Legs: make([]compatibleLeg, len(legs))}
	all := totals{bounds: geo.NoBounds()}
	for i := range legs {
		sum := legs[i].total(g, rt.modes)
		all.add(sum)
		out.Legs[i] = compatibleLeg{
			Distance: round(sum.metres, 1), Duration: round(sum.seconds, 1), Weight: round(sum.cost, 1),
			Steps: []compatibleStep{},
		}
		if r.Steps {
			out.Legs[i].Summary = summary(legs[i].list)
			out.Legs[i].Steps = compatibleSteps(g, r, rt.modes, &legs[i])
		}
	}
	out.Distance, out.Duration, out.Weight = round(all.metres, 1), round(all.seconds, 1), round(all.cost, 1)
	if r.Overview != "false" {
		line := joined(legs)
		if r.Overview != "full" {
			line = simplify(line, all.bounds)
		}
		out.Geometry = compatibleGeometry(r, line)
	}
	return out
}

// joined is the line of all legs, without the points where they meet twice.
func joined(legs []guided) []geo.Point {
	if len(legs) == 1 {
		return legs[0].line.Points
	}
	var line []geo.Point
	for i := range legs {
		for _, p := range legs[i].line.Points {
			if len(line) == 0 || line[len(line)-1] != p {
				line = append(line, p)
			}
		}
	}
	return line
}

// compatibleGeometry writes a line with two points at the least, even where
// they are the same, as clients expect of a line.
func compatibleGeometry(r *engine.RouteRequest, line []geo.Point) any {
	if len(line) == 1 {
		line = []geo.Point{line[0], line[0]}
	}
	switch r.Geometries {
	case "geojson":
		return lineStringOf(line)
	case "polyline6":
		return geo.EncodePolyline(line, 6)
	}
	return geo.EncodePolyline(line, 5)
}

func compatibleSteps(g *graph.Graph, r *engine.RouteRequest, modes graph.Modes, d *guided) []compatibleStep {
	texts := narrated(r).Leg(d.list, r.Miles)
	steps := make([]compatibleStep, len(d.list))
	for i := range d.list {
		m := &d.list[i]
		s := compatibleStep{
			Geometry:    compatibleGeometry(r, d.line.Points[m.BeginShape:m.EndShape+1]),
			Maneuver:    compatibleManeuverOf(d.list, i),
			Mode:        travelMode(m),
			DrivingSide: "right",
			Distance:    round(m.Metres, 1), Duration: round(m.Seconds, 1), Weight: round(m.Cost, 1),
			Exits:         strings.Join(m.Sign.Number, "; "),
			Destinations:  destinations(&m.Sign),
			Intersections: intersections(g, modes, d, m),
		}
		s.Maneuver.Location = position(d.line.Points[m.BeginShape])
		s.Maneuver.Instruction = texts[i].Instruction
		if m.DriveOnLeft {
			s.DrivingSide = "left"
		}
		s.Name, s.Ref = named(m.Names)
		if rotary := rotaryName(d.list, i); rotary != "" {
			s.RotaryName = rotary
			if m.Type == guide.RoundaboutEnter {
				s.Name, s.Ref = named(d.list[i+1].Names)
			}
		}
		steps[i] = s
	}
	return steps
}

func named(names []guide.Name) (name, ref string) {
	var refs []string
	for _, n := range names {
		switch {
		case n.Ref:
			refs = append(refs, n.Text)
		case name == "":
			name = n.Text
		}
	}
	return name, strings.Join(refs, "; ")
}

// destinations writes a sign as OSRM does: numbers, a colon, places.
func destinations(s *guide.Sign) string {
	branch, toward := strings.Join(s.Branch, ", "), strings.Join(s.Toward, ", ")
	if branch != "" && toward != "" {
		return branch + ": " + toward
	}
	return branch + toward
}

func travelMode(m *guide.Manoeuvre) string {
	switch {
	case m.Ferry:
		return "ferry"
	case m.Travel == guide.Walking:
		return "walking"
	case m.Travel == guide.Cycling:
		return "cycling"
	case m.Travel == guide.Pushing:
		return "pushing bike"
	}
	return "driving"
}

// summary names the two longest roads of a leg in the order travelled.
func summary(list []guide.Manoeuvre) string {
	type road struct {
		name   string
		metres float64
	}
	var roads []road
	for i := range list {
		name, ref := named(list[i].Names)
		if name == "" {
			name = ref
		}
		if name == "" {
			continue
		}
		at := slices.IndexFunc(roads, func(r road) bool { return r.name == name })
		if at < 0 {
			at = len(roads)
			roads = append(roads, road{name: name})
		}
		roads[at].metres += list[i].Metres
	}
	if len(roads) > 2 {
		lengths := make([]float64, len(roads))
		for i, r := range roads {
			lengths[i] = r.metres
		}
		slices.Sort(lengths)
		least := lengths[len(lengths)-2]
		roads = slices.DeleteFunc(roads, func(r road) bool { return r.metres < least })[:2]
	}
	names := make([]string, len(roads))
	for i, r := range roads {
		names[i] = r.name
	}
	return strings.Join(names, ", ")
}

// simplify drops points that cannot be seen where the whole line fits a
// screen: Douglas and Peucker's reduction by four pixels at the closest zoom
// that shows the bounds within 1024 pixels.
func simplify(line []geo.Point, bounds geo.Bounds) []geo.Point {
	if len(line) < 3 {
		return line
	}
	const metresPerPixel = 156543.0339 // at zoom 0 on the equator, 256-pixel tiles
	cos := math.Cos(bounds.Centre().Lat * math.Pi / 180)
	width := geo.Distance(geo.Point{Lon: bounds.Min.Lon, Lat: bounds.Centre().Lat}, geo.Point{Lon: bounds.Max.Lon, Lat: bounds.Centre().Lat})
	height := geo.Distance(bounds.Min, geo.Point{Lon: bounds.Min.Lon, Lat: bounds.Max.Lat})
	zoom := math.Floor(math.Log2(metresPerPixel * cos * 1024 / math.Max(1, math.Max(width, height))))
	tolerance := 4 * metresPerPixel * cos / math.Exp2(math.Max(0, math.Min(18, zoom)))
	return geo.Simplify(line, tolerance)
}
