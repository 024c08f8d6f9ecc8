package enginetest

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
)

// convenes asks where travellers meet and holds the answer to what must be:
// one route for each, from where it sets out to where all others end.
func convenes(t *testing.T, eng engine.Engine) {
	all := All()
	for name, list := range map[string][]string{
		"the shorter of two ways": {"a d", "a b d", "a b c d", "ab d", "a a b"},
		"a one-way street":        {"a d", "ab d", "a a b"},
	} {
		s := all[slices.IndexFunc(all, func(s Scenario) bool { return s.Name == name })]
		town := build(t, &s)
		for _, stops := range list {
			t.Run(name+" "+stops, func(t *testing.T) {
				r := &engine.RouteRequest{Costing: costing.Auto, Options: settings(t, costing.Auto), Output: engine.Output{Format: engine.Native, ID: "mine"}}
				for stop := range strings.FieldsSeq(stops) {
					l, err := location(town, stop)
					if err != nil {
						t.Fatal(err)
					}
					r.Locations = append(r.Locations, l)
				}
				answer, err := eng.Centroid(t.Context(), r)
				if err != nil {
					t.Fatal(err)
				}
				var got Route
				if err := json.Unmarshal(Text(t, r, answer), &got); err != nil {
					t.Fatal(err)
				}
				trips := []Journey{got.Trip}
				for _, a := range got.Alternates {
					trips = append(trips, a.Trip)
				}
				if len(trips) != len(r.Locations) || got.ID != "mine" {
					t.Fatalf("%d routes with the id %q for %d locations", len(trips), got.ID, len(r.Locations))
				}
				var end geo.Point
				for i, trip := range trips {
					if len(trip.Legs) != 1 || len(trip.Locations) != 2 {
						t.Fatalf("route %d has %d legs and %d locations, want one and two", i, len(trip.Legs), len(trip.Locations))
					}
					line, err := geo.DecodePolyline(trip.Legs[0].Shape, 6)
					if err != nil || len(line) == 0 {
						t.Fatalf("route %d: %d points, %v", i, len(line), err)
					}
					if d := geo.Distance(line[0], r.Locations[i].Point); d > 30 {
						t.Errorf("route %d begins %.0f m from its location", i, d)
					}
					last := geo.Point{Lon: trip.Locations[1].Lon, Lat: trip.Locations[1].Lat}
					if i == 0 {
						end = last
					}
					if geo.Distance(last, end) > 1 || geo.Distance(line[len(line)-1], end) > 30 {
						t.Errorf("route %d ends at %v by its location, %v by its line, and the others at %v", i, last, line[len(line)-1], end)
					}
				}
			})
		}
	}
}
