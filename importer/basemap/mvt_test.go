package basemap

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/encoding/mvt"

	"github.com/waygate/waygate/importer/basemap/plane"
	"github.com/waygate/waygate/importer/multipolygon"
)

// An independent decoder reads what was encoded.
func TestTilesDecode(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	var enc encoder
	for range 100 {
		var pieces []piece
		var want []orb.Geometry
		for range 1 + rng.IntN(20) {
			random := func(n int) [][2]int32 {
				pts := make([][2]int32, n)
				for i := range pts {
					pts[i] = [2]int32{int32(rng.IntN(5000) - 500), int32(rng.IntN(5000) - 500)}
				}
				return pts
			}
			toOrb := func(pts [][2]int32) []orb.Point {
				out := make([]orb.Point, len(pts))
				for i, p := range pts {
					out[i] = orb.Point{float64(p[0]), float64(p[1])}
				}
				return out
			}
			var g orb.Geometry
			var f feature
			var b []byte
			switch pts := random(2 + rng.IntN(6)); rng.IntN(3) {
			case 0:
				p := toOrb(pts)[0]
				f, g, b = pointFeature(pois, p), p, appendPoint(nil, pts[0][0], pts[0][1])
			case 1:
				f, g, b = lineFeature(pois, orb.MultiLineString{toOrb(pts)}), orb.LineString(toOrb(pts)), appendLineTo(nil, pts, &cursor{})
			default:
				ring := [][2]int32{pts[0], {pts[0][0] + 50, pts[0][1]}, {pts[0][0] + 50, pts[0][1] + 70}}
				closed := append(toOrb(ring), toOrb(ring)[0])
				f, g, b = areaFeature(pois, orb.MultiPolygon{{closed}}), orb.Polygon{closed}, appendRing(nil, ring, &cursor{})
			}
			f.add("kind", text("x"), 0)
			f.add("n", integer(rng.IntN(9)-4), 0)
			f.add("ratio", numberValue(0.25), 0)
			f.add("is", truth(), 0)
			f.add("late", text("later"), 12)
			f.add("empty", text(""), 0)
			pieces = append(pieces, piece{&f, b})
			want = append(want, g)
		}
		layers, err := mvt.Unmarshal(enc.tile(nil, pieces, 9))
		if err != nil {
			t.Fatal(err)
		}
		if len(layers) != 1 || layers[0].Name != "pois" || len(layers[0].Features) != len(want) {
			t.Fatalf("layers %v", layers)
		}
		for i, f := range layers[0].Features {
			if !orb.Equal(f.Geometry, want[i]) {
				t.Fatalf("geometry %v became %v", want[i], f.Geometry)
			}
			n, ok := f.Properties["n"].(float64)
			if !ok || n != pieces[i].f.attrs[1].value.number || f.Properties["ratio"] != 0.25 || f.Properties["is"] != true || len(f.Properties) != 4 {
				t.Fatalf("attributes %v of %v", f.Properties, pieces[i].f.attrs)
			}
		}
	}
}

// A line cut into tiles and joined again has its old length, and areas their
// old area, give or take the rounding to tile units and less the buffers.
func TestSlicesMakeTheWhole(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	whole := orb.Bound{Max: orb.Point{1, 1}}
	for range 60 {
		zoom := 3 + rng.IntN(5)
		ring := star(rng, 0.3+rng.Float64()*0.4, 0.3+rng.Float64()*0.4, 0.05+rng.Float64()*0.2)
		f := areaFeature(earth, orb.MultiPolygon{{ring}})
		tiles := map[tileAt]bool{}
		probes := map[tileAt]orb.MultiPolygon{}
		s := slicer{ctx: t.Context(), zoom: zoom, deepest: true, boxes: []orb.Bound{whole}, emit: func(at tileAt, g []byte) {
			if tiles[at] {
				t.Fatalf("tile %v comes twice", at)
			}
			tiles[at] = true
			var enc encoder
			layers, err := mvt.Unmarshal(enc.tile(nil, []piece{{&f, slices.Clone(g)}}, zoom))
			if err != nil {
				t.Fatal(err)
			}
			switch g := layers[0].Features[0].Geometry.(type) {
			case orb.Polygon:
				probes[at] = orb.MultiPolygon{g}
			case orb.MultiPolygon:
				probes[at] = g
			}
		}}
		s.slice(&f)
		n := float64(int(1) << zoom)
		wrong := 0
		for range 400 {
			p := orb.Point{rng.Float64(), rng.Float64()}
			at := tileAt{int32(p[0] * n), int32(p[1] * n)}
			local := orb.Point{(p[0]*n - float64(at.x)) * extent, (p[1]*n - float64(at.y)) * extent}
			if inAreas(probes[at], local) != multipolygon.InRing(ring, p) {
				wrong++
			}
		}
		if wrong > 2 { // points within a unit of the outline may differ
			t.Fatalf("zoom %d: %d of 400 points lie on the other side", zoom, wrong)
		}
	}
}

func TestJoinLines(t *testing.T) {
	line := func(xy ...float64) orb.LineString {
		var l orb.LineString
		for i := 0; i < len(xy); i += 2 {
			l = append(l, orb.Point{xy[i], xy[i+1]})
		}
		return l
	}
	for _, c := range []struct {
		name     string
		lines    orb.MultiLineString
		directed bool
		want     int
	}{
		{"end to start", orb.MultiLineString{line(0, 0, 1, 0), line(1, 0, 2, 0)}, false, 1},
		{"end to end", orb.MultiLineString{line(0, 0, 1, 0), line(2, 0, 1, 0)}, false, 1},
		{"end to end, directed", orb.MultiLineString{line(0, 0, 1, 0), line(2, 0, 1, 0)}, true, 2},
		{"a corner of two", orb.MultiLineString{line(0, 0, 1, 0), line(1, 0, 1, 1)}, false, 1},
		{"a crossing", orb.MultiLineString{line(0, 0, 1, 0), line(1, 0, 2, 0), line(1, 1, 1, 0), line(1, 0, 1, -1)}, false, 2},
		{"a T", orb.MultiLineString{line(0, 0, 1, 0), line(1, 0, 2, 0), line(1, 1, 1, 0)}, false, 2},
		{"a circle in three", orb.MultiLineString{line(0, 0, 1, 0), line(1, 0, 1, 1), line(1, 1, 0, 0)}, false, 1},
		{"apart", orb.MultiLineString{line(0, 0, 1, 0), line(5, 0, 6, 0)}, false, 2},
	} {
		got := joinEnds(c.lines, c.directed)
		if len(got) != c.want {
			t.Errorf("%s: %d lines, want %d", c.name, len(got), c.want)
		}
		before, after := 0.0, 0.0
		for _, l := range c.lines {
			before += plane.Length(l)
		}
		for _, l := range got {
			after += plane.Length(l)
		}
		if before-after > 1e-12 || after-before > 1e-12 {
			t.Errorf("%s: length %v became %v", c.name, before, after)
		}
	}
}

func TestNames(t *testing.T) {
	for key, want := range map[string]string{
		"name:cy": "cy", "name:zh-Hans": "zh-Hans", "name:ast": "ast",
		"name:": "", "name:etymology": "", "name:left": "", "name:1": "", "name:c": "", "name:cy-": "",
	} {
		if got, ok := languageOf(key); ok != (want != "") || ok && got != want {
			t.Errorf("%s: %q %v, want %q", key, got, ok, want)
		}
	}
	for s, want := range map[string]float64{"12": 12, "12.5 m": 12.5, "": 0, "high": 0, "-3": -3, "1.2.3": 0, "4;5": 4} {
		if got := leadingNumber(s); got != want {
			t.Errorf("%q: %v, want %v", s, got, want)
		}
	}
}
