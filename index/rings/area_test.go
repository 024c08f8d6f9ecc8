package rings

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/waygate/waygate/geo"
)

// A point lies in an area where a ray from it crosses an odd number of its sides, and the
// points of a box that no border meets are all in the area or all outside of it. Corners are
// few, so that many sides lead along latitudes and many boxes touch them.
func TestAreaIsTheSlowCount(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at := func(name string) geo.Fixed {
			return geo.Fixed{Lon: rapid.Int32Range(-12, 12).Draw(t, name), Lat: rapid.Int32Range(-12, 12).Draw(t, name)}
		}
		var rings [][]geo.Fixed
		for range rapid.IntRange(0, 3).Draw(t, "rings") {
			var ring []geo.Fixed
			for range rapid.IntRange(3, 9).Draw(t, "corners") {
				ring = append(ring, at("corner"))
			}
			rings = append(rings, append(ring, ring[0]))
		}
		inside := func(p geo.Fixed) bool {
			odd := false
			for _, ring := range rings {
				for i := 1; i < len(ring); i++ {
					a, b := ring[i-1], ring[i]
					if (a.Lat > p.Lat) != (b.Lat > p.Lat) && float64(a.Lon)+float64(p.Lat-a.Lat)/float64(b.Lat-a.Lat)*float64(b.Lon-a.Lon) < float64(p.Lon) {
						odd = !odd
					}
				}
			}
			return odd
		}
		a := NewArea(rings)
		for range 8 {
			p, q := at("west"), at("east")
			p, q = geo.Fixed{Lon: min(p.Lon, q.Lon), Lat: min(p.Lat, q.Lat)}, geo.Fixed{Lon: max(p.Lon, q.Lon), Lat: max(p.Lat, q.Lat)}
			met, first := a.Meets(p, q), inside(p)
			for lon := p.Lon; lon <= q.Lon; lon++ {
				for lat := p.Lat; lat <= q.Lat; lat++ {
					in := inside(geo.Fixed{Lon: lon, Lat: lat})
					if got := a.Holds(geo.Fixed{Lon: lon, Lat: lat}); got != in {
						t.Fatalf("%v holds %d,%d: %v", rings, lon, lat, got)
					}
					if !met && in != first {
						t.Fatalf("no border of %v meets the box from %v to %v, and %d,%d is not as its corner", rings, p, q, lon, lat)
					}
				}
			}
		}
	})
}

// A box well inside or outside is met by no border: a count need not look into it.
func TestAreaLeavesBoxesAlone(t *testing.T) {
	square := func(half int32) []geo.Fixed {
		return []geo.Fixed{{Lon: -half, Lat: -half}, {Lon: half, Lat: -half}, {Lon: half, Lat: half}, {Lon: -half, Lat: half}, {Lon: -half, Lat: -half}}
	}
	a := NewArea([][]geo.Fixed{square(1000), square(300)})
	for _, c := range []struct {
		west, south, east, north int32
		met, in                  bool
	}{
		{400, 400, 900, 900, false, true},
		{-200, -200, 200, 200, false, false},
		{1100, -5000, 5000, 5000, false, false},
		{-5000, 1001, 5000, 5000, false, false},
		{-5000, -5000, 5000, 5000, true, false},
		{-500, -1100, -400, 1100, true, false},
		{200, 0, 400, 1, true, false},
	} {
		p, q := geo.Fixed{Lon: c.west, Lat: c.south}, geo.Fixed{Lon: c.east, Lat: c.north}
		if a.Meets(p, q) != c.met || a.Holds(p) != c.in {
			t.Errorf("%+v: met %v, its corner is inside %v", c, a.Meets(p, q), a.Holds(p))
		}
	}
}
