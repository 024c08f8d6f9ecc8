package tags

import (
	"github.com/waygate/waygate/osm"
	"github.com/waygate/waygate/road/graph"
)

// permission is what a value of an access key means.
type permission uint8

const (
	unknown permission = iota
	allowed
	forbidden
	destination // allowed to reach places on the road
)

var permissions = map[string]permission{
	"yes": allowed, "designated": allowed, "permissive": allowed, "official": allowed, "allowed": allowed, "true": allowed, "public": allowed,
	"discouraged": allowed, "unknown": unknown, "variable": allowed, "dismount": unknown, "optional_sidepath": allowed,
	"no": forbidden, "false": forbidden, "agricultural": forbidden, "forestry": forbidden, "agricultural;forestry": forbidden,
	"military": forbidden, "emergency": forbidden, "use_sidepath": forbidden, "bus": forbidden, "psv": forbidden, "restricted": forbidden,
	"private": destination, "destination": destination, "delivery": destination, "customers": destination, "permit": destination,
	"residents": destination, "employees": destination, "visitors": destination, "guests": destination, "staff": destination,
}

// keys of the access hierarchy, from the general to the particular; a later
// one overrides an earlier one for its modes.
var accessKeys = []struct {
	key   string
	modes graph.Modes
}{
	{"access", graph.AllModes},
	{"vehicle", graph.Vehicles},
	{"motor_vehicle", graph.Motor},
	{"motorcar", graph.Auto | graph.HOV | graph.Taxi},
	{"goods", 0},
	{"hgv", graph.Truck},
	{"psv", graph.Bus | graph.Taxi},
	{"bus", graph.Bus},
	{"taxi", graph.Taxi},
	{"hov", graph.HOV},
	{"motorcycle", graph.Motorcycle},
	{"moped", graph.MotorScooter},
	{"mofa", 0},
	{"bicycle", graph.Bicycle},
	{"foot", graph.Pedestrian | graph.Wheelchair},
	{"wheelchair", graph.Wheelchair},
	{"emergency", graph.Emergency},
}

// access fills both sides' Access and Destination.
func (w *Way) access(t osm.Tags, byDefault graph.Modes) {
	both := Side{Access: byDefault}
	if w.Ferry && ferryCarries(t) {
		both.Access = graph.AllModes
	}
	if t.Has("impassable") || t.Get("status") == "impassable" || t.Get("smoothness") == "impassable" {
		both.Access = 0
	}
	w.Forward, w.Backward = both, both
	for _, k := range accessKeys {
		general := t.Get(k.key)
		apply(&w.Forward, k.modes, general, byDefault)
		apply(&w.Backward, k.modes, general, byDefault)
		if v := t.Get(k.key + ":forward"); v != "" {
			apply(&w.Forward, k.modes, v, byDefault)
		}
		if v := t.Get(k.key + ":backward"); v != "" {
			apply(&w.Backward, k.modes, v, byDefault)
		}
	}
	if w.Use == graph.EmergencyAccess && !t.Has("access") && !t.Has("motor_vehicle") {
		w.Forward.Access &= graph.Emergency | active
		w.Backward.Access &= graph.Emergency | active
	}
	if t.Get("bicycle") == "dismount" {
		w.Forward.Flags |= graph.BikeDismount
		w.Backward.Flags |= graph.BikeDismount
		w.Forward.Access &^= graph.Bicycle
		w.Backward.Access &^= graph.Bicycle
	}
	if t.Get("hgv") == "designated" || t.Has("hgv:national_network") {
		w.Flags |= graph.HGVDesignated
		w.Forward.Flags |= graph.TruckRoute
		w.Backward.Flags |= graph.TruckRoute
	}
	if t.Get("motorroad") == "yes" {
		slow := active | graph.MotorScooter
		w.Forward.Access &^= slow
		w.Backward.Access &^= slow
	}
	w.oneway(t)
}

// ferryCarries reports whether a ferry's tags say that it takes motor
// vehicles: without a word of it only walkers and cyclists board.
func ferryCarries(t osm.Tags) bool {
	for _, k := range []string{"motor_vehicle", "motorcar", "vehicle", "hgv"} {
		if p := permissions[t.Get(k)]; p == allowed || p == destination {
			return true
		}
	}
	return false
}

// apply sets modes by one tag. "access=yes" and the like on a road that some
// modes may not use by law does not open it to them.
func apply(s *Side, modes graph.Modes, value string, byDefault graph.Modes) {
	if value == "" || modes == 0 {
		return
	}
	switch permissions[value] {
	case allowed:
		if modes == graph.AllModes {
			modes &= byDefault
		}
		s.Access |= modes
		s.Destination &^= modes
	case destination:
		if modes == graph.AllModes {
			modes &= byDefault
		}
		s.Access |= modes
		s.Destination |= modes
	case forbidden:
		s.Access &^= modes
	case unknown:
	}
}

// oneway takes away the direction that is against the rule.
func (w *Way) oneway(t osm.Tags) {
	v := t.Get("oneway")
	switch v {
	case "yes", "true", "1":
		w.Oneway = 1
	case "-1", "reverse":
		w.Oneway = -1
	case "no", "false", "0", "alternating":
	case "reversible":
		w.Forward.Access &^= graph.Vehicles
		w.Backward.Access &^= graph.Vehicles
		return
	default:
		j := t.Get("junction")
		if j == "roundabout" || j == "circular" || t.Get("highway") == "motorway" {
			w.Oneway = 1
		}
	}
	against := &w.Backward
	if w.Oneway == -1 {
		against = &w.Forward
	}
	if w.Oneway != 0 {
		w.Flags |= graph.Oneway
		closed := graph.Vehicles
		if bicyclesBothWays(t) {
			closed &^= graph.Bicycle
		}
		if no(t.Get("oneway:bus")) || no(t.Get("oneway:psv")) || t.Get("busway") == "opposite_lane" || t.Get("busway:left") == "opposite_lane" || t.Get("busway:right") == "opposite_lane" {
			closed &^= graph.Bus
		}
		if no(t.Get("oneway:moped")) || no(t.Get("oneway:mofa")) {
			closed &^= graph.MotorScooter
		}
		if no(t.Get("oneway:motor_vehicle")) {
			closed &^= graph.Motor
		}
		against.Access &^= closed
	} else if yes(t.Get("oneway:bicycle")) {
		w.Backward.Access &^= graph.Bicycle
	}
	if yes(t.Get("oneway:foot")) || w.Use == graph.Escalator && t.Get("conveying") == "forward" {
		w.Backward.Access &^= graph.Pedestrian | graph.Wheelchair
	}
}

func no(v string) bool { return v == "no" || v == "false" || v == "0" }

func bicyclesBothWays(t osm.Tags) bool {
	if no(t.Get("oneway:bicycle")) {
		return true
	}
	for _, k := range []string{"cycleway", "cycleway:left", "cycleway:right", "cycleway:both"} {
		switch t.Get(k) {
		case "opposite", "opposite_lane", "opposite_track", "opposite_share_busway":
			return true
		}
		if o := t.Get(k + ":oneway"); no(o) || o == "-1" {
			return true
		}
	}
	return false
}

// Barrier is what a node's tags say of passing it.
type Barrier struct {
	Flags  graph.NodeFlags
	Access graph.Modes
}

// blocked are the modes a barrier stops unless its own tags let them by.
var blocked = map[string]struct {
	modes graph.Modes
	flags graph.NodeFlags
}{
	"gate": {0, graph.Gate}, "lift_gate": {0, graph.Gate}, "swing_gate": {0, graph.Gate}, "hampshire_gate": {0, graph.Gate},
	"sliding_gate": {0, graph.Gate}, "chain": {graph.Motor, graph.Barrier},
	"bollard": {graph.Motor &^ (graph.MotorScooter | graph.Motorcycle), graph.Bollard}, "bollards": {graph.Motor, graph.Bollard},
	"block": {graph.Motor, graph.Barrier}, "jersey_barrier": {graph.Motor, graph.Barrier}, "concrete": {graph.Motor, graph.Barrier},
	"log": {graph.Motor, graph.Barrier}, "debris": {graph.Motor, graph.Barrier}, "planter": {graph.Motor, graph.Barrier},
	"cycle_barrier": {graph.Motor, graph.Barrier}, "motorcycle_barrier": {graph.Motor, graph.Barrier},
	"bus_trap": {graph.Motor &^ graph.Bus, graph.Barrier}, "sump_buster": {graph.Motor &^ (graph.Bus | graph.Truck), graph.Barrier},
	"stile": {graph.Vehicles | graph.Wheelchair, graph.Barrier}, "kissing_gate": {graph.Vehicles, graph.Gate},
	"turnstile": {graph.Vehicles | graph.Wheelchair, graph.Barrier}, "full-height_turnstile": {graph.Vehicles | graph.Wheelchair, graph.Barrier},
	"horse_stile": {graph.Vehicles | graph.Wheelchair, graph.Barrier}, "step": {graph.Motor, graph.Barrier},
	"cattle_grid": {0, graph.CattleGrid}, "toll_booth": {0, graph.TollBooth}, "border_control": {0, graph.BorderControl},
	"height_restrictor": {0, graph.Barrier}, "wall": {graph.AllModes, graph.Barrier}, "fence": {graph.AllModes, graph.Barrier},
}

// ReadNode gives what a node's tags say of travel; ok is false where they say
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
		b.Flags |= graph.TollBooth
	case "crossing":
		b.Flags |= graph.CrossingNode
		if t.Get("crossing") == "traffic_signals" {
			b.Flags |= graph.Signal
		}
	}
	if t.Get("railway") == "level_crossing" {
		b.Flags |= graph.LevelCrossing
	}
	kind := t.Get("barrier")
	stop, known := blocked[kind]
	if known {
		b.Flags |= stop.flags
		b.Access &^= stop.modes
	}
	if known || t.Has("access") && kind != "" {
		side := Side{Access: b.Access}
		for _, k := range accessKeys {
			apply(&side, k.modes, t.Get(k.key), graph.AllModes)
		}
		b.Access = side.Access
		if side.Destination != 0 {
			b.Flags |= graph.PrivateAccess
		}
		if locked := t.Get("locked"); locked == "yes" && !t.Has("access") && !t.Has("motor_vehicle") {
			b.Access &^= graph.Motor
		}
	}
	return b, b.Flags != 0 || b.Access != graph.AllModes
}

// Breaks reports whether a node with these facts must be a node of the graph
// even in the middle of a way.
func (b Barrier) Breaks() bool {
	return b.Access != graph.AllModes || b.Flags&^(graph.CrossingNode|graph.LevelCrossing|graph.GiveWay|graph.StopSign|graph.Signal|graph.CattleGrid) != 0
}
