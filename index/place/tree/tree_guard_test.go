package tree_test

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/place/tree"
)

// points draws places around a middle, which may lie at the antimeridian.
func places(t *rapid.T, most int) (middle geo.Point, list []geo.Fixed) {
	middle = geo.Point{Lon: rapid.SampledFrom([]float64{0, 9.5, 179.99, -179.99}).Draw(t, "lon"), Lat: rapid.SampledFrom([]float64{-60, 0, 47, 80}).Draw(t, "lat")}
	spread := rapid.SampledFrom([]float64{0.001, 0.1, 3}).Draw(t, "spread")
	for range rapid.IntRange(0, most).Draw(t, "places") {
		list = append(list, geo.Point{
			Lon: math.Remainder(middle.Lon+spread*rapid.Float64Range(-1, 1).Draw(t, "east"), 360), Lat: middle.Lat + spread*rapid.Float64Range(-1, 1).Draw(t, "north"),
		}.Fix())
	}
	return middle, list
}

// TestNearestIsTheSlowSearch compares with all items in the order of their distances, with and
// without masks, by numbers of items around those that fill a box or a level.
func TestNearestIsTheSlowSearch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		middle, list := places(t, 20)
		if n := rapid.SampledFrom([]int{0, 1, 15, 16, 17, 255, 256, 257, 300}).Draw(t, "items"); len(list) > 0 {
			for i := 0; len(list) < n; i++ {
				p := list[i]
				p.Lat += int32(i*977%10_000) - 5000
				list = append(list, p)
			}
		}
		kind := func(i uint32) uint64 { return 1 << (i * 7 % 3) }
		items := make([]uint32, len(list))
		for i := range items {
			items[i] = uint32(i)
		}
		masked := rapid.Bool().Draw(t, "masked")
		mask := kind
		if !masked {
			mask = nil
		}
		x := tree.New(items, func(i uint32) tree.Box { return tree.BoxOf(list[i]) }, mask)
		if err := x.Check("x", len(list), masked); err != nil {
			t.Fatal(err)
		}
		if len(list) > 0 && (x.Check("x", len(list)-1, masked) == nil || x.Check("x", len(list), !masked) == nil) {
			t.Fatal("items beyond the limit, or other masks, are taken")
		}
		wanted := uint64(0)
		if masked {
			wanted = rapid.SampledFrom([]uint64{0, 1, 6}).Draw(t, "wanted")
		}
		from := geo.Point{Lon: middle.Lon, Lat: middle.Lat}
		distance := func(i uint32) float64 {
			if wanted != 0 && kind(i)&wanted == 0 {
				return math.Inf(1)
			}
			return geo.Distance(from, list[i].Point())
		}
		metres := rapid.SampledFrom([]float64{0, 50, 5000, 200_000, 1e8}).Draw(t, "metres")
		var want []float64
		for i := range items {
			if d := distance(uint32(i)); d <= metres {
				want = append(want, d)
			}
		}
		slices.Sort(want)
		most := rapid.SampledFrom([]int{1, 3, 1000}).Draw(t, "most")
		var got []float64
		seen := map[uint32]bool{}
		x.Nearest(from, metres, 0.99, wanted, distance, func(i uint32, away float64) bool {
			if seen[i] || away != distance(i) {
				t.Fatalf("item %d comes twice, or with another distance", i)
			}
			seen[i] = true
			got = append(got, away)
			return len(got) < most
		})
		if !slices.Equal(got, want[:min(most, len(want))]) {
			t.Fatalf("%d items within %g m, the nearest %d of them: %v, want %v", len(want), metres, most, got, want)
		}
	})
}

// TestBoxes compares boxes with the points of which they are.
func TestBoxes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		coordinate := rapid.Int32Range(-20, 20)
		point := func() geo.Fixed { return geo.Fixed{Lon: coordinate.Draw(t, "lon"), Lat: coordinate.Draw(t, "lat")} }
		var list []geo.Fixed
		for range rapid.IntRange(1, 5).Draw(t, "points") {
			list = append(list, point())
		}
		b := tree.BoxAround(list)
		grown := tree.BoxOf(list[0])
		for _, p := range list[1:] {
			grown = grown.Taking(p)
		}
		if grown != b {
			t.Fatalf("around %v: %v and %v", list, b, grown)
		}
		west, east, south, north := list[0].Lon, list[0].Lon, list[0].Lat, list[0].Lat
		for _, p := range list {
			west, east, south, north = min(west, p.Lon), max(east, p.Lon), min(south, p.Lat), max(north, p.Lat)
		}
		if b != (tree.Box{West: west, South: south, East: east, North: north}) || b.Size() != float64(east-west)*float64(north-south) {
			t.Fatalf("around %v: %v", list, b)
		}
		p := point()
		if want := p.Lon >= west && p.Lon <= east && p.Lat >= south && p.Lat <= north; b.Contains(p) != want {
			t.Fatalf("%v has %v: %v", b, p, !want)
		}
		if bounds := b.Bounds(); bounds.Min.Fix() != (geo.Fixed{Lon: west, Lat: south}) || bounds.Max.Fix() != (geo.Fixed{Lon: east, Lat: north}) {
			t.Fatalf("%v is %v", b, bounds)
		}
	})
	// Boxes are near each other up to 5000 units, on each side.
	b := tree.Box{West: 0, South: 0, East: 10, North: 10}
	for gap, want := range map[int32]bool{0: true, 5000: true, 5001: false} {
		for _, o := range []tree.Box{
			{West: 10 + gap, South: 0, East: 20 + gap, North: 5}, {West: -20 - gap, South: 0, East: -gap, North: 5}, {West: 0, South: 10 + gap, East: 5, North: 20 + gap}, {West: 0, South: -20 - gap, East: 5, North: -gap},
		} {
			if b.Nearly(o) != want || o.Nearly(b) != want {
				t.Errorf("%v and %v, %d apart: %v", b, o, gap, !want)
			}
		}
	}
	// Across the antimeridian a box grows to the nearer side.
	const edge = 180e7
	across := tree.BoxOf(geo.Fixed{Lon: edge - 10}).Taking(geo.Fixed{Lon: -edge + 10})
	if across.West != edge-10 || across.East != -edge+10 || !across.Nearly(b) || !b.Nearly(across) {
		t.Errorf("%v", across)
	}
	for lon, want := range map[int32]bool{edge - 10: true, edge - 11: false, edge: true, -edge: true, -edge + 10: true, -edge + 11: false, 0: false} {
		if across.Contains(geo.Fixed{Lon: lon}) != want {
			t.Errorf("%v has %d: %v", across, lon, !want)
		}
	}
}

// TestAwayIsTheNearestOfManyPoints compares the distance of a box with those of points of it.
func TestAwayIsTheNearestOfManyPoints(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		degrees := rapid.Float64Range(-2, 2)
		b := tree.BoxAround([]geo.Fixed{geo.Point{Lon: degrees.Draw(t, "w"), Lat: 50 + degrees.Draw(t, "s")}.Fix(), geo.Point{Lon: degrees.Draw(t, "e"), Lat: 50 + degrees.Draw(t, "n")}.Fix()})
		p := geo.Point{Lon: 2 * degrees.Draw(t, "lon"), Lat: 50 + 2*degrees.Draw(t, "lat")}
		least := math.Inf(1)
		const steps = 40
		bounds := b.Bounds()
		for i := range steps + 1 {
			for j := range steps + 1 {
				at := geo.Point{Lon: bounds.Min.Lon + (bounds.Max.Lon-bounds.Min.Lon)*float64(i)/steps, Lat: bounds.Min.Lat + (bounds.Max.Lat-bounds.Min.Lat)*float64(j)/steps}
				least = min(least, geo.Distance(p, at))
			}
		}
		away := b.Distance(p)
		slack := geo.Distance(bounds.Min, bounds.Max) / steps
		if away > least+1e-3 || away < least-slack-1 {
			t.Fatalf("from %v to %v: %g, of points of it %g", p, b, away, least)
		}
		if b.Contains(p.Fix()) != (away < 0.02) && away > 0.02 {
			t.Fatalf("%v in %v is %g m away", p, b, away)
		}
	})
}

// ring returns a rectangle of so many metres around a place, turned by an angle.
func ring(at geo.Point, long, wide, angle float64) []geo.Fixed {
	var out []geo.Fixed
	sin, cos := math.Sincos(angle)
	for _, c := range [][2]float64{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}, {-1, -1}} {
		x, y := c[0]*long/2, c[1]*wide/2
		out = append(out, geo.Point{Lon: at.Lon + (x*cos-y*sin)/tree.MetresPerDegree/math.Cos(at.Lat*math.Pi/180), Lat: at.Lat + (x*sin+y*cos)/tree.MetresPerDegree}.Fix())
	}
	return out
}

// TestOutlinesOfRectangles has rectangles of any size and angle: what is inside, how wide they are,
// and how far a place is from them.
func TestOutlinesOfRectangles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at := geo.Point{Lon: rapid.SampledFrom([]float64{0, 9.5, -120}).Draw(t, "lon"), Lat: rapid.SampledFrom([]float64{-35, 0.01, 47, 65}).Draw(t, "lat")}
		long := rapid.Float64Range(60, 400).Draw(t, "long")
		wide := rapid.Float64Range(60, 400).Draw(t, "wide")
		angle := rapid.Float64Range(0, math.Pi).Draw(t, "angle")
		outline := tree.Outlined([][]geo.Fixed{ring(at, long, wide, angle)})
		if len(outline) != 5 {
			t.Fatalf("%d corners", len(outline))
		}
		if w := tree.Width(outline); math.Abs(w-math.Sqrt(long*wide)) > 0.5 {
			t.Fatalf("%g wide, want %g", w, math.Sqrt(long*wide))
		}
		x, y := rapid.Float64Range(-400, 400).Draw(t, "x"), rapid.Float64Range(-400, 400).Draw(t, "y")
		sin, cos := math.Sincos(angle)
		p := geo.Point{Lon: at.Lon + (x*cos-y*sin)/tree.MetresPerDegree/math.Cos(at.Lat*math.Pi/180), Lat: at.Lat + (x*sin+y*cos)/tree.MetresPerDegree}
		dx, dy := math.Abs(x)-long/2, math.Abs(y)-wide/2
		if max(dx, dy) > -0.5 && max(dx, dy) < 0.5 {
			return // at the wall roundings decide
		}
		if in := tree.Inside(p.Fix(), outline); in != (dx < 0 && dy < 0) {
			t.Fatalf("(%g, %g) of %g x %g is inside: %v", x, y, long, wide, in)
		}
		if away, want := tree.OutlineDistance(p, outline), math.Hypot(max(0, dx), max(0, dy)); math.Abs(away-want) > 0.5 {
			t.Fatalf("(%g, %g) of %g x %g is %g m away, want %g", x, y, long, wide, away, want)
		}
		r := tree.RectangleOf(tree.OblongAround(at.Fix(), ring(at, min(long, 200), min(wide, 200), angle)))
		if half := min(long, 200) / 2; math.Abs(max(r.Long, r.Wide)-max(half, min(wide, 200)/2)) > 2.5 || math.Abs(min(r.Long, r.Wide)-min(half, min(wide, 200)/2)) > 2.5 || math.Hypot(r.East, r.North) > 8 {
			t.Fatalf("the oblong of %g x %g is %+v", long, wide, r)
		}
	})
}

// What encloses nothing, or too little, has no outline, and a hole is outside.
func TestOutlinesThatAreNone(t *testing.T) {
	at := geo.Point{Lon: 9.5, Lat: 47}
	whole := ring(at, 100, 100, 0)
	for name, rings := range map[string][][]geo.Fixed{
		"nothing": nil, "an empty ring": {{}}, "an open ring": {whole[:4]}, "a line": {{whole[0], whole[1], whole[0]}}, "a small one": {ring(at, 20, 20, 0)},
		"one around the globe": {{{Lon: -1790000000}, {Lon: 1790000000}, {Lon: 1790000000, Lat: 100000}, {Lon: -1790000000}}},
	} {
		if o := tree.Outlined(rings); len(o) != 0 {
			t.Errorf("%s: %v", name, o)
		}
	}
	if tree.Width(nil) != 0 || tree.OblongAround(at.Fix(), []geo.Fixed{at.Fix(), at.Fix()}) != 0 {
		t.Error("nothing is wide")
	}
	holed := tree.Outlined([][]geo.Fixed{ring(at, 300, 300, 0.1), ring(at, 100, 100, 0.1)})
	for metres, want := range map[float64]bool{0: false, 40: false, 60: true, 140: true, 160: false} {
		p := geo.Point{Lon: at.Lon + metres*math.Cos(0.1)/tree.MetresPerDegree/math.Cos(at.Lat*math.Pi/180), Lat: at.Lat + metres*math.Sin(0.1)/tree.MetresPerDegree}
		if tree.Inside(p.Fix(), holed) != want {
			t.Errorf("%g m from the middle of a hole: %v", metres, !want)
		}
	}
	// As many corners as are kept are kept, and of more those that matter least are left out.
	for _, n := range []int{tree.MostOutline / 5, tree.MostOutline/5 + 1, tree.MostOutline / 3} {
		var many [][]geo.Fixed
		for i := range n {
			size := 60 + float64(i)
			many = append(many, ring(geo.Point{Lon: 9.5 + float64(i%30)/50, Lat: 47 + float64(i/30)/50}, size, size, 0.1))
		}
		o := tree.Outlined(many)
		if whole := n <= tree.MostOutline/5; whole && len(o) != 5*n || !whole && (len(o) < tree.MostOutline/4 || len(o) > tree.MostOutline) {
			t.Errorf("%d corners of %d", len(o), 5*n)
		}
	}
}

// Longitudes are taken in the turn round the globe that is nearest, and brought back.
func TestTurnsRoundTheGlobe(t *testing.T) {
	const half = int32(180e7 - 1)
	for _, c := range []struct {
		p, o int32
		want int64
	}{{0, 0, 0}, {half, -half, int64(half) - 360e7}, {-half, half, 360e7 - int64(half)}, {half, 1, int64(half)}, {90e7, -90e7, 90e7}, {-90e7, 90e7, -90e7}, {90e7 + 1, -90e7, 90e7 + 1 - 360e7}, {-90e7 - 1, 90e7, -90e7 - 1 + 360e7}} {
		got := tree.UnwrapNear(geo.Fixed{Lon: c.p}, geo.Fixed{Lon: c.o})
		if got != c.want || tree.WrapLongitude(got) != c.p {
			t.Errorf("%d beside %d is %d, want %d, and back %d", c.p, c.o, got, c.want, tree.WrapLongitude(got))
		}
	}
	if d := tree.DistanceBetween(geo.Fixed{Lon: half}, geo.Fixed{Lon: -half}); d > 1 {
		t.Errorf("both sides of the antimeridian are %g m apart", d)
	}
	for half := 1.0; half < 200; half *= 1.7 {
		if r := tree.RectangleOf(tree.Square(half)); math.Abs(r.Long-half) > 0.1+0.05*half || r.Wide != r.Long || math.Hypot(r.East, r.North) > 1e-9 {
			t.Errorf("a square of %g: %+v", half, r)
		}
	}
}
