package enginetest

import (
	"slices"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/towntest"
)

// indoors: lifts, stairs and floors, for those on foot.
func indoors() []Scenario {
	walk := func(stops, path string, types []int, levels ...[2]float64) Trip {
		return Trip{Stops: stops, Costing: costing.Pedestrian, Path: path, Check: wantFloors(types, levels...)}
	}
	return []Scenario{
		{
			Name: "a building with floors",
			Plan: towntest.Plan{
				Drawing: `
					      t--u
					      s
					o--e--c--g-h--i--j--m-n
					      k     |
					      l     p
					      |     q
					      r     v`,
				Cell: 40,
				Ways: towntest.Ways{
					{"oe", "footway name="},
					{"ec", "corridor indoor=yes level=0 name="},
					{"cs", "steps indoor=yes level=0;1 name="},
					{"st", "corridor indoor=yes level=1 level:ref=Lobby name="},
					{"tu", "corridor indoor=yes level=1 level:ref=Lobby name="},
					{"ck", "steps conveying=yes indoor=yes level=0;1 name="},
					{"klr", "corridor indoor=yes level=1 name="},
					{"cg", "corridor indoor=yes level=0 name="},
					{"gh", "elevator indoor=yes level=0-2 name="},
					{"hi", "corridor indoor=yes level=2 name="},
					{"ij", "corridor indoor=yes level=5 name="},
					{"jm", "corridor indoor=yes level=5;6 name="},
					{"mn", "corridor indoor=yes level=6 name="},
					{"ip", "footway level=2 name="},
					{"pq", "steps level=2;3 name="},
					{"qv", "footway level=3 name="},
				},
				Nodes: towntest.Nodes{
					{"e", "entrance=yes indoor=yes"},
					{"i", "elevator indoor=yes level=2-5"},
				},
			},
			Trips: []Trip{
				walk("oe ec", "e", []int{1, 42, 4}, [2]float64{1, 0}),
				walk("ec oe", "e", []int{1, 43, 4}, [2]float64{0, 0}),
				walk("ec tu", "cst", []int{1, 40, 8, 4}, [2]float64{0, 0}, [2]float64{2, 1}),
				walk("ec lr", "ckl", []int{1, 41, 8, 4}, [2]float64{0, 0}, [2]float64{2, 1}),
				walk("ec hi", "cgh", []int{1, 39, 8, 4}, [2]float64{0, 0}, [2]float64{3, 2}),
				walk("hi ij", "i", []int{1, 39, 4}, [2]float64{0, 2}, [2]float64{1, 5}),
				walk("ij mn", "jm", []int{1, 44, 8, 4}, [2]float64{0, 5}, [2]float64{2, 6}),
				walk("cs st", "s", []int{40, 8, 4}, [2]float64{1, 1}),
				walk("ip qv", "pq", []int{1, 40, 8, 4}, [2]float64{0, 2}, [2]float64{2, 3}),
			},
		},
	}
}

// wantFloors checks the types of the manoeuvres and the floors of a leg: points
// of its shape and the floor from there on.
func wantFloors(types []int, levels ...[2]float64) func(*testing.T, *Route) {
	return func(t *testing.T, r *Route) {
		t.Helper()
		leg := &r.Trip.Legs[0]
		var got []int
		for _, m := range leg.Maneuvers {
			got = append(got, m.Type)
		}
		if !slices.Equal(got, types) {
			t.Errorf("the manoeuvres have the types %v, want %v", got, types)
		}
		if !slices.Equal(leg.Summary.LevelChanges, levels) {
			t.Errorf("the leg lies on the floors %v, want %v", leg.Summary.LevelChanges, levels)
		}
	}
}
