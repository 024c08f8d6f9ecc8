package opinion

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/waygate/waygate/geo"
)

const degree = 111_195.0 // metres of a degree of latitude

// east and north of 9° E on a parallel, in metres.
func metres(lat, east, north float64) geo.Point {
	return geo.Point{Lon: 9 + east/degree/math.Cos(lat*math.Pi/180), Lat: lat + north/degree}
}

// TestOverlapOfParallels moves a line beside itself: within a cell all of it is shared, and beyond
// two cells nothing, at the equator, in the middle and far north.
func TestOverlapOfParallels(t *testing.T) {
	for _, lat := range []float64{0.001, 47, -47, 70} {
		line := []geo.Point{metres(lat, 0, 0), metres(lat, 2000, 0)}
		for aside, want := range map[float64]float64{0: 1, 15: 1, -15: 1, 19: 1, 45: 0, -45: 0, 500: 0} {
			got, err := overlap(t.Context(), line, []geo.Point{metres(lat, 0, aside), metres(lat, 2000, aside)})
			if err != nil || got != want {
				t.Errorf("at %g°, %g m aside: %g %v, want %g", lat, aside, got, err, want)
			}
		}
		upright := []geo.Point{metres(lat, 0, 0), metres(lat, 0, 2000)}
		for aside, want := range map[float64]float64{15: 1, -15: 1, 45: 0, -45: 0} {
			got, err := overlap(t.Context(), upright, []geo.Point{metres(lat, aside, 0), metres(lat, aside, 2000)})
			if err != nil || got != want {
				t.Errorf("at %g°, %g m to the east: %g %v, want %g", lat, aside, got, err, want)
			}
		}
	}
}

// TestOverlapIsAShare cuts a part off the other line, which is the part that is not shared,
// however many corners both have.
func TestOverlapIsAShare(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		long := rapid.Float64Range(500, 3000).Draw(t, "length")
		part := rapid.Float64Range(0, 1).Draw(t, "part")
		cut := func(to float64, name string) []geo.Point {
			line := []geo.Point{metres(47, 0, 0)}
			for at := 0.0; at < to; {
				at = min(to, at+rapid.Float64Range(1, 400).Draw(t, name))
				line = append(line, metres(47, at, 0))
			}
			return line
		}
		got, err := overlap(context.Background(), cut(long, "step"), cut(part*long, "other step"))
		if err != nil || math.Abs(got-part) > 60/long {
			t.Fatalf("%g of %g m: %g %v", part, long, got, err)
		}
	})
}

func TestOverlapOfLittle(t *testing.T) {
	line := []geo.Point{metres(47, 0, 0), metres(47, 100, 0)}
	for name, c := range map[string]struct {
		line, other []geo.Point
		want        float64
	}{
		"no line": {nil, line, 0}, "no other": {line, nil, 0}, "neither": {nil, nil, 0}, "a point of it": {line[:1], line, 1},
		"a point elsewhere": {[]geo.Point{metres(47, 0, 900)}, line, 0}, "a point twice": {[]geo.Point{line[0], line[0]}, line, 1},
	} {
		if got, err := overlap(t.Context(), c.line, c.other); err != nil || got != c.want {
			t.Errorf("%s: %g %v, want %g", name, got, err, c.want)
		}
	}
	gone, leave := context.WithCancel(t.Context())
	leave()
	if _, err := overlap(gone, line, line); err == nil {
		t.Error("the work goes on for nobody")
	}
}

// Places on a line are a step apart, and both of two neighbouring ones lie on it.
func TestAlongGoesInSteps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		line := []geo.Point{metres(47, 0, 0)}
		at := 0.0
		for range rapid.IntRange(1, 8).Draw(t, "parts") {
			at += rapid.Float64Range(0, 45).Draw(t, "part")
			line = append(line, metres(47, at, 0))
		}
		var places []geo.Point
		if err := along(context.Background(), line, func(p geo.Point) { places = append(places, p) }); err != nil {
			t.Fatal(err)
		}
		length := geo.Length(line)
		if n := len(places) - 1; float64(n)*step > length+0.01 || float64(n+1)*step < length-0.01 {
			t.Fatalf("%d steps in %g m", n, length)
		}
		for i, p := range places {
			if d := geo.Distance(line[0], p); math.Abs(d-float64(i)*step) > 0.02 {
				t.Fatalf("place %d lies %g m along", i, d)
			}
		}
	})
}
