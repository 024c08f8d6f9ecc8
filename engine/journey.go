package engine

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
)

// Journey is a route read back from an answer on the native face, for what
// reckons with routes instead of passing them on.
type Journey struct {
	Legs            []JourneyLeg
	Metres, Seconds float64
}

// JourneyLeg is the way from one stop to the next.
type JourneyLeg struct {
	Metres, Seconds float64
	Line            []geo.Point
}

// Line is the line of the whole journey.
func (j *Journey) Line() []geo.Point {
	var line []geo.Point
	for _, l := range j.Legs {
		for _, p := range l.Line {
			if len(line) == 0 || line[len(line)-1] != p {
				line = append(line, p)
			}
		}
	}
	return line
}

// Drive asks an engine for a route and reads it. What is told of the way besides
// its line is left out, whatever the request says.
func Drive(ctx context.Context, e Engine, r RouteRequest) (*Journey, error) {
	r.Directions, r.ShapeFormat = NoDirections, "polyline6"
	a, err := e.Route(ctx, &r)
	if err != nil {
		return nil, err
	}
	return ReadJourney(a.Body)
}

// Stops gives the locations of a route through points.
func Stops(points []geo.Point) []Location {
	list := make([]Location, len(points))
	for i, p := range points {
		list[i].Point = p
	}
	return list
}

// ReadJourney reads the best route of an answer on the native face that was
// asked for with lengths in kilometres and shapes of six digits, or none.
func ReadJourney(body []byte) (*Journey, error) { return ReadJourneyOf(body, &RouteRequest{}) }

// ReadJourneyOf reads the best route of the answer to a request, on whatever
// face and in whatever units and shapes it asked for. One on the compatible
// face is read as a single leg with the line that its overview draws.
func ReadJourneyOf(body []byte, r *RouteRequest) (*Journey, error) {
	if r.Face == Compatible {
		return readCompatible(body, r.Geometries)
	}
	type sum struct{ Length, Time float64 }
	var answer struct {
		Trip struct {
			Summary sum
			Legs    []struct {
				Summary sum
				Shape   json.RawMessage
			}
		}
	}
	if err := json.Unmarshal(body, &answer); err != nil || len(answer.Trip.Legs) == 0 {
		return nil, unreadable(err)
	}
	unit := 1000.0
	if r.Miles {
		unit = metresPerMile
	}
	j := &Journey{Metres: answer.Trip.Summary.Length * unit, Seconds: answer.Trip.Summary.Time}
	for _, l := range answer.Trip.Legs {
		line, err := readShape(l.Shape, r.ShapeFormat)
		if err != nil {
			return nil, unreadable(err)
		}
		j.Legs = append(j.Legs, JourneyLeg{Metres: l.Summary.Length * unit, Seconds: l.Summary.Time, Line: line})
	}
	return j, nil
}

func readCompatible(body []byte, geometries string) (*Journey, error) {
	var answer struct {
		Routes []struct {
			Distance, Duration float64
			Geometry           json.RawMessage
		}
	}
	if err := json.Unmarshal(body, &answer); err != nil || len(answer.Routes) == 0 {
		return nil, unreadable(err)
	}
	best := &answer.Routes[0]
	format := geometries // geojson and polyline6 are called alike on both faces
	if geometries == "" || geometries == "polyline" {
		format = "polyline5"
	}
	line, err := readShape(best.Geometry, format)
	if err != nil {
		return nil, unreadable(err)
	}
	return &Journey{Metres: best.Distance, Seconds: best.Duration, Legs: []JourneyLeg{{Metres: best.Distance, Seconds: best.Duration, Line: line}}}, nil
}

const metresPerMile = 1609.344

// ReadLeg reads the line of one leg of a native answer.
func ReadLeg(leg []byte, shapeFormat string) ([]geo.Point, error) {
	var l struct{ Shape json.RawMessage }
	if err := json.Unmarshal(leg, &l); err != nil {
		return nil, unreadable(err)
	}
	line, err := readShape(l.Shape, shapeFormat)
	if err != nil {
		return nil, unreadable(err)
	}
	return line, nil
}

// readShape reads a leg's line in one of the shape formats.
func readShape(raw json.RawMessage, format string) ([]geo.Point, error) {
	if len(raw) == 0 {
		return nil, nil
	}
	if format == "geojson" {
		var line struct{ Coordinates [][2]float64 }
		if err := json.Unmarshal(raw, &line); err != nil {
			return nil, err
		}
		points := make([]geo.Point, len(line.Coordinates))
		for i, c := range line.Coordinates {
			points[i] = geo.Point{Lon: c[0], Lat: c[1]}
		}
		return points, nil
	}
	var text string
	if err := json.Unmarshal(raw, &text); err != nil {
		return nil, err
	}
	if format == "polyline5" {
		return geo.DecodePolyline(text, 5)
	}
	return geo.DecodePolyline(text, 6)
}

func unreadable(err error) error {
	return fault.Wrap(err, fault.Upstream, "the routing engine's answer is not a route").With("upstream_status", http.StatusOK)
}
