package find_test

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/place"
	"github.com/waygate/waygate/index/place/build"
)

// drawn is a place of a test with all that a slow search needs.
type drawn struct {
	id         string
	kind       place.Kind
	line       []geo.Point
	categories []string
}

// scattered puts n places around a point, with streets of several points and
// points of interest of three categories.
func scattered(r *rand.Rand, n int, at geo.Point, spread float64) (*build.Builder, []drawn) {
	b := &build.Builder{}
	var list []drawn
	somewhere := func(p geo.Point, spread float64) geo.Fixed {
		lon := math.Remainder(p.Lon+(r.Float64()-0.5)*spread, 360)
		return geo.Point{Lon: lon, Lat: max(-90, min(90, p.Lat+(r.Float64()-0.5)*spread))}.Fix()
	}
	for i := range n {
		p := somewhere(at, spread)
		e := build.Entry{Number: int64(i + 1), At: p, Names: []place.Name{{Text: fmt.Sprint("Name", i)}}}
		d := drawn{line: []geo.Point{p.Point()}}
		switch i % 3 {
		case 0:
			c := []string{"pub", "bank", "school"}[r.IntN(3)]
			e.Kind, e.Categories = place.POI, []string{c, "amenity"}
			d.kind, d.categories, d.id = place.POI, e.Categories, fmt.Sprint("poi.n", i+1)
		case 1:
			e.Kind, e.Source, e.Class = place.Street, place.Way, "residential"
			e.Line = []geo.Fixed{p}
			for range 1 + r.IntN(20) {
				e.Line = append(e.Line, somewhere(e.Line[len(e.Line)-1].Point(), spread/200))
			}
			d.line = nil
			for _, q := range e.Line {
				d.line = append(d.line, q.Point())
			}
			d.kind, d.id = place.Street, fmt.Sprint("street.w", i+1)
		default:
			e.Kind, e.House, e.Street, e.Names = place.Address, fmt.Sprint(i), fmt.Sprint("Lonely ", i), nil
			d.kind, d.id = place.Address, fmt.Sprint("address.n", i+1)
		}
		b.Add(&e)
		list = append(list, d)
	}
	return b, list
}

// away returns how far a place is from a point, by looking at all of its line.
func (d *drawn) away(p geo.Point) float64 {
	near := func(q geo.Point) geo.Point { q.Lon = p.Lon + math.Remainder(q.Lon-p.Lon, 360); return q }
	least := geo.Distance(p, d.line[0])
	if len(d.line) > 1 {
		least = math.Inf(1)
	}
	for i := 1; i < len(d.line); i++ {
		_, _, square := geo.Nearest(p, near(d.line[i-1]), near(d.line[i]))
		least = min(least, math.Sqrt(square))
	}
	return least
}

// TestNearIsWhatASlowLookFinds compares Reverse and Around with a look at every
// place, in the plain, by a pole and across the antimeridian.
func TestNearIsWhatASlowLookFinds(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, at := range []geo.Point{{Lon: 9.5, Lat: 47}, {Lon: 179.99, Lat: -17}, {Lon: 20, Lat: 84}, {Lon: 0, Lat: 0}} {
		const spread = 0.2
		b, list := scattered(r, 900, at, spread)
		x := index(t, b)
		for range 60 {
			p := geo.Point{Lon: math.Remainder(at.Lon+(r.Float64()-0.5)*spread, 360), Lat: at.Lat + (r.Float64()-0.5)*spread}
			metres := 200 + r.Float64()*6000
			for _, kinds := range []place.Kinds{place.Of(place.POI), place.Of(place.Street), place.Of(place.Address), place.Of(place.POI, place.Address)} {
				var want []float64
				for i := range list {
					if d := &list[i]; kinds.Has(d.kind) && d.away(p) <= metres {
						want = append(want, d.away(p))
					}
				}
				if kinds.Has(place.Street) {
					// Addresses that belong to no street make one each, a point.
					for i := range list {
						if d := &list[i]; d.kind == place.Address && d.away(p) <= metres {
							want = append(want, d.away(p))
						}
					}
				}
				slices.Sort(want)
				got, err := x.Reverse(t.Context(), p, kinds, 7, metres, "")
				if err != nil {
					t.Fatal(err)
				}
				compare(t, fmt.Sprint("reverse ", kinds, " at ", p), got, want[:min(7, len(want))])
			}
			var want []float64
			for i := range list {
				if d := &list[i]; slices.Contains(d.categories, "pub") && d.away(p) <= metres {
					want = append(want, d.away(p))
				}
			}
			slices.Sort(want)
			var got []place.Near
			if err := x.Around(t.Context(), p, metres, []string{"pub", "unheard-of"}, "", func(n place.Near) bool { got = append(got, n); return true }); err != nil {
				t.Fatal(err)
			}
			compare(t, fmt.Sprint("around ", p), got, want)
		}
	}
}

// compare compares distances with those of the slow look. A street's line is
// thinned by a few metres.
func compare(t *testing.T, what string, got []place.Near, want []float64) {
	t.Helper()
	if len(got) < len(want)-1 || len(got) > len(want)+1 {
		t.Errorf("%s: %d places, want %d", what, len(got), len(want))
	}
	for i := range min(len(got), len(want)) {
		slack := 1e-6
		if got[i].Kind == place.Street || len(got) != len(want) || i > 0 && got[i-1].Kind == place.Street {
			slack = 10
		}
		if math.Abs(got[i].Metres-want[i]) > slack {
			t.Errorf("%s: place %d is %.3f m away, want %.3f", what, i, got[i].Metres, want[i])
		}
		if i > 0 && got[i].Metres < got[i-1].Metres {
			t.Errorf("%s: place %d comes before a nearer one", what, i-1)
		}
	}
}

// TestBox checks that a search within a box gives what the same search gives
// there without one.
func TestBox(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 9))
	at := geo.Point{Lon: 179.99, Lat: -17}
	b := &build.Builder{}
	var points []geo.Point
	for i := range 60 {
		p := geo.Point{Lon: math.Remainder(at.Lon+(r.Float64()-0.5)*0.2, 360), Lat: at.Lat + (r.Float64()-0.5)*0.2}.Fix()
		b.Add(&build.Entry{Kind: place.POI, Number: int64(i + 1), At: p, Names: []place.Name{{Text: fmt.Sprint("Inn ", i)}}, Categories: []string{"pub", "amenity"}})
		points = append(points, p.Point())
	}
	x := index(t, b)
	inside := func(box *geo.Bounds, p geo.Point) bool {
		if p.Lat < box.Min.Lat || p.Lat > box.Max.Lat {
			return false
		}
		if box.Min.Lon > box.Max.Lon {
			return p.Lon >= box.Min.Lon || p.Lon <= box.Max.Lon
		}
		return p.Lon >= box.Min.Lon && p.Lon <= box.Max.Lon
	}
	for range 200 {
		p, q := points[r.IntN(len(points))], points[r.IntN(len(points))]
		box := &geo.Bounds{Min: geo.Point{Lon: p.Lon, Lat: min(p.Lat, q.Lat)}, Max: geo.Point{Lon: q.Lon, Lat: max(p.Lat, q.Lat)}}
		want := 0
		for _, o := range points {
			if inside(box, o) {
				want++
			}
		}
		hits, err := x.Search(t.Context(), &place.Query{Text: "inn", Limit: 100, Box: box})
		if err != nil {
			t.Fatal(err)
		}
		if len(hits) != want {
			t.Errorf("%d hits in %v, want %d", len(hits), box, want)
		}
		for _, h := range hits {
			if !inside(box, h.At) {
				t.Errorf("%v is not in %v", h.At, box)
			}
		}
	}
}

// TestBias checks that near places come first among equals, and none is left out for being
// far.
func TestBias(t *testing.T) {
	b := &build.Builder{}
	for i := range 20 {
		b.Add(&build.Entry{Kind: place.POI, Number: int64(i + 1), At: geo.Point{Lon: float64(i), Lat: 50}.Fix(), Names: []place.Name{{Text: "Inn"}}, Categories: []string{"pub"}})
	}
	x := index(t, b)
	for i := range 20 {
		p := geo.Point{Lon: float64(i) + 0.01, Lat: 50}
		hits, err := x.Search(t.Context(), &place.Query{Text: "inn", Limit: 100, Bias: &p})
		if err != nil || len(hits) != 20 {
			t.Fatalf("%d hits, %v", len(hits), err)
		}
		if hits[0].At.Lon != float64(i) {
			t.Errorf("at %v the first is at %v", p, hits[0].At)
		}
		if !slices.IsSortedFunc(hits, func(a, b place.Hit) int { return cmp.Compare(b.Score, a.Score) }) {
			t.Error("the hits are not in order")
		}
	}
}
