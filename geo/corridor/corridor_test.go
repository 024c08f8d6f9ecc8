package corridor

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/waygate/waygate/geo"
)

var home = geo.Point{Lon: -1.5, Lat: 52.3}

// at returns a point so many metres east and north of home.
func at(x, y float64) geo.Point {
	return geo.Point{Lon: home.Lon + x/metresPerDegree/math.Cos(home.Lat*math.Pi/180), Lat: home.Lat + y/metresPerDegree}
}

func line(xy ...float64) []geo.Point {
	var l []geo.Point
	for i := 0; i+1 < len(xy); i += 2 {
		l = append(l, at(xy[i], xy[i+1]))
	}
	return l
}

func near(a, b, within float64) bool { return math.Abs(a-b) <= within }

func TestPasses(t *testing.T) {
	hairpin := line(0, 0, 1000, 0, 1010, 10, 1000, 20, 0, 20)
	cross := line(0, 0, 500, 0, 500, 300, 200, 300, 200, -300)
	for name, c := range map[string]struct {
		line   []geo.Point
		p      geo.Point
		metres float64
		takes  Takes
		want   string
	}{
		"beside a straight":             {line(0, 0, 1000, 0), at(300, 10), 40, nil, "300 left 10 90;"},
		"on the right":                  {line(0, 0, 1000, 0), at(300, -10), 40, nil, "300 right 10 90;"},
		"on the line":                   {line(0, 0, 1000, 0), at(300, 0.1), 40, nil, "300 on 0 90;"},
		"too far":                       {line(0, 0, 1000, 0), at(300, 41), 40, nil, ""},
		"before the start":              {line(0, 0, 1000, 0), at(-20, 5), 40, nil, "0 left 21 90;"},
		"a hairpin away from its bend":  {hairpin, at(500, 5), 40, nil, "500 left 5 90;1528 left 15 270;"},
		"a hairpin, one direction":      {hairpin, at(500, 5), 40, Facing(270, 45), "1528 left 15 270;"},
		"a hairpin at its bend":         {hairpin, at(990, 9), 40, nil, "990 left 9 90;"},
		"the bend, back only":           {hairpin, at(990, 10), 40, Facing(270, 30), "1038 left 10 270;"},
		"where it crosses itself":       {cross, at(200, 0), 30, nil, "200 on 0 90;1400 on 0 180;"},
		"outside of a corner":           {line(0, 0, 500, 0, 500, 300), at(510, -10), 40, nil, "500 right 14 90;"},
		"inside of a corner":            {line(0, 0, 500, 0, 500, 300), at(490, 8), 40, nil, "490 left 8 90;"},
		"points that are there twice":   {line(0, 0, 300, 0, 300, 0, 1000, 0), at(300, 10), 40, nil, "300 left 10 90;"},
		"a route of one point":          {line(0, 0), at(3, 4), 40, nil, "0 on 5 0;"},
		"a route without length":        {line(0, 0, 0, 0), at(3, 4), 40, nil, ""},
		"against the only direction":    {line(0, 0, 1000, 0), at(300, 10), 40, Facing(270, 60), ""},
		"out and back on the same road": {line(0, 0, 1000, 0, 0, 0), at(300, 10), 40, nil, "300 left 10 90;1700 right 10 270;"},
	} {
		got := ""
		for _, p := range New(c.line).Passes(c.p, c.metres, nil, c.takes) {
			got += fmt.Sprintf("%.0f %s %.0f %.0f;", p.Arc, p.Side, p.Metres, p.Bearing)
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// wander draws a route that turns at random, back on itself too.
func wander(r *rand.Rand, points int) []geo.Point {
	x, y, bearing := 0.0, 0.0, r.Float64()*2*math.Pi
	l := []geo.Point{at(x, y)}
	for range points {
		switch r.IntN(8) {
		case 0:
			bearing += math.Pi - 0.1*r.Float64()
		case 1:
			bearing = r.Float64() * 2 * math.Pi
		default:
			bearing += r.NormFloat64() * 0.3
		}
		step := 5 + r.Float64()*120
		if r.IntN(10) == 0 {
			step = 0
		}
		x, y = x+step*math.Cos(bearing), y+step*math.Sin(bearing)
		l = append(l, at(x, y))
	}
	return l
}

// sampled walks along a route and calls each with every position and the bearing
// there.
func sampled(l []geo.Point, step float64, each func(arc float64, p geo.Point, bearing float64)) {
	arc := 0.0
	for i := 1; i < len(l); i++ {
		length := geo.Distance(l[i-1], l[i])
		if length > 0 {
			bearing := geo.Bearing(l[i-1], l[i])
			for s := 0.0; s < length; s += step {
				t := s / length
				each(arc+s, geo.Point{Lon: l[i-1].Lon + (l[i].Lon-l[i-1].Lon)*t, Lat: l[i-1].Lat + (l[i].Lat-l[i-1].Lat)*t}, bearing)
			}
		}
		arc += length
	}
}

const step = 0.25

// TestPassesAreWhatWalkingFinds walks along random routes and looks at every step
// how far a place is.
func TestPassesAreWhatWalkingFinds(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 60 {
		l := wander(r, 40)
		c := New(l)
		for range 4 {
			on, _ := c.At(r.Float64() * c.Length())
			p := geo.Destination(on, r.Float64()*360, r.Float64()*60)
			metres := 10 + r.Float64()*60
			var takes Takes
			if n%2 == 0 {
				takes = Facing(r.Float64()*360, 60)
			}
			type run struct{ from, to, best, at float64 }
			var want []run
			open := false
			sampled(l, step, func(arc float64, q geo.Point, bearing float64) {
				d := geo.Distance(p, q)
				in := d <= metres && (takes == nil || takes(bearing))
				switch {
				case in && !open:
					want = append(want, run{arc, arc, d, arc})
				case in:
					w := &want[len(want)-1]
					if w.to = arc; d < w.best {
						w.best, w.at = d, arc
					}
				}
				open = in
			})
			got := c.Passes(p, metres, nil, takes)
			// Runs and gaps shorter than a few steps may be walked over.
			got = slices.DeleteFunc(got, func(g Pass) bool { return g.To-g.From < 4*step })
			want = slices.DeleteFunc(want, func(w run) bool { return w.to-w.from < 4*step })
			if len(got) != len(want) {
				if !tight(got) {
					t.Errorf("route %d: %d passes, walking finds %d: %+v %+v", n, len(got), len(want), got, want)
				}
				continue
			}
			for i, g := range got {
				w := want[i]
				if !near(g.From, w.from, 3*step) || !near(g.To, w.to, 3*step) || !near(g.Metres, w.best, step) || g.Metres > w.best+0.01 {
					t.Errorf("route %d: %+v, walking finds %+v", n, g, w)
				}
			}
		}
	}
}

// tight reports whether two passes lie so close that steps go over the gap.
func tight(passes []Pass) bool {
	for i := 1; i < len(passes); i++ {
		if passes[i].From-passes[i-1].To < 4*step {
			return true
		}
	}
	return false
}

// covered compares stretches with what walking finds, step by step, but for
// steps near the ends of stretches.
func covered(t *testing.T, l []geo.Point, spans []Span, in func(p geo.Point, bearing float64) bool) {
	t.Helper()
	bad := 0
	sampled(l, step, func(arc float64, p geo.Point, bearing float64) {
		inside := false
		for _, s := range spans {
			if math.Abs(arc-s.From) < 2*step || math.Abs(arc-s.To) < 2*step {
				return
			}
			inside = inside || arc > s.From && arc < s.To
		}
		if inside != in(p, bearing) {
			bad++
		}
	})
	if bad > 2 { // corners where stretches shorter than a step lie
		t.Errorf("%d steps differ", bad)
	}
}

func TestOverlapsAreWhatWalkingFinds(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 40 {
		l := wander(r, 25)
		other := wander(r, 8)
		if r.IntN(2) == 0 {
			other = slices.Clone(l[5:12])
			slices.Reverse(other)
		}
		metres := 5 + r.Float64()*40
		with, against := New(l).Overlaps(other, metres, nil)
		for _, c := range []struct {
			spans []Span
			least float64
		}{{with, 0}, {against, 180 - alike}} {
			covered(t, l, c.spans, func(p geo.Point, bearing float64) bool {
				for i := 1; i < len(other); i++ {
					if other[i-1] == other[i] {
						continue
					}
					d := Deviation(bearing, geo.Bearing(other[i-1], other[i]))
					if _, _, square := geo.Nearest(p, other[i-1], other[i]); square <= metres*metres && d >= c.least && d <= c.least+alike {
						return true
					}
				}
				return false
			})
		}
	}
}

// TestNearestIsWhatWalkingFinds checks where a route comes nearest to a line against steps along
// both.
func TestNearestIsWhatWalkingFinds(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	crossed, beyond := 0, 0
	for range 60 {
		l, other := wander(r, 12), wander(r, 2+r.IntN(4))
		for i, bearing := 0, 360*r.Float64(); i < len(other); i++ {
			other[i] = geo.Destination(other[i], bearing, 90)
		}
		least := math.Inf(1)
		sampled(l, step, func(_ float64, p geo.Point, _ float64) {
			for i := 1; i < len(other); i++ {
				_, _, square := geo.Nearest(p, other[i-1], other[i])
				least = min(least, math.Sqrt(square))
			}
		})
		metres := r.Float64() * 150
		c := New(l)
		arc, off, ok := c.Nearest(other, metres, nil)
		if ok != (least <= metres) && math.Abs(least-metres) > step {
			t.Fatalf("%g m away, found within %g m: %v", least, metres, ok)
		}
		if !ok {
			beyond++
			continue
		}
		if off == 0 {
			crossed++
		}
		at, _ := c.At(arc)
		there := math.Inf(1)
		for i := 1; i < len(other); i++ {
			_, _, square := geo.Nearest(at, other[i-1], other[i])
			there = min(there, math.Sqrt(square))
		}
		if off > least+0.1 || off < least-step || math.Abs(there-off) > 0.5+off/100 {
			t.Errorf("at %g m it is %g m off, really %g; the least is %g", arc, off, there, least)
		}
	}
	if crossed < 5 || beyond < 5 {
		t.Errorf("%d crossed, %d were beyond: the cases prove too little", crossed, beyond)
	}
}

func TestInsideIsWhatWalkingFinds(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 40 {
		l := wander(r, 40)
		ring := func(x, y, size float64, corners int) []geo.Point {
			var ring []geo.Point
			for i := range corners {
				a := 2 * math.Pi * float64(i) / float64(corners)
				d := size * (0.4 + 0.6*r.Float64())
				ring = append(ring, at(x+d*math.Cos(a), y+d*math.Sin(a)))
			}
			return ring
		}
		outer, hole := ring(100, 50, 800, 12), ring(100, 50, 200, 5)
		hole = append(hole, hole[0])
		inside := func(p geo.Point, ring []geo.Point) bool {
			in := false
			for i := range ring {
				u, v := ring[i], ring[(i+1)%len(ring)]
				if (u.Lat > p.Lat) != (v.Lat > p.Lat) && p.Lon < u.Lon+(v.Lon-u.Lon)*(p.Lat-u.Lat)/(v.Lat-u.Lat) {
					in = !in
				}
			}
			return in
		}
		covered(t, l, New(l).Inside(NewArea(outer, hole), nil), func(p geo.Point, _ float64) bool { return inside(p, outer) != inside(p, hole) })
	}
}

// long returns a route of so many kilometres as roads are, with a point every 25 m.
func long(r *rand.Rand, kilometres float64) []geo.Point {
	x, y, bearing := 0.0, 0.0, 0.0
	l := []geo.Point{at(0, 0)}
	for range int(kilometres * 40) {
		bearing += r.NormFloat64() * 0.05
		bearing *= 0.999
		x, y = x+25*math.Cos(bearing), y+25*math.Sin(bearing)
		l = append(l, at(x, y))
	}
	return l
}

func TestNearFindsAll(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	l := long(r, 60)
	c := New(l)
	if !near(c.Length(), geo.Length(l), 0.01) {
		t.Errorf("it is %.3f m long, and %.3f by great circles", c.Length(), geo.Length(l))
	}
	var records []geo.Point
	for range 3000 {
		on, _ := c.At(r.Float64() * c.Length())
		records = append(records, geo.Destination(on, r.Float64()*360, r.Float64()*2000))
	}
	found := map[int][]Pass{}
	_ = c.Near(context.Background(), PointIndex(records), 100, func(i int, parts []Part) bool {
		if p := c.Passes(records[i], 100, parts, nil); p != nil {
			found[i] = p
		}
		return true
	})
	for i, p := range records {
		want := c.Passes(p, 100, nil, nil)
		if fmt.Sprint(want) != fmt.Sprint(found[i]) {
			t.Errorf("record %d: %v, without the index %v", i, found[i], want)
		}
	}
	if len(found) < 50 {
		t.Errorf("only %d records are near", len(found))
	}
}

func BenchmarkAlong(b *testing.B) {
	r := rand.New(rand.NewPCG(7, 8))
	l := long(r, 200)
	c := New(l)
	var records []geo.Point
	for range 10_000 {
		on, _ := c.At(r.Float64() * c.Length())
		records = append(records, geo.Destination(on, r.Float64()*360, r.Float64()*20_000))
	}
	x := PointIndex(records)
	passes := 0
	for b.Loop() {
		c := New(l)
		_ = c.Near(context.Background(), x, 500, func(i int, parts []Part) bool {
			passes += len(c.Passes(records[i], 500, parts, nil))
			return true
		})
	}
	b.ReportMetric(float64(passes)/float64(b.N), "passes/op")
}

// TestNearOneByOne compares records with routes that cross themselves again and again, pair
// by pair and one by one: both find the same records and parts.
func TestNearOneByOne(t *testing.T) {
	found := 0
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 7))
		at := func() geo.Point { return geo.Point{Lon: r.Float64() / 20, Lat: r.Float64() / 20} }
		line, records := make([]geo.Point, 200), make([]geo.Point, 300)
		for i := range line {
			line[i] = at()
		}
		for i := range records {
			records[i] = at()
		}
		c, x := New(line), PointIndex(records)
		list := func(near func(context.Context, *Index, float64, func(int, []Part) bool) error) (all []string) {
			if err := near(t.Context(), x, 200, func(record int, parts []Part) bool {
				all = append(all, fmt.Sprint(record, parts))
				return true
			}); err != nil {
				t.Fatal(err)
			}
			return all
		}
		pairs, each := list(c.Near), list(c.nearOneByOne)
		if !slices.Equal(pairs, each) {
			t.Fatalf("seed %d: %v, and one by one %v", seed, pairs, each)
		}
		found += len(pairs)
		if want := c.Pairs(x, 200); want < float64(len(pairs)) {
			t.Errorf("seed %d: %.0f pieces are expected to be compared, and %d records are near", seed, want, len(pairs))
		}
	}
	if found < 1000 {
		t.Errorf("%d records prove too little", found)
	}
}
