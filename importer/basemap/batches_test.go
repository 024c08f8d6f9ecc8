package basemap

import (
	"bytes"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/geojson"
	"github.com/paulmach/orb/planar"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/importer/basemap/plane"
	"github.com/waygate/waygate/index/tileset"
	"github.com/waygate/waygate/realdata"
	"github.com/waygate/waygate/soaktest"
)

// A map in many batches, read from disk, is that in one: up to the zoom of squares byte
// for byte, beyond it in all points and areas, in how much is land and sea, and in lines
// but for where those of another batch begin, which are not joined with.
func TestBatchesMakeTheMap(t *testing.T) {
	for name, o := range map[string]Options{
		"andorra": {Sources: []string{realdata.File(t, "osm/andorra-20211028.osm.pbf")}},
		"malta":   {Sources: []string{realdata.File(t, "osm/malta-20180827.osm.pbf")}},
	} {
		if name != "malta" && !soaktest.Whole() {
			continue // it has no coast
		}
		t.Run(name, func(t *testing.T) {
			whole, one := buildFrom(t, o)
			spilled, dir := 0, t.TempDir()
			o.Out = filepath.Join(dir, "map.pmtiles")
			o.batches = func(s *batches) { s.most, s.buffer = 500, 10_000 }
			o.Progress = func(stage string, done, _ int64) {
				if info, err := os.Stat(o.Out + ".features"); err == nil && stage == "tiles" && done == 1 {
					spilled = int(info.Size())
				}
			}
			many, parts := buildFrom(t, o)
			if spilled < 100_000 {
				t.Errorf("%d bytes were put aside", spilled)
			}
			if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) != 1 {
				t.Errorf("beside the map there are %v", left)
			}
			if !maps.Equal(one.Features, parts.Features) || one.Tiles.Addressed != parts.Tiles.Addressed {
				t.Errorf("%d tiles of %v in one batch, %d of %v in many", one.Tiles.Addressed, one.Features, parts.Tiles.Addressed, parts.Features)
			}
			for zoom := 0; zoom <= mostSquaresZoom; zoom++ {
				eachPacked(t, whole, zoom, func(at string, packed []byte) {
					if !bytes.Equal(packed, tile(t, many, at)) {
						t.Errorf("tile %s is another", at)
					}
				})
			}
			lines, others, flooded := [2]float64{}, 0, 0
			for zoom := mostSquaresZoom + 1; zoom <= DefaultMaxZoom; zoom++ {
				batches := map[tileAt]map[string][]*geojson.Feature{}
				eachTile(t, many, zoom, func(at tileAt, layers map[string][]*geojson.Feature) { batches[at] = layers })
				eachTile(t, whole, zoom, func(at tileAt, layers map[string][]*geojson.Feature) {
					a, n := shapes(layers)
					b, _ := shapes(batches[at])
					if !slices.Equal(a, b) {
						t.Errorf("tile %v of zoom %d has %d points and areas, %d in many batches, or others", at, zoom, len(a), len(b))
					}
					if land, again := landOf(layers), landOf(batches[at]); math.Abs(land-again) > 0.001*areaOf(zoom) {
						flooded++
					}
					lines[0], lines[1], others = lines[0]+lengthOf(layers), lines[1]+lengthOf(batches[at]), others+n
				})
			}
			if flooded > 0 {
				t.Errorf("%d tiles have other land and sea", flooded)
			}
			if others < 10_000 || math.Abs(lines[0]-lines[1]) > lines[0]/10_000 {
				t.Errorf("%d points and areas are the same, lines %g and %g long", others, lines[0], lines[1])
			}
		})
	}
}

func tile(t *testing.T, r *tileset.Reader, name string) []byte {
	t.Helper()
	var z, x, y int
	if _, err := fmt.Sscanf(strings.ReplaceAll(name, "/", " "), "%d %d %d", &z, &x, &y); err != nil {
		t.Fatal(err)
	}
	packed, _, err := r.Tile(z, x, y)
	if err != nil {
		t.Fatal(err)
	}
	return packed
}

// shapes writes down the points and areas of a tile, in order of their layers.
func shapes(layers map[string][]*geojson.Feature) (all []string, n int) {
	for name, features := range layers {
		for _, f := range features {
			if f.Geometry.Dimensions() != 1 && !isBase(f) {
				all = append(all, fmt.Sprint(name, f.Geometry, f.Properties))
			}
		}
	}
	slices.Sort(all)
	return all, len(all)
}

func isBase(f *geojson.Feature) bool {
	return slices.Contains([]any{"earth", "ocean", "unmapped", "beyond"}, f.Properties["kind"])
}

// landOf returns the area of land less that of the sea.
func landOf(layers map[string][]*geojson.Feature) (sum float64) {
	for name, features := range layers {
		for _, f := range features {
			switch {
			case !isBase(f):
			case name == "earth":
				sum += planar.Area(f.Geometry)
			default:
				sum -= planar.Area(f.Geometry)
			}
		}
	}
	return sum
}

// areaOf is about the area of a tile at the latitude of the maps, in square degrees.
func areaOf(zoom int) float64 {
	side := 360 / math.Exp2(float64(zoom))
	return side * side * 0.7
}

func lengthOf(layers map[string][]*geojson.Feature) (sum float64) {
	for _, features := range layers {
		for _, f := range features {
			if f.Geometry.Dimensions() == 1 {
				sum += planar.Length(f.Geometry)
			}
		}
	}
	return sum
}

// drawFeature draws a feature of any shape.
func drawFeature(r *rand.Rand) *feature {
	line := func() orb.LineString {
		l := make(orb.LineString, 2+r.IntN(5))
		for i := range l {
			l[i] = plane.Project(geo.Point{Lon: r.Float64()*360 - 180, Lat: r.Float64()*170 - 85})
		}
		return l
	}
	ring := func() orb.Ring {
		l := line()
		return orb.Ring(append(l, l[0]))
	}
	var f feature
	switch r.IntN(3) {
	case 0:
		f = pointFeature(places, line()[0])
	case 1:
		f = lineFeature(roads, orb.MultiLineString{line(), line()})
	default:
		f = areaFeature(water, orb.MultiPolygon{{ring(), ring()}, {ring()}})
	}
	f.of = object{objectKind(r.IntN(4)), uint8(r.IntN(256)), r.Int64() - r.Int64()}
	f.minZoom, f.order, f.minPixels = uint8(r.IntN(16)), int32(r.Uint32()), float64(r.IntN(4))
	f.onward, f.directed, f.base = r.IntN(2) == 0, r.IntN(2) == 0, r.IntN(2) == 0
	for _, v := range []value{text("Stryd Fawr"), numberValue(r.Float64()), truth()}[:r.IntN(4)] {
		f.add(fmt.Sprint("key", r.IntN(3)), v, r.IntN(16))
	}
	return &f
}

// A feature that is put aside is read as it was.
func TestFeaturesAreReadAsTheyWere(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var b []byte
	var want []*feature
	for range 500 {
		want = append(want, drawFeature(r))
		b = want[len(want)-1].append(b)
	}
	in := featureReader{b: b, known: map[string]string{}}
	for i, f := range want {
		got := &feature{}
		if err := got.read(&in); err != nil {
			t.Fatal(i, err)
		}
		if len(f.attrs) == 0 {
			f.attrs, got.attrs = nil, nil
		}
		if !reflect.DeepEqual(f, got) {
			t.Fatalf("feature %d was %+v and is %+v", i, f, got)
		}
	}
	if len(in.b) != 0 {
		t.Errorf("%d bytes are left", len(in.b))
	}
}

// FuzzFeature reads bytes that nobody wrote: an error, or a feature that is written and
// read as the same.
func FuzzFeature(f *testing.F) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 20 {
		f.Add(drawFeature(r).append(nil))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		in, got := featureReader{b: b, known: map[string]string{}}, &feature{}
		if err := got.read(&in); err != nil {
			return
		}
		again, out := &feature{}, got.append(nil)
		if err := again.read(&featureReader{b: out, known: map[string]string{}}); err != nil || !bytes.Equal(again.append(nil), out) {
			t.Errorf("%v: %+v became %+v", err, got, again)
		}
	})
}
