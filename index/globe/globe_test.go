package globe_test

import (
	"slices"
	"testing"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/encoding/mvt"
	"github.com/paulmach/orb/maptile"
	"github.com/paulmach/orb/planar"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/globe"
)

// layersAt returns the tile of a zoom at a position, in degrees.
func layersAt(t *testing.T, at geo.Point, zoom maptile.Zoom) map[string]*mvt.Layer {
	t.Helper()
	r, err := globe.Open()
	if err != nil {
		t.Fatal(err)
	}
	tile := maptile.At(orb.Point{at.Lon, at.Lat}, zoom)
	data, ok, err := r.Tile(int(zoom), int(tile.X), int(tile.Y))
	if err != nil {
		t.Fatal(err)
	}
	if !ok {
		return map[string]*mvt.Layer{"earth": {}, "places": {}}
	}
	if len(data) > 100_000 {
		t.Errorf("tile %v has %d bytes", tile, len(data))
	}
	layers, err := mvt.UnmarshalGzipped(data)
	if err != nil {
		t.Fatal(err)
	}
	layers.ProjectToWGS84(tile)
	byName := map[string]*mvt.Layer{"earth": {}, "places": {}}
	for _, l := range layers {
		byName[l.Name] = l
	}
	return byName
}

func TestArchive(t *testing.T) {
	r, err := globe.Open()
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Verify(); err != nil {
		t.Error(err)
	}
	var ids []string
	for _, l := range r.Metadata().VectorLayers {
		ids = append(ids, l.ID)
	}
	if want := []string{"earth", "landcover", "water", "boundaries", "places", "hillshade"}; !slices.Equal(ids, want) || r.Metadata().Attribution == "" {
		t.Errorf("layers %v, want %v; attribution %q", ids, want, r.Metadata().Attribution)
	}
}

// Land is where it is in the world, on both sides of its edge too.
func TestLandAndSea(t *testing.T) {
	for _, c := range []struct {
		name     string
		lon, lat float64
		land     bool
	}{
		{"Cardiff", -3.2, 51.5, true},
		{"the Bristol Channel", -4.5, 51.3, false},
		{"Andorra", 1.55, 42.55, true},
		{"the middle of the Atlantic", -30, 40, false},
		{"Chukotka beyond the meridian", -175, 67, true},
		{"the middle of Siberia", 100, 65, true},
		{"the Pacific", -175, -40, false},
		{"Taveuni", -179.98, -16.85, true},
		{"Antarctica", 20, -80, true},
		{"the Arctic", 0, 84, false},
	} {
		at := orb.Point{c.lon, c.lat}
		for _, zoom := range []maptile.Zoom{0, 3, 6} {
			if zoom < 6 && c.name == "Taveuni" {
				continue // narrower than a pixel
			}
			land := false
			for _, f := range layersAt(t, geo.Point{Lon: c.lon, Lat: c.lat}, zoom)["earth"].Features {
				switch g := f.Geometry.(type) {
				case orb.Polygon:
					land = land || planar.PolygonContains(g, at)
				case orb.MultiPolygon:
					land = land || planar.MultiPolygonContains(g, at)
				}
			}
			if land != c.land {
				t.Errorf("%s is land at zoom %d: %v", c.name, zoom, land)
			}
		}
	}
}

func TestNames(t *testing.T) {
	for name, at := range map[string]geo.Point{"Deutschland": {Lon: 10, Lat: 51}, "Cardiff": {Lon: -3.18, Lat: 51.48}, "България": {Lon: 25, Lat: 42.7}} {
		found := false
		for _, zoom := range []maptile.Zoom{2, 3, 4, 5, 6} {
			for _, f := range layersAt(t, at, zoom)["places"].Features {
				found = found || f.Properties["name"] == name
			}
		}
		if !found {
			t.Errorf("no %s", name)
		}
	}
}

// namesAt lists the names in a language of a layer's points near a position.
func namesAt(t *testing.T, layer, key string, at geo.Point, zoom maptile.Zoom) (names []string) {
	t.Helper()
	l := layersAt(t, at, zoom)[layer]
	if l == nil {
		return nil
	}
	for _, f := range l.Features {
		if name, ok := f.Properties[key].(string); ok {
			names = append(names, name)
		}
	}
	return names
}

// Lakes and seas have names, and countries one that their readers know.
func TestNamesOfWaters(t *testing.T) {
	for _, c := range []struct {
		layer, key, name string
		lon, lat         float64
		zoom             maptile.Zoom
	}{
		{"water", "name:de", "Genfersee", 6.5, 46.4, 6},
		{"water", "name", "Lac Léman", 6.5, 46.4, 6},
		{"water", "name:fr", "Mer du Nord", 3.5, 56.5, 4},
		{"places", "name", "Namibia", 17, -22, 5},
	} {
		names := namesAt(t, c.layer, c.key, geo.Point{Lon: c.lon, Lat: c.lat}, c.zoom)
		if !slices.Contains(names, c.name) {
			t.Errorf("%s of %s at %v, %v: %v, want %s among them", c.key, c.layer, c.lon, c.lat, names, c.name)
		}
	}
}

// Brooklyn, Queens and the Bronx are no cities beside New York; Yokohama and Tokyo both are.
func TestBoroughsAreNoCities(t *testing.T) {
	kinds := func(lon, lat float64) map[string]string {
		out := map[string]string{}
		for _, f := range layersAt(t, geo.Point{Lon: lon, Lat: lat}, 6)["places"].Features {
			name, _ := f.Properties["name"].(string)
			kind, _ := f.Properties["kind_detail"].(string)
			out[name] = kind
		}
		return out
	}
	york := kinds(-74, 40.7)
	for name, kind := range map[string]string{"New York City": "city", "Brooklyn": "town", "Queens": "town", "The Bronx": "town"} {
		if york[name] != kind {
			t.Errorf("%s is a %q", name, york[name])
		}
	}
	tokyo := kinds(139.69, 35.6)
	if tokyo["Tokyo"] != "city" || tokyo["Yokohama"] != "city" {
		t.Errorf("Tokyo is a %q, Yokohama a %q", tokyo["Tokyo"], tokyo["Yokohama"])
	}
}

// The land has the cover of what is there.
func TestLandCover(t *testing.T) {
	for _, c := range []struct {
		name, kind string
		lon, lat   float64
	}{
		{"the Amazon", "forest", -62, -5},
		{"the Sahara", "barren", 5, 24},
		{"Greenland", "glacier", -40, 72},
		{"the Black Forest", "forest", 8.2, 48.3},
		{"Siberia in its snow", "", 100, 68},
		{"the Atlantic", "", -30, 30},
	} {
		at, kind := orb.Point{c.lon, c.lat}, ""
		if l := layersAt(t, geo.Point{Lon: c.lon, Lat: c.lat}, 4)["landcover"]; l != nil {
			for _, f := range l.Features {
				in := false
				switch g := f.Geometry.(type) {
				case orb.Polygon:
					in = planar.PolygonContains(g, at)
				case orb.MultiPolygon:
					in = planar.MultiPolygonContains(g, at)
				}
				if in {
					kind, _ = f.Properties["kind"].(string)
				}
			}
		}
		if kind != c.kind {
			t.Errorf("%s is covered by %q, want %q", c.name, kind, c.kind)
		}
	}
}
