package osrm

import (
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/guidance/narrate"
	"github.com/waygate/waygate/wire/json"
)

// LandmarkInstruction is the member of a manoeuvre that words it with a landmark.
const LandmarkInstruction = "landmark_instruction"

// blend adds to an answer that came from elsewhere what its routes were given
// besides, and blocks at the top.
func blend(a *engine.RouteAnswer, skipWaypoints bool, blocks []json.Block) ([]byte, error) {
	doc := a.Raw
	if skipWaypoints {
		doc = json.Without(doc, "waypoints")
	}
	edits, err := json.Amend(doc, []string{"routes.*.legs.*.steps.*"}, LandmarkInstruction, Landmarks(a))
	if err != nil {
		return nil, err
	}
	return json.Blend(doc, blocks, edits)
}

// Landmarks words the manoeuvres of an answer that came from elsewhere with
// their landmarks: a text for each, "" where there is no landmark; nil without
// any.
func Landmarks(a *engine.RouteAnswer) []string {
	words, _ := narrate.Find(a.Language)
	var texts []string
	some := false
	for i := range a.Routes {
		for j := range a.Routes[i].Legs {
			l := &a.Routes[i].Legs[j]
			for k := range l.Manoeuvres {
				text := ""
				if m := l.Manoeuvres[k].Landmark; m != nil && k < len(l.Instructions) {
					text = words.Past(l.Instructions[k], m.Name, m.Where)
					some = true
				}
				texts = append(texts, text)
			}
		}
	}
	if !some {
		return nil
	}
	return texts
}
