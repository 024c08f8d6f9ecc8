package embedded_test

import (
	"reflect"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded"
	"github.com/waygate/waygate/towntest"
)

// TestIsochronesAtATime asks for what is within reach at eight, where a road has
// hours and where it has none: it is what it is at no time unless the road is closed
// then.
func TestIsochronesAtATime(t *testing.T) {
	for _, c := range []struct {
		bc    string
		alike bool
	}{
		{bc: "primary", alike: true},
		{bc: `primary motor_vehicle:conditional="yes @ (00:00-24:00)"`, alike: true},
		{bc: `primary hgv:conditional="no @ (07:00-09:30)"`, alike: true},
		{bc: `primary motor_vehicle:conditional="no @ (07:00-09:30)"`},
	} {
		town := towntest.Draw(t, `
			a---b---c---d
			|           |
			e-----------f`,
			towntest.Ways{{"ab", "primary"}, {"bc", c.bc}, {"cd", "primary"}, {"aefd", "residential"}}, towntest.Cell(800))
		e, err := embedded.New(town.Region(t))
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range []engine.TimeType{engine.Depart, engine.Arrive} {
			r := &engine.IsochroneRequest{
				Location: engine.Location{Point: town.Between("a", "b", 0.5)}, Costing: costing.Auto, Options: chosen(t, costing.Auto, ""),
				Contours: []engine.Contour{{Minutes: 5}}, Reverse: k == engine.Arrive,
			}
			always, err := e.Isochrone(t.Context(), r)
			if err != nil {
				t.Fatal(err)
			}
			r.When = &engine.When{Type: k, Local: local(t, "08:00")}
			then, err := e.Isochrone(t.Context(), r)
			if err != nil {
				t.Fatal(err)
			}
			if alike := reflect.DeepEqual(then.Outlines, always.Outlines); alike != c.alike {
				t.Errorf("%s, %v: as at no time %v", c.bc, k, alike)
			}
		}
	}
}

// TestDestinationsWithinReach asks for what is within reach while a road is open to
// its destinations only, beside one on which the search begins and far from it.
func TestDestinationsWithinReach(t *testing.T) {
	for _, c := range []struct {
		from, to string
		reached  bool
	}{{"a", "b", true}, {"b", "c", true}, {"e", "f", false}} {
		town := towntest.Draw(t, `
			a---b---c---d
			|
			e
			|
			f`,
			towntest.Ways{{"ab", "primary"}, {"bc", `primary motor_vehicle:conditional="destination @ (07:00-09:30)"`}, {"cd", "primary"}, {"aef", "residential"}}, towntest.Cell(200))
		e, err := embedded.New(town.Region(t))
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range []engine.TimeType{engine.Depart, engine.Arrive} {
			a, err := e.Isochrone(t.Context(), &engine.IsochroneRequest{
				Location: engine.Location{Point: town.Between(c.from, c.to, 0.5)}, Costing: costing.Auto, Options: chosen(t, costing.Auto, ""),
				Contours: []engine.Contour{{Minutes: 1.5}}, Reverse: k == engine.Arrive, Conditions: engine.Conditions{When: &engine.When{Type: k, Local: local(t, "08:00")}},
			})
			if err != nil {
				t.Fatal(err)
			}
			east := -180.0
			for _, p := range a.Outlines[0].Polygons {
				for _, at := range p.Outer {
					east = max(east, at.Lon)
				}
			}
			if got := east > town.Between("b", "c", 0.3).Lon; got != c.reached {
				t.Errorf("from between %s and %s, %v: reaches beyond b %v", c.from, c.to, k, got)
			}
		}
	}
}
