package geo

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestRulerAgainstSteps compares the nearest place with the best of many
// places along random lines, and At with what Nearest said.
func TestRulerAgainstSteps(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		line := make([]Point, 1+r.IntN(6))
		for i := range line {
			line[i] = Point{10 + r.Float64()/100, 50 + r.Float64()/100}
			if i > 0 && r.IntN(5) == 0 {
				line[i] = line[i-1]
			}
		}
		ruler := NewRuler(line)
		if math.Abs(ruler.Length()-Length(line)) > 1e-6 {
			t.Fatalf("seed %d: the line is %g m long, measured %g", seed, Length(line), ruler.Length())
		}
		p := Point{10 + r.Float64()/100, 50 + r.Float64()/100}
		got, ok := ruler.Nearest(p, nil)
		if !ok || got.Arc < 0 || got.Arc > ruler.Length()+1e-6 || got.Index < 0 || got.Index >= len(line) {
			t.Fatalf("seed %d: %+v", seed, got)
		}
		const steps = 2000
		for i := range steps + 1 {
			arc := ruler.Length() * float64(i) / steps
			m := ruler.At(arc)
			if d := Distance(p, m.Point); d < got.Metres-0.05 {
				t.Fatalf("seed %d: %g m along the line is %g m away, the nearest %g", seed, arc, d, got.Metres)
			}
			if math.Abs(m.Arc-arc) > 1e-6 {
				t.Fatalf("seed %d: asked for %g m, got %g", seed, arc, m.Arc)
			}
		}
		if d := Distance(ruler.At(got.Arc).Point, got.Point); d > 0.05 {
			t.Fatalf("seed %d: the nearest place lies %g m from where its arc says", seed, d)
		}
	}
}

// The shorter way leads over the antimeridian.
func TestRulerOverTheAntimeridian(t *testing.T) {
	for _, line := range [][]Point{{{179.95, 10}, {-179.95, 10}}, {{-179.95, 10}, {179.95, 10}}} {
		r := NewRuler(line)
		for i, away := range []float64{0.05, 0.025, 0, 0.025, 0.05} {
			got := r.At(r.Length() * float64(i) / 4).Point
			if math.Abs(180-math.Abs(got.Lon)-away) > 1e-9 || away > 0 && (got.Lon > 0) != (line[i/3].Lon > 0) {
				t.Errorf("%d fourths from %v: %v", i, line[0], got)
			}
			m, _ := r.Nearest(Point{got.Lon, 10.01}, nil)
			if math.Abs(m.Arc-r.Length()*float64(i)/4) > 1 || Distance(m.Point, got) > 1 {
				t.Errorf("nearest to %d fourths from %v: %+v", i, line[0], m)
			}
		}
	}
}

func TestRulerAccepts(t *testing.T) {
	// Out to the east and back again.
	line := []Point{{10, 50}, {10.01, 50}, {10, 50}}
	r := NewRuler(line)
	half := r.Length() / 2
	p := Point{10.004, 50.0001}
	if m, ok := r.Nearest(p, nil); !ok || m.Arc > half || math.Abs(m.Bearing-90) > 1 || m.Index != 0 {
		t.Errorf("on the way out: %+v", m)
	}
	if m, ok := r.Nearest(p, func(_, arc float64) bool { return arc > half }); !ok || m.Arc < half || math.Abs(m.Bearing-270) > 1 || m.Index != 1 {
		t.Errorf("on the way back: %+v", m)
	}
	if _, ok := r.Nearest(p, func(float64, float64) bool { return false }); ok {
		t.Error("found a place where none was accepted")
	}
	if m := r.At(-5); m.Point != line[0] || m.Arc != 0 {
		t.Errorf("before the start: %+v", m)
	}
	if m := r.At(1e9); m.Point != line[2] || m.Index != 2 || m.Arc != r.Length() {
		t.Errorf("past the end: %+v", m)
	}
}
