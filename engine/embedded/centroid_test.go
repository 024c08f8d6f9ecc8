package embedded_test

import (
	"math/rand/v2"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/embedded"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/importer/importertest"
	"github.com/waygate/waygate/road/search/searchtest"
)

// isle opens the kernel on the sample county and gives its roads' places.
func isle(t *testing.T) (*embedded.Engine, []geo.Point) {
	t.Helper()
	data := countyData()
	at := map[int64]geo.Point{}
	for _, n := range data.Nodes {
		at[n.ID] = geo.Fixed{Lon: n.Lon, Lat: n.Lat}.Point()
	}
	var places []geo.Point
	for _, w := range data.Ways {
		for _, tag := range w.Tags {
			if tag.Key == "highway" && (tag.Value == "residential" || tag.Value == "tertiary" || tag.Value == "secondary") {
				places = append(places, at[w.Nodes[0]], at[w.Nodes[len(w.Nodes)-1]])
			}
		}
	}
	return opened(t, importertest.County(t)), places
}

// TestCentroidOnTheCounty compares meeting points with others: no place costs
// the travellers less in all, and each route costs what a route there costs.
func TestCentroidOnTheCounty(t *testing.T) {
	t.Parallel()
	e, places := isle(t)
	r := rand.New(rand.NewPCG(1, 2))
	route := func(from, to geo.Point) (float64, bool) {
		a, err := e.Route(t.Context(), pair{from: from, to: to}.request(t, costing.Auto))
		if err != nil {
			return 0, false
		}
		return a.Routes[0].Cost, true
	}
	compared, rounds := 0, searchtest.Cases(12)
	for range rounds {
		q := pair{}.request(t, costing.Auto)
		q.Locations, q.Directions = nil, engine.NoDirections
		for range 2 + r.IntN(3) {
			q.Locations = append(q.Locations, engine.Location{Point: places[r.IntN(len(places))]})
		}
		answer, err := e.Centroid(t.Context(), q)
		if engine.Code(err) == engine.CodeNoRoute {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		trips := answer.Routes
		total := 0.0
		end := trips[0].Waypoints[1].Point
		for i := range trips {
			x := &trips[i]
			total += x.Cost
			if x.Waypoints[0].Index != i {
				t.Errorf("route %d is of location %d", i, x.Waypoints[0].Index)
			}
			if cost, ok := route(q.Locations[i].Point, end); ok && cost < x.Cost-0.05 {
				t.Errorf("the route from location %d costs %.2f, and one there %.2f", i, x.Cost, cost)
			}
			if !x.Bounds.Intersects(geo.Around(end, 1)) {
				t.Errorf("the bounds %v of route %d miss the meeting point %v", x.Bounds, i, end)
			}
		}
		for range 25 {
			other, sum, all := places[r.IntN(len(places))], 0.0, true
			for _, l := range q.Locations {
				cost, ok := route(l.Point, other)
				sum, all = sum+cost, all && ok
			}
			if !all {
				continue
			}
			compared++
			if sum < total-0.1 {
				t.Errorf("meeting at %v costs %.2f in all, less than %.2f at %v", other, sum, total, end)
			}
		}
	}
	if compared < 8*rounds {
		t.Errorf("only %d places compared", compared)
	}
}
