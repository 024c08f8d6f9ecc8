package clip

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/osm"
)

const square = `{"type":"Polygon","coordinates":[[[0,0],[2,0],[2,2],[0,2],[0,0]]]}`

func area(t *testing.T, text string) *Area {
	t.Helper()
	a, err := ReadArea([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestReadArea(t *testing.T) {
	for text, ok := range map[string]bool{
		square: true,
		`{"type":"Feature","properties":null,"geometry":` + square + `}`:                                           true,
		`{"type":"FeatureCollection","features":[{"type":"Feature","geometry":` + square + `}]}`:                   true,
		`{"type":"MultiPolygon","coordinates":[[[[0,0],[2,0],[2,2],[0,0]]],[[[5,5],[6,5],[6,6],[5,5]]]]}`:          true,
		`{"type":"FeatureCollection","features":[]}`:                                                               false,
		`{"type":"Feature","geometry":null}`:                                                                       false,
		`{"type":"Feature","geometry":{"type":"Feature","geometry":{"type":"Feature","geometry":` + square + `}}}`: false,
		`{"type":"Point","coordinates":[0,0]}`:                                                                     false,
		`{"type":"Polygon","coordinates":[[[0,0],[2,0],[2,2],[0,2]]]}`:                                             false,
		`{"type":"Polygon","coordinates":[[[0,0],[2,0],[0,0]]]}`:                                                   false,
		`{"type":"Polygon","coordinates":[[[0,0],[2,0],[2,95],[0,0]]]}`:                                            false,
		`{"type":"Polygon","coordinates":[[[0],[2,0],[2,9],[0]]]}`:                                                 false,
		`{"type":"Polygon","coordinates":[]}`:                                                                      false,
		`{"type":"Polygon","coordinates":"x"}`:                                                                     false,
		`{`:                                                                                                        false,
	} {
		a, err := ReadArea([]byte(text))
		if (err == nil) != ok {
			t.Errorf("%s: %v", text, err)
		}
		if ok && !json.Valid(a.GeoJSON()) {
			t.Errorf("%s becomes %s", text, a.GeoJSON())
		}
	}
}

func TestContains(t *testing.T) {
	a := area(t, `{"type":"MultiPolygon","coordinates":[[[[0,0],[10,0],[10,10],[0,10],[0,0]],[[4,4],[6,4],[6,6],[4,6],[4,4]]],[[[20,0],[21,0],[21,1],[20,0]]]]}`)
	for p, want := range map[geo.Point]bool{{Lon: 1, Lat: 1}: true, {Lon: 5, Lat: 5}: false, {Lon: 11, Lat: 5}: false, {Lon: 20.9, Lat: 0.5}: true, {Lon: 20.1, Lat: 0.5}: false, {Lon: -1, Lat: 5}: false} {
		if got := a.Contains(p); got != want {
			t.Errorf("%v: %v", p, got)
		}
	}
}

// TestCut cuts a data set whose parts lie in, across and outside of a square.
func TestCut(t *testing.T) {
	node := func(id int64, lon, lat float64) osm.Node {
		return osm.Node{ID: id, Lon: int32(lon * 1e7), Lat: int32(lat * 1e7)}
	}
	way := func(id int64, nodes ...int64) osm.Way {
		return osm.Way{ID: id, Nodes: nodes, Tags: osm.Tags{{Key: "highway", Value: "service"}}}
	}
	relation := func(id int64, kind string, ways ...int64) osm.Relation {
		r := osm.Relation{ID: id, Tags: osm.Tags{{Key: "type", Value: kind}}}
		for _, w := range ways {
			r.Members = append(r.Members, osm.Member{Kind: osm.KindWay, Ref: w})
		}
		return r
	}
	dir := t.TempDir()
	from, to := filepath.Join(dir, "all.osm.pbf"), filepath.Join(dir, "cut.osm.pbf")
	f, err := os.Create(from)
	if err != nil {
		t.Fatal(err)
	}
	err = osm.WritePBF(f, &osm.Data{
		Nodes:     []osm.Node{node(1, 1, 1), node(2, 1.5, 1), node(3, 3, 1), node(4, 4, 1), node(5, 9, 9), node(6, 9, 8), node(7, 8, 8)},
		Ways:      []osm.Way{way(10, 1, 2), way(11, 2, 3), way(12, 3, 4), way(13, 5, 6), way(14, 6, 7)},
		Relations: []osm.Relation{relation(20, "multipolygon", 11, 12), relation(21, "boundary", 10, 13), relation(22, "multipolygon", 13, 14)},
	})
	if err != nil || f.Close() != nil {
		t.Fatal(err)
	}
	if err := Cut(t.Context(), from, area(t, square), to); err != nil {
		t.Fatal(err)
	}
	var nodes, ways, relations []int64
	if _, err := osm.Scan(t.Context(), to, osm.Options{}, func(b *osm.Block) error {
		for i := range b.Nodes {
			nodes = append(nodes, b.Nodes[i].ID)
		}
		for i := range b.Ways {
			ways = append(ways, b.Ways[i].ID)
		}
		for i := range b.Relations {
			relations = append(relations, b.Relations[i].ID)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(nodes, []int64{1, 2, 3, 4}) || !slices.Equal(ways, []int64{10, 11, 12}) || !slices.Equal(relations, []int64{20, 21}) {
		t.Errorf("nodes %v, ways %v, relations %v", nodes, ways, relations)
	}
	if err := Cut(t.Context(), from, area(t, strings.ReplaceAll(square, "2", "0.5")), to); err == nil {
		t.Error("an area with nothing in it is cut")
	}
}

func FuzzReadArea(f *testing.F) {
	f.Add([]byte(square))
	f.Add([]byte(`{"type":"FeatureCollection","features":[{"type":"Feature","geometry":` + square + `}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		a, err := ReadArea(data)
		if err != nil {
			return
		}
		again, err := ReadArea(a.GeoJSON())
		if err != nil || again.Bounds() != a.Bounds() {
			t.Fatalf("%s: %v", a.GeoJSON(), err)
		}
	})
}

// A ring goes the shorter way round the globe, however its longitudes are counted.
func TestAreaAcrossTheAntimeridian(t *testing.T) {
	a, err := ReadArea([]byte(`{"type":"Polygon","coordinates":[[[179,-1],[-179,-1],[-179,1],[179,1],[179,-1]],[[179.9,-0.1],[-179.9,-0.1],[-179.9,0.1],[179.9,0.1],[179.9,-0.1]]]}`))
	if err != nil {
		t.Fatal(err)
	}
	if b := a.Bounds(); b != (geo.Bounds{Min: geo.Point{Lon: 179, Lat: -1}, Max: geo.Point{Lon: -179, Lat: 1}}) {
		t.Errorf("bounds %v", b)
	}
	for _, c := range []struct {
		lon, lat float64
		in       bool
	}{{179.5, 0, true}, {-179.5, 0, true}, {180, 0.5, true}, {-180, 0.5, true}, {180, 0, false}, {-179.95, 0.05, false}, {0, 0, false}, {178.9, 0, false}, {-178.9, 0, false}} {
		if got := a.Contains(geo.Point{Lon: c.lon, Lat: c.lat}); got != c.in {
			t.Errorf("%v,%v: %v", c.lon, c.lat, got)
		}
	}
	if text := string(a.GeoJSON()); !strings.Contains(text, "[-179,-1]") {
		t.Errorf("written as %s", text)
	}
}
