package basemap

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/geojson"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/importer/basemap/plane"
	"github.com/waygate/waygate/index/height"
	"github.com/waygate/waygate/index/tileset"
)

// Whether a corner of a grid is above a level is whether it lies in an odd number
// of the rings round what is.
func TestIsolinesGoRoundWhatIsAbove(t *testing.T) {
	for seed := range uint64(500) {
		rng := rand.New(rand.NewPCG(seed, 3))
		g := plane.NewGrid(2 + rng.IntN(12))
		for i := range g.Values {
			g.Values[i] = float64(rng.IntN(5)) // levels on the values themselves, saddles
		}
		framed := g.Padded()
		level := float64(rng.IntN(5)) + rng.Float64()*float64(rng.IntN(2))
		closed, open := framed.Isolines(level)
		if len(open) > 0 {
			t.Fatalf("seed %d: %d lines end in a frame", seed, len(open))
		}
		area := 0.0
		for _, r := range closed {
			for i, p := range r {
				q := r[(i+1)%len(r)]
				area += (p[0]*q[1] - q[0]*p[1]) / 2
			}
		}
		if area < 0 {
			t.Fatalf("seed %d: rings go the wrong way round", seed)
		}
		for y := range g.Side {
			for x := range g.Side {
				// A little towards where the corner's cells are, as lines may go through it.
				in := false
				for _, r := range closed {
					if inPath(r, float64(x+1)+1e-7, float64(y+1)+2e-7) {
						in = !in
					}
				}
				if above := g.At(x, y) > level; above && !in && x+1 < g.Side && y+1 < g.Side {
					t.Fatalf("seed %d: %d,%d with %v is not in the rings of %v", seed, x, y, g.At(x, y), level)
				} else if g.At(x, y) < level && in {
					t.Fatalf("seed %d: %d,%d with %v is in the rings of %v", seed, x, y, g.At(x, y), level)
				}
			}
		}
	}
}

func inPath(r plane.Path, x, y float64) bool {
	in := false
	for i, a := range r {
		b := r[(i+1)%len(r)]
		if (a[1] > y) != (b[1] > y) && x < (b[0]-a[0])*(y-a[1])/(b[1]-a[1])+a[0] {
			in = !in
		}
	}
	return in
}

func TestIsolinesLeaveOutTheUnknown(t *testing.T) {
	g := plane.NewGrid(9)
	for i := range g.Values {
		g.Values[i] = float64(i % 9)
	}
	g.Values[4*9+4] = math.NaN()
	closed, open := g.Isolines(3.5)
	if len(closed) != 0 || len(open) != 2 {
		t.Errorf("%d rings and %d lines through a grid with a hole, want a line in two", len(closed), len(open))
	}
}

// terrain writes an SRTM tile of heights.
func terrain(t testing.TB, name string, at func(p geo.Point) float64) *height.Set {
	t.Helper()
	corner, ok := height.ParseName(name)
	if !ok {
		t.Fatal(name)
	}
	const side = 1201
	data := make([]byte, 0, 2*side*side)
	for row := range side {
		for col := range side {
			p := geo.Point{Lon: float64(corner.Lon) + float64(col)/(side-1), Lat: float64(corner.Lat) + 1 - float64(row)/(side-1)}
			data = binary.BigEndian.AppendUint16(data, uint16(int16(at(p))))
		}
	}
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	set, err := height.Find(path)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// hill returns a cone in the middle of a map of 0.2 degrees.
func hill(t testing.TB) (*tileset.Reader, Summary, geo.Point) {
	t.Helper()
	top := geo.Point{Lon: 1.5, Lat: 51.5}
	set := terrain(t, "N51E001.hgt", func(p geo.Point) float64 {
		dx, dy := (p.Lon-top.Lon)*69.2e3, (p.Lat-top.Lat)*111.2e3
		return max(0, 1015-0.5*math.Hypot(dx, dy))
	})
	s := newSketch()
	s.way(tags("highway=residential"), 4990, 4990, 5010, 5010)
	r, summary := build(t, &s.data, Options{
		Terrain: set,
		Bounds:  geo.Bounds{Min: geo.Point{Lon: 1.4, Lat: 51.4}, Max: geo.Point{Lon: 1.6, Lat: 51.6}},
		MaxZoom: 13,
	})
	return r, summary, top
}

func TestReliefOfAHill(t *testing.T) {
	r, summary, top := hill(t)
	if summary.Relief == 0 {
		t.Fatal("no tile has relief")
	}
	if n := len(r.Metadata().VectorLayers); r.Metadata().VectorLayers[n-1].ID != "contours" || r.Metadata().VectorLayers[n-2].ID != "hillshade" {
		t.Errorf("layers %+v", r.Metadata().VectorLayers)
	}
	for _, zoom := range []int{10, 13} {
		inTile := func(lon, lat float64, kind string) bool {
			return shaded(t, r, zoom, geo.Point{Lon: lon, Lat: lat}, kind)
		}
		west, south := top.Lon-0.009, top.Lat-0.0056
		if !inTile(west, top.Lat+0.0056, "light") || inTile(west, top.Lat+0.0056, "shade") {
			t.Errorf("zoom %d: the north-west of the hill has no light", zoom)
		}
		if !inTile(top.Lon+0.009, south, "shade") || inTile(top.Lon+0.009, south, "light") {
			t.Errorf("zoom %d: the south-east of the hill has no shade", zoom)
		}
		if inTile(1.55, 51.45, "shade") || inTile(1.55, 51.45, "light") {
			t.Errorf("zoom %d: the plain is shaded", zoom)
		}
	}
	// Contours are circles at their height: 0.5 in 1 steep.
	found := map[float64]bool{}
	for _, f := range zoomFeatures(t, r, 13, "contours") {
		ele, _ := f.Properties["ele"].(float64)
		found[ele] = true
		if (f.Properties["index"] == true) != (math.Mod(ele, 250) == 0) {
			t.Errorf("the contour of %v m is thick: %v", ele, f.Properties["index"])
		}
		for _, p := range points(f.Geometry) {
			dx, dy := (p.Lon-top.Lon)*69.2e3, (p.Lat-top.Lat)*111.2e3
			if got := 1015 - 0.5*math.Hypot(dx, dy); ele < 950 && ele > 0 && math.Abs(got-ele) > 12 {
				t.Errorf("the contour of %v m is at %v, which is %.0f m high", ele, p, got)
			}
		}
	}
	if !found[500] || !found[550] || found[525] || found[0] {
		t.Errorf("contours of %v", found)
	}
}

// shaded reports whether an area of a kind lies over a place.
func shaded(t *testing.T, r *tileset.Reader, zoom int, at geo.Point, kind string) bool {
	t.Helper()
	for _, f := range zoomFeatures(t, r, zoom, "hillshade") {
		if f.Properties["kind"] != kind {
			continue
		}
		areas, ok := f.Geometry.(orb.MultiPolygon)
		if p, one := f.Geometry.(orb.Polygon); one {
			areas, ok = orb.MultiPolygon{p}, true
		}
		if ok && inAreas(areas, orb.Point{at.Lon, at.Lat}) {
			return true
		}
	}
	return false
}

func points(g orb.Geometry) (out []geo.Point) {
	switch g := g.(type) {
	case orb.LineString:
		for _, p := range g {
			out = append(out, geo.Point{Lon: p[0], Lat: p[1]})
		}
	case orb.MultiLineString:
		for _, l := range g {
			out = append(out, points(l)...)
		}
	}
	return out
}

// zoomFeatures returns the features of one layer of a zoom, in degrees.
func zoomFeatures(t *testing.T, r *tileset.Reader, zoom int, layer string) (out []*geojson.Feature) {
	t.Helper()
	eachTile(t, r, zoom, func(tile tileAt, layers map[string][]*geojson.Feature) { out = append(out, layers[layer]...) })
	return out
}

// A map whose heights are unknown, or level, has no relief; nor has one without.
func TestReliefOfNothing(t *testing.T) {
	level := terrain(t, "N51E001.hgt", func(geo.Point) float64 { return 7 })
	elsewhere := terrain(t, "N10E010.hgt", func(p geo.Point) float64 { return p.Lat * 100 })
	for name, set := range map[string]*height.Set{"level": level, "elsewhere": elsewhere, "none": nil} {
		_, summary := build(t, &town().data, Options{Terrain: set, MaxZoom: 12})
		if summary.Relief != 0 {
			t.Errorf("%s: %d tiles with relief", name, summary.Relief)
		}
	}
}
