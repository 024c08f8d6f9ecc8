package conditional

import (
	"math"
	"testing"

	"github.com/waygate/waygate/hours"
	"github.com/waygate/waygate/road/graph"
)

// TestLimitsAt checks which limits hold for whom, and when.
func TestLimitsAt(t *testing.T) {
	weighs := func(mode graph.Modes, tonnes float64) *Vehicle {
		return &Vehicle{Mode: mode, Hazmat: hours.Closed, Range: func(string) (float64, float64) { return tonnes, tonnes }}
	}
	car, lorry, light := weighs(graph.Auto, 2), weighs(graph.Truck, 20), weighs(graph.Truck, 5)
	unknown := &Vehicle{Mode: graph.Truck, Hazmat: hours.Closed, Range: func(string) (float64, float64) { return 0, math.Inf(1) }}
	for _, c := range []struct {
		tags     []string
		backward bool
		v        *Vehicle
		at       string // "" is no time
		want     graph.SpeedLimits
		timed    graph.Modes
	}{
		{[]string{"maxspeed:conditional", "30 @ (22:00-06:00)"}, false, car, "Mo 23:00", graph.SpeedLimits{All: 30, Own: 60}, graph.Motor},
		{[]string{"maxspeed:conditional", "30 @ (22:00-06:00)"}, false, car, "Mo 12:00", graph.SpeedLimits{All: 80, Own: 60}, graph.Motor},
		{[]string{"maxspeed:conditional", "30 @ (22:00-06:00)"}, false, car, "", graph.SpeedLimits{All: 80, Own: 60}, graph.Motor},
		{[]string{"maxspeed:conditional", "60 @ (weight>7.5); 30 @ (22:00-06:00)"}, false, lorry, "Mo 12:00", graph.SpeedLimits{All: 60, Own: 60}, graph.Motor},
		{[]string{"maxspeed:conditional", "30 @ (22:00-06:00); 60 @ wet"}, false, car, "Mo 23:00", graph.SpeedLimits{All: 30, Own: 60}, graph.Motor},
		{[]string{"maxspeed:conditional", "30 @ (destination AND 22:00-06:00)"}, false, car, "Mo 23:00", graph.SpeedLimits{All: 80, Own: 60}, 0},
		{[]string{"maxspeed:hgv:conditional", "30 @ (22:00-06:00)"}, false, car, "Mo 23:00", graph.SpeedLimits{All: 80, Own: 60}, graph.Truck},
		{[]string{"maxspeed:hgv:conditional", "30 @ (22:00-06:00)"}, false, lorry, "Mo 23:00", graph.SpeedLimits{All: 80, Own: 30}, graph.Truck},
		{[]string{"maxspeed:hgv:conditional", "30 @ (22:00-06:00 AND weight>7.5)"}, false, light, "Mo 23:00", graph.SpeedLimits{All: 80, Own: 60}, graph.Truck},
		{[]string{"maxspeed:hgv:conditional", "30 @ (22:00-06:00 AND weight>7.5)"}, false, unknown, "Mo 23:00", graph.SpeedLimits{All: 80, Own: 60}, graph.Truck},
		{[]string{"maxspeed:hgv:forward:conditional", "30 @ (22:00-06:00)"}, true, lorry, "Mo 23:00", graph.SpeedLimits{All: 80, Own: 60}, 0},
		{[]string{"maxspeed:conditional", "30 @ (22:00-06:00)", "maxspeed:backward:conditional", "20 @ (22:00-06:00)"}, true, car, "Mo 23:00", graph.SpeedLimits{All: 20, Own: 60}, graph.Motor},
		{[]string{"maxspeed:bicycle:conditional", "20 @ (22:00-06:00)"}, false, car, "Mo 23:00", graph.SpeedLimits{All: 80, Own: 60}, 0},
		{[]string{"maxspeed:conditional", "fast @ (22:00-06:00)"}, false, car, "Mo 23:00", graph.SpeedLimits{All: 80, Own: 60}, 0},
	} {
		l, usual := law(c.backward, c.tags...), graph.SpeedLimits{All: 80, Own: 60}
		if l == nil {
			if c.want != usual || c.timed != 0 {
				t.Errorf("%v: nothing is read", c.tags)
			}
			continue
		}
		var m *LocalTime
		if c.at != "" {
			m = &LocalTime{Local: parseTime(t, c.at)}
		}
		if got := l.LimitsAt(usual, m, c.v); got != c.want || l.TimedSpeeds() != c.timed {
			t.Errorf("%v, %b at %q: %v, timed for %b; want %v and %b", c.tags, c.v.Mode, c.at, got, l.TimedSpeeds(), c.want, c.timed)
		}
		if l.Timed() != 0 {
			t.Errorf("%v: somebody is kept out at times", c.tags)
		}
	}
}

// TestFastest checks the limits that no moment exceeds.
func TestFastest(t *testing.T) {
	l := law(false, "maxspeed:conditional", "100 @ (20:00-06:00); 30 @ wet", "maxspeed:hgv:conditional", "70 @ (20:00-06:00)")
	for _, c := range []struct {
		usual graph.SpeedLimits
		mode  graph.Modes
		want  graph.SpeedLimits
	}{
		{graph.SpeedLimits{All: 80}, graph.Auto, graph.SpeedLimits{All: 100}},
		{graph.SpeedLimits{All: 120}, graph.Auto, graph.SpeedLimits{All: 120}},
		{graph.SpeedLimits{All: 80, Own: 60}, graph.Truck, graph.SpeedLimits{All: 100, Own: 70}},
		{graph.SpeedLimits{}, graph.Truck, graph.SpeedLimits{}}, // usually no faster than any
		{graph.SpeedLimits{All: 80}, graph.Bicycle, graph.SpeedLimits{All: 80}},
	} {
		if got := l.Fastest(c.usual, c.mode); got != c.want {
			t.Errorf("%v, %b: %v, want %v", c.usual, c.mode, got, c.want)
		}
	}
}
