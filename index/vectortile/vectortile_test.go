package vectortile

import (
	"bytes"
	"compress/gzip"
	"errors"
	"testing"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/encoding/mvt"
	"github.com/paulmach/orb/geojson"
	"google.golang.org/protobuf/encoding/protowire"
)

// drawn is a tile of another encoder.
func drawn(t testing.TB) []byte {
	t.Helper()
	roads := geojson.NewFeatureCollection()
	road := geojson.NewFeature(orb.MultiLineString{{{0, 0}, {1024, 2048}}, {{4096, 4096}, {-64, 4160}}})
	road.Properties = geojson.Properties{"name": "High Street", "is_bridge": true, "min_zoom": 12, "width": 2.5}
	roads.Append(road)
	pois := geojson.NewFeatureCollection()
	pois.Append(geojson.NewFeature(orb.Point{2048, 1024}))
	water := geojson.NewFeatureCollection()
	water.Append(geojson.NewFeature(orb.Polygon{{{0, 0}, {4096, 0}, {4096, 4096}, {0, 0}}}))
	data, err := mvt.Marshal(mvt.Layers{
		{Name: "roads", Version: 2, Extent: 4096, Features: roads.Features},
		{Name: "pois", Version: 2, Extent: 4096, Features: pois.Features},
		{Name: "water", Version: 2, Extent: 4096, Features: water.Features},
	})
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestRead(t *testing.T) {
	data := drawn(t)
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := z.Write(data); err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	for _, tile := range [][]byte{data, packed.Bytes()} {
		all, err := Read(tile, "roads", "water")
		if err != nil || len(all) != 2 {
			t.Fatalf("%d features, %v", len(all), err)
		}
		road, water := all[0], all[1]
		if road.Layer != "roads" || road.Kind != Lines || road.Text("name") != "High Street" || !road.Is("is_bridge") || road.Number("min_zoom") != 12 || road.Number("width") != 2.5 || road.Text("ref") != "" {
			t.Errorf("%+v", road)
		}
		if len(road.Parts) != 2 || road.Parts[0][1] != (Point{0.25, 0.5}) || road.Parts[1][1] != (Point{-1.0 / 64, 4160.0 / 4096}) {
			t.Errorf("%v", road.Parts)
		}
		if water.Kind != Polygons || len(water.Parts) != 1 || len(water.Parts[0]) != 3 {
			t.Errorf("%+v", water)
		}
	}
	for _, damaged := range [][]byte{data[:len(data)-3], packed.Bytes()[:20], []byte("\x1a\x7fnonsense")} {
		if _, err := Read(damaged, "roads", "pois", "water"); err == nil {
			t.Error("a damaged tile is read")
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(drawn(f))
	f.Fuzz(func(t *testing.T, data []byte) {
		all, err := Read(data, "roads", "pois", "water")
		if err != nil {
			return
		}
		points := 0
		for i := range all {
			for _, p := range all[i].Parts {
				points += len(p)
			}
		}
		if points > 2*mostBytes {
			t.Fatalf("%d points of %d bytes", points, len(data))
		}
	})
}

// TestManyFeatures has a layer of features that are nothing but two bytes each.
func TestManyFeatures(t *testing.T) {
	layer := func(n int) []byte {
		raw := append([]byte{0x0a, 0x05}, "roads"...)
		raw = append(raw, bytes.Repeat([]byte{0x12, 0x00}, n)...)
		return append(protowire.AppendVarint([]byte{0x1a}, uint64(len(raw))), raw...)
	}
	if list, err := Read(layer(mostFeatures), "roads"); err != nil || len(list) != mostFeatures {
		t.Errorf("as many as may be: %d, %v", len(list), err)
	}
	if list, err := Read(layer(mostFeatures+1), "roads"); !errors.Is(err, errTile) || list != nil {
		t.Errorf("one more: %d, %v", len(list), err)
	}
}
