package geo

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestNoBounds(t *testing.T) {
	n := NoBounds()
	b := Bounds{Point{1, 2}, Point{3, 4}}
	if !n.Empty() || b.Empty() || n.Contains(Point{}) || n.Intersects(b) || b.Intersects(n) {
		t.Error("the empty box holds something")
	}
	if n.Union(b) != b || b.Union(n) != b || !n.Union(n).Empty() {
		t.Error("the empty box adds to others")
	}
	if got := n.Extend(Point{5, 6}); got != (Bounds{Point{5, 6}, Point{5, 6}}) || !got.Contains(Point{5, 6}) {
		t.Errorf("extended by a point it is %v", got)
	}
}

func TestBounds(t *testing.T) {
	b := Bounds{Point{0, 0}, Point{2, 2}}
	for _, c := range []struct {
		o    Bounds
		want bool
	}{
		{Bounds{Point{1, 1}, Point{3, 3}}, true},
		{Bounds{Point{2, 2}, Point{3, 3}}, true},
		{Bounds{Point{-1, 1}, Point{3, 1}}, true},
		{Bounds{Point{2.1, 0}, Point{3, 3}}, false},
		{Bounds{Point{0, -2}, Point{2, -1}}, false},
	} {
		if b.Intersects(c.o) != c.want || c.o.Intersects(b) != c.want {
			t.Errorf("%v meets %v: want %v", c.o, b, c.want)
		}
	}
	if b.Centre() != (Point{1, 1}) {
		t.Errorf("centre %v", b.Centre())
	}
	if !b.Contains(Point{0, 2}) || b.Contains(Point{0, 2.1}) {
		t.Error("the edge belongs to the box and nothing beyond")
	}
}

func TestAroundHoldsTheCircle(t *testing.T) {
	for _, lat := range []float64{0, 51.58, -70, 84} {
		p := Point{10, lat}
		b := Around(p, 50_000)
		for bearing := range 360 * 4 {
			if q := Destination(p, float64(bearing)/4, 49_999.99); !b.Contains(q) {
				t.Fatalf("%v, at %v degrees from %v, is not in %v", q, float64(bearing)/4, p, b)
			}
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		p := Point{rapid.Float64Range(-170, 170).Draw(t, "lon"), rapid.Float64Range(-80, 80).Draw(t, "lat")}
		metres := rapid.Float64Range(1, 100_000).Draw(t, "metres")
		q := Destination(p, rapid.Float64Range(0, 359.9).Draw(t, "bearing"), metres*0.9999999)
		if b := Around(p, metres); !b.Contains(q) {
			t.Fatalf("%v is within %v m of %v and not in %v", q, metres, p, b)
		}
	})
}

func TestBoundsAcrossTheAntimeridian(t *testing.T) {
	b := Bounds{Point{179, -2}, Point{-178, 2}}
	for _, c := range []struct {
		p  Point
		in bool
	}{{Point{179.5, 0}, true}, {Point{-179, 0}, true}, {Point{180, 0}, true}, {Point{-180, 0}, true}, {Point{-178, 2}, true}, {Point{178, 0}, false}, {Point{0, 0}, false}, {Point{-177, 0}, false}, {Point{180, 3}, false}} {
		if b.Contains(c.p) != c.in {
			t.Errorf("%v in %v: %v", c.p, b, !c.in)
		}
	}
	for _, c := range []struct {
		o     Bounds
		meets bool
	}{
		{Bounds{Point{-180, -1}, Point{-179.5, 1}}, true},
		{Bounds{Point{170, -1}, Point{179, 1}}, true},
		{Bounds{Point{0, -1}, Point{10, 1}}, false},
		{Bounds{Point{170, -1}, Point{-179, 1}}, true},
		{Bounds{Point{-177.9, -1}, Point{178.9, 1}}, false},
		{Bounds{Point{-180, -1}, Point{180, 1}}, true},
		{Bounds{Point{182.5, -1}, Point{190, 1}}, false},
		{Bounds{Point{181.5, -1}, Point{190, 1}}, true},
		{Bounds{Point{-190, -1}, Point{-181.5, 1}}, false},
		{Bounds{Point{-190, -1}, Point{-180.5, 1}}, true},
		{NoBounds(), false},
	} {
		if b.Intersects(c.o) != c.meets || c.o.Intersects(b) != c.meets {
			t.Errorf("%v meets %v: want %v", b, c.o, c.meets)
		}
	}
	if b.Empty() || !b.Crosses() || b.Width() != 3 || b.Centre() != (Point{-179.5, 0}) || NoBounds().Crosses() {
		t.Errorf("%v: width %v, centre %v", b, b.Width(), b.Centre())
	}
	if got := b.Extend(Point{-177, 0}); got != (Bounds{Point{179, -2}, Point{-177, 2}}) {
		t.Errorf("extended: %v", got)
	}
	if got := b.Union(Bounds{Point{170, 0}, Point{171, 1}}); got != (Bounds{Point{170, -2}, Point{-178, 2}}) || b.Union(NoBounds()) != b || NoBounds().Union(b) != b {
		t.Errorf("united: %v", got)
	}
	if got := b.Unwrapped(); got.Max.Lon != 182 || got.Wrapped() != b {
		t.Errorf("unrolled: %v, %v", got, got.Wrapped())
	}
	if p := b.Split(); len(p) != 2 || p[0] != (Bounds{Point{179, -2}, Point{180, 2}}) || p[1] != (Bounds{Point{-180, -2}, Point{-178, 2}}) {
		t.Errorf("in parts: %v", p)
	}
}

// The extent of places is the smallest box round them, turned as the globe may be.
func TestExtent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		middle, wide := rapid.Float64Range(-180, 180).Draw(t, "middle"), rapid.Float64Range(0, 200).Draw(t, "wide")
		var e Extent
		var all []Point
		for _, x := range append(rapid.SliceOfN(rapid.Float64Range(-0.5, 0.5), 2, 30).Draw(t, "places"), -0.5, 0.5) {
			p := Point{eastward(0, math.Mod(middle+x*wide, 360)), rapid.Float64Range(-80, 80).Draw(t, "lat")}
			all = append(all, p)
			e.Add(p)
		}
		b := e.Bounds()
		for _, p := range all {
			if !b.Contains(p) {
				t.Fatalf("%v is not in %v", p, b)
			}
		}
		if wide < 170 && b.Width() > wide+1e-9 {
			t.Fatalf("%v is %v wide, %v would do", b, b.Width(), wide)
		}
		for _, part := range b.Split() {
			if part.Crosses() || part.Min.Lon < -180 || part.Max.Lon > 180 {
				t.Fatalf("%v in parts: %v", b, b.Split())
			}
		}
	})
	var e Extent
	if !e.Bounds().Empty() {
		t.Error("nothing has an extent")
	}
	for _, lon := range []float64{179.9, -180} {
		e.Add(Point{lon, 1})
	}
	if b := e.Bounds(); b != (Bounds{Point{179.9, 1}, Point{180, 1}}) {
		t.Errorf("up to the antimeridian: %v", b)
	}
}

// 180 degrees east and west are the same place.
func TestBoundsAtTheAntimeridian(t *testing.T) {
	b := Bounds{Point{170, -1}, Point{180, 1}}
	if !b.Contains(Point{-180, 0}) || b.Contains(Point{-179.9, 0}) || !b.Intersects(Bounds{Point{-180, 0}, Point{-170, 1}}) || b.Crosses() {
		t.Error("the antimeridian has two sides")
	}
	if p := b.Split(); len(p) != 1 || p[0] != b || b.Wrapped() != b {
		t.Errorf("in parts: %v, %v", p, b.Wrapped())
	}
}
