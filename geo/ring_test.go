package geo

import "testing"

func TestRing(t *testing.T) {
	square := Ring{{0, 0}, {2, 0}, {2, 2}, {0, 2}}
	for _, c := range []struct {
		p    Point
		want bool
	}{{Point{1, 1}, true}, {Point{0.1, 1.9}, true}, {Point{3, 1}, false}, {Point{-1, 1}, false}, {Point{1, 2.1}, false}} {
		if square.Contains(c.p) != c.want {
			t.Errorf("%v: want %v", c.p, c.want)
		}
	}
	// A degree of the meridian is about 111.2 km.
	if p := (Ring{{0, 0}, {1, 0}, {1, 1}, {0, 1}}).Perimeter(); p < 444_000 || p > 445_000 {
		t.Errorf("the perimeter is %g", p)
	}
}

func TestRingCrosses(t *testing.T) {
	for _, c := range []struct {
		what    string
		ring    Ring
		crosses bool
	}{
		{"a triangle", Ring{{0, 0}, {2, 0}, {1, 2}}, false},
		{"a bay", Ring{{0, 0}, {4, 0}, {4, 4}, {2, 1}, {0, 4}}, false},
		{"a corner in the middle of a side", Ring{{0, 0}, {1, 0}, {2, 0}, {2, 2}}, false},
		{"a bow tie", Ring{{0, 0}, {2, 2}, {2, 0}, {0, 2}}, true},
		{"a corner on another side", Ring{{0, 0}, {4, 0}, {4, 4}, {2, 0}, {0, 4}}, true},
		{"a spike", Ring{{0, 0}, {2, 0}, {1, 0}, {1, 2}}, true},
		{"a spike at the end", Ring{{0, 0}, {0, 2}, {2, 2}, {0, 1}}, true},
		{"no area", Ring{{0, 0}, {2, 0}, {4, 0}}, true},
	} {
		if _, _, got := c.ring.Crosses(); got != c.crosses {
			t.Errorf("%s: crosses %v", c.what, got)
		}
	}
}

func TestRingAcrossTheAntimeridianCrossesItselfOrNot(t *testing.T) {
	plain := Ring{{179.9, 0}, {-179.9, 0}, {-179.9, 1}, {179.9, 1}}
	if _, _, ok := plain.Crosses(); ok {
		t.Error("a rectangle crosses itself")
	}
	tie := Ring{{179.9, 0}, {-179.9, 1}, {-179.9, 0}, {179.9, 1}}
	if _, _, ok := tie.Crosses(); !ok {
		t.Error("a bow tie does not")
	}
}
