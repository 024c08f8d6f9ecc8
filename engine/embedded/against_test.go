package embedded_test

import (
	"math"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/towntest"
)

// TestBusesAgainstOneWays drives buses and cars against a one-way road that is open to
// buses there.
func TestBusesAgainstOneWays(t *testing.T) {
	for _, tags := range []string{"psv=opposite_lane", "busway=opposite_lane", "busway:left=opposite_lane", "oneway:psv=no", "oneway:bus=no", "lanes:psv:backward=1", "motor_vehicle=destination psv=opposite_lane"} {
		town := towntest.Draw(t, `
			a--b--c--d
			   |  |
			   e--f`, towntest.Ways{{"ab", "residential"}, {"bc", "residential oneway=yes " + tags}, {"cd", "residential"}, {"befc", "residential"}})
		e, err := embedded.New(town.Region(t))
		if err != nil {
			t.Fatal(err)
		}
		for by, metres := range map[costing.Costing]float64{costing.Bus: 600, costing.Auto: 1000, costing.Truck: 1000} {
			r := &engine.RouteRequest{Costing: by, Options: chosen(t, by, ""), Output: engine.Output{Format: engine.Native}, Locations: engine.Stops([]geo.Point{town.Between("c", "d", 0.5), town.Between("a", "b", 0.5)})}
			a, err := e.Route(t.Context(), r)
			if err != nil {
				t.Fatal(err)
			}
			if got := a.Routes[0].Metres; math.Abs(got-metres) > 20 {
				t.Errorf("%s: %s has %.0f m, want %.0f", tags, by, got, metres)
			}
		}
	}
}
