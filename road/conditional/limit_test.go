package conditional

import (
	"testing"

	"github.com/waygate/waygate/road/graph"
)

// TestLimitsLiftedForBuses checks whom a limit with conditions concerns: where it is lifted
// for buses at all times it is about goods vehicles, and cars with a weight pass.
func TestLimitsLiftedForBuses(t *testing.T) {
	for value, cars := range map[string]bool{
		"3.5; none @ (psv)":                   false,
		"3.5; none @ bus":                     false,
		"3.5; 20 @ bus":                       false,
		"20; 3.5 @ bus":                       true,
		"3.5; none @ (psv AND 07:00-09:00)":   true,
		"3.5; none @ motorcar":                true,
		"3.5; none @ (psv AND length<12)":     true,
		"3.5; none @ (22:00-06:00)":           true,
		"3.5; none @ (bus AND delivery)":      true,
		"3.5; none @ (axles<3); none @ (hgv)": true,
	} {
		l, ok := limit("maxweight", value)
		if got := l.Modes&graph.Auto != 0; !ok || got != cars || l.Modes&graph.Truck == 0 {
			t.Errorf("%s: concerns cars: %t, want %t", value, got, cars)
		}
	}
	if l, ok := limit("maxheight", "3.5; none @ (psv)"); !ok || l.Modes&graph.Auto == 0 {
		t.Error("a height is one for all")
	}
}
