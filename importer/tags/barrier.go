package tags

import (
	"slices"
	"strings"

	"github.com/waygate/waygate/osm"
	"github.com/waygate/waygate/road/conditional"
	"github.com/waygate/waygate/road/graph"
)

// Barrier describes passing a node.
type Barrier struct {
	Flags  graph.NodeFlags
	Access graph.Modes
	Limits graph.Limits // of what stands there, as a width restrictor, without those that have conditions
	// Conditions and Strict have the meaning of those of Side.
	Conditions []string
	Strict     graph.Limits
	// Closings are the times at which it is closed.
	Closings []Closing
	// UntoldToll reports that toll is paid there and no tag says by whom: Limits then
	// have all pay.
	UntoldToll bool
}

// Closing is when a barrier is closed to some who may pass it at other times: while a
// condition is met, or outside of opening hours; one of the two is empty.
type Closing struct {
	Tag       string
	Modes     graph.Modes
	Condition string
	Open      string
}

// closings reads when a barrier is closed. Tags with a part that opens what is
// otherwise closed are left out.
func closings(t osm.Tags, access graph.Modes) (list []Closing) {
	text := t.Get("opening_hours")
	if access == 0 || text == "" && !conditioned(t) {
		return nil
	}
	law := conditional.ReadRules(each(t), false)
	if law == nil {
		return nil
	}
	if law.Hours != nil {
		list = append(list, Closing{Tag: "opening_hours=" + text, Modes: access, Open: text})
	}
	for i := range law.Access {
		r := &law.Access[i]
		if r.Modes&access == 0 || slices.ContainsFunc(r.Clauses, func(c conditional.Clause) bool { return c.If.Timed() && r.Permits(&c) != conditional.Forbids }) {
			continue
		}
		_, value, _ := strings.Cut(r.Tag, "=")
		for value, condition := range conditional.Split(value) {
			c := conditional.Clause{Value: value, If: conditional.ParseCondition(condition)}
			if condition != "" && c.If.Timed() && r.Permits(&c) == conditional.Forbids {
				list = append(list, Closing{Tag: r.Tag, Modes: r.Modes & access, Condition: condition})
			}
		}
	}
	return list
}

// each yields tags.
func each(t osm.Tags) func(yield func(key, value string) bool) {
	return func(yield func(key, value string) bool) {
		for _, tag := range t {
			if !yield(tag.Key, tag.Value) {
				return
			}
		}
	}
}

// blocked are the modes that a barrier stops unless its own tags let them pass.
var blocked = map[string]struct {
	modes graph.Modes
	flags graph.NodeFlags
}{
	"gate": {0, graph.Gate}, "lift_gate": {0, graph.Gate}, "swing_gate": {0, graph.Gate}, "hampshire_gate": {0, graph.Gate},
	"sliding_gate": {0, graph.Gate}, "sliding_beam": {0, graph.Gate}, "yes": {0, graph.Gate}, "chain": {graph.Motor, graph.Barrier},
	"bollard": {graph.Motor &^ (graph.MotorScooter | graph.Motorcycle), graph.Bollard}, "bollards": {graph.Motor, graph.Bollard},
	"block": {graph.Motor, graph.Barrier}, "jersey_barrier": {graph.Motor, graph.Barrier}, "concrete": {graph.Motor, graph.Barrier},
	"kerb": {graph.Motor, graph.Barrier},
	"log":  {graph.Motor, graph.Barrier}, "debris": {graph.Motor, graph.Barrier}, "planter": {graph.Motor, graph.Barrier},
	"cycle_barrier": {graph.Motor, graph.Barrier}, "motorcycle_barrier": {graph.Motor, graph.Barrier},
	"bus_trap": {graph.Motor &^ graph.Bus, graph.Barrier}, "sump_buster": {graph.Motor &^ (graph.Bus | graph.Truck), graph.Barrier},
	"stile": {graph.Vehicles | graph.Wheelchair, graph.Barrier}, "kissing_gate": {graph.Vehicles, graph.Gate},
	"turnstile": {graph.Vehicles | graph.Wheelchair, graph.Barrier}, "full-height_turnstile": {graph.Vehicles | graph.Wheelchair, graph.Barrier},
	"horse_stile": {graph.Vehicles | graph.Wheelchair, graph.Barrier}, "step": {graph.Motor, graph.Barrier},
	"cattle_grid": {0, graph.CattleGrid}, "toll_booth": {0, graph.TollBooth}, "border_control": {0, graph.BorderControl},
	"height_restrictor": {0, graph.Barrier}, "wall": {graph.AllModes, graph.Barrier}, "fence": {graph.AllModes, graph.Barrier},
}

// ReadNode returns what a node's tags mean for travel; ok is false if they mean
// nothing.
func ReadNode(t osm.Tags) (b Barrier, ok bool) {
	b.Access = graph.AllModes
	switch t.Get("highway") {
	case "traffic_signals":
		b.Flags |= graph.Signal
	case "stop":
		b.Flags |= graph.StopSign
	case "give_way":
		b.Flags |= graph.GiveWay
	case "mini_roundabout":
		b.Flags |= graph.MiniRoundabout
	case "motorway_junction":
		b.Flags |= graph.MotorwayJunction
	case "toll_gantry":
		b.Flags |= graph.TollBooth | graph.TollGantry
	case "elevator":
		b.Flags |= graph.Lift
	case "crossing": // its signals, if any, are for those who cross the road
		b.Flags |= graph.CrossingNode
	}
	if t.Get("railway") == "level_crossing" {
		b.Flags |= graph.LevelCrossing
	}
	kind := t.Get("barrier")
	stop, known := blocked[kind]
	switch {
	case !known || lowKerb(t) || audible(t):
	case kind == "bollard" && t.Get("bollard") == "rising": // opens for those who may pass
		b.Flags |= graph.Gate
	default:
		b.Flags |= stop.flags
		b.Access &^= stop.modes
	}
	side := Side{Access: b.Access}
	for key, modes := range graph.AccessKeys {
		if b.Flags&graph.CrossingNode != 0 && key != "access" {
			modes &^= active // speaks of those who cross the road
		}
		for _, form := range forms(t, key) {
			apply(&side, modes, osm.Tag{Key: form, Value: t.Get(form)}, graph.AllModes)
		}
	}
	b.Access = side.Access
	if kind != "" {
		if side.Destination != 0 {
			b.Flags |= graph.PrivateAccess
		}
		if slices.ContainsFunc(t, func(tag osm.Tag) bool { return permissionOf(tag.Value) != unknown && isAccess(tag.Key) }) {
			b.Flags |= graph.TaggedAccess
		}
		if locked := t.Get("locked"); locked == "yes" && !t.Has("access") && !t.Has("motor_vehicle") {
			b.Access &^= graph.Motor
		}
		b.Closings = closings(t, b.Access)
	}
	var limited Way
	limited.limits(t)
	limited.conditions(t)
	b.Limits, b.Conditions, b.Strict = limited.Forward.Limits, limited.Forward.Conditions, limited.Forward.Strict
	b.Limits.LastResort = side.Limits.LastResort & side.Access
	if b.Flags&graph.PrivateAccess != 0 {
		b.Limits.Private = side.Destination
	}
	if b.Flags&graph.TollBooth != 0 {
		b.UntoldToll = !tollTagged(t)
		tolls(t, ":forward", graph.AllModes, &b.Limits)
	}
	return b, b.Flags != 0 || b.Access != graph.AllModes || b.Limits != (graph.Limits{}) || len(b.Conditions)+len(b.Closings) > 0
}

// lowKerb reports whether vehicles can drive over a kerb: a lowered one, or that of a
// crossing, whose tags belong to the pavement.
func lowKerb(t osm.Tags) bool {
	if t.Get("barrier") != "kerb" {
		return false
	}
	switch t.Get("kerb") {
	case "lowered", "flush", "no", "rolled":
		return true
	}
	return t.Get("highway") == "crossing"
}

// audible reports whether a fence works by sound alone, against cattle or deer.
func audible(t osm.Tags) bool {
	sense := t.Get("sensory")
	return sense == "audible" || sense == "audio"
}

func isAccess(key string) bool {
	for k := range graph.AccessKeys {
		if k == key {
			return true
		}
	}
	return false
}

// Breaks reports whether a node with these facts must be a node of the graph
// even in the middle of a way.
func (b Barrier) Breaks() bool {
	return b.Access != graph.AllModes || b.Limits != (graph.Limits{}) || len(b.Conditions)+len(b.Closings) > 0 || b.Flags&^(graph.CrossingNode|graph.LevelCrossing|graph.GiveWay|graph.StopSign|graph.Signal|graph.CattleGrid|graph.TaggedAccess) != 0
}
