package surroundings

import (
	"context"
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/encoding/mvt"
	"github.com/paulmach/orb/geojson"

	"github.com/waygate/waygate/geo"
)

// lines is a map of random lines, roads and watercourses by turns, each in every tile that it
// comes near.
type lines [][2]WorldPoint

func (l lines) TileIn(_ context.Context, z, x, y int) ([]byte, bool, error) {
	n := math.Exp2(float64(z))
	local := func(s WorldPoint) orb.Point {
		return orb.Point{math.Round((s.X*n - float64(x)) * 65536), math.Round((s.Y*n - float64(y)) * 65536)}
	}
	roads, water := geojson.NewFeatureCollection(), geojson.NewFeatureCollection()
	for i, line := range l {
		f := geojson.NewFeature(orb.LineString{local(line[0]), local(line[1])})
		f.Properties = geojson.Properties{"kind": "minor_road", "ref": string(rune('A' + i))}
		if i%2 == 1 {
			f.Properties = geojson.Properties{"kind": "river", "name": string(rune('A' + i))}
			water.Append(f)
			continue
		}
		roads.Append(f)
	}
	data, err := mvt.MarshalGzipped(mvt.Layers{{Name: "roads", Version: 2, Extent: 65536, Features: roads.Features}, {Name: "water", Version: 2, Extent: 65536, Features: water.Features}})
	return data, err == nil, err
}

// random returns lines over four tiles.
func random(r *rand.Rand, count int) lines {
	const n = 1 << Detailed
	spot := func() WorldPoint { return WorldPoint{(8190 + 2*r.Float64()) / n, (5460 + 2*r.Float64()) / n} }
	var l lines
	for range count {
		a := spot()
		b := spot()
		if r.IntN(2) == 0 { // a short one
			b = WorldPoint{a.X + (r.Float64()-0.5)/n/8, a.Y + (r.Float64()-0.5)/n/8}
		}
		l = append(l, [2]WorldPoint{a, b})
	}
	return l
}

// TestSlowlyTheSame compares what is near and what is crossed with a look at every line.
func TestSlowlyTheSame(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // G404: a sequence that repeats
	for range 20 {
		l := random(r, 40)
		v := New(l).View(100)
		for range 200 {
			s := random(r, 1)[0][0]
			metre := 1 / metresAt(s)
			e := WorldPoint{s.X + (r.Float64()-0.5)*50*metre, s.Y + (r.Float64()-0.5)*50*metre}
			near, crossed := map[string]float64{}, map[string]bool{}
			if known, err := v.Near(t.Context(), s, 25, 60, func(n *Near) { near[n.Ref+n.Name] = n.Metres }); !known || err != nil {
				t.Fatal(known, err)
			}
			if known, err := v.Crossings(t.Context(), s, e, 0, func(f *Feature, _ float64) { crossed[f.Name] = true }); !known || err != nil {
				t.Fatal(known, err)
			}
			for i, line := range l {
				name := string(rune('A' + i))
				dx, dy := line[1].X-line[0].X, line[1].Y-line[0].Y
				at := min(max(((s.X-line[0].X)*dx+(s.Y-line[0].Y)*dy)/(dx*dx+dy*dy), 0), 1)
				off := MetresBetween(s, WorldPoint{line[0].X + at*dx, line[0].Y + at*dy})
				limit := 25.0
				if i%2 == 1 {
					limit = 60
				}
				if _, ok := near[name]; ok != (off <= limit) && math.Abs(off-limit) > 0.2 {
					t.Fatalf("%s is %v m off, near: %v", name, off, ok)
				}
				ex, ey := e.X-s.X, e.Y-s.Y
				d := ex*dy - ey*dx
				u, w := ((line[0].X-s.X)*dy-(line[0].Y-s.Y)*dx)/d, ((line[0].X-s.X)*ey-(line[0].Y-s.Y)*ex)/d
				edge := min(math.Abs(u), math.Abs(u-1), math.Abs(w), math.Abs(w-1))
				if want := i%2 == 1 && u >= 0 && u <= 1 && w >= 0 && w <= 1; want != crossed[name] && edge > 0.01 {
					t.Fatalf("%s is crossed: %v, want %v (%v, %v)", name, crossed[name], want, u, w)
				}
			}
		}
	}
}

// TestLimits counts what is not read.
func TestLimits(t *testing.T) {
	v := New(lines{}).View(2)
	for i := range 4 {
		s := WorldPoint{(8190.5 + float64(i)) / (1 << Detailed), 0.3}
		known, err := v.Near(t.Context(), s, 1, 1, func(*Near) {})
		if err != nil || known != (i < 2) {
			t.Error(i, known, err)
		}
	}
	// Beyond the poles and round the globe there are tiles of numbers below 0.
	for _, p := range []geo.Point{{Lon: 180, Lat: 0}, {Lon: -180, Lat: 0}, {Lon: 0, Lat: 90}, {Lon: 0, Lat: -90}} {
		if _, err := v.Near(t.Context(), WorldPointOf(p), 60, 60, func(*Near) {}); err != nil {
			t.Error(p, err)
		}
	}
	if v.Read != 2 || v.Missing < 2 {
		t.Errorf("%d read, %d missing", v.Read, v.Missing)
	}
}

// TestTheCacheIsBounded keeps what the tiles in it take together below its limit.
func TestTheCacheIsBounded(t *testing.T) {
	r := New(nil)
	for i := range 300 {
		r.put(address{zoom: Detailed, x: i}, &tile{bytes: 1 << 20})
		if r.bytes > cacheBytes || r.bytes != len(r.kept)<<20 {
			t.Fatal(i, r.bytes, len(r.kept))
		}
	}
	if r.kept[address{zoom: Detailed, x: 299}] == nil || r.kept[address{zoom: Detailed}] != nil {
		t.Error("not the oldest was evicted")
	}
	r.put(address{zoom: Detailed, x: 300}, &tile{bytes: cacheBytes + 1})
	if r.bytes > cacheBytes {
		t.Error("a tile as large as the cache was kept")
	}
}

// TestReadersAtOnce reads from many goroutines.
func TestReadersAtOnce(t *testing.T) {
	reader := New(random(rand.New(rand.NewPCG(3, 4)), 20)) //nolint:gosec // G404: a sequence that repeats
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			v := reader.View(10)
			for i := range 20 {
				s := WorldPoint{(8190 + float64(i%10)/5) / (1 << Detailed), 5461.0 / (1 << Detailed)}
				if known, err := v.Near(t.Context(), s, 60, 60, func(*Near) {}); !known || err != nil {
					t.Error(known, err)
				}
			}
		})
	}
	all.Wait()
}
