package valhalla

import (
	"slices"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/wire/json"
	"github.com/waygate/waygate/wire/osrm"
)

const landmarkInstruction = osrm.LandmarkInstruction

// legs are the ways to the legs of an answer of POST /route, by its format.
var legs = map[engine.Format][]string{
	engine.Native: {"trip.legs.*", "alternates.*.trip.legs.*"},
	engine.OSRM:   {"routes.*.legs.*"},
}

// AddToLegs adds a member to the legs of an answer of POST /route that is written
// already, in the order of its routes and their legs.
func AddToLegs[T comparable](doc []byte, f engine.Format, name string, values []T) ([]byte, error) {
	edits, err := json.Amend(doc, legs[f], name, values)
	if err != nil {
		return nil, err
	}
	return json.Splice(doc, edits), nil
}

// only takes a route of an answer out of a document: the trip of its own, or what an answer in
// OSRM's form has besides with one route.
func only(doc []byte, f engine.Format, index int) []byte {
	if f == engine.OSRM {
		var routes []json.Place
		json.Each(doc, []string{"routes", "routes.*"}, func(p json.Place) { routes = append(routes, p) })
		all := routes[len(routes)-1]
		one := routes[index]
		text := append(append([]byte{'['}, doc[one.Begin:one.End]...), ']')
		return json.Splice(doc, []json.Edit{{From: all.Begin, To: all.End, Text: text}})
	}
	var trips []json.Place
	json.Each(doc, []string{"trip", "alternates.*.trip"}, func(p json.Place) { trips = append(trips, p) })
	slices.SortStableFunc(trips, func(a, b json.Place) int { return a.Path - b.Path })
	one := trips[index]
	return append(append([]byte(`{"trip":`), doc[one.Begin:one.End]...), '}')
}

// manoeuvres are the ways to the manoeuvres of an answer, of the trip and of its
// alternates.
var manoeuvres = []string{"trip.legs.*.maneuvers.*", "alternates.*.trip.legs.*.maneuvers.*"}

// blend adds to an answer that came from elsewhere what its routes were given
// besides, and blocks at the top.
func blend(a *engine.RouteAnswer, blocks []json.Block) ([]byte, error) {
	edits, err := json.Amend(a.Raw, manoeuvres, landmarkInstruction, osrm.Landmarks(a))
	if err != nil {
		return nil, err
	}
	return json.Blend(a.Raw, blocks, edits)
}
