package enginetest

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/towntest"
)

// conditionTowns returns the scenarios of conditions, where they stand in the extract.
func conditionTowns() []Scenario {
	names := map[string]bool{}
	for _, s := range conditions() {
		names[s.Name] = true
	}
	return slices.DeleteFunc(All(), func(s Scenario) bool { return !names[s.Name] })
}

// matricesUnderConditions compares a matrix of every trip under conditions with its route.
// Valhalla's is not exact on networks as small as these: it must find some way
// where there is one, none where there is none, and a longer one where the road
// is barred.
func matricesUnderConditions(t *testing.T, eng engine.Engine) {
	exact, compared := eng.Can().Name != "valhalla", 0
	for _, s := range conditionTowns() {
		town := build(t, &s)
		straight := 0.0
		for _, trip := range s.Trips {
			r, err := trip.request(town)
			if err != nil {
				t.Fatal(err)
			}
			a, err := eng.Matrix(t.Context(), &engine.MatrixRequest{Sources: r.Locations[:1], Targets: r.Locations[1:], Costing: r.Costing, Options: r.Options, Conditions: r.Conditions})
			if err == nil && slices.ContainsFunc(a.Warnings, notHeeded) && !exactly(eng) {
				continue
			}
			if trip.Code != 0 {
				if err == nil && a.Cells[0][0].Reached || err != nil && engine.Code(err) == 0 {
					t.Errorf("%s, %s: the cell is %+v, %v, and there is no way", s.Name, trip.name(), a, err)
				}
				continue
			}
			if err != nil {
				t.Errorf("%s, %s: no matrix: %v", s.Name, trip.name(), err)
				continue
			}
			answer, err := eng.Route(t.Context(), r)
			if err != nil {
				t.Fatalf("%s, %s: no route: %v", s.Name, trip.name(), err)
			}
			c, want := a.Cells[0][0], readNative(t, r, answer).Trip.Summary
			same := math.Abs(c.Metres-1000*want.Length) < 5 && math.Abs(c.Seconds-want.Time) < 0.5
			if !c.Reached || exact && !same {
				t.Errorf("%s, %s: the cell is %+v, the route has %g km and %g s", s.Name, trip.name(), c, want.Length, want.Time)
			}
			if trip.Path == "abcd" {
				straight = c.Metres
			} else if c.Metres < straight+50 && (exact || r.When == nil) { // Valhalla's matrix passes what is closed at times
				t.Errorf("%s, %s: %g m, and straight on it is %g", s.Name, trip.name(), c.Metres, straight)
			}
			compared++
		}
	}
	if compared < 10 && exactly(eng) {
		t.Errorf("only %d trips were compared", compared)
	}
}

// exactly reports whether an engine heeds all conditions; one that does not warns of it.
func exactly(eng engine.Engine) bool { return eng.Can().ExcludedPlaces }

func notHeeded(w engine.Warning) bool {
	return w.Code == engine.WarnIgnored || w.Code == engine.WarnOption
}

// isochronesUnderConditions asks what is within 500 m of a: straight on what lies beyond c,
// and with the road barred not.
func isochronesUnderConditions(t *testing.T, eng engine.Engine) {
	find := func(name string) *towntest.Town {
		for _, s := range conditionTowns() {
			if s.Name == name {
				return build(t, &s)
			}
		}
		t.Fatalf("no town %q", name)
		return nil
	}
	timed, plain := find("a road closed at times"), find("excluded polygons")
	when := func(kind engine.TimeType, clock string) engine.Conditions {
		local, err := time.Parse(engine.TimeForm, "2026-09-01T"+clock) // a Tuesday
		if err != nil {
			t.Fatal(err)
		}
		return engine.Conditions{When: &engine.When{Type: kind, Local: local}}
	}
	ring := func(at geo.Point) []geo.Ring {
		return []geo.Ring{{geo.Destination(at, 45, 30), geo.Destination(at, 135, 30), geo.Destination(at, 225, 30), geo.Destination(at, 315, 30)}}
	}
	for _, c := range []struct {
		what    string
		town    *towntest.Town
		given   engine.Conditions
		reverse bool
		within  string // of b, f and cd.3
	}{
		{"nothing barred", plain, engine.Conditions{}, false, "b f cd.3"},
		{"a polygon at b", plain, engine.Conditions{ExcludePolygons: ring(plain.Between("b", "c", 0.2))}, false, "b f"},
		{"a place between b and c", plain, engine.Conditions{ExcludeLocations: []engine.Location{{Point: plain.Between("b", "c", 0.5)}}}, false, "b f"},
		{"the same, towards a", plain, engine.Conditions{ExcludeLocations: []engine.Location{{Point: plain.Between("b", "c", 0.5)}}}, true, "b f"},
		{"while it is closed", timed, when(engine.Depart, "08:00"), false, "b f"},
		{"while it is open", timed, when(engine.Depart, "12:00"), false, "b f cd.3"},
		{"to arrive while it is closed", timed, when(engine.Arrive, "08:30"), true, "b f"},
		{"to arrive while it is open", timed, when(engine.Arrive, "12:00"), true, "b f cd.3"},
		{"as it stands, closed", timed, when(engine.Invariant, "08:00"), false, "b f"},
	} {
		place, err := location(c.town, "a")
		if err != nil {
			t.Fatal(err)
		}
		settings, _, _ := costing.Parse(costing.Auto, nil, "")
		asked := &engine.IsochroneRequest{
			Location: place, Costing: costing.Auto, Options: settings, Contours: []engine.Contour{{Kilometres: 0.5}}, Polygons: true, Reverse: c.reverse, Conditions: c.given,
		}
		a, err := eng.Isochrone(t.Context(), asked)
		if err == nil && slices.ContainsFunc(a.Warnings, notHeeded) && !exactly(eng) {
			continue
		}
		if fault.IsNotEnabled(err) {
			continue // Valhalla has no isochrones of arrival, nor of one time for all
		}
		if err != nil {
			t.Errorf("%s: %v", c.what, err)
			continue
		}
		area := ReadArea(t, asked, a)[0]
		for _, at := range []string{"b", "f", "cd.3"} {
			if at == "cd.3" && c.town == timed && c.reverse && c.within == "b f" {
				continue // one may set out on the closed road, whose end is near
			}
			l, err := location(c.town, at)
			if err != nil {
				t.Fatal(err)
			}
			if in := area.Contains(l.Point); in != strings.Contains(c.within, at) {
				t.Errorf("%s: %s is within reach: %v", c.what, at, in)
			}
		}
	}
}
