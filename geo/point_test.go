package geo

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// drawPoint draws a point anywhere but within a degree of the poles, where a
// longitude means little.
func drawPoint(t *rapid.T, name string) Point {
	return Point{
		Lon: rapid.Float64Range(-180, 180).Draw(t, name+" lon"),
		Lat: rapid.Float64Range(-89, 89).Draw(t, name+" lat"),
	}
}

// vector returns the point on the unit sphere.
func vector(p Point) [3]float64 {
	return [3]float64{math.Cos(rad(p.Lat)) * math.Cos(rad(p.Lon)), math.Cos(rad(p.Lat)) * math.Sin(rad(p.Lon)), math.Sin(rad(p.Lat))}
}

// slowDistance takes the angle between the vectors, by a formula that is
// precise at every angle.
func slowDistance(a, b Point) float64 {
	u, v := vector(a), vector(b)
	cross := [3]float64{u[1]*v[2] - u[2]*v[1], u[2]*v[0] - u[0]*v[2], u[0]*v[1] - u[1]*v[0]}
	dot := u[0]*v[0] + u[1]*v[1] + u[2]*v[2]
	return EarthRadius * math.Atan2(math.Hypot(math.Hypot(cross[0], cross[1]), cross[2]), dot)
}

func near(a, b, tolerance float64) bool { return math.Abs(a-b) <= tolerance }

func TestDistance(t *testing.T) {
	quarter := EarthRadius * math.Pi / 2
	for _, c := range []struct {
		what string
		a, b Point
		want float64
	}{
		{"nowhere", Point{1, 2}, Point{1, 2}, 0},
		{"a quarter of the equator", Point{0, 0}, Point{90, 0}, quarter},
		{"pole to pole", Point{0, -90}, Point{17, 90}, 2 * quarter},
		{"antipodes", Point{-2.99, 51.58}, Point{177.01, -51.58}, 2 * quarter},
		{"over the date line", Point{179.5, 0}, Point{-179.5, 0}, quarter / 90},
		{"one step of the grid", Point{0, 0}, Point{0, 1e-7}, 0.0111195},
		{"Paris to London, on the sphere", Point{2.3522, 48.8566}, Point{-0.1278, 51.5074}, 343556.5},
	} {
		if got := Distance(c.a, c.b); !near(got, c.want, 0.1+c.want*1e-9) {
			t.Errorf("%s: got %.3f m, want %.3f m", c.what, got, c.want)
		}
	}
}

func TestDistanceIsTheAngleBetweenVectors(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawPoint(t, "a"), drawPoint(t, "b")
		got, want := Distance(a, b), slowDistance(a, b)
		// Haversine loses digits near the antipodes: a metre of 20,000 km.
		if !near(got, want, 1e-3+want*5e-8) {
			t.Fatalf("%v to %v: got %.6f m, want %.6f m", a, b, got, want)
		}
		if got != Distance(b, a) {
			t.Fatalf("%v to %v is not as far as back", a, b)
		}
	})
}

// Near points are as far apart as by the formula for all distances, to the digits of a
// float64.
func TestDistanceNear(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := drawPoint(t, "a")
		size := math.Pow(10, rapid.Float64Range(-7, -0.3).Draw(t, "size"))
		b := Point{a.Lon + rapid.Float64Range(-1, 1).Draw(t, "east")*size, max(-90, min(90, a.Lat+rapid.Float64Range(-1, 1).Draw(t, "north")*size))}
		sinLat, sinLon := math.Sin(rad(b.Lat-a.Lat)/2), math.Sin(rad(b.Lon-a.Lon)/2)
		want := 2 * EarthRadius * math.Asin(math.Sqrt(sinLat*sinLat+math.Cos(rad(a.Lat))*math.Cos(rad(b.Lat))*sinLon*sinLon))
		if got := Distance(a, b); !near(got, want, want*1e-12) {
			t.Fatalf("%v to %v: got %.12f m, want %.12f m", a, b, got, want)
		}
	})
}

func BenchmarkDistance(b *testing.B) {
	for name, to := range map[string]Point{"near": {-2.991, 51.581}, "far": {-1.5, 52}} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				Distance(Point{-2.99, 51.58}, to)
			}
		})
	}
}

func TestLength(t *testing.T) {
	line := []Point{{0, 0}, {0, 1}, {1, 1}}
	if got, want := Length(line), Distance(line[0], line[1])+Distance(line[1], line[2]); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
	if Length(nil) != 0 || Length(line[:1]) != 0 {
		t.Error("a line of fewer than two points has a length")
	}
}

func TestBearing(t *testing.T) {
	o := Point{10, 0}
	for _, c := range []struct {
		to   Point
		want float64
	}{
		{o, 0},
		{Point{10, 1}, 0},
		{Point{11, 0}, 90},
		{Point{10, -1}, 180},
		{Point{9, 0}, 270},
		{Point{10.001, 0.001}, 45},
		{Point{9.999, 0.001}, 315},
	} {
		if got := Bearing(o, c.to); !near(got, c.want, 1e-4) {
			t.Errorf("to %v: got %v, want %v", c.to, got, c.want)
		}
	}
	if got := Bearing(Point{179.9, 0}, Point{-179.9, 0}); got != 90 {
		t.Errorf("over the date line: got %v, want 90", got)
	}
}

func TestTurn(t *testing.T) {
	for _, c := range []struct{ from, to, want float64 }{
		{0, 0, 0}, {0, 90, 90}, {90, 0, 270}, {350, 10, 20}, {10, 350, 340}, {180, 0, 180}, {0, 359.5, 359.5}, {720, 90, 90}, {1e-14, 0, 0},
	} {
		if got := Turn(c.from, c.to); got != c.want {
			t.Errorf("from %v to %v: got %v, want %v", c.from, c.to, got, c.want)
		}
	}
}

func TestBearingAndTurnStayInTheCircle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawPoint(t, "a"), drawPoint(t, "b")
		if d := Bearing(a, b); !(d >= 0 && d < 360) {
			t.Fatalf("bearing %v", d)
		}
		from, to := rapid.Float64Range(0, 360).Draw(t, "from"), rapid.Float64Range(0, 360).Draw(t, "to")
		if d := Turn(from, to); !(d >= 0 && d < 360) {
			t.Fatalf("turn from %v to %v is %v", from, to, d)
		}
	})
}

func TestDestinationIsWhereBearingAndDistanceLead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := Point{rapid.Float64Range(-180, 180).Draw(t, "lon"), rapid.Float64Range(-85, 85).Draw(t, "lat")}
		bearing := rapid.Float64Range(0, 359.999).Draw(t, "bearing")
		metres := rapid.Float64Range(1, 400_000).Draw(t, "metres")
		q := Destination(p, bearing, metres)
		if !q.Valid() {
			t.Fatalf("%v is off the globe", q)
		}
		if got := Distance(p, q); !near(got, metres, 1e-3) {
			t.Fatalf("%v is %.6f m away, want %.6f", q, got, metres)
		}
		if off := Turn(bearing, Bearing(p, q)); off > 0.01 && off < 359.99 {
			t.Fatalf("%v lies at %v, want %v", q, Bearing(p, q), bearing)
		}
	})
}

// TestNearestAgainstSampling walks the segment in small steps.
func TestNearestAgainstSampling(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := Point{rapid.Float64Range(-179, 179).Draw(t, "lon"), rapid.Float64Range(-60, 60).Draw(t, "lat")}
		corner := func(name string) Point {
			return Destination(o, rapid.Float64Range(0, 359).Draw(t, name+" bearing"), rapid.Float64Range(0, 500).Draw(t, name+" metres"))
		}
		a, b := corner("a"), corner("b")
		foot, along, square := Nearest(o, a, b)
		best := math.Inf(1)
		const steps = 2000
		for i := range steps + 1 {
			part := float64(i) / steps
			best = math.Min(best, Distance(o, Point{a.Lon + (b.Lon-a.Lon)*part, a.Lat + (b.Lat-a.Lat)*part}))
		}
		if metres := math.Sqrt(square); !near(metres, best, 0.6) {
			t.Fatalf("nearest is %.3f m away, sampling finds %.3f m", metres, best)
		}
		if got := Distance(o, foot); !near(got, math.Sqrt(square), 0.05) {
			t.Fatalf("the foot is %.3f m away, got %.3f m", got, math.Sqrt(square))
		}
		if along < 0 || along > 1 {
			t.Fatalf("along is %v", along)
		}
	})
}

func TestNearestOfAPoint(t *testing.T) {
	p := Point{1, 1}
	foot, along, square := Nearest(Point{1, 1.001}, p, p)
	if foot != p || along != 0 || !near(math.Sqrt(square), Distance(p, Point{1, 1.001}), 0.01) {
		t.Errorf("got %v, %v, %v", foot, along, square)
	}
}

func TestFix(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := Fixed{int32(rapid.IntRange(-1_800_000_000, 1_800_000_000).Draw(t, "lon")), int32(rapid.IntRange(-900_000_000, 900_000_000).Draw(t, "lat"))}
		if got := f.Point().Fix(); got != f {
			t.Fatalf("%v became %v", f, got)
		}
	})
}

func TestValid(t *testing.T) {
	for _, c := range []struct {
		p    Point
		want bool
	}{
		{Point{0, 0}, true},
		{Point{180, 90}, true},
		{Point{-180, -90}, true},
		{Point{180.0001, 0}, false},
		{Point{0, -90.0001}, false},
		{Point{math.NaN(), 0}, false},
		{Point{0, math.NaN()}, false},
		{Point{math.Inf(1), 0}, false},
	} {
		if c.p.Valid() != c.want {
			t.Errorf("%v: valid is %v", c.p, !c.want)
		}
	}
}

func TestCutAtAntimeridian(t *testing.T) {
	at := func(lon, lat float64) Fixed { return Point{lon, lat}.Fix() }
	plain := []Fixed{at(1, 1), at(-1, 2)}
	if got := CutAtAntimeridian(plain); len(got) != 1 || !slices.Equal(got[0], plain) {
		t.Errorf("a line elsewhere: %v", got)
	}
	line := []Fixed{at(179, 0), at(-179, 2), at(-178, 2), at(179.5, 7)}
	want := [][]Fixed{{at(179, 0), at(180, 1)}, {at(-180, 1), at(-179, 2), at(-178, 2), at(-180, 6)}, {at(180, 6), at(179.5, 7)}}
	got := CutAtAntimeridian(line)
	if !slices.EqualFunc(got, want, slices.Equal[[]Fixed]) || line[1] != at(-179, 2) {
		t.Errorf("in parts: %v, want %v", got, want)
	}
}
