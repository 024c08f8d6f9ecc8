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

// reserved takes out the lanes that none of the modes may use.
func reserved(g *graph.Graph, e uint32, modes graph.Modes, lanes []Lane) {
	if g.Sign[e] == 0 {
		return
	}
	var open, others [graph.MaxLanes]bool // told to be open; kept for others
	var shut [graph.MaxLanes]bool
	for k := range laneRights {
		r := &laneRights[k]
		text := laneValue(g, e, r.key, r.forward, r.backward)
		if text == "" || strings.Count(text, "|")+1 != len(lanes) {
			continue
		}
		for i := range lanes {
			var word string
			word, text, _ = cut(text, '|')
			switch {
			case modes&r.modes == 0:
				others[i] = others[i] || r.reserves && word == "designated"
			case keepsOut(word):
				shut[i], open[i] = true, false
			case word != "":
				shut[i], open[i] = false, true
			}
		}
	}
	for i := range lanes {
		if shut[i] || others[i] && !open[i] {
			lanes[i].Valid, lanes[i].Active, lanes[i].Take = false, false, 0
		}
	}
}

// keepsOut reports whether a lane's access value closes it.
func keepsOut(word string) bool {
	switch word {
	case "no", "private", "agricultural", "forestry", "military", "emergency", "use_sidepath", "restricted":
		return true
	}
	return false
}
