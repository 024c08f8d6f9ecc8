package geocode_test

import (
	"math"
	"testing"

	"github.com/waygate/waygate/feature/geocode"
)

func TestCoordinates(t *testing.T) {
	const lat, lon = 51.58, -2.99
	for text, want := range map[string][2]float64{
		"51.58,-2.99": {lat, lon}, " 51.58 , -2.99 ": {lat, lon}, "51.58 -2.99": {lat, lon}, "51.58;-2.99": {lat, lon}, "51.58/-2.99": {lat, lon}, "geo:51.58,-2.99": {lat, lon}, "geo:51,-3": {51, -3},
		"51.58N 2.99W": {lat, lon}, "51.58°N, 2.99°W": {lat, lon}, "N51.58 W2.99": {lat, lon}, "2.99W 51.58N": {lat, lon}, "51.58 n, 2.99 w": {lat, lon}, "33.9S 151.2E": {-33.9, 151.2},
		`51°34'48"N 2°59'24"W`: {lat, lon}, "51°34′48″N, 2°59′24″W": {lat, lon}, "51°34'48''N2°59'24''W": {lat, lon}, "51°34.8'N 2°59.4'W": {lat, lon}, "51° 34' 48\" N 2° 59' 24\" W": {lat, lon},
		"−33.9, 151.2": {-33.9, 151.2}, "151.2, -33.9": {-33.9, 151.2}, "-51°30', -2°30'": {-51.5, -2.5}, "0.0,0.0": {0, 0},
	} {
		p, ok := geocode.Coordinates(text)
		if !ok || math.Abs(p.Lat-want[0]) > 1e-9 || math.Abs(p.Lon-want[1]) > 1e-9 {
			t.Errorf("%q: %v %v, want %v", text, p, ok, want)
		}
	}
	for _, text := range []string{
		"", "51.58", "12 34", "12,34", "51.58,-2.99,3", "95.1,-200.2", "95.5, 95.5", "51.58N 2.99N", "51.58N 2.99", "51°70'N 2°0'W", "NP20 1AA", "High Street 12, 5.5", "-51.5N 2.5W", "N51.5N W2.5",
		"1.5e3, 2", "NaN,NaN", "51.58, W", "5 High St", "M4 J26", "A48.5 B3",
	} {
		if p, ok := geocode.Coordinates(text); ok {
			t.Errorf("%q are coordinates: %v", text, p)
		}
	}
}
