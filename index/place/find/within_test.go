package find_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/place"
	"github.com/waygate/waygate/index/place/find"
	"github.com/waygate/waygate/index/rings"
)

// star draws a ring of n corners round a point that turn on and off its middle.
func star(r *rand.Rand, n int, at geo.Point, radius float64) []geo.Fixed {
	var ring []geo.Fixed
	for i := range n {
		away, angle := radius*(0.3+0.7*r.Float64()), 2*math.Pi*float64(i)/float64(n)
		ring = append(ring, geo.Point{Lon: at.Lon + away*math.Cos(angle), Lat: at.Lat + away*math.Sin(angle)}.Fix())
	}
	return append(ring, ring[0])
}

func rectangle(at geo.Point, wide, high float64) []geo.Fixed {
	corner := func(x, y float64) geo.Fixed { return geo.Point{Lon: at.Lon + x*wide, Lat: at.Lat + y*high}.Fix() }
	return []geo.Fixed{corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1), corner(-1, -1)}
}

// TestWithinIsAPlainCount compares counts with a look at every place, in areas with holes and
// islands.
func TestWithinIsAPlainCount(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	const spread = 0.2
	at := geo.Point{Lon: 9.5, Lat: 47}
	b, list := scattered(r, 6000, at, spread)
	x := index(t, b)
	most, some := 1<<20, 0
	for range 150 {
		p := geo.Point{Lon: at.Lon + (r.Float64()-0.5)*spread, Lat: at.Lat + (r.Float64()-0.5)*spread}
		outline := [][]geo.Fixed{
			star(r, 3+r.IntN(60), p, spread*r.Float64()), rectangle(p, 0.02*r.Float64(), 0.02*r.Float64()), rectangle(p, 0.2*r.Float64(), 0.004),
		}
		area := rings.NewArea(outline)
		var want find.Count
		for i := range list {
			if d := &list[i]; odd(outline, d.line[0].Fix()) {
				switch d.kind {
				case place.Address:
					want.Addresses++
				case place.POI:
					want.POIs++
				}
			}
		}
		got, err := x.Within(t.Context(), area, most)
		if err != nil || got != want {
			t.Fatalf("in %v: %+v, want %+v, %v", outline, got, want, err)
		}
		some += got.Addresses + got.POIs
		bound := r.IntN(200)
		few, err := x.Within(t.Context(), area, bound)
		if err != nil || few.Addresses > want.Addresses || few.POIs > want.POIs || !few.More && few != want {
			t.Fatalf("with %d looks: %+v of %+v, %v", bound, few, want, err)
		}
	}
	if some < 10_000 {
		t.Errorf("only %d places were counted", some)
	}
	all := rings.NewArea([][]geo.Fixed{rectangle(at, 1, 1)})
	if got, err := x.Within(t.Context(), all, 2200); err != nil || got != (find.Count{Addresses: 2000, POIs: 2000}) {
		t.Errorf("all of it is %+v, %v", got, err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := x.Within(gone, all, most); !errors.Is(err, context.Canceled) {
		t.Errorf("without a caller: %v", err)
	}
}

// odd reports whether a point lies in an area by all of its sides.
func odd(outline [][]geo.Fixed, p geo.Fixed) (in bool) {
	for _, ring := range outline {
		for i := 1; i < len(ring); i++ {
			a, b := ring[i-1], ring[i]
			if (a.Lat > p.Lat) == (b.Lat > p.Lat) {
				continue
			}
			if a.Lat > b.Lat { // what lies on a side is judged alike in both directions
				a, b = b, a
			}
			if (int64(b.Lon)-int64(a.Lon))*(int64(p.Lat)-int64(a.Lat)) < (int64(p.Lon)-int64(a.Lon))*(int64(b.Lat)-int64(a.Lat)) {
				in = !in
			}
		}
	}
	return in
}

// BenchmarkWithin counts in a star that holds about a third of 300,000 places, by 2,000 corners.
func BenchmarkWithin(b *testing.B) {
	r := rand.New(rand.NewPCG(9, 10))
	at := geo.Point{Lon: 9.5, Lat: 47}
	builder, _ := scattered(r, 300_000, at, 1)
	built, err := builder.Build(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	x := find.New(built)
	outline := [][]geo.Fixed{star(r, 2000, at, 0.6)}
	for b.Loop() {
		c, err := x.Within(b.Context(), rings.NewArea(outline), 1_000_000)
		if err != nil || c.Addresses < 10_000 || c.More {
			b.Fatal(c, err)
		}
	}
}
