package guide

import (
	"strings"

	"github.com/waygate/waygate/road/graph"
)

// laneRights are the keys that say, lane by lane, who may use it, from the
// general to the particular, with the modes they are about. "designated" in one
// of those that reserve keeps out whom no key lets in.
var laneRights = [...]struct {
	modes                  graph.Modes
	key, forward, backward string
	reserves               bool
}{
	{graph.AllModes, "access:lanes", "access:lanes:forward", "access:lanes:backward", false},
	{graph.Vehicles, "vehicle:lanes", "vehicle:lanes:forward", "vehicle:lanes:backward", false},
	{graph.Motor, "motor_vehicle:lanes", "motor_vehicle:lanes:forward", "motor_vehicle:lanes:backward", false},
	{graph.Auto | graph.HOV | graph.Taxi, "motorcar:lanes", "motorcar:lanes:forward", "motorcar:lanes:backward", false},
	{graph.Truck, "hgv:lanes", "hgv:lanes:forward", "hgv:lanes:backward", false},
	{graph.Bus | graph.Taxi, "psv:lanes", "psv:lanes:forward", "psv:lanes:backward", true},
	{graph.Bus, "bus:lanes", "bus:lanes:forward", "bus:lanes:backward", true},
	{graph.Taxi, "taxi:lanes", "taxi:lanes:forward", "taxi:lanes:backward", true},
	{graph.HOV, "hov:lanes", "hov:lanes:forward", "hov:lanes:backward", true},
	{graph.Motorcycle, "motorcycle:lanes", "motorcycle:lanes:forward", "motorcycle:lanes:backward", true},
	{graph.Bicycle, "bicycle:lanes", "bicycle:lanes:forward", "bicycle:lanes:backward", true},
}

// reserved gives the lanes of count that none of the modes may use, one bit for
// each, the leftmost lowest.
func reserved(g *graph.Graph, e uint32, modes graph.Modes, count int) (closed uint32) {
	if g.Sign[e] == 0 {
		return 0
	}
	var open, others uint32 // told to be open; kept for others
	for k := range laneRights {
		r := &laneRights[k]
		text := laneValue(g, e, r.key, r.forward, r.backward)
		if text == "" || strings.Count(text, "|")+1 != count {
			continue
		}
		for bit := uint32(1); bit < 1<<count; bit <<= 1 {
			var word string
			word, text, _ = cut(text, '|')
			switch {
			case modes&r.modes == 0:
				if r.reserves && word == "designated" {
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

// shuts reports whether a lane's access value closes it to all of the modes.
// Some values name those it is for.
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
