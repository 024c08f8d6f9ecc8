package tags

import (
	"slices"
	"strconv"
	"strings"

	"github.com/waygate/waygate/osm"
	"github.com/waygate/waygate/road/graph"
)

// permission is the meaning of a value of an access key.
type permission uint8

const (
	unknown permission = iota
	allowed
	forbidden
	destination // allowed to reach places on the road
	private     // the same, and nobody else may pass, wherever he comes from
	discouraged // allowed, and to be avoided where there is another way
	unsuitable  // to be avoided likewise where allowed otherwise: opens nothing
)

var permissions = map[string]permission{
	"yes": allowed, "designated": allowed, "permissive": allowed, "official": allowed, "allowed": allowed, "true": allowed, "public": allowed,
	"unknown": unknown, "variable": allowed, "dismount": allowed, "optional_sidepath": allowed,
	"no": forbidden, "false": forbidden, "agricultural": forbidden, "forestry": forbidden, "farm": forbidden,
	"military": forbidden, "emergency": forbidden, "use_sidepath": forbidden, "restricted": forbidden,
	"destination": destination, "delivery": destination, "customers": destination, "visitors": destination, "guests": destination, "customer": destination,
	"private": private, "permit": private, "residents": private, "employees": private, "staff": private, "members": private,
	"license": private, "licence": private, "permit_holder": private,
	"discouraged": discouraged, "avoid": discouraged, "not_recommended": discouraged, "inadvisable": discouraged,
	"unsuitable": unsuitable, "not_suitable": unsuitable, "unsuited": unsuitable, "limited": unsuitable,
	// These values describe a position, or are unknown; they permit and forbid
	// nothing.
	"lane": unknown, "opposite": unknown, "opposite_lane": unknown, "shared": unknown, "shared_lane": unknown, "track": unknown,
	"sidewalk": unknown, "undefined": unknown, "unkown": unknown,
}

// kinds are the values of access keys that name users of a road: it is closed to all
// others whom the key concerns.
var kinds = map[string]graph.Modes{
	"psv": graph.Bus | graph.Taxi, "bus": graph.Bus, "minibus": graph.Bus, "coach": graph.Bus, "tourist_bus": graph.Bus,
	"taxi": graph.Taxi, "share_taxi": graph.Taxi, "hov": graph.HOV, "carpool": graph.HOV,
	"hgv": graph.Truck, "motorcycle": graph.Motorcycle, "moped": graph.MotorScooter, "mofa": graph.MotorScooter,
	"emergency_vehicle": graph.Emergency, "emergency_vehicles": graph.Emergency, "fire_brigade": graph.Emergency, "ambulance": graph.Emergency,
	"bicycle": graph.Bicycle, "bicycles": graph.Bicycle, "foot": onFoot, "pedestrian": onFoot, "pedestrians": onFoot,
}

// kindsOf reads a value that names kinds of travellers only, as in "bus;taxi".
func kindsOf(value string) (named graph.Modes, ok bool) {
	for part := range strings.SplitSeq(value, ";") {
		modes, known := kinds[strings.TrimSpace(part)]
		if !known {
			return 0, false
		}
		named |= modes
	}
	return named, true
}

// permissionOf reads the value of an access key. Of several values, as in
// "agricultural;destination", the most generous counts, but destination traffic keeps
// only that right.
func permissionOf(value string) permission {
	if p, ok := permissions[value]; ok || !strings.Contains(value, ";") {
		return p
	}
	best := unknown
	for part := range strings.SplitSeq(value, ";") {
		p := permissions[strings.TrimSpace(part)]
		if p == destination || p == private && best != destination || best == unknown || best == forbidden && p != unknown {
			best = p
		}
	}
	return best
}

// accessKeys is the set of graph.AccessKeys.
var accessKeys = func() map[string]bool {
	all := map[string]bool{}
	for key := range graph.AccessKeys {
		all[key] = true
	}
	return all
}()

// accessTagged reports whether tags contain a key of access with any suffix; few ways
// have one.
func accessTagged(t osm.Tags) bool {
	return slices.ContainsFunc(t, func(tag osm.Tag) bool {
		key, _, _ := strings.Cut(tag.Key, ":")
		return accessKeys[key]
	})
}

// access fills both sides' Access, Destination and Private.
func (w *Way) access(t osm.Tags, byDefault graph.Modes) {
	if yes(t.Get("motorroad")) {
		byDefault &^= active | graph.MotorScooter
	}
	if w.Use == graph.EmergencyAccess && !t.Has("access") && !t.Has("motor_vehicle") {
		byDefault &= graph.Emergency | active
	}
	both := Side{Access: byDefault}
	if w.Ferry && ferryCarries(t) {
		both.Access = graph.AllModes
	}
	w.Forward, w.Backward = both, both
	tagged := accessTagged(t)
	for key, modes := range graph.AccessKeys {
		if key == "bicycle" {
			w.cycling(t)
		}
		if !tagged {
			continue
		}
		for _, form := range forms(t, key) {
			general := osm.Tag{Key: form, Value: t.Get(form)}
			apply(&w.Forward, modes, general, byDefault)
			apply(&w.Backward, modes, general, byDefault)
			apply(&w.Forward, modes, osm.Tag{Key: form + ":forward", Value: t.Get(form + ":forward")}, byDefault)
			apply(&w.Backward, modes, osm.Tag{Key: form + ":backward", Value: t.Get(form + ":backward")}, byDefault)
		}
	}
	for _, s := range []*Side{&w.Forward, &w.Backward} {
		if sharedOnly(t) {
			s.Access &^= graph.Auto | graph.Truck
		}
		if t.Get("bicycle") == "dismount" {
			s.Flags |= graph.BikeDismount
		}
		if yes(t.Get("impassable")) || t.Get("status") == "impassable" || t.Get("smoothness") == "impassable" {
			s.Access &^= graph.Vehicles | graph.Wheelchair // on foot one gets through
		}
		if t.Get("hgv") == "designated" || t.Has("hgv:national_network") {
			w.Flags |= graph.HGVDesignated
			s.Flags |= graph.TruckRoute
		}
	}
	switch w.Use {
	case graph.Driveway, graph.ParkingAisle, graph.DriveThrough: // leads nowhere else
		w.Forward.Destination, w.Backward.Destination = graph.AllModes, graph.AllModes
	}
	w.oneway(t)
}

// cycleways are the values of cycleway that provide or permit cycling.
var cycleways = []string{
	"lane", "track", "shared_lane", "shared", "sharrow", "share_busway", "buffered_lane", "crossing", "cyclestreet", "sidepath", "use_sidepath",
	"yes", "designated", "permissive", "destination", "dismount", "allowed", "private",
}

// cycling opens a way to bicycles by its cycle lanes and the like: those on one side of
// a road only in the direction in which that side is ridden. It opens no way that is
// closed to all.
func (w *Way) cycling(t osm.Tags) {
	if permissionOf(t.Get("access")) == forbidden || permissionOf(t.Get("vehicle")) == forbidden {
		return
	}
	open := func(key string, sides ...*Side) {
		if slices.Contains(cycleways, t.Get(key)) {
			for _, s := range sides {
				s.Access |= graph.Bicycle
				s.Destination &^= graph.Bicycle
				s.Private &^= graph.Bicycle
			}
		}
	}
	left, right := &w.Backward, &w.Forward
	if w.Flags&graph.DriveOnLeft != 0 {
		left, right = right, left
	}
	open("cycleway", left, right)
	open("cycleway:both", left, right)
	if bicyclesBothWays(t) {
		left.Access |= graph.Bicycle
		right.Access |= graph.Bicycle
	}
	switch {
	case !yes(t.Get("oneway")) && w.Class != graph.Motorway:
		open("cycleway:left", left)
		open("cycleway:right", right)
	default:
		open("cycleway:left", &w.Forward)
		open("cycleway:right", &w.Forward)
	}
}

// sharedOnly reports whether a road is for cars with several people in them:
// hov=designated, unless only some of its lanes are.
func sharedOnly(t osm.Tags) bool {
	if t.Get("hov") != "designated" || t.Has("motorcar") {
		return false
	}
	lanes := t.Get("hov:lanes")
	if lanes == "" {
		return true
	}
	for lane := range strings.SplitSeq(lanes, "|") {
		if lane != "designated" {
			return false
		}
	}
	return true
}

// ferryCarries reports whether a ferry's tags say that it takes motor vehicles:
// untagged it takes only walkers and cyclists.
func ferryCarries(t osm.Tags) bool {
	for _, k := range []string{"motor_vehicle", "motorcar", "vehicle", "hgv"} {
		if p := permissionOf(t.Get(k)); p == allowed || p == destination || p == private || p == discouraged {
			return true
		}
	}
	return false
}

// apply sets modes by one tag. "access=yes" and the like on a road that the law closes
// to some modes does not open it to them.
func apply(s *Side, modes graph.Modes, tag osm.Tag, byDefault graph.Modes) {
	value := tidy(tag.Value)
	if value == "" || modes == 0 {
		return
	}
	if value == "use_sidepath" && modes == graph.Bicycle {
		return // has to use the path beside, which may not be mapped: a matter of cost
	}
	if named, ok := kindsOf(value); ok {
		s.Access &^= modes &^ named
		return
	}
	switch meaning(tag.Key, value) {
	case allowed:
		if modes == graph.AllModes {
			modes &= byDefault
		}
		s.Access |= modes
		s.Destination &^= modes
		s.Private &^= modes
		s.Limits.LastResort &^= modes
	case destination, private:
		if modes == graph.AllModes {
			modes &= byDefault
		}
		s.Access |= modes
		s.Destination |= modes
		s.Private &^= modes
		if permissionOf(value) == private {
			s.Private |= modes
		}
		s.Limits.LastResort &^= modes
	case discouraged:
		if modes == graph.AllModes {
			modes &= byDefault
		}
		s.Access |= modes
		s.avoid(modes, tag)
	case unsuitable:
		s.avoid(modes, tag)
	case forbidden:
		s.Access &^= modes
	case unknown:
	}
}

// modesOf is a key with the modes that it concerns.
type modesOf struct {
	key   string
	modes graph.Modes
}

// onewayKeys are the exceptions from the one-way rule for some modes, from the general
// to the particular.
var onewayKeys = []modesOf{
	{"oneway:vehicle", graph.Vehicles},
	{"oneway:motor_vehicle", graph.Motor},
	{"oneway:motorcar", graph.Auto | graph.HOV | graph.Taxi},
	{"oneway:hgv", graph.Truck},
	{"oneway:psv", graph.Bus | graph.Taxi},
	{"oneway:bus", graph.Bus},
	{"oneway:taxi", graph.Taxi},
	{"oneway:motorcycle", graph.Motorcycle},
	{"oneway:mofa", graph.MotorScooter},
	{"oneway:moped", graph.MotorScooter},
	{"oneway:bicycle", graph.Bicycle},
	{"oneway:foot", onFoot},
	{"foot:oneway", onFoot},
}

// againstKeys open a one-way road to some modes against its direction, with a value
// such as opposite_lane, and laneKeys with a number of lanes in that direction.
var (
	againstKeys = []modesOf{
		{"busway", graph.Bus},
		{"busway:left", graph.Bus},
		{"busway:right", graph.Bus},
		{"busway:both", graph.Bus},
		{"psv", graph.Bus | graph.Taxi},
		{"bus", graph.Bus},
		{"taxi", graph.Taxi},
	}
	laneKeys = []modesOf{{"psv", graph.Bus | graph.Taxi}, {"bus", graph.Bus}, {"taxi", graph.Taxi}}
)

// oneway closes the direction against the rule.
func (w *Way) oneway(t osm.Tags) {
	var alongClosed, againstClosed graph.Modes // by the way's own direction
	rule := func(value string, modes graph.Modes) int8 {
		switch value {
		case "yes", "true", "1":
			alongClosed, againstClosed = alongClosed&^modes, againstClosed|modes
			return 1
		case "-1", "reverse":
			alongClosed, againstClosed = alongClosed|modes, againstClosed&^modes
			return -1
		case "no", "false", "0", "alternating":
			alongClosed, againstClosed = alongClosed&^modes, againstClosed&^modes
		case "reversible": // the hours are not known, so neither way is safe to promise
			alongClosed, againstClosed = alongClosed|modes, againstClosed|modes
		}
		return 0
	}
	v := t.Get("oneway")
	if j := t.Get("junction"); (v == "" || v == "alternating") && (j == "roundabout" || j == "circular" || t.Get("highway") == "motorway") {
		v = "yes"
	}
	if w.Oneway = rule(v, graph.Vehicles); w.Oneway != 0 {
		w.Flags |= graph.Oneway
	}
	against, direction := &w.Backward, ":backward"
	if w.Oneway < 0 {
		against, direction = &w.Forward, ":forward"
	}
	open := func(modes graph.Modes) { // whatever keys of access say of the road
		rule("no", modes)
		against.Access |= modes
		against.Destination &^= modes
		against.Private &^= modes
	}
	if v != "reversible" {
		if bicyclesBothWays(t) {
			rule("no", graph.Bicycle)
		}
	}
	if w.Oneway != 0 {
		for _, k := range againstKeys {
			if v := t.Get(k.key); v == "opposite_lane" || v == "opposite_track" || v == "opposite" {
				open(k.modes)
			}
		}
		for _, k := range laneKeys {
			if n, err := strconv.Atoi(t.Get("lanes:" + k.key + direction)); err == nil && n > 0 {
				open(k.modes)
			}
		}
	}
	for _, k := range onewayKeys {
		rule(t.Get(k.key), k.modes)
	}
	if w.Use == graph.Escalator {
		switch t.Get("conveying") {
		case "forward":
			rule("yes", onFoot)
		case "backward":
			rule("-1", onFoot)
		}
	}
	w.either = [2]graph.Modes{w.Forward.Access, w.Backward.Access}
	w.Forward.Access &^= alongClosed
	w.Backward.Access &^= againstClosed
}

func no(v string) bool { return v == "no" || v == "false" || v == "0" }

func bicyclesBothWays(t osm.Tags) bool {
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
