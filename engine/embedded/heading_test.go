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

// TestHeadingThatLeadsNowhere begins and ends journeys in a street that goes on into a
// one-way road without a way out: heading there, or coming from there, the traveller turns
// round where he is, and is warned of it.
func TestHeadingThatLeadsNowhere(t *testing.T) {
	town := street(t, "|\n1--2--3", towntest.Ways{{"a1", "residential"}, {"12", "residential"}, {"23", "residential oneway=yes oneway:foot=yes"}})
	e, err := embedded.New(town.Region(t))
	if err != nil {
		t.Fatal(err)
	}
	here, far := town.Between("1", "2", 0.5), town.Between("c", "d", 0.5)
	east, west := 90.0, 270.0
	for _, by := range []costing.Costing{costing.Auto, costing.Truck, costing.Bicycle} {
		for i, r := range asked(t, by) {
			for _, c := range []struct {
				what    string
				heading *float64
				back    bool
				turned  bool
			}{
				{"any way", nil, false, false},
				{"back", &west, false, false},
				{"on", &east, false, true},
				{"to it any way", nil, true, false},
				{"to it heading on", &east, true, false},
				{"to it heading back", &west, true, true},
			} {
				q := *r
				q.Locations = engine.Stops([]geo.Point{here, far})
				at := 0
				if c.back {
					q.Locations, at = engine.Stops([]geo.Point{far, here}), 1
				}
				q.Locations[at].Heading = c.heading
				a, err := e.Route(t.Context(), &q)
				if err != nil {
					t.Fatal(err)
				}
				line := a.Routes[0].Line()
				end := line[0]
				if c.back {
					end = line[len(line)-1]
				}
				if off := geo.Distance(end, here); off > 1 || math.Abs(a.Routes[0].Metres-600) > 10 {
					t.Errorf("%s, %s: a route of %.0f m that begins or ends %.0f m away", name(r, i), c.what, a.Routes[0].Metres, off)
				}
				if got := warned(a.Warnings, engine.WarnHeading); got != c.turned {
					t.Errorf("%s, %s: warned of turning round: %v, want %v", name(r, i), c.what, got, c.turned)
				}
			}
		}
	}
}
