package geo

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// plain judges as an Area does by looking at every side of every ring, each a
// polygon.
func plain(rings []Ring, p Point) bool {
	round := 0
	for _, r := range rings {
		if len(r) < 3 {
			continue
		}
		own, sum := 0, 0.0
		for i := range r {
			a, b := r[i], r[(i+1)%len(r)]
			sum += (a.Lon-r[0].Lon)*(b.Lat-r[0].Lat) - (b.Lon-r[0].Lon)*(a.Lat-r[0].Lat)
			if side := (b.Lon-a.Lon)*(p.Lat-a.Lat) - (p.Lon-a.Lon)*(b.Lat-a.Lat); a.Lat <= p.Lat && b.Lat > p.Lat && side > 0 {
				own++
			} else if a.Lat > p.Lat && b.Lat <= p.Lat && side < 0 {
				own--
			}
		}
		if sum <= 0 {
			own = -own
		}
		round += own
	}
	return round > 0
}

// apart makes each ring a polygon.
func apart(rings []Ring) (all []Polygon) {
	for _, r := range rings {
		all = append(all, Polygon{r})
	}
	return all
}

func TestAreaIsTheSlowJudgement(t *testing.T) {
	corner := rapid.Custom(func(t *rapid.T) Point {
		return Point{float64(rapid.IntRange(-50, 50).Draw(t, "lon")) / 100, float64(rapid.IntRange(-50, 50).Draw(t, "lat")) / 100}
	})
	rapid.Check(t, func(t *rapid.T) {
		var rings []Ring
		for range rapid.IntRange(0, 4).Draw(t, "rings") {
			rings = append(rings, Ring(rapid.SliceOfN(corner, 0, 30).Draw(t, "ring")))
		}
		a := NewArea(apart(rings)...)
		for range 20 {
			p := Point{rapid.Float64Range(-0.6, 0.6).Draw(t, "x"), rapid.Float64Range(-0.6, 0.6).Draw(t, "y")}
			if got, want := a.Contains(p), plain(rings, p); got != want && !border(rings, p) {
				t.Fatalf("%v: %v, want %v", p, got, want)
			}
		}
		line := rapid.SliceOfN(corner, 2, 200).Draw(t, "line")
		in := a.Within(NewTrack(line))
		for i := range in {
			if in[i].From >= in[i].To || i > 0 && in[i].From < in[i-1].To {
				t.Fatalf("stretches out of order: %v", in)
			}
		}
		for range 50 {
			at := rapid.Float64Range(0, float64(len(line)-1)).Draw(t, "at")
			i := min(int(at), len(line)-2)
			part := at - float64(i)
			p := Point{line[i].Lon + (line[i+1].Lon-line[i].Lon)*part, line[i].Lat + (line[i+1].Lat-line[i].Lat)*part}
			if border(rings, p) {
				continue
			}
			got := false
			for _, s := range in {
				got = got || s.From <= at && at <= s.To
			}
			if want := plain(rings, p); got != want {
				t.Fatalf("place %v (%v) of %v: %v, want %v: %v", at, p, line, got, want, in)
			}
		}
	})
}

// border reports whether a point lies next to a side, where roundings decide.
func border(rings []Ring, p Point) bool {
	for _, r := range rings {
		for i := range r {
			a, b := r[i], r[(i+1)%len(r)]
			dx, dy := b.Lon-a.Lon, b.Lat-a.Lat
			u := 0.0
			if square := dx*dx + dy*dy; square > 0 {
				u = min(max(((p.Lon-a.Lon)*dx+(p.Lat-a.Lat)*dy)/square, 0), 1)
			}
			if math.Hypot(p.Lon-a.Lon-u*dx, p.Lat-a.Lat-u*dy) < 1e-7 {
				return true
			}
		}
	}
	return false
}

func TestTouchingIsNotWithin(t *testing.T) {
	a := NewArea(Polygon{{{0, 0}, {1, 0}, {1, 1}, {0, 1}}})
	for name, line := range map[string][]Point{
		"a corner":      {{-1, 1}, {1, 3}, {-1, 0}},
		"from afar":     {{5, 5}, {6, 6}},
		"up to a side":  {{0.5, -1}, {0.5, 0}, {0.6, -1}},
		"a single spot": {{0.5, 0.5}},
	} {
		if in := a.Within(NewTrack(line)); len(in) != 0 {
			t.Errorf("%s: %v", name, in)
		}
	}
	if in := a.Within(NewTrack([]Point{{0.5, -1}, {0.5, 3}, {0.25, 0.5}})); len(in) != 2 || in[0] != (Stretch{0.25, 0.5}) || in[1].To != 2 {
		t.Errorf("across and back: %v", in)
	}
}

func TestAreaCrossing(t *testing.T) {
	square := Ring{{0, 0}, {1, 0}, {1, 1}, {0, 1}}
	for name, x := range map[string]struct {
		rings   Polygon
		crosses bool
	}{
		"a square":             {Polygon{square}, false},
		"a bow":                {Polygon{{{0, 0}, {1, 1}, {1, 0}, {0, 1}}}, true},
		"with a hole":          {Polygon{square, {{0.2, 0.2}, {0.8, 0.2}, {0.5, 0.8}}}, false},
		"a hole beyond":        {Polygon{square, {{0.2, 0.2}, {1.8, 0.3}, {0.5, 0.8}}}, true},
		"neighbours":           {Polygon{square, {{1, 0}, {2, 0}, {2, 1}, {1, 1}}}, false},
		"touching at a corner": {Polygon{square, {{1, 1}, {2, 1}, {2, 2}}}, false},
	} {
		crosses := false
		NewArea(x.rings).Crossings(func(Corner, Corner, Point) bool { crosses = true; return false })
		if crosses != x.crosses {
			t.Errorf("%s: crosses %v", name, crosses)
		}
	}
}

func TestHolesAndOverlaps(t *testing.T) {
	square := func(west, side float64) Ring {
		return Ring{{west, 0}, {west, side}, {west + side, side}, {west + side, 0}}
	}
	hole := Ring{{0.4, 0.4}, {0.6, 0.4}, {0.6, 0.6}, {0.4, 0.6}}
	a := NewArea(Polygon{square(0, 1), hole}, Polygon{square(0.9, 1)})
	for p, want := range map[Point]bool{{0.2, 0.2}: true, {0.5, 0.5}: false, {0.95, 0.5}: true, {1.5, 0.5}: true, {2, 2}: false} {
		if a.Contains(p) != want {
			t.Errorf("%v: %v", p, !want)
		}
	}
}

// An area across the antimeridian is that area elsewhere: what it holds, and which parts of
// lines lie in it.
func TestAreaAcrossTheAntimeridian(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		corner := rapid.Float64Range(-5, 5)
		ring := func(middle float64) Ring {
			var r Ring
			for _, c := range [][2]float64{{-3, -3}, {3, -2.5}, {0.5, 0.25}, {3.5, 3}, {-3, 2}} {
				r = append(r, Point{eastward(0, middle+c[0]), c[1]})
			}
			return r
		}
		there, here := NewArea(Polygon{ring(180)}), NewArea(Polygon{ring(20)})
		var line [2][]Point
		for range 5 {
			x, y := corner.Draw(t, "x"), corner.Draw(t, "y")
			p, q := Point{eastward(0, 180+x), y}, Point{20 + x, y}
			if there.Contains(p) != here.Contains(q) {
				t.Fatalf("at %v, %v: %v", x, y, there.Contains(p))
			}
			if x > 1e-6 {
				line[0], line[1] = append(line[0], p), append(line[1], q)
			}
		}
		got, want := there.Within(NewTrack(line[0])), here.Within(NewTrack(line[1]))
		if len(got) != len(want) {
			t.Fatalf("of a line %v, want %v", got, want)
		}
		for i := range got {
			if math.Abs(got[i].From-want[i].From)+math.Abs(got[i].To-want[i].To) > 1e-6 {
				t.Fatalf("of a line %v, want %v", got, want)
			}
		}
	})
	beside := NewArea(Polygon{Ring{{179, -1}, {179.5, -1}, {179.5, 1}, {179, 1}}})
	if in := beside.Within(NewTrack([]Point{{179.99999, 0}, {-179.99999, 0}})); len(in) > 0 {
		t.Errorf("a road across the antimeridian lies in an area beside it: %v", in)
	}
}
