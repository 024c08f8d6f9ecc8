package osrm

import (
	"encoding/json"
	"math"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	wirejson "github.com/waygate/waygate/wire/json"
	"github.com/waygate/waygate/wire/osrm"
)

// checkRoutes finds what in an answer, which passes as it came, belongs to no answer to the
// request: another number of places or legs, places that are not where they say, or a line
// that begins at no place, as one of another precision does.
func checkRoutes(body []byte, r *engine.RouteRequest) error {
	var places []osrm.Place
	var lines [][]byte
	var bad error
	legs, routes := 0, 0
	wirejson.Each(body, []string{"routes.*", "routes.*.legs.*", "routes.*.geometry", "waypoints.*"}, func(at wirejson.Place) {
		text := body[at.Begin:at.End]
		switch at.Path {
		case 0:
			routes++
		case 1:
			legs++
		case 2:
			lines = append(lines, text)
		case 3:
			var p osrm.Place
			if err := json.Unmarshal(text, &p); err != nil {
				bad = err
			}
			places = append(places, p)
		}
	})
	if err := checkCounts(routes, legs, r.Locations); err != nil {
		return err
	}
	if bad != nil || len(places) != len(r.Locations) {
		return unlike("a route through the %d places asked for", len(r.Locations))
	}
	for i := range places {
		if err := checkPlace(i, &r.Locations[i], places[i].On, places[i].Metres); err != nil {
			return err
		}
	}
	digits := 5
	if r.Geometries == "polyline6" {
		digits = 6
	}
	for _, text := range lines {
		line, err := wirejson.ReadLine(text, digits)
		if err != nil || len(line) == 0 || geo.Distance(line[0], places[0].On) > metresOff || geo.Distance(line[len(line)-1], places[len(places)-1].On) > metresOff {
			return unlike("a route whose line joins its places")
		}
	}
	return nil
}

// checkLegs finds an answer without routes, or with routes of another number of legs.
func checkLegs(body []byte, list []engine.Location) error {
	legs, routes := 0, 0
	wirejson.Each(body, []string{"routes.*", "routes.*.legs.*"}, func(at wirejson.Place) {
		if at.Path == 0 {
			routes++
		} else {
			legs++
		}
	})
	return checkCounts(routes, legs, list)
}

func checkCounts(routes, legs int, list []engine.Location) error {
	if want := engine.LegsOf(list); routes == 0 || legs != routes*want {
		return unlike("a route of %d legs", want)
	}
	return nil
}

// metresOff is how far, in metres, what an answer says of a place in two ways may differ.
const metresOff = 50

// checkPlace finds a place on the road that is farther from its location than a road may be,
// or than the server says that it is.
func checkPlace(i int, l *engine.Location, on geo.Point, metres float64) error {
	far := geo.Distance(l.Point, on)
	if !l.MaySnap(on) || math.Abs(far-metres) > metresOff+far/50 {
		return unlike("one with waypoint %d near its place: it lies %.0f m away", i, far)
	}
	return nil
}
