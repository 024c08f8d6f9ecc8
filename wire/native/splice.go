package native

import (
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/wire/json"
	"github.com/waygate/waygate/wire/osrm"
)

const landmarkInstruction = osrm.LandmarkInstruction

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
