package rings

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"github.com/waygate/waygate/geo"
)

// A ray crosses what it crosses of all pieces, however wild they lie and however high the
// bands are.
func TestCrossedIsTheSlowCount(t *testing.T) {
	corner := rapid.Custom(func(t *rapid.T) geo.Fixed {
		return geo.Fixed{Lon: rapid.Int32Range(-1_800_000_000, 1_800_000_000).Draw(t, "lon"), Lat: rapid.Int32Range(-900_000_000, 900_000_000).Draw(t, "lat")}
	})
	rapid.Check(t, func(t *rapid.T) {
		corners := rapid.SliceOfN(corner, 2, 40).Draw(t, "corners")
		var pieces []Piece
		for i := 1; i < len(corners); i++ {
			pieces = append(pieces, Piece{uint32(i - 1), uint32(i % 3)})
		}
		x := New(corners, pieces, rapid.Int32Range(200_000, 50_000_000).Draw(t, "height"))
		if err := x.Check(3); err != nil {
			t.Fatal(err)
		}
		if n := len(x.Pieces); n > mostFree+mostForPiece*len(pieces) {
			t.Fatalf("%d pieces in bands of %d", n, len(pieces))
		}
		for range 20 {
			p := corner.Draw(t, "place").Point()
			at := p.Fix()
			at.Lon, at.Lat = max(at.Lon, -world+hair), min(max(at.Lat, -world/2+hair), world/2-hair)
			var got, want [3]int
			x.Crossed(p, func(owner uint32) { got[owner]++ })
			for _, piece := range pieces {
				a, b := corners[piece.From], corners[piece.From+1]
				if (a.Lat > at.Lat) == (b.Lat > at.Lat) {
					continue
				}
				part := big.NewRat(int64(at.Lat)-int64(a.Lat), int64(b.Lat)-int64(a.Lat))
				lon := part.Mul(part, big.NewRat(int64(b.Lon)-int64(a.Lon), 1))
				if lon.Cmp(big.NewRat(int64(at.Lon)-int64(a.Lon), 1)) < 0 {
					want[piece.Owner]++
				}
			}
			if got != want {
				t.Fatalf("%v: %v, want %v", p, got, want)
			}
		}
	})
}

// Two areas part the places on their common border between them, in whichever
// direction each has it.
func TestThereAndBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string) int32 { return rapid.Int32Range(-10_000_000, 10_000_000).Draw(t, name) }
		a, step := geo.Fixed{Lon: draw("lon"), Lat: draw("lat")}, geo.Fixed{Lon: draw("eastwards"), Lat: draw("northwards")}
		n := rapid.Int32Range(2, 80).Draw(t, "steps")
		on := func(n int32) geo.Fixed { return geo.Fixed{Lon: a.Lon + n*step.Lon, Lat: a.Lat + n*step.Lat} }
		x := New([]geo.Fixed{a, on(n), a}, []Piece{{0, 0}, {1, 0}}, 1_000_000)
		for i := range n {
			crossed := 0
			x.Crossed(on(i).Point(), func(uint32) { crossed++ })
			if crossed%2 != 0 {
				t.Fatalf("at %v, %v to %v and back is crossed %d times", on(i), a, on(n), crossed)
			}
		}
	})
}

func TestNothing(t *testing.T) {
	x := New(nil, nil, 1000)
	if err := x.Check(0); err != nil {
		t.Error(err)
	}
	x.Crossed(geo.Point{}, func(uint32) { t.Error("a border of nobody") })
}

func TestCheckRefuses(t *testing.T) {
	good := func() *Index {
		return New([]geo.Fixed{{Lon: 0, Lat: 0}, {Lon: 10, Lat: 10_000}, {Lon: 20, Lat: -5000}}, []Piece{{0, 0}, {1, 1}}, 1000)
	}
	for name, damage := range map[string]func(*Index){
		"a band that ends before it begins": func(x *Index) { x.Rows[1] = 1000 },
		"no band":                           func(x *Index) { x.Rows = nil },
		"bands without height":              func(x *Index) { x.Grid[1] = 0 },
		"no grid":                           func(x *Index) { x.Grid = nil },
		"a piece after the last corner":     func(x *Index) { x.Pieces[0].From = 2 },
		"an owner there is not":             func(x *Index) { x.Pieces[0].Owner = 2 },
	} {
		x := good()
		if err := x.Check(2); err != nil {
			t.Fatal(err)
		}
		damage(x)
		if x.Check(2) == nil {
			t.Errorf("%s is taken", name)
		}
	}
}
