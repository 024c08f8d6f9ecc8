package surroundings

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/encoding/mvt"
	"github.com/paulmach/orb/geojson"

	"github.com/waygate/waygate/index/vectortile"
)

// ponds is a map of boxes of water with a hole in each, cut at the edges of tiles as basemaps are.
type ponds [][2]WorldPoint

const pondExtent = 65536

func (l ponds) TileIn(_ context.Context, z, x, y int) ([]byte, bool, error) {
	n := math.Exp2(float64(z))
	local := func(s WorldPoint) orb.Point {
		cut := func(v float64) float64 { return min(max(math.Round(v*pondExtent), -1000), pondExtent+1000) }
		return orb.Point{cut(s.X*n - float64(x)), cut(s.Y*n - float64(y))}
	}
	ring := func(a, b WorldPoint) orb.Ring {
		p, q := local(a), local(b)
		return orb.Ring{p, {q[0], p[1]}, q, {p[0], q[1]}, p}
	}
	here := func(b [2]WorldPoint) bool {
		const buffer = 0.01
		return b[0].X*n < float64(x)+1+buffer && b[1].X*n > float64(x)-buffer && b[0].Y*n < float64(y)+1+buffer && b[1].Y*n > float64(y)-buffer
	}
	water := geojson.NewFeatureCollection()
	for i, b := range l {
		if !here(b) {
			continue
		}
		polygon := orb.Polygon{ring(b[0], b[1])}
		if hole := inner(b); here(hole) {
			polygon = append(polygon, ring(hole[0], hole[1]))
		}
		f := geojson.NewFeature(polygon)
		f.Properties = geojson.Properties{"kind": "water", "kind_detail": "lake", "name": string(rune('A' + i))}
		water.Append(f)
	}
	data, err := mvt.MarshalGzipped(mvt.Layers{{Name: "water", Version: 2, Extent: pondExtent, Features: water.Features}})
	return data, err == nil, err
}

// inner returns the hole of a pond.
func inner(b [2]WorldPoint) [2]WorldPoint {
	w, h := (b[1].X-b[0].X)/3, (b[1].Y-b[0].Y)/3
	return [2]WorldPoint{{b[0].X + w, b[0].Y + h}, {b[1].X - w, b[1].Y - h}}
}

// offBox returns how far a spot is from a box, negative inside.
func offBox(s WorldPoint, b [2]WorldPoint) float64 {
	dx, dy := max(b[0].X-s.X, s.X-b[1].X), max(b[0].Y-s.Y, s.Y-b[1].Y)
	if dx <= 0 && dy <= 0 {
		return max(dx, dy)
	}
	return math.Hypot(max(dx, 0), max(dy, 0))
}

// TestScenerySlowlyTheSame compares what is near with a look at every pond.
func TestScenerySlowlyTheSame(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6)) //nolint:gosec // G404: a sequence that repeats
	const n = 1 << Wide
	for range 20 {
		var l ponds
		for range 12 {
			a := WorldPoint{(2047.2 + 1.5*r.Float64()) / n, (1365.2 + 1.5*r.Float64()) / n}
			l = append(l, [2]WorldPoint{a, {a.X + r.Float64()/n/4, a.Y + r.Float64()/n/4}})
		}
		v := New(l).View(100)
		reach := [Sights]float64{OpenWater: 150}
		for range 300 {
			s := WorldPoint{(2047 + 2*r.Float64()) / n, (1365 + 2*r.Float64()) / n}
			var seen [Sights]*Feature
			known, err := v.Scenery(t.Context(), s, &reach, &seen)
			if err != nil || !known {
				t.Fatal(known, err)
			}
			best := math.Inf(1)
			for _, b := range l {
				off := offBox(s, b)
				if in := offBox(s, inner(b)); in < 0 {
					off = -in
				}
				best = min(best, off*metresAt(s))
			}
			if got := seen[OpenWater] != nil; got != (best <= 150) && math.Abs(best-150) > 0.5 {
				t.Fatalf("%v m from a pond, seen: %v", best, got)
			}
			for k, f := range seen {
				if f != nil && Sight(k) != OpenWater {
					t.Fatalf("saw %d", k)
				}
			}
		}
	}
}

// TestSceneryUnseen reports a spot as not known whose surroundings reach into a tile that is not
// read.
func TestSceneryUnseen(t *testing.T) {
	const n = 1 << Wide
	v := New(ponds{}).View(1)
	reach := [Sights]float64{Sea: 300}
	var seen [Sights]*Feature
	for _, c := range []struct {
		x    float64
		want bool
	}{{2047.5, true}, {2047.001, false}, {2046.5, false}} {
		if known, err := v.Scenery(t.Context(), WorldPoint{c.x / n, 1365.5 / n}, &reach, &seen); err != nil || known != c.want {
			t.Errorf("%v: %v %v", c.x, known, err)
		}
	}
	if v.Read != 1 || v.Missing != 2 && v.Missing != 1 {
		t.Errorf("%d read, %d missing", v.Read, v.Missing)
	}
}

func TestSightOf(t *testing.T) {
	const none = Sights
	for _, c := range []struct {
		layer string
		kind  vectortile.Kind
		tags  map[string]any
		want  Sight
	}{
		{"water", vectortile.Polygons, map[string]any{"kind": "ocean"}, Sea},
		{"water", vectortile.Points, map[string]any{"kind": "ocean", "name": "Atlantic"}, none},
		{"water", vectortile.Polygons, map[string]any{"kind": "water", "kind_detail": "lake"}, OpenWater},
		{"water", vectortile.Polygons, map[string]any{"kind": "lake", "kind_detail": "reservoir"}, OpenWater},
		{"water", vectortile.Polygons, map[string]any{"kind": "water", "kind_detail": "basin"}, none},
		{"water", vectortile.Polygons, map[string]any{"kind": "water", "kind_detail": "lake", "intermittent": true}, none},
		{"water", vectortile.Polygons, map[string]any{"kind": "swimming_pool"}, none},
		{"water", vectortile.Lines, map[string]any{"kind": "river", "name": "Wye"}, NamedWater},
		{"water", vectortile.Lines, map[string]any{"kind": "river"}, none},
		{"water", vectortile.Lines, map[string]any{"kind": "river", "name": "Fleet", "is_tunnel": true}, none},
		{"landuse", vectortile.Polygons, map[string]any{"kind": "nature_reserve", "name": "Fen"}, Protected},
		{"landuse", vectortile.Polygons, map[string]any{"kind": "protected_area"}, none},
		{"landuse", vectortile.Polygons, map[string]any{"kind": "forest"}, Woodland},
		{"landuse", vectortile.Polygons, map[string]any{"kind": "park", "name": "Green"}, Park},
		{"landuse", vectortile.Polygons, map[string]any{"kind": "farmland", "name": "Farm"}, none},
		{"pois", vectortile.Points, map[string]any{"kind": "viewpoint", "name": "View"}, Viewpoint},
		{"pois", vectortile.Points, map[string]any{"kind": "saddle", "name": "Pass"}, Pass},
		{"pois", vectortile.Points, map[string]any{"kind": "park", "name": "Green"}, none},
	} {
		f := geojson.NewFeature(map[vectortile.Kind]orb.Geometry{
			vectortile.Points: orb.Point{1, 1}, vectortile.Lines: orb.LineString{{1, 1}, {2, 2}}, vectortile.Polygons: orb.Polygon{{{1, 1}, {2, 1}, {2, 2}, {1, 1}}},
		}[c.kind])
		f.Properties = c.tags
		data, err := mvt.Marshal(mvt.Layers{{Name: c.layer, Version: 2, Extent: 4096, Features: []*geojson.Feature{f}}})
		if err != nil {
			t.Fatal(err)
		}
		var got Sight
		var ok bool
		err = vectortile.Each(data, func(f *vectortile.Feature) error {
			got, ok = sightOf(f)
			return nil
		}, c.layer)
		if err != nil {
			t.Fatal(err)
		}
		if ok != (c.want != none) || ok && got != c.want {
			t.Errorf("%s %v: %v %v, want %v", c.layer, c.tags, got, ok, c.want)
		}
	}
}
