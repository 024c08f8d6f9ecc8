package vectortile

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/encoding/mvt"
	"github.com/paulmach/orb/geojson"
	"google.golang.org/protobuf/encoding/protowire"
)

// drawn returns a tile of another encoder.
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
	for _, tile := range [][]byte{data, packed.Bytes(), data} {
		var all []string
		err := Each(tile, func(f *Feature) error {
			parts, err := f.Parts()
			all = append(all, fmt.Sprint(f.Layer, " ", f.Kind, " ", parts))
			if f.Layer == "roads" && (f.Text("name") != "High Street" || !f.Has("name") || !f.Is("is_bridge") || f.Number("min_zoom") != 12 || f.Number("width") != 2.5) {
				t.Error("the attributes of the road differ")
			}
			if f.Text("ref") != "" || f.Has("is_bridge") || f.Text("width") != "" || f.Is("name") || f.Number("name") != 0 {
				t.Error("there are attributes that are not, or of another kind")
			}
			return err
		}, "roads", "water")
		want := []string{"roads 2 [[{0 0} {0.25 0.5}] [{1 1} {-0.015625 1.015625}]]", "water 3 [[{0 0} {1 0} {1 1}]]"}
		if err != nil || !slices.Equal(all, want) {
			t.Errorf("%v, %q", err, all)
		}
	}
	for _, damaged := range [][]byte{data[:len(data)-3], packed.Bytes()[:20], []byte("\x1a\x7fnonsense")} {
		if _, err := points(damaged); !errors.Is(err, errTile) {
			t.Errorf("a damaged tile: %v", err)
		}
	}
	own := errors.New("enough")
	if err := Each(data, func(*Feature) error { return own }, "roads"); !errors.Is(err, own) {
		t.Errorf("the caller's error: %v", err)
	}
}

// points reads all of a tile, and counts the points.
func points(data []byte) (n int, err error) {
	err = Each(data, func(f *Feature) error {
		parts, err := f.Parts()
		for _, p := range parts {
			n += len(p)
		}
		_ = f.Text("name") + f.Text("kind")
		return err
	}, "roads", "pois", "water")
	return n, err
}

// TestReadAtOnce reads tiles on several goroutines, which share memory that is used again.
func TestReadAtOnce(t *testing.T) {
	data := drawn(t)
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := z.Write(data); err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for i := range 50 {
				tile := [][]byte{data, packed.Bytes()}[i%2]
				if n, err := points(tile); n != 8 || err != nil {
					t.Errorf("%d points, %v", n, err)
				}
			}
		})
	}
	group.Wait()
}

func FuzzRead(f *testing.F) {
	f.Add(drawn(f))
	f.Fuzz(func(t *testing.T, data []byte) {
		n, err := points(data)
		if err == nil && n > 2*mostBytes {
			t.Fatalf("%d points of %d bytes", n, len(data))
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
	count := func(n int) (seen int, err error) {
		err = Each(layer(n), func(*Feature) error { seen++; return nil }, "roads")
		return seen, err
	}
	if n, err := count(mostFeatures); err != nil || n != mostFeatures {
		t.Errorf("as many as may be: %d, %v", n, err)
	}
	if n, err := count(mostFeatures + 1); !errors.Is(err, errTile) || n != 0 {
		t.Errorf("one more: %d, %v", n, err)
	}
}
