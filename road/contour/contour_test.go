package contour

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/road/search/searchtest"
)

// county draws random roads around a place: chains of short pieces whose
// values rise along them.
func county(r *rand.Rand) []Stroke {
	var strokes []Stroke
	for range 1 + r.IntN(40) {
		at := geo.Point{Lon: 9.5 + 0.1*r.Float64(), Lat: 47 + 0.1*r.Float64()}
		bearing, value := 360*r.Float64(), float32(600*r.Float64())
		for range 1 + r.IntN(30) {
			line := []geo.Fixed{at.Fix()}
			metres := 0.0
			for range 1 + r.IntN(5) {
				bearing += 60 * (r.Float64() - 0.5)
				step := 120 * r.Float64()
				at = geo.Destination(at, bearing, step)
				line, metres = append(line, at.Fix()), metres+step
			}
			s := Stroke{Line: line, End: 1, AtBegin: Values{value, value * 10}}
			value += float32(metres / 10)
			s.AtEnd = Values{value, value * 10}
			if r.IntN(10) == 0 {
				s.Begin, s.End = 0.3, 0.8
			}
			strokes = append(strokes, s)
		}
	}
	return strokes
}

// TestDrawings checks outlines of random roads: their form, and that they
// contain what was reached and nothing that is far from it.
func TestDrawings(t *testing.T) {
	inside, outside, holes, cases := 0, 0, 0, searchtest.Cases(60)
	d := NewDrawer(NewPlane(47.05))
	for seed := range uint64(cases) {
		r := rand.New(rand.NewPCG(seed, 1))
		strokes := county(r)
		level := Level{Measure: Measure(r.IntN(2)), Limit: 300 + 300*r.Float64(), Slope: 0.1}
		if level.Measure == Metres {
			level.Limit, level.Slope = level.Limit*10, 1
		}
		o := Options{Tolerance: -1}
		switch seed % 3 {
		case 1:
			o.Tolerance = 0
		case 2:
			o.Tolerance = 300 * r.Float64()
		}
		polygons := draw(t, d, strokes, level, o)
		valid(t, seed, polygons)
		for _, p := range polygons {
			holes += len(p.Holes)
		}
		if o.Tolerance > 0 {
			continue // which moves outlines as far as the option says
		}
		reach, cell := d.Margin()
		for range 200 {
			p := geo.Point{Lon: 9.49 + 0.12*r.Float64(), Lat: 46.99 + 0.12*r.Float64()}
			if r.IntN(2) == 0 {
				s := &strokes[r.IntN(len(strokes))]
				s.part(func(q geo.Point) { p = q })
			}
			near, far := distances(strokes, level, p, reach)
			switch in := contains(polygons, p); {
			case near < cell/4:
				inside++
				if !in {
					t.Errorf("seed %d: %v is %.0f m from a road that was reached and outside", seed, p, near)
				}
			case far > reach+1.5*cell:
				outside++
				if in {
					t.Errorf("seed %d: %v is %.0f m from any road that was reached and inside", seed, p, far)
				}
			}
		}
	}
	if inside < 8*cases || outside < 8*cases || holes < cases/5 {
		t.Errorf("%d points inside, %d outside, %d holes: the cases prove too little", inside, outside, holes)
	}
}

func draw(t testing.TB, d *Drawer, strokes []Stroke, l Level, o Options) []Polygon {
	t.Helper()
	all, err := d.Draw(t.Context(), &Reached{Strokes: strokes}, []Level{l}, o)
	if err != nil {
		t.Fatal(err)
	}
	return all[0]
}

// distances gives how far a point is from what was reached with enough to
// spare for the whole reach, and from what was reached at all.
func distances(strokes []Stroke, l Level, p geo.Point, reach float64) (near, far float64) {
	near, far = math.Inf(1), math.Inf(1)
	for i := range strokes {
		s := &strokes[i]
		corners, along := []geo.Point{}, []float64{0}
		s.part(func(q geo.Point) {
			if n := len(corners); n > 0 {
				along = append(along, along[n-1]+geo.Distance(corners[n-1], q))
			}
			corners = append(corners, q)
		})
		if len(corners) == 1 {
			corners, along = append(corners, corners[0]), append(along, 0)
		}
		value := func(k int) float64 {
			return float64(s.AtBegin[l.Measure]) + along[k]/max(1e-9, along[len(along)-1])*float64(s.AtEnd[l.Measure]-s.AtBegin[l.Measure])
		}
		for k := 1; k < len(corners); k++ {
			far = math.Min(far, upTo(l.Limit, value(k-1), value(k), p, corners[k-1], corners[k]))
			near = math.Min(near, upTo(l.Limit-(reach+20)*l.Slope, value(k-1), value(k), p, corners[k-1], corners[k]))
		}
	}
	return near, far
}

// upTo returns how far a point is from the part of a line from a to b on which a
// rising value is below a limit.
func upTo(limit, from, to float64, p, a, b geo.Point) float64 {
	if from > limit {
		return math.Inf(1)
	}
	if to > limit {
		t := (limit - from) / (to - from)
		b = geo.Point{Lon: a.Lon + (b.Lon-a.Lon)*t, Lat: a.Lat + (b.Lat-a.Lat)*t}
	}
	foot, _, _ := geo.Nearest(p, a, b)
	return geo.Distance(p, foot)
}

func contains(polygons []Polygon, p geo.Point) bool {
	for _, x := range polygons {
		in := around(x.Outer, p)
		for _, h := range x.Holes {
			in = in && !around(h, p)
		}
		if in {
			return true
		}
	}
	return false
}

func around(r Ring, p geo.Point) bool {
	in := false
	for i := 1; i < len(r); i++ {
		a, b := r[i-1], r[i]
		if (a.Lat > p.Lat) != (b.Lat > p.Lat) && p.Lon < a.Lon+(p.Lat-a.Lat)/(b.Lat-a.Lat)*(b.Lon-a.Lon) {
			in = !in
		}
	}
	return in
}

// valid checks the form of polygons: closed rings of three points or more,
// outer ones counter-clockwise and holes clockwise and inside, and no two
// lines that share a point but for neighbours.
func valid(t *testing.T, seed uint64, polygons []Polygon) {
	t.Helper()
	var lines [][2]vertex
	ring := func(r Ring, outer bool) {
		if len(r) < 4 || r[0] != r[len(r)-1] {
			t.Fatalf("seed %d: a ring of %d points from %v to %v", seed, len(r), r[0], r[len(r)-1])
		}
		var o outline
		for i, p := range r[1:] {
			a, b := exact(r[i]), exact(p)
			o.line = append(o.line, b)
			lines = append(lines, [2]vertex{a, b})
		}
		if o.measure(); (o.area > 0) != outer {
			t.Fatalf("seed %d: a ring has the area %g, outer %v", seed, o.area, outer)
		}
	}
	for _, p := range polygons {
		ring(p.Outer, true)
		for _, h := range p.Holes {
			ring(h, false)
			if !around(p.Outer, h[0]) {
				t.Fatalf("seed %d: a hole lies outside of its ring", seed)
			}
		}
		for _, q := range polygons {
			if &p.Outer[0] != &q.Outer[0] && contains([]Polygon{q}, p.Outer[0]) {
				t.Fatalf("seed %d: an island lies in another", seed)
			}
		}
	}
	for i, a := range lines {
		if a[0] == a[1] {
			t.Fatalf("seed %d: a line from %v to itself", seed, a[0])
		}
		for _, b := range lines[:i] {
			if max(a[0].X, a[1].X) < min(b[0].X, b[1].X) || max(b[0].X, b[1].X) < min(a[0].X, a[1].X) {
				continue
			}
			if a[0] == b[1] || a[1] == b[0] {
				continue // neighbours in their ring; a ring that came back to a point would have two of them
			}
			if touch(a, b) {
				t.Fatalf("seed %d: %v and %v touch", seed, a, b)
			}
		}
	}
	seen := map[vertex]bool{}
	for _, l := range lines {
		if seen[l[0]] {
			t.Fatalf("seed %d: lines come back to %v", seed, l[0])
		}
		seen[l[0]] = true
	}
}

func exact(p geo.Point) vertex {
	return vertex{int32(math.Round(p.Lon * 1e6)), int32(math.Round(p.Lat * 1e6))}
}

// touch reports whether two lines share a point.
func touch(a, b [2]vertex) bool {
	sign := func(x int64) int { return int(max(-1, min(1, x))) }
	if max(a[0].Y, a[1].Y) < min(b[0].Y, b[1].Y) || max(b[0].Y, b[1].Y) < min(a[0].Y, a[1].Y) {
		return false
	}
	return sign(turn(a[0], a[1], b[0]))*sign(turn(a[0], a[1], b[1])) <= 0 && sign(turn(b[0], b[1], a[0]))*sign(turn(b[0], b[1], a[1])) <= 0
}

func TestNothingReached(t *testing.T) {
	d := NewDrawer(NewPlane(47.05))
	if got, err := d.Draw(t.Context(), &Reached{}, []Level{{Limit: 1}}, Options{}); err != nil || len(got) != 1 || got[0] != nil {
		t.Errorf("nothing has the outlines %v (%v)", got, err)
	}
	s := Stroke{Line: []geo.Fixed{{Lon: 95_000_000, Lat: 470_000_000}, {Lon: 95_000_000, Lat: 470_000_000}}, End: 1, AtBegin: Values{10, 10}, AtEnd: Values{10, 10}}
	got, err := d.Draw(t.Context(), &Reached{Strokes: []Stroke{s}}, []Level{{Limit: 5, Slope: 1}, {Limit: 100, Slope: 0.1}}, Options{})
	if err != nil || len(got[0]) != 0 || len(got[1]) != 1 {
		t.Errorf("a road without length has the outlines %v", got)
	}
}

// TestDenoise checks that small islands and holes go.
func TestDenoise(t *testing.T) {
	d := NewDrawer(NewPlane(47.05))
	most, fewest := 0, math.MaxInt
	for seed := range uint64(20) {
		strokes, level := county(rand.New(rand.NewPCG(seed, 2))), Level{Limit: 600, Slope: 0.1}
		all, one := draw(t, d, strokes, level, Options{Tolerance: -1}), draw(t, d, strokes, level, Options{Denoise: 1, Tolerance: -1})
		if len(one) != 1 {
			t.Errorf("seed %d: %d islands are left", seed, len(one))
		}
		most, fewest = max(most, len(all)), min(fewest, len(one[0].Holes))
	}
	if most < 5 || fewest > 0 {
		t.Errorf("up to %d islands without denoising; at least %d holes with it", most, fewest)
	}
}

// TestThin checks that fewer points are left the further lines may move.
func TestThin(t *testing.T) {
	d := NewDrawer(NewPlane(47.05))
	strokes := county(rand.New(rand.NewPCG(7, 2)))
	last := math.MaxInt
	for _, metres := range []float64{0, 15, 40, 100, 1000} {
		n := 0
		for _, p := range draw(t, d, strokes, Level{Limit: 600, Slope: 0.1}, Options{Tolerance: metres}) {
			n += len(p.Outer)
			for _, h := range p.Holes {
				n += len(h)
			}
		}
		if n >= last {
			t.Errorf("%d points at %g m, %d with less", n, metres, last)
		}
		last = n
	}
}

// TestLevelsTogether draws levels together and alone. The one that is the only one of its
// measure is the same; others have the same extent, but for where outlines of several
// meet.
func TestLevelsTogether(t *testing.T) {
	d := NewDrawer(NewPlane(47.05))
	for seed := range uint64(10) {
		strokes := county(rand.New(rand.NewPCG(seed, 3)))
		levels := []Level{{Limit: 600, Slope: 0.1}, {Limit: 300, Slope: 0.1}, {Measure: Metres, Limit: 4000, Slope: 1}, {Limit: 100, Slope: 0.1}}
		together, err := d.Draw(t.Context(), &Reached{Strokes: strokes}, levels, Options{Tolerance: -1})
		if err != nil {
			t.Fatal(err)
		}
		for i, l := range levels {
			alone := draw(t, d, strokes, l, Options{Tolerance: -1})
			if l.Measure == Metres && !reflect.DeepEqual(alone, together[i]) {
				t.Errorf("seed %d: level %d is another one alone", seed, i)
			}
			if a, b := extent(alone), extent(together[i]); math.Abs(a-b) > 0.05*a {
				t.Errorf("seed %d: level %d covers %.4g alone and %.4g together", seed, i, a, b)
			}
		}
	}
}

// extent returns the area of polygons in square millionths of a degree.
func extent(polygons []Polygon) (area float64) {
	ring := func(r Ring) float64 {
		var o outline
		for _, p := range r[1:] {
			o.line = append(o.line, exact(p))
		}
		o.measure()
		return o.area
	}
	for _, p := range polygons {
		area += ring(p.Outer)
		for _, h := range p.Holes {
			area += ring(h)
		}
	}
	return area
}

func BenchmarkDrawFour(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	var strokes []Stroke
	for range 30 {
		strokes = append(strokes, county(r)...)
	}
	d := NewDrawer(NewPlane(47.05))
	var levels []Level
	for i := range 4 {
		levels = append(levels, Level{Limit: float64(i+1) * 225, Slope: 0.1})
	}
	for b.Loop() {
		if _, err := d.Draw(b.Context(), &Reached{Strokes: strokes}, levels, Options{Denoise: 1, Tolerance: -1}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDraw(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	var strokes []Stroke
	for range 30 {
		strokes = append(strokes, county(r)...)
	}
	d := NewDrawer(NewPlane(47.05))
	for b.Loop() {
		draw(b, d, strokes, Level{Limit: 900, Slope: 0.1}, Options{Denoise: 1, Tolerance: -1})
	}
	b.ReportMetric(float64(d.grid.w*d.grid.h), "cells")
}
