package conditional

import (
	"slices"
	"testing"

	"github.com/waygate/waygate/road/graph"
)

// TestRules holds which conditional tags are for a direction, and what their values mean.
func TestRules(t *testing.T) {
	night := " @ (22:00-06:00)"
	way := func(key string) func(func(string, string) bool) {
		return func(yield func(string, string) bool) {
			_ = yield("highway", "residential") && yield(key, "no"+night) && yield("name:conditional", "x"+night)
		}
	}
	for _, c := range []struct {
		key                string
		forward, backwards []Permission
	}{
		{"motor_vehicle:conditional", []Permission{Forbids}, []Permission{Forbids}},
		{"motor_vehicle:forward:conditional", []Permission{Forbids}, nil},
		{"motor_vehicle:backward:conditional", nil, []Permission{Forbids}},
		{"oneway:conditional", nil, []Permission{Allows}},
		{"motor_vehicle", nil, nil},
	} {
		for side, want := range [][]Permission{c.forward, c.backwards} {
			var got []Permission
			for _, r := range Rules(way(c.key), side == 1) {
				got = append(got, r.Permits(r.Clauses[0].Value))
				if r.Tag != c.key+"=no"+night || r.Modes&graph.Auto == 0 || r.Modes&graph.Pedestrian != 0 {
					t.Errorf("%s: %+v", c.key, r)
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s, side %d: the permissions are %v, want %v", c.key, side, got, want)
			}
		}
	}
}
