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
	if want := []string{"earth", "water", "boundaries", "places"}; !slices.Equal(ids, want) || r.Metadata().Attribution == "" {
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
