package geo

import (
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
