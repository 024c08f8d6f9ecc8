package tags

import (
	"strings"
	"testing"

	"github.com/waygate/waygate/road/graph"
)

// TestConditions checks which tags with conditions are kept with an edge, and which with
// the limits of its vehicles.
func TestConditions(t *testing.T) {
	for _, c := range []struct {
		tags                         string
		kept, forVehicles, backwards string // in the other direction: "=" is the same for vehicles
		weight                       uint16 // of the limits without conditions
	}{
		{"hgv:conditional=no @ (22:00-06:00)", "hgv:conditional=no @ (22:00-06:00)", "", "=", 0},
		{"hgv:conditional=no @ (length>12)", "hgv:conditional=no @ (length>12)", "hgv:conditional=no @ (length>12)", "=", 0},
		{"hgv:forward:conditional=no @ (length>12)", "hgv:forward:conditional=no @ (length>12)", "hgv:forward:conditional=no @ (length>12)", "", 0},
		{"hgv:conditional=no @ (weight>7.5 AND 22:00-06:00)", "hgv:conditional=no @ (weight>7.5 AND 22:00-06:00)", "", "=", 0},
		{"motor_vehicle:conditional=no @ (weight>3.5)|bus=yes", "motor_vehicle:conditional=no @ (weight>3.5) bus=yes", "motor_vehicle:conditional=no @ (weight>3.5) bus=yes", "=", 0},
		{"maxweight=7.5|maxweight:conditional=3.5 @ (22:00-06:00)", "maxweight:conditional=7.5; 3.5 @ (22:00-06:00)", "maxweight:conditional=7.5; 3.5 @ (22:00-06:00)", "=", 0},
		{"maxweight=7.5|maxweightrating=18|maxweight:conditional=none @ delivery", "maxweight:conditional=7.5; none @ delivery", "maxweight:conditional=7.5; none @ delivery", "=", 1800},
		{"maxweight=7.5|maxweight:conditional=high @ (22:00-06:00)", "", "", "=", 750},
		{"maxheight:conditional=11'6\" @ (Mo-Fr); unheard @ (Sa)", "maxheight:conditional=3.5052 @ (Mo-Fr)", "maxheight:conditional=3.5052 @ (Mo-Fr)", "=", 0},
		{"maxlength:hgv:conditional=12 @ (Mo-Fr 06:00-10:00)", "maxlength:hgv:conditional=12 @ (Mo-Fr 06:00-10:00)", "maxlength:hgv:conditional=12 @ (Mo-Fr 06:00-10:00)", "=", 0},
		{"maxweight=7.5|maxweight:backward=5|maxweight:backward:conditional=none @ (06:00-10:00)", "", "", "maxweight:backward:conditional=5; none @ (06:00-10:00)", 750},
		{"oneway=yes|oneway:conditional=-1 @ (06:00-12:00)", "oneway:conditional=-1 @ (06:00-12:00) oneway:either=2047", "", "=", 0},
		{"oneway=yes|cycleway=opposite_lane|oneway:conditional=-1 @ (06:00-12:00)", "oneway:conditional=-1 @ (06:00-12:00) oneway:bicycle=no oneway:either=2047", "", "=", 0},
		{"motor_vehicle=no|oneway=reversible|oneway:conditional=yes @ (06:00-12:00)", "oneway:conditional=yes @ (06:00-12:00) motor_vehicle=no oneway:either=1120", "", "=", 0},
		{"maxweight=5|hgv:conditional=destination @ (maxweight > 5)", "hgv:conditional=destination @ (maxweight > 5) maxweight:conditional=5; none @ destination", "hgv:conditional=destination @ (maxweight > 5) maxweight:conditional=5; none @ destination", "=", 0},
		{"maxweight=5|hgv:conditional=destination @ (weight>3.5)", "hgv:conditional=destination @ (weight>3.5)", "hgv:conditional=destination @ (weight>3.5)", "=", 500},
		{"hazmat:conditional=no @ (07:00-19:00)", "hazmat:conditional=no @ (07:00-19:00) hgv:conditional=no @ ((07:00-19:00) AND hazmat)", "", "=", 0},
		{"trailer=no|hgv:conditional=no @ (22:00-06:00)", "hgv:conditional=no @ (22:00-06:00); no @ (length>12)", "hgv:conditional=no @ (22:00-06:00); no @ (length>12)", "=", 0},
		{"hgv_articulated:forward:conditional=no @ (07:00-19:00)", "hgv_articulated:forward:conditional=no @ (07:00-19:00) hgv:forward:conditional=no @ ((07:00-19:00) AND length>12)", "", "=", 0},
		{"hgv_articulated=yes", "", "", "=", 0},
		{"maxspeed:conditional=30 @ (22:00-06:00)", "maxspeed:conditional=30 @ (22:00-06:00)", "", "=", 0},
		{"maxspeed:conditional=20 mph@(22:00-06:00); none @ (Su)", "maxspeed:conditional=32 @ (22:00-06:00); 140 @ (Su)", "", "=", 0},
		{"maxspeed:hgv:conditional=60 @ (weight>7.5)", "maxspeed:hgv:conditional=60 @ (weight>7.5)", "", "=", 0},
		{"maxspeed:forward:conditional=signals @ (22:00-06:00)", "maxspeed:forward:conditional=signals @ (22:00-06:00)", "", "=", 0},
	} {
		w := read(t, "highway=primary|"+c.tags, britain)
		if c.backwards == "=" {
			c.backwards = c.forVehicles
		}
		if kept, forward, back := pairs(w.Forward.Attributes), pairs(w.Forward.Conditions), pairs(w.Backward.Conditions); kept != c.kept || forward != c.forVehicles || back != c.backwards {
			t.Errorf("%s: kept are %q, with the limits %q and %q", c.tags, kept, forward, back)
		}
		if conditional := w.Forward.Flags&graph.Conditional != 0; conditional != (c.kept != "") || w.Forward.Limits.Lorry.Weight != c.weight {
			t.Errorf("%s: conditional %v, limited to %d", c.tags, conditional, w.Forward.Limits.Lorry.Weight)
		}
		if strings.Contains(c.tags, "maxweight=7.5") && w.Forward.Strict.Car.Weight != 750 {
			t.Errorf("%s: strictly limited to %d", c.tags, w.Forward.Strict.Car.Weight)
		}
	}
	if _, ok := Read(parse("highway=residential|access=no|access:conditional=yes @ (06:00-10:00)"), &britain); !ok {
		t.Error("a road that opens at times is left out")
	}
	if _, ok := Read(parse("highway=residential|access=no|access:conditional=no @ (06:00-10:00)"), &britain); ok {
		t.Error("a road that nobody may use at any time is kept")
	}
	if b, ok := ReadNode(parse("barrier=height_restrictor|maxheight:conditional=2.5 @ (22:00-06:00)")); !ok || len(b.Conditions) == 0 {
		t.Errorf("a barrier has the conditions %v", b.Conditions)
	}
}
