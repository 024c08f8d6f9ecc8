package geocode_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/waygate/waygate/feature/geocode"
	"github.com/waygate/waygate/feature/geocode/geocodetest"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/place"
)

// TestLookup finds objects in their order, and what is called before where it is.
func TestLookup(t *testing.T) {
	x := geocodetest.Index(t)
	g := (&geocode.Service{Own: []geocode.Source{{ID: "newport", Bounds: geocodetest.Bounds, Index: x}}}).With(nil)
	found, err := g.Search(t.Context(), &geocode.Forward{Text: "Red Lion", Limit: 1})
	if err != nil || len(found.Results) != 1 || found.Results[0].Object.Number == 0 {
		t.Fatalf("%+v %v", found, err)
	}
	pub := found.Results[0].Object
	a, err := g.Lookup(t.Context(), []place.Object{{Source: place.Way, Number: 99_999}, pub, {Source: place.Node, Number: 1}}, "")
	var names []string
	for _, r := range a.Results {
		names = append(names, r.Name)
	}
	if err != nil || fmt.Sprint(names) != "[The Red Lion Newport]" {
		t.Errorf("%v %v", names, err)
	}
	if class := g.ClassOf("Caerleon", geo.Point{Lon: -2.95, Lat: 51.6}); class != "town" {
		t.Error(class)
	}
	if names := g.Names(found.Results[0].ID); len(names) != 1 || names[0].Text != "The Red Lion" || g.Names("poi.n99999") != nil {
		t.Error(names)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := g.Lookup(gone, []place.Object{pub}, ""); !errors.Is(err, context.Canceled) {
		t.Errorf("who has left is answered: %v", err)
	}
}
