package footprint

import (
	"bytes"
	"compress/gzip"
	"errors"
	"strings"
	"testing"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/encoding/mvt"
	"github.com/paulmach/orb/geojson"
	"google.golang.org/protobuf/encoding/protowire"
)

// marshalled returns a tile of these buildings, by another program's hand.
func marshalled(t testing.TB, extent uint32, features ...*geojson.Feature) []byte {
	t.Helper()
	data, err := mvt.Marshal(mvt.Layers{
		{Name: "roads", Version: 2, Extent: 4096, Features: []*geojson.Feature{geojson.NewFeature(orb.LineString{{0, 0}, {10, 10}})}},
		{Name: "buildings", Version: 2, Extent: extent, Features: features},
	})
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func feature(g orb.Geometry, properties geojson.Properties) *geojson.Feature {
	f := geojson.NewFeature(g)
	f.Properties = properties
	return f
}

func box(x0, y0, x1, y1 float64) orb.Ring {
	return orb.Ring{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}, {x0, y0}}
}

func TestRead(t *testing.T) {
	court := box(140, 140, 160, 160)
	court.Reverse()
	data := marshalled(t, 2048,
		feature(orb.Polygon{box(100, 100, 200, 200), court}, geojson.Properties{"kind": "building", "height": 12.5, "min_height": 3}),
		feature(orb.Point{5, 5}, geojson.Properties{"kind": "address"}),
		feature(orb.MultiPolygon{{box(-20, -20, -10, -10)}, {box(300, 300, 310, 310)}}, geojson.Properties{"height": uint64(7)}),
		feature(orb.Polygon{box(1, 1, 2, 2)}, geojson.Properties{"height": -4, "min_height": "low"}),
	)
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := z.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	for _, data := range [][]byte{data, packed.Bytes()} {
		list, err := Read(data)
		if err != nil || len(list) != 3 {
			t.Fatal(list, err)
		}
		a, b, c := &list[0], &list[1], &list[2]
		if a.Height != 12.5 || a.Least != 3 || len(a.Rings) != 2 || b.Height != 7 || b.Least != 0 || len(b.Rings) != 2 || c.Height != 0 || c.Least != 0 {
			t.Errorf("%+v", list)
		}
		// The grid is twice as coarse as that of the outlines.
		if !a.Contains(210, 210) || a.Contains(300, 300) || a.Contains(410, 210) || !b.Contains(-30, -30) || !b.Contains(610, 610) || b.Contains(100, 100) {
			t.Error("what lies within is wrong")
		}
		if b.Box != (Box{-40, -40, 620, 620}) {
			t.Errorf("%+v", b.Box)
		}
	}
	if list, err := Read(nil); err != nil || list != nil {
		t.Error(list, err)
	}
}

func TestReadRefuses(t *testing.T) {
	data := marshalled(t, 4096, feature(orb.Polygon{box(100, 100, 200, 200)}, geojson.Properties{"height": 12.5}))
	for n := len(data) - 1; n > len(data)-20; n-- {
		if _, err := Read(data[:n]); err == nil || !strings.Contains(err.Error(), "damaged") {
			t.Errorf("%d bytes of %d: %v", n, len(data), err)
		}
	}
	var bomb bytes.Buffer
	z := gzip.NewWriter(&bomb)
	if _, err := z.Write(make([]byte, mostBytes+10)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{"more than may be": bomb.Bytes(), "gzip": {0x1f, 0x8b, 1}, "damaged": {0xff}} {
		if _, err := Read(data); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(marshalled(f, 4096, feature(orb.Polygon{box(100, 100, 200, 200)}, geojson.Properties{"height": 12.5, "min_height": 2})))
	f.Add([]byte{0x1a, 0x02, 0x0a, 0x00})
	f.Fuzz(func(t *testing.T, data []byte) {
		list, err := Read(data)
		if err != nil {
			return
		}
		for i := range list {
			b := &list[i]
			if b.Height < 0 || b.Height >= highest || b.Least < 0 || len(b.Rings) == 0 {
				t.Errorf("%+v", b)
			}
			b.Contains(100, 100)
		}
	})
}

// TestManyFeatures has a layer of features that are nothing but two bytes each.
func TestManyFeatures(t *testing.T) {
	of := func(n int) []byte {
		raw := append([]byte{0x0a, byte(len(layer))}, layer...)
		raw = append(raw, bytes.Repeat([]byte{0x12, 0x00}, n)...)
		return append(protowire.AppendVarint([]byte{0x1a}, uint64(len(raw))), raw...)
	}
	if _, err := Read(of(mostFeatures)); err != nil {
		t.Errorf("as many as may be: %v", err)
	}
	if _, err := Read(of(mostFeatures + 1)); !errors.Is(err, errTile) {
		t.Errorf("one more: %v", err)
	}
}

// TestContains checks what is within an outline with a yard, whose last corner is joined
// to the first.
func TestContains(t *testing.T) {
	b := Building{
		Box:   Box{MaxX: 10, MaxY: 10},
		Rings: [][]Point{{{0, 0}, {10, 0}, {10, 10}, {0, 10}}, {{4, 4}, {6, 4}, {6, 6}, {4, 6}}},
	}
	for _, c := range []struct {
		x, y float64
		want bool
	}{{1, 5, true}, {9, 5, true}, {5, 1, true}, {5, 9, true}, {5, 5, false}, {4.5, 4.5, false}, {7, 5, true}, {-1, 5, false}, {11, 5, false}, {5, -1, false}, {5, 11, false}} {
		if got := b.Contains(c.x, c.y); got != c.want {
			t.Errorf("%g, %g is within: %v", c.x, c.y, got)
		}
	}
}
