package basemap

import (
	"path/filepath"
	"testing"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/encoding/mvt"
	"github.com/paulmach/orb/maptile"

	"github.com/waygate/waygate/index/height"
	"github.com/waygate/waygate/realdata"
)

func TestNewport(t *testing.T) {
	r, s := buildFrom(t, Options{Sources: []string{realdata.File(t, "osm/newport-wales-20230613.osm.pbf")}})
	if s.Features["buildings"] < 34000 || s.Features["roads"] < 9000 || s.LooseEnds != 0 || s.Dropped != 0 {
		t.Errorf("summary %+v", s)
	}
	if s.Bounds.Min.Lon < -3.2 || s.Bounds.Max.Lon > -2.8 {
		t.Errorf("bounds %v: the extract's stray nodes count", s.Bounds)
	}
	// The mouth of the Usk is sea, the town on both banks is land.
	layers := zoomLayers(t, r, 14)
	if len(find(layers, "water", "ocean")) == 0 || len(find(layers, "earth", "earth")) == 0 {
		t.Error("Newport has lost its sea or its land")
	}
	rivers := 0
	for _, f := range find(layers, "water", "river") {
		if _, ok := f.Geometry.(orb.Point); !ok && f.Properties["name"] == "River Usk" {
			rivers++
		}
	}
	if rivers == 0 {
		t.Error("no River Usk")
	}
	if len(find(layers, "places", "locality")) == 0 || len(find(layers, "roads", "highway")) == 0 {
		t.Error("no places or no motorway")
	}
}

// Every tile of Malta is land or sea and never both: what rings of one tile hold
// when each is looked at by itself, as renderers that cut them into triangles do.
func TestMaltaIsNotFlooded(t *testing.T) {
	r, _ := buildFrom(t, Options{Sources: []string{realdata.File(t, "osm/malta-20180827.osm.pbf")}})
	for place, at := range map[string]struct {
		lon, lat float64
		land     bool
	}{
		"Valletta":      {14.5125, 35.8985, true},
		"Fort St Elmo":  {14.5190, 35.9020, true},
		"Grand Harbour": {14.5190, 35.8930, false},
		"Comino":        {14.3350, 36.0110, true},
		"Gozo Channel":  {14.3100, 36.0150, false},
	} {
		for zoom := maptile.Zoom(10); zoom <= DefaultMaxZoom; zoom++ {
			tile := maptile.At(orb.Point{at.lon, at.lat}, zoom)
			packed, ok, err := r.Tile(int(zoom), int(tile.X), int(tile.Y))
			if err != nil || !ok {
				t.Fatal(zoom, ok, err)
			}
			layers, err := mvt.UnmarshalGzipped(packed)
			if err != nil {
				t.Fatal(err)
			}
			layers.ProjectToWGS84(tile)
			land, sea := false, false
			for _, l := range layers {
				for _, f := range l.Features {
					var areas orb.MultiPolygon
					switch g := f.Geometry.(type) {
					case orb.Polygon:
						areas = orb.MultiPolygon{g}
					case orb.MultiPolygon:
						areas = g
					}
					in := inAreas(areas, orb.Point{at.lon, at.lat})
					land = land || in && f.Properties["kind"] == "earth"
					sea = sea || in && f.Properties["kind"] == "ocean"
				}
			}
			if land != at.land || sea == at.land {
				t.Errorf("%s at zoom %d is land: %v, sea: %v", place, zoom, land, sea)
			}
		}
	}
}

// BenchmarkBuild draws real maps; run one at a time under `time -v` for its
// processor time and memory.
func BenchmarkBuild(b *testing.B) {
	for name, o := range map[string]Options{
		"newport":  {Sources: []string{"osm/newport-wales-20230613.osm.pbf"}},
		"andorra":  {Sources: []string{"osm/andorra-20211028.osm.pbf"}},
		"hills":    {Sources: []string{"osm/andorra-20211028.osm.pbf"}},
		"35places": {Sources: []string{"osm/all-35-places.osm.pbf"}},
	} {
		b.Run(name, func(b *testing.B) {
			o.Sources = []string{realdata.File(b, o.Sources[0])}
			if name == "hills" {
				set, err := height.Find(realdata.File(b, "elevation/N42E001.hgt.zip"))
				if err != nil {
					b.Fatal(err)
				}
				o.Terrain = set
			}
			for b.Loop() {
				o.Out = filepath.Join(b.TempDir(), "map.pmtiles")
				s, err := Build(b.Context(), o)
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(s.Tiles.Addressed), "tiles")
				b.ReportMetric(float64(s.Tiles.Bytes)/1e6, "MB")
				b.ReportMetric(float64(s.Largest)/1e3, "largest-kB")
			}
		})
	}
}
