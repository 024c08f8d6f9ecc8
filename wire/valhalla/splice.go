package valhalla

import (
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

// TellLegs adds a member to the legs of an answer of POST /route that is written
// already, in the order of its routes and their legs.
func TellLegs[T comparable](doc []byte, f engine.Format, name string, values []T) ([]byte, error) {
	edits, err := json.Amend(doc, legs[f], name, values)
	if err != nil {
		return nil, err
	}
	return json.Splice(doc, edits), nil
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
