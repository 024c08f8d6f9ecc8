package basemap

import (
	"path/filepath"
	"testing"

	"github.com/paulmach/orb"

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
