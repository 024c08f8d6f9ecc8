package embedded_test

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/towntest"
)

// TestTollsAreTheTravellers checks that a toll which lorries alone pay is in the answers to
// lorries alone: of roads, of booths without further tags, of places near a road; and that
// lorries alone stop there.
func TestTollsAreTheTravellers(t *testing.T) {
	town := towntest.Draw(t, "a--b--1--c--d", towntest.Ways{{"ab", "trunk"}, {"b1c", "trunk toll:hgv=yes"}, {"cd", "trunk"}}, towntest.Nodes{{"1", "barrier=toll_booth"}})
	extract := filepath.Join(t.TempDir(), "town.osm.pbf")
	if err := towntest.WriteFile(extract, town.Data()); err != nil {
		t.Fatal(err)
	}
	e := open(t, extract)
	for _, by := range []costing.Costing{costing.Auto, costing.Truck, costing.Bus, costing.Motorcycle} {
		pays := by == costing.Truck
		r := pair{from: town.Point("a"), to: town.Point("d")}.request(t, by)
		r.Want |= engine.WantEdges | engine.WantIntersections | engine.WantManoeuvres
		a, err := e.Route(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		leg := &a.Routes[0].Legs[0]
		var road, crossed, booth, announced bool
		turns := 0.0
		for _, x := range leg.Edges {
			road = road || x.Toll
			turns += x.Turn
		}
		for _, x := range slices.Concat(leg.Intersections...) {
			crossed = crossed || x.Road&engine.TollRoad != 0
			booth = booth || x.Marks&engine.TollBooth != 0
		}
		for _, m := range leg.Manoeuvres {
			announced = announced || m.Toll
		}
		if road != pays || crossed != pays || booth != pays || announced != pays || leg.Toll != pays || (turns >= 15) != pays {
			t.Errorf("%s pays is %v: edges %v, intersections %v, booths %v, manoeuvres %v, the sum %v, %g s lost at nodes", by, pays, road, crossed, booth, announced, leg.Toll, turns)
		}
		settings, _, _ := costing.Parse(by, nil, "")
		near, err := e.Locate(t.Context(), &engine.LocateRequest{Locations: []engine.Location{{Point: town.Between("b", "1", 0.5)}}, Costing: by, Options: settings, Verbose: true})
		if err != nil {
			t.Fatal(err)
		}
		if got := near.Places[0].Edges[0].Detail.Toll; got != pays {
			t.Errorf("%s pays is %v: the road nearby has a toll is %v", by, pays, got)
		}
		near, err = e.Locate(t.Context(), &engine.LocateRequest{
			Locations: []engine.Location{{Point: town.Between("b", "1", 0.5), Filter: engine.SearchFilter{ExcludeToll: true}}}, Costing: by, Options: settings,
		})
		if err != nil {
			t.Fatal(err)
		}
		tolled := false
		for _, x := range near.Places[0].Edges {
			tolled = tolled || x.Way == town.WayID("b1c")
		}
		if tolled == pays {
			t.Errorf("%s pays is %v: the road is left out by a search filter against tolls is %v", by, pays, !tolled)
		}
	}
}
