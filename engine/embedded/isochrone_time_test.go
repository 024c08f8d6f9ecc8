package embedded_test

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded"
	"github.com/waygate/waygate/road/search"
	"github.com/waygate/waygate/road/search/searchtest"
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

// rounding is by how many milliseconds the times of a path by either search differ,
// which add them up in different orders.
const rounding = 60

func apart(a, b uint32) uint32 { return max(a, b) - min(a, b) }

// atBound reports whether rounding decides on what is within reach.
func atBound(x search.Reached, bound search.Measure) bool {
	return apart(x.Millis, bound.Millis) <= rounding || apart(x.Minus(x.Own).Millis, bound.Millis) <= rounding
}

// TestHoursBesideTheHierarchy compares what is within reach by the hierarchy, in random towns
// whose roads have hours, with the search by the clock.
func TestHoursBesideTheHierarchy(t *testing.T) {
	t.Parallel()
	answered, differs := 0, 0
	for seed := range uint64(searchtest.Cases(12)) {
		r := rand.New(rand.NewPCG(seed, 57))
		town := drawTown(t, r, 12+r.IntN(60), func() string { return []string{"07:00-10:00", "07:30-08:21", "07:59-18:00"}[r.IntN(3)] })
		e, err := embedded.New(town.Region(t))
		if err != nil {
			t.Fatal(err)
		}
		for range 30 {
			q := &engine.IsochroneRequest{
				Location: near(r, town, 1)[0], Costing: costing.Auto, Options: chosen(t, costing.Auto, ""), Contours: []engine.Contour{{Minutes: []float64{0.3, 0.8, 2, 5}[r.IntN(4)]}},
			}
			q.When = &engine.When{Type: engine.Depart, Local: local(t, []string{"07:00", "08:00", "08:20", "12:00"}[r.IntN(4)])}
			if q.Reverse = r.IntN(3) == 0; q.Reverse {
				q.When.Type = engine.Arrive
			}
			want, got, ok, err := e.ReachAtTime(t.Context(), q)
			if err != nil || !ok {
				continue
			}
			answered++
			bound := search.MeasureOf(q.Contours[0].Minutes*60, 0)
			for x, w := range want {
				if g, reached := got[x]; !reached && !atBound(w, bound) || reached && g.Cost != w.Cost {
					t.Errorf("seed %d, %v of %s: edge %d is %v by the hierarchy, %v by the clock", seed, q.When, q.Location.Point, x, g, w)
				}
			}
			for x, g := range got {
				if _, reached := want[x]; !reached && !atBound(g, bound) {
					t.Errorf("seed %d, %v of %s: edge %d is %v by the hierarchy and not within reach by the clock", seed, q.When, q.Location.Point, x, g)
				}
			}
			q.When.Local = local(t, "12:00")
			if noon, _, _, err := e.ReachAtTime(t.Context(), q); err == nil && len(noon) != len(got) {
				differs++
			}
		}
	}
	t.Logf("the hierarchy answered %d, of them %d otherwise than at noon", answered, differs)
	if answered < searchtest.Cases(60) || differs < searchtest.Cases(5) {
		t.Error("the cases prove too little")
	}
}
