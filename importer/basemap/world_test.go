package basemap

import (
	"testing"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/geojson"
	"github.com/paulmach/orb/planar"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/globe"
	"github.com/waygate/waygate/index/tileset"
)

// lies reports whether a position lies in areas of a kind.
func lies(features []*geojson.Feature, kind string, p orb.Point) (in bool) {
	for _, f := range features {
		if k := f.Properties["kind"]; k != kind {
			continue
		}
		switch g := f.Geometry.(type) {
		case orb.Polygon:
			in = in || planar.PolygonContains(g, p)
		case orb.MultiPolygon:
			in = in || planar.MultiPolygonContains(g, p)
		}
	}
	return in
}

// layersOf joins the layers of the tiles of a zoom.
func layersOf(t *testing.T, r *tileset.Reader, zoom int) map[string][]*geojson.Feature {
	t.Helper()
	all := map[string][]*geojson.Feature{}
	eachTile(t, r, zoom, func(_ tileAt, layers map[string][]*geojson.Feature) {
		for name, features := range layers {
			all[name] = append(all[name], features...)
		}
	})
	return all
}

// Malta, of which an extract has a street of Valletta and a kilometre of its coast: the rest of
// its box is that of the map of the world, and so is what lies at its sides.
func TestTheCoastTurnsIntoTheWorlds(t *testing.T) {
	world, err := globe.Open()
	if err != nil {
		t.Fatal(err)
	}
	s := newSketch()
	here := func(lon, lat float64) (x, y int) { return int((lon - 1) * 1e4), int((lat - 51) * 1e4) }
	line := func(tag string, points ...[2]float64) {
		var xy []int
		for _, p := range points {
			x, y := here(p[0], p[1])
			xy = append(xy, x, y)
		}
		s.way(tags(tag), xy...)
	}
	line("highway=residential", [2]float64{14.49, 35.89}, [2]float64{14.47, 35.88}, [2]float64{14.45, 35.87})
	line("natural=coastline", [2]float64{14.515, 35.930}, [2]float64{14.505, 35.934}, [2]float64{14.49, 35.935}) // land to the south
	r, _ := build(t, &s.data, Options{World: world, Bounds: geo.Bounds{Min: geo.Point{Lon: 14.3, Lat: 35.7}, Max: geo.Point{Lon: 14.8, Lat: 36.05}}})
	layers := layersOf(t, r, 10)
	land, sea := layers["earth"], layers["water"]
	for _, c := range []struct {
		name string
		at   geo.Point
		land bool
	}{
		{"Rabat, inland", geo.Point{Lon: 14.40, Lat: 35.88}, true},
		{"off the south", geo.Point{Lon: 14.40, Lat: 35.75}, false},
		{"off the east", geo.Point{Lon: 14.70, Lat: 35.90}, false},
		{"the street", geo.Point{Lon: 14.47, Lat: 35.88}, true},
		{"just inside the coast", geo.Point{Lon: 14.505, Lat: 35.932}, true},
		{"just outside the coast", geo.Point{Lon: 14.505, Lat: 35.936}, false},
	} {
		at := orb.Point{c.at.Lon, c.at.Lat}
		if onLand, atSea := lies(land, "earth", at), lies(sea, "ocean", at); onLand != c.land || atSea == c.land {
			t.Errorf("%s: on land %v, at sea %v", c.name, onLand, atSea)
		}
	}
}

// On small maps a box, whose ground hides the world's, is covered as the world is.
func TestTheWorldsCoverInABox(t *testing.T) {
	world, err := globe.Open()
	if err != nil {
		t.Fatal(err)
	}
	s := newSketch()
	s.way(tags("highway=residential"), 0, 0, 100, 100)
	box := geo.Bounds{Min: geo.Point{Lon: 6, Lat: 44}, Max: geo.Point{Lon: 12, Lat: 48}}
	r, _ := build(t, &s.data, Options{World: world, Bounds: box, MaxZoom: GlobeMaxZoom + 1})
	here, there := layersOf(t, r, GlobeMaxZoom), layersOf(t, world, GlobeMaxZoom)
	for of, kinds := range map[string][]string{"landcover": {"forest", "grassland", "barren", "glacier"}, "hillshade": {"light", "shade"}} {
		same := 0
		for lon := box.Min.Lon + 0.05; lon < box.Max.Lon; lon += 0.3 {
			for lat := box.Min.Lat + 0.05; lat < box.Max.Lat; lat += 0.3 {
				for _, kind := range kinds {
					at := orb.Point{lon, lat}
					got, want := lies(here[of], kind, at), lies(there[of], kind, at)
					if got != want {
						t.Errorf("%v is %s: %v, on the world's map %v", at, kind, got, want)
					} else if got {
						same++
					}
				}
			}
		}
		if same == 0 {
			t.Errorf("there is no %s", of)
		}
		for _, f := range here[of] {
			if f.Properties["world"] != true {
				t.Errorf("%v is not marked as the world's", f.Properties)
			}
		}
		if len(layersOf(t, r, GlobeMaxZoom+1)[of]) > 0 {
			t.Errorf("%s of the world is drawn enlarged", of)
		}
	}
}

// Coasts are lines too, without the sides of the box, which are nobody's shore.
func TestCoastsAreLines(t *testing.T) {
	s := newSketch()
	s.way(tags("natural=coastline"), 500, 100, 250, 110, -500, 100)
	s.way(tags("highway=residential"), 0, 50, 200, 40)
	r, _ := build(t, &s.data, Options{Bounds: geo.Bounds{Min: geo.Point{Lon: 1, Lat: 51}, Max: geo.Point{Lon: 1.03, Lat: 51.02}}})
	lines := find(layersOf(t, r, 13), "earth", "coast")
	if len(lines) == 0 {
		t.Fatal("there is no coast")
	}
	for _, f := range lines {
		if b := f.Geometry.Bound(); b.Min[1] < 51.005 || b.Max[1] > 51.015 {
			t.Errorf("a coast along the sides of the box: %v", f.Geometry)
		}
	}
	if len(find(zoomLayers(t, r, 10), "earth", "coast")) > 0 {
		t.Error("a small map draws coasts as lines")
	}
}
