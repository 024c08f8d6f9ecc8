package osrm

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
)

// TestOutlines draws random values: a place of the grid lies in the outline if its value is
// within the limit, whatever holes and islands there are.
func TestOutlines(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		g := gridAround(geo.Bounds{Min: geo.Point{Lon: 9, Lat: 47}, Max: geo.Point{Lon: 9.2, Lat: 47.1}}, 3+random.IntN(9))
		for i := range g.seconds {
			if random.IntN(4) > 0 {
				g.set(i, float64(random.IntN(100)), 0)
			}
		}
		polygons := g.outline(g.seconds, 50)
		for i, p := range g.places() {
			in := 0
			for _, x := range polygons {
				if area(x.Outer) <= 0 {
					t.Fatalf("an outer ring runs clockwise: %v", x.Outer)
				}
				inside := geo.Ring(x.Outer[1:]).Contains(p)
				for _, hole := range x.Holes {
					if area(hole) >= 0 {
						t.Fatalf("a hole runs counter-clockwise: %v", hole)
					}
					inside = inside && !geo.Ring(hole[1:]).Contains(p)
				}
				if inside {
					in++
				}
			}
			if want := g.seconds[i] <= 50; (in == 1) != want || in > 1 {
				t.Fatalf("a place of %g lies in %d of %d polygons", g.seconds[i], in, len(polygons))
			}
		}
	}
}

// TestOutlineOfDistance outlines the distance from the middle: a circle.
func TestOutlineOfDistance(t *testing.T) {
	middle := geo.Point{Lon: 9.5, Lat: 47.1}
	g := gridAround(geo.Around(middle, 2000), 40)
	for i, p := range g.places() {
		g.set(i, 0, geo.Distance(middle, p))
	}
	list := g.outline(g.lengths, 1500)
	if len(list) != 1 || len(list[0].Holes) != 0 || list[0].Outer[0] != list[0].Outer[len(list[0].Outer)-1] {
		t.Fatalf("%d polygons", len(list))
	}
	for _, p := range list[0].Outer {
		if d := geo.Distance(middle, p); math.Abs(d-1500) > 10 {
			t.Errorf("a point of the outline is %.0f m from the middle, want 1500", d)
		}
	}
}

func TestDenoise(t *testing.T) {
	g := gridAround(geo.Bounds{Min: geo.Point{Lon: 9, Lat: 47}, Max: geo.Point{Lon: 9.2, Lat: 47.1}}, 9)
	for i := range g.seconds {
		if x, y := i%9, i/9; x < 5 && !(x == 2 && y == 2) || x == 8 && y == 8 {
			g.set(i, 1, 1)
		}
	}
	for share, want := range map[float64][2]int{0: {2, 1}, 0.5: {1, 1}, 1: {1, 1}} {
		list := denoised(g.outline(g.seconds, 5), share)
		if len(list) != want[0] || len(list[0].Holes) != want[1] {
			t.Errorf("share %g: %d islands, %d holes, want %v", share, len(list), len(list[0].Holes), want)
		}
	}
}

// TestTheLocationIsWithin outlines what is within reach of a place to which nothing around leads
// back: it lies in the outline, which grows to no other place.
func TestTheLocationIsWithin(t *testing.T) {
	g := gridAround(geo.Bounds{Max: geo.Point{Lon: 0.01, Lat: 0.01}}, 11)
	at := geo.Point{Lon: 0.0052, Lat: 0.0047}
	g.reach(at)
	for name, list := range map[string][]engine.Polygon{"time": g.outline(g.seconds, 60), "length": g.outline(g.lengths, 500)} {
		if len(list) != 1 || !geo.Ring(list[0].Outer).Contains(at) || geo.Ring(list[0].Outer).Contains(geo.Point{Lon: 0.0072, Lat: 0.0047}) {
			t.Errorf("by %s: %+v", name, list)
		}
	}
}
