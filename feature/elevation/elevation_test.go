package elevation

import (
	"context"
	"math"
	"testing"

	"github.com/waygate/waygate/geo"
	"pgregory.net/rapid"
)

// ground is a height for every place; NaN is not known.
type ground func(geo.Point) float64

func (g ground) Heights(_ context.Context, places []geo.Point) (metres []float64, damaged []error, err error) {
	for _, p := range places {
		metres = append(metres, g(p))
	}
	return metres, nil, nil
}

func value(t *testing.T, v *float64) float64 {
	t.Helper()
	if v == nil {
		t.Fatal("is null")
	}
	return *v
}

// A ramp of 100 m over 2 km and down again, with noise below the threshold.
func TestAlongAHill(t *testing.T) {
	line := []geo.Point{{Lon: 9, Lat: 47}, geo.Destination(geo.Point{Lon: 9, Lat: 47}, 90, 4000)}
	noise := 0.0
	s := &Service{Dataset: "drawn", Heights: ground(func(p geo.Point) float64 {
		noise = 1 - noise
		x := geo.Distance(line[0], p)
		return 500 + min(x, 4000-x)*0.05 + noise
	})}
	p, _, err := s.Along(t.Context(), line, 50)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(p.Samples); n != 81 || p.Samples[80].Distance != p.Length || math.Abs(p.Length-4000) > 1 {
		t.Errorf("%d samples, %v m", n, p.Length)
	}
	up, down := value(t, p.Ascent), value(t, p.Descent)
	if math.Abs(up-99) > 3 || math.Abs(down-99) > 3 || p.Known != 1 {
		t.Errorf("up %v, down %v, %v known", up, down, p.Known)
	}
	if g := value(t, p.Samples[20].Grade); math.Abs(g-5) > 0.7 {
		t.Errorf("the grade is %v", g)
	}
	if h := value(t, p.Highest); math.Abs(h-600) > 1.5 {
		t.Errorf("the top is at %v", h)
	}
}

func TestAlongTheUnknown(t *testing.T) {
	line := []geo.Point{{Lon: 9, Lat: 47}, {Lon: 9, Lat: 47.01}, {Lon: 9, Lat: 47.02}}
	half := &Service{Heights: ground(func(p geo.Point) float64 {
		if p.Lat > 47.01 {
			return math.NaN()
		}
		return (p.Lat - 47) * 10_000
	})}
	p, _, err := half.Along(t.Context(), line, 100)
	if err != nil {
		t.Fatal(err)
	}
	last := p.Samples[len(p.Samples)-1]
	if last.Elevation != nil || last.Grade != nil || p.Known < 0.45 || p.Known > 0.55 || math.Abs(value(t, p.Ascent)-100) > 12 {
		t.Errorf("%+v", p)
	}
	none := &Service{Heights: ground(func(geo.Point) float64 { return math.NaN() })}
	if p, _, err = none.Along(t.Context(), line, 100); err != nil || p.Ascent != nil || p.Highest != nil || p.Known != 0 {
		t.Errorf("%+v, %v", p, err)
	}
}

func TestInterval(t *testing.T) {
	for _, c := range []struct{ length, asked, want float64 }{
		{1000, 0, 30}, {14_000, 0, 30}, {49_900, 0, 100}, {1000, 10, 10},
	} {
		if got, least := Interval(c.length, c.asked); got != c.want || got < least {
			t.Errorf("%v: %v, at least %v", c, got, least)
		}
	}
	if asked, least := Interval(500_000, 100); asked >= least {
		t.Error("too many samples are let through")
	}
}

// All climbs less all descents are the way from one end to the other, up to the
// threshold, and no climb is above the range of heights on a monotonous line.
func TestClimbs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := rapid.SliceOfN(rapid.Float64Range(-100, 3000), 1, 60).Draw(t, "heights")
		up, down := climbs(h)
		if up < 0 || down < 0 || math.Abs(up-down-(h[len(h)-1]-h[0])) > threshold {
			t.Fatalf("up %v, down %v from %v to %v", up, down, h[0], h[len(h)-1])
		}
		sum := 0.0
		for i := 1; i < len(h); i++ {
			sum += max(0, h[i]-h[i-1])
		}
		if up > sum+1e-9 {
			t.Fatalf("up %v, of all single climbs %v", up, sum)
		}
	})
}

// TestClimbsCount checks that a descent of the threshold counts and one below it is noise.
func TestClimbsCount(t *testing.T) {
	for _, c := range []struct {
		heights  []float64
		up, down float64
	}{
		{[]float64{0, 100, 100 - threshold, 200}, 100 + 100 + threshold, threshold},
		{[]float64{0, 100, 100.5 - threshold, 200}, 200, 0},
		{[]float64{0, threshold}, threshold, 0},
		{[]float64{0, threshold - 0.5, 0}, 0, 0},
		{[]float64{0, 100, math.NaN(), 0, 100}, 200, 0},
		{[]float64{50, 0, 50, 0}, 50, 100},
	} {
		if up, down := climbs(c.heights); up != c.up || down != c.down {
			t.Errorf("%v climb %g and fall %g, want %g and %g", c.heights, up, down, c.up, c.down)
		}
	}
}
