package basemap

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/paulmach/orb/encoding/mvt"

	"github.com/waygate/waygate/index/tileset"
)

func TestGlobe(t *testing.T) {
	const good = `{"type":"Feature","tippecanoe":{"layer":"earth","minzoom":0},"properties":{"kind":"earth"},"geometry":{"type":"Polygon","coordinates":[[[170,10],[190,10],[190,20],[170,20],[170,10]]]}}
{"type":"Feature","tippecanoe":{"layer":"places","minzoom":2,"maxzoom":4},"properties":{"name":"Nowhere","sort_key":3,"capital":true},"geometry":{"type":"Point","coordinates":[175,15]}}
`
	path := filepath.Join(t.TempDir(), "globe.pmtiles")
	s, err := Globe(context.Background(), strings.NewReader(good), path)
	if err != nil || s.Features != 2 {
		t.Fatalf("%+v, %v", s, err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	r, err := tileset.FromBytes("globe", data)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		z, x, y  int
		features int
	}{{0, 0, 0, 1}, {2, 3, 1, 2}, {4, 15, 7, 2}, {6, 62, 29, 1}} {
		n := 0
		data, ok, err := r.Tile(c.z, c.x, c.y)
		if ok && err == nil {
			layers, err := mvt.UnmarshalGzipped(data)
			if err != nil {
				t.Fatal(err)
			}
			for _, l := range layers {
				n += len(l.Features)
			}
		}
		if n != c.features || err != nil {
			t.Errorf("tile %d/%d/%d has %d features, want %d; %v", c.z, c.x, c.y, n, c.features, err)
		}
	}
	for bad, want := range map[string]string{
		`{`: "feature 1",
		`{"tippecanoe":{"layer":"seas"},"geometry":{"type":"Point","coordinates":[0,0]}}`:                   `"seas"`,
		`{"tippecanoe":{"layer":"places"}}`:                                                                 "no geometry",
		`{"tippecanoe":{"layer":"places"},"geometry":{"type":"MultiPoint","coordinates":[[0,0]]}}`:          "MultiPoint",
		`{"tippecanoe":{"layer":"places"},"geometry":{"type":"Polygon","coordinates":[[0,0],[1,1],[2,2]]}}`: "feature 1",
	} {
		if _, err := Globe(context.Background(), strings.NewReader(bad), filepath.Join(t.TempDir(), "x")); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", bad, err, want)
		}
	}
}
