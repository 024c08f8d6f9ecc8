package conditional

import (
	"slices"
	"testing"

	"github.com/waygate/waygate/road/graph"
)

// law reads tags given as key, value, key, value.
func law(backward bool, tags ...string) *Rules {
	return ReadRules(func(yield func(key, value string) bool) {
		for i := 0; i < len(tags); i += 2 {
			if !yield(tags[i], tags[i+1]) {
				return
			}
		}
	}, backward)
}

// TestRules checks which conditional tags are for a direction, and what their values mean.
func TestRules(t *testing.T) {
	night := " @ (22:00-06:00)"
	for _, c := range []struct {
		key, value         string
		forward, backwards []Permission
	}{
		{"motor_vehicle:conditional", "no", []Permission{Forbids}, []Permission{Forbids}},
		{"motor_vehicle:forward:conditional", "no", []Permission{Forbids}, nil},
		{"motor_vehicle:backward:conditional", "no", nil, []Permission{Forbids}},
		{"motor_vehicle:conditional", "delivery", []Permission{ToDestinations}, []Permission{ToDestinations}},
		{"oneway:conditional", "no", []Permission{Allows}, []Permission{Allows}},
		{"oneway:conditional", "yes", []Permission{Allows}, []Permission{Forbids}},
		{"oneway:conditional", "-1", []Permission{Forbids}, []Permission{Allows}},
		{"oneway:conditional", "reversible", []Permission{Forbids}, []Permission{Forbids}},
		{"motor_vehicle", "no", nil, nil},
	} {
		for side, want := range [][]Permission{c.forward, c.backwards} {
			var got []Permission
			if l := law(side == 1, "highway", "residential", c.key, c.value+night, "name:conditional", "x"+night); l != nil {
				for _, r := range append(l.Access, l.Oneway...) {
					got = append(got, r.Permits(&r.Clauses[0]))
					if r.Tag != c.key+"="+c.value+night || r.Modes&graph.Auto == 0 || r.Modes&graph.Pedestrian != 0 {
						t.Errorf("%s: %+v", c.key, r)
					}
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s=%s, side %d: the permissions are %v, want %v", c.key, c.value, side, got, want)
			}
		}
	}
}
