package geo

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestSimplifyDropsOnlyWhatLiesOnTheLine(t *testing.T) {
	at := func(east, north float64) Point {
		return Destination(Destination(Point{-1.5, 51.5}, 90, east), 0, north)
	}
	line := []Point{at(0, 0), at(100, 2), at(200, -2), at(300, 0), at(400, 50), at(500, 0)}
	if got, want := Simplify(line, 5), []Point{line[0], line[3], line[4], line[5]}; !slices.Equal(got, want) {
		t.Errorf("5 m: %v, want %v", got, want)
	}
	if got, want := Simplify(line, 100), []Point{line[0], line[5]}; !slices.Equal(got, want) {
		t.Errorf("100 m: %v, want %v", got, want)
	}
	if got := Simplify(line, 0); !slices.Equal(got, line) {
		t.Errorf("0 m: %v, want all of %v", got, line)
	}
	if got := Simplify(line[:2], 100); !slices.Equal(got, line[:2]) {
		t.Errorf("two points: %v", got)
	}
}

func TestSimplifyStaysWithinItsTolerance(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		line := []Point{{-1.5, 51.5}}
		for range 100 {
			line = append(line, Destination(line[len(line)-1], random.Float64()*120, 10+random.Float64()*40))
		}
		short := Simplify(line, 8)
		for _, p := range line {
			best := math.Inf(1)
			for i := 1; i < len(short); i++ {
				_, _, square := Nearest(p, short[i-1], short[i])
				best = min(best, square)
			}
			if d := math.Sqrt(best); d > 8.01 {
				t.Fatalf("a point lies %.2f m off the simplified line, want at most 8", d)
			}
		}
		if len(short) >= len(line) {
			t.Errorf("%d points of %d were kept", len(short), len(line))
		}
	}
}

// Zigzags whose farthest point is always the next one take no more than so many looks at each
// point, and keep to the tolerance.
func TestSimplifyIsBounded(t *testing.T) {
	const n = 20_000
	for name, height := range map[string]func(share float64) float64{
		"even": func(float64) float64 { return 0.1 }, "growing": func(s float64) float64 { return 0.1 + 0.1*s }, "shrinking": func(s float64) float64 { return 0.2 - 0.1*s },
	} {
		line := make([]Point, n)
		for i := range line {
			line[i] = Point{-1 + float64(i)*1e-5, 51 + float64(i%2)*height(float64(i)/n)}
		}
		keep, compared := simplify(line, 50)
		if most := n * (maxUneven + 16); compared > most {
			t.Errorf("%s: points were compared %d times, want at most %d", name, compared, most)
		}
		from := 0
		for to := range line {
			if !keep[to] {
				continue
			}
			for _, p := range line[min(from+1, to):to] {
				if _, _, square := Nearest(p, line[from], line[to]); square > 50*50 {
					t.Fatalf("%s: a point between %d and %d lies %.0f m off", name, from, to, math.Sqrt(square))
				}
			}
			from = to
		}
	}
}
