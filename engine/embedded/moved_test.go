package embedded_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/towntest"
)

// TestMovesAreToldOf looks for warning 917 about locations that are on another road than
// the nearest.
func TestMovesAreToldOf(t *testing.T) {
	town := towntest.Draw(t, `
		a---b---c---d---e---f---g---h
		|
		i---j---k-------l-------n---o

		p---------------q-----------r`,
		towntest.Ways{{"abcdefgh", "residential"}, {"ai", "residential"}, {"ijklno", "footway"}, {"pqr", "footway"}}, towntest.Cell(30))
	e := kernel(t, town)
	heading := 90.0
	at := func(near string, south float64) engine.Location {
		return engine.Location{Point: town.Offset(near, 45, -south)}
	}
	for _, c := range []struct {
		name     string
		location engine.Location
		by       costing.Costing
		want     string // "" is no warning
	}{
		{"on its road", at("c", 2), costing.Auto, ""},
		{"in a field", at("c", -80), costing.Auto, ""},
		{"by a footway, on foot", at("k", 2), costing.Pedestrian, ""},
		{"by a footway, by car", at("k", 5), costing.Auto, "is not open"},
		{"by a footway near a road, by car", at("k", -40), costing.Auto, ""},
		{"by a road that leads the other way", engine.Location{Point: town.Offset("a", -3, -30), Heading: &heading}, costing.Auto, "not as the location asks"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := pair{}.request(t, c.by).Options
			to := engine.Location{Point: town.Point("h")}
			check := func(name string, warnings []engine.Warning, err error) {
				t.Helper()
				if err != nil {
					t.Fatal(name, err)
				}
				i := slices.IndexFunc(warnings, func(w engine.Warning) bool { return w.Code == engine.WarnMoved })
				if (i >= 0) != (c.want != "") || i >= 0 && !strings.Contains(warnings[i].Text, c.want) {
					t.Errorf("%s: the warnings are %v, want one that says %q", name, warnings, c.want)
				}
			}
			route, err := e.Route(t.Context(), &engine.RouteRequest{Costing: c.by, Options: s, Locations: []engine.Location{c.location, to}})
			check("a route from it", route.Warnings, err)
			route, err = e.Route(t.Context(), &engine.RouteRequest{Costing: c.by, Options: s, Locations: []engine.Location{to, c.location}})
			check("a route to it", route.Warnings, err)
			matrix, err := e.Matrix(t.Context(), &engine.MatrixRequest{Costing: c.by, Options: s, Sources: []engine.Location{c.location}, Targets: []engine.Location{to}})
			check("a matrix", matrix.Warnings, err)
			reached, err := e.Isochrone(t.Context(), &engine.IsochroneRequest{Costing: c.by, Options: s, Location: c.location, Contours: []engine.Contour{{Minutes: 5}}})
			check("an isochrone", reached.Warnings, err)
			found, err := e.Locate(t.Context(), &engine.LocateRequest{Costing: c.by, Options: s, Locations: []engine.Location{c.location}})
			check("its place", found.Warnings, err)
		})
	}
}

// TestMovesAreListedUpToALimit has more locations moved than are named.
func TestMovesAreListedUpToALimit(t *testing.T) {
	town := towntest.Draw(t, `
		a---b---c
		|
		i-------o`,
		towntest.Ways{{"abc", "residential"}, {"ai", "residential"}, {"io", "footway"}}, towntest.Cell(30))
	r := &engine.MatrixRequest{Costing: costing.Auto, Options: pair{}.request(t, costing.Auto).Options, Targets: []engine.Location{{Point: town.Point("c")}}}
	for i := range 100 {
		r.Sources = append(r.Sources, engine.Location{Point: town.Offset("o", -float64(i)*1.2, -2)})
	}
	a, err := kernel(t, town).Matrix(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(a.Warnings); n != 21 {
		t.Errorf("%d warnings, want 21: %v", n, a.Warnings)
	}
}
