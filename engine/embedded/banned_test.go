package embedded_test

import (
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/towntest"
)

// TestOnlyWayOnIsForbidden begins and ends journeys on one-way roads from which, or into
// which, the one turn there is is forbidden: they begin and end on other roads, as for a
// road of an island.
func TestOnlyWayOnIsForbidden(t *testing.T) {
	ways := towntest.Ways{{"12", "residential oneway=yes"}, {"2a", "residential oneway=yes"}, {"b3", "residential oneway=yes"}}
	bans := towntest.Turns{{"2a", "a", "ab", "no_right_turn"}, {"ab", "b", "b3", "no_right_turn"}, {"cb", "b", "b3", "no_left_turn"}}
	over := towntest.Turns{{"12", "2a", "ab", "no_right_turn"}, {"ab", "b", "b3", "no_right_turn"}, {"cb", "b", "b3", "no_left_turn"}}
	for what, turns := range map[string]towntest.Turns{"at a node": bans, "over a way": over} {
		town := street(t, "||\n23\n|\n1", ways, turns)
		e, err := embedded.New(town.Region(t))
		if err != nil {
			t.Fatal(err)
		}
		begin, end, far := town.Between("1", "2", 0.5), town.Between("b", "3", 0.7), town.Between("f", "g", 0.5)
		for _, by := range []costing.Costing{costing.Auto, costing.Truck, costing.Bicycle} {
			for i, r := range asked(t, by) {
				for _, ends := range [][2]geo.Point{{begin, far}, {far, end}} {
					q := *r
					q.Locations = engine.Stops(ends[:])
					if _, err := e.Route(t.Context(), &q); err != nil {
						t.Errorf("%s, %s: %v to %v: %v", what, name(r, i), ends[0], ends[1], err)
					}
				}
			}
		}
		// By themselves there is no other road.
		alone := towntest.Draw(t, "ab--c\n|\n2\n|\n1", towntest.Ways{{"ab", "residential"}, {"bc", "residential"}, ways[0], ways[1]}, turns[:1])
		if e, err = embedded.New(alone.Region(t)); err != nil {
			t.Fatal(err)
		}
		at := alone.Between("1", "2", 0.5)
		a, err := e.Locate(t.Context(), &engine.LocateRequest{Locations: engine.Stops([]geo.Point{at}), Costing: costing.Auto, Options: chosen(t, costing.Auto, ""), Verbose: true})
		if err != nil {
			t.Fatal(err)
		}
		d := a.Places[0].Edges[0].Detail
		if d.Outbound != 1 || d.Inbound != 0 {
			t.Errorf("%s: %d edges lead on from the road before the ban and %d to it, want 1 and 0", what, d.Outbound, d.Inbound)
		}
	}
}
