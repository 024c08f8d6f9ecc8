package enginetest

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/towntest"
)

// Route is a native answer.
type Route struct {
	Trip       Journey
	Alternates []struct{ Trip Journey }
	ID         string

	Line    []geo.Point // of the best route, all legs
	Request *engine.RouteRequest
	Tunnels []engine.Tunnel
}

// Journey is one trip of a native answer.
type Journey struct {
	Locations []struct {
		Type     engine.Stop
		Lat, Lon float64
		Name     string
	}
	Legs     []Leg
	Summary  Summary
	Status   int
	Units    string
	Language string
}

// Leg is the way between two breaks.
type Leg struct {
	Maneuvers []Manoeuvre
	Summary   Summary
	Shape     string
}

// Manoeuvre is one manoeuvre of a native leg.
type Manoeuvre struct {
	Type                int
	Instruction         string
	StreetNames         []string `json:"street_names"`
	Time, Length        float64
	BeginShapeIndex     int `json:"begin_shape_index"`
	EndShapeIndex       int `json:"end_shape_index"`
	RoundaboutExitCount int `json:"roundabout_exit_count"`
	Toll, Ferry         bool
}

// Summary is that of a leg or a trip; lengths in the units asked for.
type Summary struct {
	Time, Length float64
	HasToll      bool    `json:"has_toll"`
	HasHighway   bool    `json:"has_highway"`
	HasFerry     bool    `json:"has_ferry"`
	MinLat       float64 `json:"min_lat"`
	MinLon       float64 `json:"min_lon"`
	MaxLat       float64 `json:"max_lat"`
	MaxLon       float64 `json:"max_lon"`
	Admins       []struct {
		Code string `json:"country_code"`
		Text string `json:"country_text"`
	} // of legs, where asked for

	LevelChanges [][2]float64 `json:"level_changes"` // of a leg alone
}

// Valhalla's numbers of manoeuvres that begin and end a leg. One that begins on
// stairs or between floors begins with those.
var (
	starts       = []int{1, 2, 3, 39, 40, 41, 44}
	destinations = []int{4, 5, 6}
)

// Streets returns the street names in the order of the manoeuvres, without
// repetitions in a row.
func (r *Route) Streets() string {
	var names []string
	for _, leg := range r.Trip.Legs {
		for _, m := range leg.Maneuvers {
			for _, name := range m.StreetNames {
				if len(names) == 0 || names[len(names)-1] != name {
					names = append(names, name)
				}
			}
		}
	}
	return strings.Join(names, ",")
}

// Manoeuvre returns the first manoeuvre of a type, or nil.
func (r *Route) Manoeuvre(types ...int) *Manoeuvre {
	for i := range r.Trip.Legs {
		for j, m := range r.Trip.Legs[i].Maneuvers {
			if slices.Contains(types, m.Type) {
				return &r.Trip.Legs[i].Maneuvers[j]
			}
		}
	}
	return nil
}

// near reports whether got is within one per cent of want, or within slack
// where the figures are small.
func near(got, want, slack float64) bool { return math.Abs(got-want) <= max(0.01*want, slack) }

const metresPerMile = 1609.344

// readNative reads an answer and checks what holds of every one.
func readNative(t *testing.T, r *engine.RouteRequest, answer *engine.RouteAnswer) *Route {
	t.Helper()
	route := &Route{Request: r}
	if len(answer.Routes) > 0 {
		route.Tunnels = answer.Routes[0].Tunnels
	}
	decode(t, Text(t, r, answer), route)
	unit, units := 1000.0, "kilometers"
	if r.Miles {
		unit, units = metresPerMile, "miles"
	}
	if route.Trip.Units != units {
		t.Errorf("units are %q, want %q", route.Trip.Units, units)
	}
	if route.Trip.Status != 0 {
		t.Errorf("the trip has the status %d, want 0", route.Trip.Status)
	}
	if route.ID != r.ID {
		t.Errorf("the answer has the id %q, want that of the request, %q", route.ID, r.ID)
	}
	if len(route.Trip.Locations) != len(r.Locations) {
		t.Errorf("the answer has %d locations, want %d", len(route.Trip.Locations), len(r.Locations))
	}
	route.Line = checkJourney(t, &route.Trip, r, unit)
	for i := range route.Alternates {
		checkJourney(t, &route.Alternates[i].Trip, r, unit)
	}
	return route
}

func checkJourney(t *testing.T, trip *Journey, r *engine.RouteRequest, unit float64) []geo.Point {
	t.Helper()
	if len(trip.Legs) != legs(r) {
		t.Errorf("the answer has %d legs, want %d", len(trip.Legs), legs(r))
	}
	var line []geo.Point
	var metres, seconds float64
	for i := range trip.Legs {
		leg := &trip.Legs[i]
		shape := readShape(t, leg.Shape, r.ShapeFormat)
		checkLength(t, "the leg's summary", leg.Summary.Length*unit, shape)
		if leg.Summary.Length > 0 && leg.Summary.Time <= 0 {
			t.Errorf("leg %d takes %g s for a length of %g", i, leg.Summary.Time, leg.Summary.Length)
		}
		if r.Directions != engine.NoDirections {
			checkManoeuvres(t, leg, len(shape), r)
		}
		metres += leg.Summary.Length * unit
		seconds += leg.Summary.Time
		line = append(line, shape...)
	}
	if !near(trip.Summary.Length*unit, metres, 2*float64(len(trip.Legs))) || !near(trip.Summary.Time, seconds, 1) {
		t.Errorf("the trip's summary has %g m and %g s, its legs together %g and %g", trip.Summary.Length*unit, trip.Summary.Time, metres, seconds)
	}
	box := slack(geo.Bounds{
		Min: geo.Point{Lon: trip.Summary.MinLon, Lat: trip.Summary.MinLat},
		Max: geo.Point{Lon: trip.Summary.MaxLon, Lat: trip.Summary.MaxLat},
	})
	for _, p := range line {
		if !box.Contains(p) {
			t.Errorf("the summary's box %v misses the point %v of the route", box, p)
			break
		}
	}
	return line
}

// slack widens a box by the rounding of coordinates to six digits.
func slack(b geo.Bounds) geo.Bounds {
	const d = 2e-6
	return geo.Bounds{Min: geo.Point{Lon: b.Min.Lon - d, Lat: b.Min.Lat - d}, Max: geo.Point{Lon: b.Max.Lon + d, Lat: b.Max.Lat + d}}
}

// legs counts the stretches between breaks.
func legs(r *engine.RouteRequest) int {
	n := 1
	for _, l := range r.Locations[1 : len(r.Locations)-1] {
		if l.Stop != engine.Through && l.Stop != engine.Via {
			n++
		}
	}
	return n
}

func readShape(t *testing.T, shape, format string) []geo.Point {
	t.Helper()
	digits := 6
	if format == "polyline5" {
		digits = 5
	}
	line, err := geo.DecodePolyline(shape, digits)
	if err != nil {
		t.Fatalf("the shape %q is not readable: %v", shape, err)
	}
	if len(line) < 2 {
		t.Fatalf("the shape has %d points, want two or more", len(line))
	}
	return line
}

func checkLength(t *testing.T, what string, got float64, line []geo.Point) {
	t.Helper()
	if want := geo.Length(line); !near(got, want, 3) {
		t.Errorf("%s says %.1f m, the geometry is %.1f m long", what, got, want)
	}
}

func checkManoeuvres(t *testing.T, leg *Leg, points int, r *engine.RouteRequest) {
	t.Helper()
	m := leg.Maneuvers
	if len(m) < 2 || !slices.Contains(starts, m[0].Type) || !slices.Contains(destinations, m[len(m)-1].Type) {
		var types []int
		for i := range m {
			types = append(types, m[i].Type)
		}
		t.Errorf("the manoeuvres have the types %v, want a start, others and a destination", types)
		return
	}
	length, at := 0.0, 0
	for i := range m {
		if m[i].BeginShapeIndex != at || m[i].EndShapeIndex < at {
			t.Errorf("manoeuvre %d spans the points %d to %d, want it to begin at %d", i, m[i].BeginShapeIndex, m[i].EndShapeIndex, at)
		}
		if wanted := r.Directions != engine.Manoeuvres; wanted != (m[i].Instruction != "") {
			t.Errorf("manoeuvre %d has the instruction %q with the directions %q", i, m[i].Instruction, r.Directions)
		}
		at = m[i].EndShapeIndex
		length += m[i].Length
	}
	if at != points-1 {
		t.Errorf("the manoeuvres end at point %d, want %d", at, points-1)
	}
	if !near(length, leg.Summary.Length, 0.002*float64(len(m))) {
		t.Errorf("the manoeuvres are %g long together, the leg %g", length, leg.Summary.Length)
	}
}

// passed names the places of the town that a line passes within two and a half
// metres, in order. Only nodes of the data count.
func passed(town *towntest.Town, line []geo.Point) string {
	places := town.NodePlaces()
	var path []rune
	for i := 1; i < len(line); i++ {
		type hit struct {
			place rune
			along float64
		}
		var hits []hit
		for _, place := range places {
			if _, along, square := geo.Nearest(town.Point(string(place)), line[i-1], line[i]); square < 2.5*2.5 {
				hits = append(hits, hit{place, along})
			}
		}
		slices.SortStableFunc(hits, func(a, b hit) int {
			if a.along < b.along {
				return -1
			}
			if a.along > b.along {
				return 1
			}
			return 0
		})
		for _, h := range hits {
			if len(path) == 0 || path[len(path)-1] != h.place {
				path = append(path, h.place)
			}
		}
	}
	return string(path)
}
