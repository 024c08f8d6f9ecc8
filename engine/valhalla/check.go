package valhalla

import (
	"encoding/json"
	"errors"
	"math"
	"net/http"
	"strconv"
	"strings"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
	wirejson "github.com/waygate/waygate/wire/json"
)

// unlike is the failure of an answer to another question than was asked.
func unlike(format string, args ...any) error {
	return fault.New(fault.Upstream, "the routing engine's answer is not "+format, args...).With("upstream_status", http.StatusOK)
}

// echoed is how far, in degrees, a location in an answer may lie from that of the request.
const echoed = 1e-4

// checkTrip finds what in a native answer, which passes as it came, belongs to no answer to
// the request: another number of legs, other locations, or a line that begins or ends where
// no location is, as one of another precision does.
func checkTrip(body []byte, r *engine.RouteRequest) error {
	var lines [][]byte
	var lats, lons []float64
	legs := 0
	wirejson.Each(body, []string{"trip.legs.*", "trip.legs.*.shape", "trip.locations.*.lat", "trip.locations.*.lon"}, func(at wirejson.Place) {
		text := body[at.Begin:at.End]
		switch at.Path {
		case 0:
			legs++
		case 1:
			lines = append(lines, text)
		case 2:
			lats = append(lats, parseFloat(text))
		case 3:
			lons = append(lons, parseFloat(text))
		}
	})
	if want := engine.LegsOf(r.Locations); legs != want {
		return unlike("a route of %d legs: it has %d", want, legs)
	}
	if len(lats) != len(r.Locations) || len(lons) != len(lats) {
		return unlike("a route through the %d places asked for", len(r.Locations))
	}
	for i := range lats {
		if p := r.Locations[i].Point; !(math.Abs(lats[i]-p.Lat) <= echoed && math.Abs(lons[i]-p.Lon) <= echoed) {
			return unlike("a route through location %d", i)
		}
	}
	if r.ShapeFormat == "no_shape" && len(lines) == 0 {
		return nil
	}
	if len(lines) != legs {
		return unlike("a route with a line for each of its legs")
	}
	return checkEnds(lines, 6, r.Locations)
}

// parseFloat reads a JSON value; one that is no number is near no place.
func parseFloat(text []byte) float64 {
	v, err := strconv.ParseFloat(string(text), 64)
	if err != nil {
		return math.NaN()
	}
	return v
}

// checkEnds finds lines of a route's legs that do not begin and end where a road may be that
// the first and the last location lie on.
func checkEnds(lines [][]byte, digits int, list []engine.Location) error {
	first, last, err := ends(lines[0], digits)
	if err == nil && len(lines) > 1 {
		_, last, err = ends(lines[len(lines)-1], digits)
	}
	if err != nil {
		return fault.Wrap(err, fault.Upstream, "the routing engine's answer has a line that is not readable").With("upstream_status", http.StatusOK)
	}
	for i, on := range [...]geo.Point{first, last} {
		end := &list[i*(len(list)-1)]
		if !end.MaySnap(on) {
			return unlike("a route between the places asked for: it lies %.0f m from one of them", geo.Distance(end.Point, on))
		}
	}
	return nil
}

// ends returns the first and the last point of a polyline in a JSON text. None of
// the points between is kept.
func ends(text []byte, digits int) (first, last geo.Point, err error) {
	if len(text) < 3 || text[0] != '"' {
		return first, last, errors.New("a line is not a text with points")
	}
	encoded := string(text[1 : len(text)-1])
	// Of the bytes of polylines JSON escapes the backslash alone.
	if pairs := strings.Count(encoded, `\\`); 2*pairs == strings.Count(encoded, `\`) {
		encoded = strings.ReplaceAll(encoded, `\\`, `\`)
	} else if err := json.Unmarshal(text, &encoded); err != nil {
		return first, last, err
	}
	first, last, n, err := geo.PolylineEnds(encoded, digits)
	if err == nil && n == 0 {
		err = errors.New("a line has no points")
	}
	return first, last, err
}

// checkWaypoints finds what in an answer of OSRM's format belongs to no answer to the request:
// another number of legs, or waypoints that are farther from their places than roads may be
// or than they say.
func checkWaypoints(body []byte, list []engine.Location) error {
	legs, routes := 0, 0
	var places []geo.Point
	var bad error
	wirejson.Each(body, []string{"routes.*", "routes.*.legs.*", "waypoints.*.location"}, func(at wirejson.Place) {
		switch at.Path {
		case 0:
			routes++
		case 1:
			legs++
		case 2:
			var p [2]float64
			if err := json.Unmarshal(body[at.Begin:at.End], &p); err != nil {
				bad = err
			}
			places = append(places, geo.Point{Lon: p[0], Lat: p[1]})
		}
	})
	want := engine.LegsOf(list)
	switch {
	case bad != nil || routes == 0 || len(places) < 2:
		return fault.Wrap(bad, fault.Upstream, "the routing engine's answer is not a route in OSRM's format").With("upstream_status", http.StatusOK)
	case legs != routes*want:
		return unlike("routes of %d legs each", want)
	case !list[0].MaySnap(places[0]) || !list[len(list)-1].MaySnap(places[len(places)-1]):
		return unlike("a route between the places asked for")
	}
	return nil
}
