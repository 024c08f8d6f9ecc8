package site

import (
	"testing"

	"github.com/waygate/waygate/geo"
)

func TestFitting(t *testing.T) {
	for _, c := range []struct {
		west, south, east, north, want float64
	}{
		{-180, -85, 180, 85, 1},
		{9, 47, 10, 48, 8.5},
		{9.5, 47.1, 9.5, 47.1, 15},
	} {
		b := geo.NoBounds().Extend(geo.Point{Lon: c.west, Lat: c.south}).Extend(geo.Point{Lon: c.east, Lat: c.north})
		if got := fitting(b); got != c.want {
			t.Errorf("%v: zoom %g, want %g", c, got, c.want)
		}
	}
}
