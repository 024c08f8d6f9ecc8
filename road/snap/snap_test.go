package snap

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/region/regiontest"
	"github.com/waygate/waygate/road/graph"
)

func lines(shapes ...[]geo.Fixed) *graph.Graph {
	b := graph.NewBuilder()
	for _, shape := range shapes {
		from := b.AddNode(graph.NodeFacts{Position: shape[0], Access: graph.AllModes})
		to := b.AddNode(graph.NodeFacts{Position: shape[len(shape)-1], Access: graph.AllModes})
		b.AddSegment(graph.SegmentFacts{From: from, To: to}, shape)
	}
	return b.Build()
}

// scattered returns a graph of random lines in a square of about twenty kilometres.
func scattered(r *rand.Rand, n int) *graph.Graph {
	var shapes [][]geo.Fixed
	for range n {
		p := geo.Fixed{Lon: 90_000_000 + r.Int32N(2_000_000), Lat: 470_000_000 + r.Int32N(2_000_000)}
		shape := []geo.Fixed{p}
		pieces := 1 + r.IntN(5)
		if r.IntN(8) == 0 {
			pieces += r.IntN(100)
		}
		for range pieces {
			p.Lon, p.Lat = p.Lon+r.Int32N(20_000)-10_000, p.Lat+r.Int32N(20_000)-10_000
			shape = append(shape, p)
		}
		shapes = append(shapes, shape)
	}
	return lines(shapes...)
}

// slow measures every segment.
func slow(g *graph.Graph, p geo.Point, cutoff float64) []Candidate {
	var all []Candidate
	for s := range graph.Segment(g.Segments()) {
		best := math.Inf(1)
		shape := g.SegmentShape(s)
		var foot geo.Point
		for i := 1; i < len(shape); i++ {
			if at, _, square := geo.Nearest(p, shape[i-1].Point(), shape[i].Point()); square < best {
				best, foot = square, at
			}
		}
		if metres := math.Sqrt(best); metres <= cutoff {
			all = append(all, Candidate{Segment: s, Metres: metres, Point: foot})
		}
	}
	slices.SortFunc(all, func(a, b Candidate) int {
		switch {
		case a.Metres < b.Metres:
			return -1
		case a.Metres > b.Metres:
			return 1
		}
		return int(a.Segment) - int(b.Segment)
	})
	return all
}

func compare(t *testing.T, g *graph.Graph, q *Query, p geo.Point, cutoff float64) {
	t.Helper()
	want := slow(g, p, cutoff)
	var got []Candidate
	q.Nearest(p, cutoff, func(c Candidate) bool {
		got = append(got, c)
		return true
	})
	if len(got) != len(want) {
		t.Fatalf("%v within %v m: %d segments, want %d", p, cutoff, len(got), len(want))
	}
	metres := map[graph.Segment]float64{}
	for _, w := range want {
		metres[w.Segment] = w.Metres
	}
	for i, c := range got {
		w, ok := metres[c.Segment]
		if !ok {
			t.Fatalf("%v: segment %d comes twice, or from too far", p, c.Segment)
		}
		delete(metres, c.Segment)
		const millimetre = 1e-3
		if math.Abs(c.Metres-w) > millimetre || math.Abs(c.Metres-want[i].Metres) > millimetre || i > 0 && c.Metres < got[i-1].Metres {
			t.Fatalf("%v: number %d is segment %d at %v m, want %v m, in order %v m", p, i, c.Segment, c.Metres, w, want[i].Metres)
		}
		if d := geo.Distance(p, c.Point); math.Abs(d-c.Metres) > 0.05+c.Metres*2e-3 {
			t.Fatalf("%v: the place %v is %v m away, got %v m", p, c.Point, d, c.Metres)
		}
		if c.Along < 0 || c.Along > 1 {
			t.Fatalf("%v: along is %v", p, c.Along)
		}
		line := g.SegmentShape(c.Segment)
		if on, _, _ := geo.Nearest(p, line[c.Piece].Point(), line[c.Piece+1].Point()); geo.Distance(on, c.Point) > 0.05+c.Metres*2e-3 {
			t.Fatalf("%v: the place %v is not on piece %d of segment %d", p, c.Point, c.Piece, c.Segment)
		}
		if d := geo.Distance(c.Point, alongLine(g, c)); d > 0.2+g.EdgeLength(g.Forward[c.Segment])*1e-3 {
			t.Fatalf("%v: the place %v and the part %v of segment %d are %v m apart", p, c.Point, c.Along, c.Segment, d)
		}
	}
}

// alongLine walks a part of a segment's line.
func alongLine(g *graph.Graph, c Candidate) geo.Point {
	line := g.AppendShape(nil, g.Forward[c.Segment])
	rest := geo.Length(line) * c.Along
	for i := 1; i < len(line); i++ {
		step := geo.Distance(line[i-1], line[i])
		if rest <= step && step > 0 {
			f := rest / step
			return geo.Point{Lon: line[i-1].Lon + (line[i].Lon-line[i-1].Lon)*f, Lat: line[i-1].Lat + (line[i].Lat-line[i-1].Lat)*f}
		}
		rest -= step
	}
	return line[len(line)-1]
}

func TestNearestAgainstAllSegments(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, n := range []int{1, 2, 15, 16, 17, 256, 257, 700} {
		g := scattered(r, n)
		tree := Build(g)
		if err := tree.Verify(g); err != nil {
			t.Fatal(err)
		}
		q := NewQuery(g, tree)
		for range 60 {
			p := geo.Point{Lon: 9 + r.Float64()*0.2, Lat: 47 + r.Float64()*0.2}
			compare(t, g, q, p, []float64{0, 50, 500, 5000, 40_000}[r.IntN(5)])
		}
	}
}

func TestNearestStops(t *testing.T) {
	g := scattered(rand.New(rand.NewPCG(7, 8)), 100)
	q := NewQuery(g, Build(g))
	p := geo.Point{Lon: 9.1, Lat: 47.1}
	want := slow(g, p, 40_000)
	var got []graph.Segment
	q.Nearest(p, 40_000, func(c Candidate) bool {
		got = append(got, c.Segment)
		return len(got) < 3
	})
	if len(got) != 3 || got[0] != want[0].Segment || got[1] != want[1].Segment || got[2] != want[2].Segment {
		t.Errorf("got %v, want the segments of %v", got, want[:3])
	}
}

// TestNarrow checks that a walk stops where it should while it is under way, and
// that one after it from the same point is whole.
func TestNarrow(t *testing.T) {
	g := scattered(rand.New(rand.NewPCG(7, 8)), 100)
	q := NewQuery(g, Build(g))
	p := geo.Point{Lon: 9.1, Lat: 47.1}
	want := slow(g, p, 40_000)
	limit, n := (want[4].Metres+want[5].Metres)/2, 0
	q.Nearest(p, 40_000, func(Candidate) bool {
		q.LimitDistance(limit)
		n++
		return true
	})
	if n != 5 {
		t.Errorf("%d segments within %v m, want 5", n, limit)
	}
	compare(t, g, q, p, 40_000)
}

func TestNothingToFind(t *testing.T) {
	g := graph.NewBuilder().Build()
	tree := Build(g)
	if err := tree.Verify(g); err != nil {
		t.Error(err)
	}
	for _, tree := range []*Tree{tree, written(t, tree)} {
		NewQuery(g, tree).Nearest(geo.Point{}, 1e9, func(Candidate) bool {
			t.Error("something in an empty graph")
			return true
		})
	}
}

// TestSide asks for points beside a line that runs north, turns right and then
// sharply back left. One unit is about 11 m.
func TestSide(t *testing.T) {
	at := func(x, y float64) geo.Fixed { return geo.Fixed{Lon: int32(x * 1000), Lat: int32(y * 1000)} }
	line := lines([]geo.Fixed{at(0, 0), at(0, 10), at(10, 10), at(1, 12)})
	for _, c := range []struct {
		what  string
		x, y  float64
		right bool
	}{
		{"west of the part to the north", -1, 5, false},
		{"east of it", 1, 5, true},
		{"north of the part to the east", 3, 10.5, false},
		{"south of it", 5, 9, true},
		{"outside of the right turn", -1, 11, false},
		{"inside of the right turn", 1, 9, true},
		{"beyond the hairpin", 12, 10, true},
		{"beyond the hairpin, to the south", 11, 9.4, true},
		{"beyond the hairpin, to the north", 11, 10.4, true},
		{"within the hairpin", 6, 10.4, false},
		{"north of the way back", 5, 12, true},
	} {
		q := NewQuery(line, Build(line))
		found := false
		q.Nearest(at(c.x, c.y).Point(), 1000, func(got Candidate) bool {
			found = true
			if got.Right != c.right {
				t.Errorf("%s: right is %v at %v", c.what, got.Right, got.Point)
			}
			return true
		})
		if !found {
			t.Errorf("%s: nothing found", c.what)
		}
	}
}

func TestPlacesOnALine(t *testing.T) {
	north := lines([]geo.Fixed{{Lon: 0, Lat: 0}, {Lon: 0, Lat: 10_000}, {Lon: 0, Lat: 10_000}, {Lon: 0, Lat: 20_000}})
	point := lines([]geo.Fixed{{Lon: 0, Lat: 0}, {Lon: 0, Lat: 0}})
	for _, c := range []struct {
		what  string
		g     *graph.Graph
		p     geo.Point
		along float64
		want  float64
	}{
		{"before its start", north, geo.Point{Lat: -0.001}, 0, 111.19},
		{"beside its start", north, geo.Point{Lon: 0.0001}, 0, 11.12},
		{"a quarter on", north, geo.Point{Lon: 0.0001, Lat: 0.0005}, 0.25, 11.12},
		{"at its bend of nothing", north, geo.Point{Lat: 0.001}, 0.5, 0},
		{"past its end", north, geo.Point{Lat: 0.003}, 1, 111.19},
		{"a line of no length", point, geo.Point{Lat: 0.001}, 0, 111.19},
	} {
		NewQuery(c.g, Build(c.g)).Nearest(c.p, 200, func(got Candidate) bool {
			if math.Abs(got.Along-c.along) > 1e-6 || math.Abs(got.Metres-c.want) > 0.01 {
				t.Errorf("%s: %v along, %v m away; want %v and %v", c.what, got.Along, got.Metres, c.along, c.want)
			}
			return true
		})
	}
}

func written(t *testing.T, tree *Tree) *Tree {
	t.Helper()
	back, err := Open(regiontest.Of(t, SectionName, Version, tree.Write))
	if err != nil {
		t.Fatal(err)
	}
	return back
}

func TestTreeRoundTrip(t *testing.T) {
	g := scattered(rand.New(rand.NewPCG(9, 9)), 300)
	tree := Build(g)
	back := written(t, tree)
	if !slices.Equal(back.Leaf, tree.Leaf) || !slices.Equal(back.Part, tree.Part) || !slices.Equal(back.Boxes, tree.Boxes) || !slices.Equal(back.Level, tree.Level) {
		t.Error("the index came back changed")
	}
	if err := back.Verify(g); err != nil {
		t.Error(err)
	}
}

func TestVerifyCatches(t *testing.T) {
	g := scattered(rand.New(rand.NewPCG(10, 10)), 300)
	for _, c := range []struct {
		what   string
		damage func(tree *Tree)
		opens  bool // the sizes alone do not tell
	}{
		{"a segment that is none", func(tree *Tree) { tree.Leaf[7] = 300 }, true},
		{"a segment twice", func(tree *Tree) { tree.Leaf[7] = tree.Leaf[8] }, true},
		{"a part that is none", func(tree *Tree) { tree.Leaf[7] = partFrom + uint32(len(tree.Part)) }, true},
		{"a part of a segment that is none", func(tree *Tree) { tree.Part[3].Segment = 300 }, true},
		{"a part too long", func(tree *Tree) { tree.Part[3].Last++ }, true},
		{"a part twice", func(tree *Tree) { tree.Part[3] = tree.Part[4] }, true},
		{"a leaf's box", func(tree *Tree) { tree.Boxes[7].MinLon++ }, true},
		{"a box above", func(tree *Tree) { tree.Boxes[tree.Level[1]+5].MaxLat-- }, true},
		{"the root", func(tree *Tree) { tree.Boxes[len(tree.Boxes)-1].MaxLat-- }, true},
		{"a box too few", func(tree *Tree) { tree.Boxes = tree.Boxes[1:] }, false},
		{"a leaf too few", func(tree *Tree) { tree.Leaf = tree.Leaf[1:] }, false},
		{"a level too few", func(tree *Tree) { tree.Level = tree.Level[1:] }, false},
		{"no levels", func(tree *Tree) { tree.Level = nil }, false},
		{"a level moved", func(tree *Tree) { tree.Level[2]-- }, false},
		{"no root", func(tree *Tree) { tree.Level, tree.Boxes = tree.Level[:2], tree.Boxes[:tree.Level[1]] }, false},
	} {
		tree := Build(g)
		c.damage(tree)
		if err := tree.Verify(g); err == nil || !strings.Contains(err.Error(), "section snap") {
			t.Errorf("%s: %v", c.what, err)
		}
		if _, err := Open(regiontest.Of(t, SectionName, Version, tree.Write)); (err == nil) != c.opens {
			t.Errorf("%s: opened with %v", c.what, err)
		}
	}
	if err := Build(g).Verify(lines([]geo.Fixed{{}, {Lon: 1}})); err == nil {
		t.Error("the index of another graph verifies")
	}
}

func TestNearestTakesNoMemory(t *testing.T) {
	g := scattered(rand.New(rand.NewPCG(11, 11)), 500)
	q := NewQuery(g, Build(g))
	n := 0
	count := func(Candidate) bool { n++; return n%40 != 0 }
	p := geo.Point{Lon: 9.1, Lat: 47.1}
	q.Nearest(p, 40_000, func(Candidate) bool { return true }) // as large as it gets
	if allocs := testing.AllocsPerRun(50, func() { q.Nearest(p, 40_000, count) }); allocs != 0 {
		t.Errorf("%v allocations a query", allocs)
	}
}

func BenchmarkNearest(b *testing.B) {
	r := rand.New(rand.NewPCG(12, 12))
	g := scattered(r, 20_000)
	q := NewQuery(g, Build(g))
	b.ReportAllocs()
	for b.Loop() {
		p := geo.Point{Lon: 9 + r.Float64()*0.2, Lat: 47 + r.Float64()*0.2}
		n := 0
		q.Nearest(p, 1000, func(Candidate) bool { n++; return n < 8 })
	}
}

// TestNearestGoesOn checks that a walk from the point of the one before it yields what
// a walk of its own does, wherever the one before it stopped.
func TestNearestGoesOn(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	g := scattered(r, 300)
	tree := Build(g)
	q := NewQuery(g, tree)
	walk := func(q *Query, p geo.Point, cutoff float64, most int) (list []Candidate) {
		q.Nearest(p, cutoff, func(c Candidate) bool {
			list = append(list, c)
			return len(list) < most
		})
		return list
	}
	for range 200 {
		p := geo.Point{Lon: 9 + r.Float64()*0.2, Lat: 47 + r.Float64()*0.2}
		for range 4 {
			cutoff, most := r.Float64()*8000, 1+r.IntN(3*mostFound)
			if got, want := walk(q, p, cutoff, most), walk(NewQuery(g, tree), p, cutoff, most); !slices.Equal(got, want) {
				t.Fatalf("%v within %v m, at most %d: %d places, a walk of its own has %d", p, cutoff, most, len(got), len(want))
			}
		}
	}
}
