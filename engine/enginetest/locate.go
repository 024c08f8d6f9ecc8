package enginetest

import (
	"encoding/json"
	"math"
	"slices"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/wire/valhalla"
)

// locatedPlace is one element of the answer of an engine.Locator.
type locatedPlace struct {
	InputLat float64 `json:"input_lat"`
	InputLon float64 `json:"input_lon"`
	Edges    []struct {
		WayID    int64   `json:"way_id"`
		Lat      float64 `json:"correlated_lat"`
		Lon      float64 `json:"correlated_lon"`
		Side     string  `json:"side_of_street"`
		Along    float64 `json:"percent_along"`
		Distance *float64
		Info     *struct {
			WayID int64 `json:"way_id"`
			Names []string
			Shape string
		} `json:"edge_info"`
		Edge *struct {
			Forward        bool
			Access         map[string]bool
			Classification struct{ Classification, Use string }
		}
	}
	Nodes []struct {
		Lat, Lon float64
		Count    int `json:"edge_count"`
	}
}

// placing is a place in a town and what an engine must say of it.
type placing struct {
	town    string
	at      string  // as in Trip.Stops
	aside   float64 // metres north of it
	costing costing.Costing
	edges   int
	nodes   int
	sides   []string // in any order
	along   []float64
}

var placings = []placing{
	{town: "the shorter of two ways", at: "ab", edges: 2, sides: []string{"neither", "neither"}, along: []float64{0.5, 0.5}},
	{town: "the shorter of two ways", at: "ab.25", aside: 20, edges: 2, sides: []string{"left", "right"}, along: []float64{0.25, 0.75}},
	{town: "the shorter of two ways", at: "a", edges: 4, nodes: 1, sides: []string{"neither", "neither", "neither", "neither"}, along: []float64{0, 0, 1, 1}},
	{town: "a one-way street", at: "ab.25", aside: 20, edges: 1, sides: []string{"left"}, along: []float64{0.25}},
	{town: "a one-way street", at: "ab.25", aside: -20, edges: 1, sides: []string{"right"}, along: []float64{0.25}},
	{town: "a one-way street", at: "ab.25", aside: 20, costing: costing.Pedestrian, edges: 2, sides: []string{"left", "right"}, along: []float64{0.25, 0.75}},
}

// locates asks where places lie.
func locates(t *testing.T, eng engine.Engine) {
	for _, p := range placings {
		t.Run(p.town+" "+p.at+" "+p.costing.String(), func(t *testing.T) {
			all := All()
			s := all[slices.IndexFunc(all, func(s Scenario) bool { return s.Name == p.town })]
			town := build(t, &s)
			l, err := location(town, p.at)
			if err != nil {
				t.Fatal(err)
			}
			on := l.Point
			l.Point.Lat += p.aside / (geo.EarthRadius * math.Pi / 180)
			by := p.costing
			if !by.Valid() {
				by = costing.Auto
			}
			for _, verbose := range []bool{false, true} {
				got := ask(t, eng, &engine.LocateRequest{Locations: []engine.Location{l}, Costing: by, Options: settings(t, by), Verbose: verbose})[0]
				if len(got.Edges) != p.edges || len(got.Nodes) != p.nodes {
					t.Fatalf("verbose %t: %d edges and %d nodes, want %d and %d", verbose, len(got.Edges), len(got.Nodes), p.edges, p.nodes)
				}
				var sides []string
				var along []float64
				for _, e := range got.Edges {
					sides, along = append(sides, e.Side), append(along, e.Along)
					if d := geo.Distance(on, geo.Point{Lon: e.Lon, Lat: e.Lat}); d > 1 {
						t.Errorf("an edge is found %.1f m from the place on it", d)
					}
					if way := e.WayID; verbose != (way == 0) {
						t.Errorf("verbose %t: way_id is %d", verbose, way)
					}
					if !verbose {
						continue
					}
					if e.Info == nil || e.Edge == nil || e.Distance == nil {
						t.Fatal("a verbose answer lacks edge_info, edge or distance")
					}
					if math.Abs(*e.Distance-math.Abs(p.aside)) > 1 || e.Info.WayID == 0 || e.Edge.Classification.Classification != "residential" || e.Edge.Classification.Use != "road" {
						t.Errorf("the verbose answer tells %+v %+v at %g m", e.Info, e.Edge, *e.Distance)
					}
					if line, err := geo.DecodePolyline(e.Info.Shape, 6); err != nil || len(line) < 2 {
						t.Errorf("the edge's shape is not readable: %v", err)
					}
				}
				slices.Sort(sides)
				slices.Sort(along)
				if !slices.Equal(sides, p.sides) {
					t.Errorf("the sides are %v, want %v", sides, p.sides)
				}
				for i := range along {
					if math.Abs(along[i]-p.along[i]) > 0.01 {
						t.Errorf("the places along are %v, want %v", along, p.along)
						break
					}
				}
			}
		})
	}
	t.Run("at sea", func(t *testing.T) {
		got := ask(t, eng, &engine.LocateRequest{Locations: []engine.Location{{Point: geo.Point{Lon: -30, Lat: 40}}}, Costing: costing.Auto, Options: settings(t, costing.Auto)})[0]
		if got.Edges != nil || got.Nodes != nil || got.InputLat != 40 || got.InputLon != -30 {
			t.Errorf("a place at sea is answered with %+v, want nulls", got)
		}
	})
}

func ask(t *testing.T, eng engine.Engine, r *engine.LocateRequest) []locatedPlace {
	t.Helper()
	answer, err := eng.Locate(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	text, err := valhalla.WriteLocate(r, answer, nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []locatedPlace
	if err := json.Unmarshal(text, &got); err != nil || len(got) != len(r.Locations) {
		t.Fatalf("%d places for %d locations: %v\n%.500s", len(got), len(r.Locations), err, text)
	}
	return got
}

// settings returns the defaults of a costing.
func settings(t *testing.T, c costing.Costing) costing.Settings {
	t.Helper()
	s, unknown, bad := costing.Parse(c, nil, "")
	if len(unknown)+len(bad) > 0 {
		t.Fatal(unknown, bad)
	}
	return s
}
