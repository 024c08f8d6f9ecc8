package guide

import (
	"strings"

	"github.com/waygate/waygate/road/graph"
)

// accessLanes are the keys of access lane by lane, for both directions and for
// each.
var accessLanes = func() (all []laneKey) {
	for key, modes := range graph.AccessKeys {
		all = append(all, laneKey{modes, key + ":lanes", key + ":lanes:forward", key + ":lanes:backward"})
	}
	return all
}()

type laneKey struct {
	modes                   graph.Modes
	both, forward, backward string
}

// reserved returns the lanes, of count, that none of the modes may use: one bit
// for each, the leftmost lowest. The keys of access give a value for each lane,
// each key for its modes. A lane that is "designated" for others than cars and
// lorries is closed to all modes that no key admits.
func reserved(g *graph.Graph, e graph.Edge, modes graph.Modes, count int) (closed uint32) {
	if g.ByEdge[e].Attributes == 0 {
		return 0
	}
	var open, others uint32 // open by a key; designated for others
	for i := range accessLanes {
		key := &accessLanes[i]
		about, text := key.modes, laneValue(g, e, key.both, key.forward, key.backward)
		if text == "" || strings.Count(text, "|")+1 != count {
			continue
		}
		for bit := uint32(1); bit < 1<<count; bit <<= 1 {
			var word string
			word, text, _ = strings.Cut(text, "|")
			switch {
			case modes&about == 0:
				if about&(graph.Auto|graph.Truck) == 0 && word == "designated" {
					others |= bit
				}
			case shuts(word, modes):
				closed, open = closed|bit, open&^bit
			case word != "":
				closed, open = closed&^bit, open|bit
			}
		}
	}
	return closed | others&^open
}

// shuts reports whether the access value of a lane closes it to all of the
// modes. Some values name the vehicles that may use it.
func shuts(word string, modes graph.Modes) bool {
	switch word {
	case "no", "private", "agricultural", "forestry", "military", "emergency", "use_sidepath", "restricted":
		return true
	case "psv":
		return modes&(graph.Bus|graph.Taxi) == 0
	case "bus":
		return modes&graph.Bus == 0
	case "taxi":
		return modes&graph.Taxi == 0
	case "hov":
		return modes&graph.HOV == 0
	case "bicycle", "foot":
		return modes&graph.Bicycle == 0
	}
	return false
}
