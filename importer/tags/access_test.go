package tags

import (
	"fmt"
	"strings"
	"testing"

	"github.com/waygate/waygate/importer/country"
	"github.com/waygate/waygate/osm"
	"github.com/waygate/waygate/road/graph"
)

var (
	nowhere = country.Country{}
	britain = country.Country{Code: "GB", Left: true, MPH: true}
)

// parse reads tags drawn as key=value|key=value.
func parse(s string) osm.Tags {
	var t osm.Tags
	for pair := range strings.SplitSeq(s, "|") {
		if k, v, ok := strings.Cut(pair, "="); ok {
			t = append(t, osm.Tag{Key: k, Value: v})
		}
	}
	return t
}

// The letters of modes in the tables: small for access, capital where only to
// a destination.
var letters = []struct {
	letter byte
	mode   graph.Modes
}{
	{'c', graph.Auto},
	{'l', graph.Truck},
	{'b', graph.Bus},
	{'t', graph.Taxi},
	{'h', graph.HOV},
	{'m', graph.Motorcycle},
	{'s', graph.MotorScooter},
	{'y', graph.Bicycle},
	{'f', graph.Pedestrian},
	{'w', graph.Wheelchair},
	{'e', graph.Emergency},
}

func drawn(access, destination graph.Modes) string {
	var b strings.Builder
	for _, l := range letters {
		switch {
		case access&l.mode == 0:
		case destination&l.mode != 0:
			b.WriteByte(l.letter - 'a' + 'A')
		default:
			b.WriteByte(l.letter)
		}
	}
	return b.String()
}

const (
	all      = "clbthmsyfwe"
	vehicles = "clbthmsye"
	motors   = "clbthmse"
	motorway = "clbthme"
	quiet    = "yfw"
)

func TestAccess(t *testing.T) {
	for _, c := range []struct {
		tags              string
		forward, backward string // backward "=" where the same
	}{
		// The modes that each kind of way is open to.
		{"highway=residential", all, "="},
		{"highway=motorway", motorway, ""},
		{"highway=motorway|oneway=no", motorway, "="},
		{"highway=motorway_link", motorway, "="},
		{"highway=trunk", all, "="},
		{"highway=trunk|motorroad=yes", motorway, "="},
		{"highway=trunk|motorroad=yes|access=yes", motorway, "="},
		{"highway=trunk|motorroad=yes|bicycle=yes", "clbthmye", "="},
		{"highway=footway", "fw", "="},
		{"highway=footway|bicycle=yes", quiet, "="},
		{"highway=steps", "yf", "="},
		{"highway=steps|wheelchair=yes", "yfw", "="},
		{"highway=cycleway", "y", "="},
		{"highway=cycleway|foot=yes", quiet, "="},
		{"highway=cycleway|foot=no", "y", "="},
		{"highway=path", quiet, "="},
		{"highway=path|motor_vehicle=yes", all, "="},
		{"highway=bridleway|foot=yes", "fw", "="},
		{"highway=busway", "be", "="},
		{"highway=busway|bicycle=yes|taxi=yes", "btye", "="},
		{"highway=service|service=emergency_access", "yfwe", "="},
		{"highway=service|service=emergency_access|motor_vehicle=private", "CLBTHMSyfwE", "="},
		{"highway=construction|construction=motorway", motorway, "="},
		// The hierarchy: the particular overrides the general.
		{"highway=service|access=no", "", "="},
		{"highway=service|access=no|motor_vehicle=yes", motors, "="},
		{"highway=service|motor_vehicle=yes|access=no", motors, "="},
		{"highway=service|access=private", "CLBTHMSYFWE", "="},
		{"highway=service|access=private|foot=yes", "CLBTHMSYfwE", "="},
		{"highway=service|access=private|motorcar=yes|hgv=no", "cBthMSYFWE", "="},
		{"highway=residential|vehicle=no|bicycle=yes", quiet, "="},
		{"highway=residential|vehicle=no", "fw", "="},
		{"highway=residential|vehicle=destination", "CLBTHMSYfwE", "="},
		{"highway=residential|motor_vehicle=no", quiet, "="},
		{"highway=residential|motor_vehicle=no|psv=yes", "bt" + quiet, "="},
		{"highway=residential|motor_vehicle=no|bus=yes", "b" + quiet, "="},
		{"highway=residential|motor_vehicle=psv", "bt" + quiet, "="},
		{"highway=residential|access=bus", "b", "="},
		{"highway=residential|motor_vehicle=no|psv=designated|taxi=no", "b" + quiet, "="},
		{"highway=residential|motor_vehicle=no|emergency=yes", quiet + "e", "="},
		{"highway=residential|motorcar=no", "lbms" + quiet + "e", "="},
		{"highway=residential|motorcycle=no|moped=no", "clbth" + quiet + "e", "="},
		{"highway=residential|hgv=no", "cbthmsyfwe", "="},
		{"highway=residential|hgv=destination", "cLbthmsyfwe", "="},
		{"highway=residential|hgv=delivery", "cLbthmsyfwe", "="},
		{"highway=residential|hgv=agricultural", "cbthmsyfwe", "="},
		{"highway=residential|hgv=discouraged", all, "="},
		{"highway=residential|foot=use_sidepath|bicycle=use_sidepath", motors + "y", "="},
		{"highway=residential|foot=no", vehicles, "="},
		{"highway=residential|wheelchair=no", "clbthmsyfe", "="},
		{"highway=residential|bicycle=dismount", all, "="},
		{"highway=footway|bicycle=dismount", quiet, "="},
		{"highway=track|motor_vehicle=agricultural", quiet, "="},
		{"highway=track|motor_vehicle=agricultural;forestry", quiet, "="},
		{"highway=track|motor_vehicle=agricultural;destination", "CLBTHMSyfwE", "="},
		{"highway=track|motor_vehicle=private; customers", "CLBTHMSyfwE", "="},
		{"highway=track|motor_vehicle=no;yes", all, "="},
		{"highway=track|access=customers|foot=permissive", "CLBTHMSYfwE", "="},
		{"highway=residential|access=unknown|vehicle=nonsense", all, "="},
		{"highway=residential|access=yes", all, "="},
		{"highway=footway|access=yes", "fw", "="},
		{"highway=residential|access:backward=no", all, ""},
		{"highway=residential|hgv:forward=no", "cbthmsyfwe", all},
		{"highway=residential|motor_vehicle:backward=no|bus:backward=yes", all, "b" + quiet},
		// Shared cars.
		{"highway=primary|hov=designated", "bthmsyfwe", "="},
		{"highway=primary|hov=designated|motorcar=yes", all, "="},
		{"highway=primary|hov=no", "clbtmsyfwe", "="},
		{"highway=primary|motor_vehicle=no|hov=yes", "h" + quiet, "="},
		// One-ways.
		{"highway=residential|oneway=yes", all, "fw"},
		{"highway=residential|oneway=true", all, "fw"},
		{"highway=residential|oneway=1", all, "fw"},
		{"highway=residential|oneway=-1", "fw", all},
		{"highway=residential|oneway=reverse", "fw", all},
		{"highway=residential|oneway=no", all, "="},
		{"highway=residential|oneway=reversible", "fw", "="},
		{"highway=residential|oneway=alternating", all, "="},
		{"highway=residential|junction=roundabout", all, "fw"},
		{"highway=residential|junction=circular", all, "fw"},
		{"highway=residential|junction=roundabout|oneway=-1", "fw", all},
		{"highway=residential|junction=roundabout|oneway=no", all, "="},
		{"highway=residential|oneway=yes|oneway:bicycle=no", all, quiet},
		{"highway=residential|oneway=-1|oneway:bicycle=no", quiet, all},
		{"highway=residential|oneway=yes|cycleway=opposite", all, quiet},
		{"highway=residential|oneway=yes|cycleway=opposite_lane", all, quiet},
		{"highway=residential|oneway=yes|cycleway:left=opposite_track", all, quiet},
		{"highway=residential|oneway=yes|cycleway:right:oneway=no", all, quiet},
		{"highway=residential|oneway=yes|cycleway:left:oneway=-1", all, quiet},
		{"highway=residential|oneway=yes|cycleway=lane", all, "fw"},
		{"highway=residential|oneway=yes|oneway:bus=no", all, "bfw"},
		{"highway=residential|oneway=yes|oneway:psv=no", all, "btfw"},
		{"highway=residential|oneway=yes|oneway:psv=no|oneway:taxi=yes", all, "bfw"},
		{"highway=residential|oneway=yes|busway=opposite_lane", all, "bfw"},
		{"highway=residential|oneway=yes|busway:left=opposite_lane|busway:right=lane", all, "bfw"},
		{"highway=residential|oneway=-1|busway=opposite_lane", "bfw", all},
		{"highway=residential|busway=opposite_lane", all, "="},
		{"highway=residential|oneway=yes|psv=opposite_lane", all, "btfw"},
		{"highway=residential|oneway=yes|psv=opposite_lane|oneway:taxi=yes", all, "bfw"},
		{"highway=residential|oneway=yes|bus=opposite_track", all, "bfw"},
		{"highway=residential|oneway=yes|lanes:psv:backward=1", all, "btfw"},
		{"highway=residential|oneway=-1|lanes:bus:forward=1|lanes:psv:backward=1", "bfw", all},
		{"highway=residential|oneway=yes|lanes:psv:backward=0|lanes:bus:forward=1", all, "fw"},
		{"highway=unclassified|oneway=yes|psv=opposite_lane|motor_vehicle=no|bus=yes", "b" + quiet, "btfw"},
		{"highway=residential|busway=opposite_lane|bus=no", "clthmsyfwe", "="},
		{"highway=residential|oneway=yes|oneway:moped=no", all, "sfw"},
		{"highway=residential|oneway=yes|oneway:foot=yes", all, ""},
		{"highway=residential|oneway:bicycle=yes", all, "clbthmsfwe"},
		{"highway=residential|oneway:motor_vehicle=yes", all, quiet},
		{"highway=residential|oneway:hgv=-1", "cbthmsyfwe", all},
		{"highway=residential|oneway=no|oneway:motorcar=yes", all, "lbmsyfwe"},
		{"highway=cycleway|oneway=yes", "y", ""},
		{"highway=cycleway|foot=yes|oneway:bicycle=-1", "fw", quiet},
		{"highway=footway|oneway=yes", "fw", "="},
		{"highway=steps|conveying=forward", "yf", "y"},
		{"highway=steps|conveying=backward", "y", "yf"},
		{"highway=steps|conveying=reversible", "yf", "="},
		// The ground.
		{"highway=track|smoothness=impassable", "f", "="},
		{"highway=track|impassable=yes", "f", "="},
		{"highway=track|impassable=no", all, "="},
		// Boats and trains.
		{"route=ferry", quiet, "="},
		{"route=ferry|motor_vehicle=yes", all, "="},
		{"route=ferry|motorcar=yes|hgv=no", "cbthmsyfwe", "="},
		{"route=ferry|motor_vehicle=no|foot=yes", quiet, "="},
		{"route=ferry|access=private", "YFW", "="},
		{"route=shuttle_train", motors, "="},
	} {
		t.Run(c.tags, func(t *testing.T) {
			want := c.backward
			if want == "=" {
				want = c.forward
			}
			w, ok := Read(parse(c.tags), &nowhere)
			if ok != (c.forward+want != "") {
				t.Errorf("kept: %v", ok)
			}
			forward, backward := drawn(w.Forward.Access, w.Forward.Destination), drawn(w.Backward.Access, w.Backward.Destination)
			if same(forward, c.forward) && same(backward, want) {
				return
			}
			t.Errorf("forward %s, backward %s; want %s and %s", forward, backward, c.forward, want)
		})
	}
}

// same compares letters whatever their order.
func same(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range len(a) {
		if !strings.Contains(b, a[i:i+1]) {
			return false
		}
	}
	return true
}

func TestSharedLanes(t *testing.T) {
	for lanes, want := range map[string]bool{"designated|designated": false, "designated||": true, "designated": false, "no|designated": true} {
		w, ok := Read(osm.Tags{{Key: "highway", Value: "motorway"}, {Key: "hov", Value: "designated"}, {Key: "hov:lanes", Value: lanes}}, &nowhere)
		if !ok || w.Forward.Access&graph.Auto != 0 != want || w.Forward.Access&graph.HOV == 0 {
			t.Errorf("%s: %s", lanes, drawn(w.Forward.Access, 0))
		}
	}
}

func TestBritishPaths(t *testing.T) {
	for tags, want := range map[string]string{
		"highway=bridleway":                                      quiet,
		"highway=bridleway|bicycle=no":                           "fw",
		"highway=footway|designation=public_bridleway":           quiet,
		"highway=path|designation=public_footpath|bicycle=no":    "fw",
		"highway=footway|designation=public_footpath":            "fw",
		"highway=path|designation=restricted_byway":              quiet,
		"highway=footway|designation=restricted_byway|foot=no":   "y",
		"highway=steps|designation=public_bridleway":             "yf",
		"highway=cycleway":                                       quiet,
		"highway=unclassified|motor_vehicle=destination|psv=yes": "CLbtHMSyfwE",
	} {
		w, _ := Read(parse(tags), &britain)
		if got := drawn(w.Forward.Access, w.Forward.Destination); !same(got, want) {
			t.Errorf("%s: %s, want %s", tags, got, want)
		}
	}
}

func TestRoutable(t *testing.T) {
	for tags, want := range map[string]bool{
		"highway=residential": true, "highway=proposed": false, "highway=street_lamp": false, "highway=services": false, "highway=raceway": false,
		"highway=pedestrian|area=yes": false, "highway=pedestrian|area=no": true, "route=ferry": true, "route=shuttle_train": true, "route=bus": false,
		"building=yes": false, "": false, "highway=construction": true, "railway=rail": false,
		"highway=runway|bicycle=yes": true, "highway=runway|access=yes": false, "highway=ladder|cycleway=lane": true, "highway=razed|foot=yes": false,
	} {
		if got := Routable(parse(tags)); got != want {
			t.Errorf("%s: %v", tags, got)
		}
	}
}

func TestCycleways(t *testing.T) {
	for tags, want := range map[string]string{ // forwards and backwards
		"highway=footway":                              "false false",
		"highway=footway|cycleway=crossing":            "true true",
		"highway=footway|cycleway=no":                  "false false",
		"highway=footway|cycleway=track|bicycle=no":    "false false",
		"highway=footway|cycleway=track|access=no":     "false false",
		"highway=footway|cycleway=track|vehicle=no":    "false false",
		"highway=footway|cycleway:both=lane":           "true true",
		"highway=footway|cycleway:right=lane":          "true false",
		"highway=footway|cycleway:left=lane":           "false true",
		"highway=motorway|cycleway=track":              "true false",
		"highway=motorway|cycleway:left=track":         "true false",
		"highway=motorway|cycleway=opposite":           "true true",
		"highway=residential|cycleway=lane|oneway=yes": "true false",
		"highway=runway|cycleway=lane":                 "true true",
		"highway=runway|motor_vehicle=yes":             "false false",
	} {
		w, _ := Read(parse(tags), &nowhere)
		if got := fmt.Sprint(w.Forward.Access&graph.Bicycle != 0, w.Backward.Access&graph.Bicycle != 0); got != want {
			t.Errorf("%s: %s, want %s", tags, got, want)
		}
	}
}

func TestAlternatingRoundabouts(t *testing.T) {
	for tags, want := range map[string]bool{"junction=roundabout": false, "junction=roundabout|oneway=alternating": false, "oneway=alternating": true} {
		w, _ := Read(parse("highway=primary|"+tags), &nowhere)
		if got := w.Backward.Access&graph.Auto != 0; got != want {
			t.Errorf("%s: backwards %v, want %v", tags, got, want)
		}
	}
}

func TestNotForTravel(t *testing.T) {
	for _, tags := range []string{"highway=construction", "highway=construction|construction=minor", "highway=path|access=no", "highway=residential|access=no"} {
		if w, ok := Read(parse(tags), &nowhere); ok {
			t.Errorf("%s: kept with %s", tags, drawn(w.Forward.Access, 0))
		}
	}
}

func TestNodes(t *testing.T) {
	for _, c := range []struct {
		tags   string
		ok     bool
		access string
		flags  graph.NodeFlags
		breaks bool
	}{
		{"highway=traffic_signals", true, all, graph.Signal, false},
		{"highway=crossing|crossing=traffic_signals", true, all, graph.CrossingNode, false},
		{"highway=crossing|crossing:signals=yes", true, all, graph.CrossingNode, false},
		{"highway=stop", true, all, graph.StopSign, false},
		{"highway=give_way", true, all, graph.GiveWay, false},
		{"highway=mini_roundabout", true, all, graph.MiniRoundabout, true},
		{"highway=elevator|level=0;1", true, all, graph.Lift, true},
		{"highway=motorway_junction|ref=24", true, all, graph.MotorwayJunction, true},
		{"railway=level_crossing", true, all, graph.LevelCrossing, false},
		{"highway=toll_gantry", true, all, graph.TollBooth | graph.TollGantry, true},
		{"barrier=toll_booth", true, all, graph.TollBooth, true},
		{"barrier=border_control", true, all, graph.BorderControl, true},
		{"barrier=cattle_grid", true, all, graph.CattleGrid, false},
		{"barrier=gate", true, all, graph.Gate, true},
		{"barrier=gate|access=private", true, all, graph.Gate | graph.TaggedAccess | graph.PrivateAccess, true},
		{"barrier=gate|access=no|foot=yes", true, "fw", graph.Gate | graph.TaggedAccess, true},
		{"barrier=gate|locked=yes", true, quiet, graph.Gate, true},
		{"barrier=gate|locked=yes|access=yes", true, all, graph.Gate | graph.TaggedAccess, true},
		{"barrier=lift_gate|motor_vehicle=no|bus=yes", true, "b" + quiet, graph.Gate | graph.TaggedAccess, true},
		{"barrier=bollard", true, "ms" + quiet, graph.Bollard, true},
		{"barrier=bollard|motor_vehicle=no", true, quiet, graph.Bollard | graph.TaggedAccess, true},
		{"barrier=bollard|motor_vehicle=yes", true, all, graph.Bollard | graph.TaggedAccess, true},
		{"barrier=bollard|bicycle=no", true, "msfw", graph.Bollard | graph.TaggedAccess, true},
		{"barrier=bollard|emergency=yes|psv=yes", true, "btmsyfwe", graph.Bollard | graph.TaggedAccess, true},
		{"barrier=bus_trap", true, "b" + quiet, graph.Barrier, true},
		{"barrier=stile", true, "f", graph.Barrier, true},
		{"barrier=kissing_gate", true, "fw", graph.Gate, true},
		{"barrier=cycle_barrier", true, quiet, graph.Barrier, true},
		{"barrier=block|access=no", true, "", graph.Barrier | graph.TaggedAccess, true},
		{"barrier=kerb", true, quiet, graph.Barrier, true},
		{"barrier=kerb|kerb=lowered", false, all, 0, false},
		{"barrier=kerb|kerb=raised|highway=crossing", true, all, graph.CrossingNode, false},
		{"barrier=bollard|bollard=rising", true, all, graph.Gate, true},
		{"barrier=bollard|bollard=removable", true, "ms" + quiet, graph.Bollard, true},
		{"barrier=gate|motor_vehicle=emergency_vehicle", true, "e" + quiet, graph.Gate, true},
		{"motor_vehicle=no", true, quiet, 0, true},
		{"access=no|foot=yes", true, "fw", 0, true},
		{"foot=no", true, vehicles, 0, true},
		{"access=private", false, all, 0, false},
		{"highway=crossing|bicycle=no|foot=no", true, all, graph.CrossingNode, false},
		{"highway=crossing|motor_vehicle=no", true, quiet, graph.CrossingNode, true},
		{"barrier=entrance", false, all, 0, false},
		{"barrier=yes|motor_vehicle=no", true, quiet, graph.Gate | graph.TaggedAccess, true},
		{"highway=street_lamp", false, all, 0, false},
		{"access=no", true, "", 0, true},
		{"amenity=bench", false, all, 0, false},
	} {
		b, ok := ReadNode(parse(c.tags))
		if got := drawn(b.Access, 0); ok != c.ok || !same(got, c.access) || b.Flags != c.flags || b.Breaks() != c.breaks {
			t.Errorf("%s: %v, access %s, flags %#x, breaks %v; want %v, %s, %#x, %v", c.tags, ok, got, b.Flags, b.Breaks(), c.ok, c.access, c.flags, c.breaks)
		}
	}
	for tags, want := range map[string]graph.Modes{
		"barrier=gate|access=private":                    graph.AllModes,
		"barrier=gate|access=private|foot=yes":           graph.AllModes &^ onFoot,
		"barrier=gate|access=private|bicycle=designated": graph.AllModes &^ graph.Bicycle,
		"barrier=gate|motor_vehicle=private":             graph.Motor,
		"barrier=gate|access=yes":                        0,
		"barrier=gate|access=no|motorcar=destination":    motorcars,
	} {
		if b, _ := ReadNode(parse(tags)); b.Limits.Private != want {
			t.Errorf("%s: private to %b, want %b", tags, b.Limits.Private, want)
		}
	}
}
