package geocode_test

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/waygate/waygate/feature/geocode"
)

// Every way to write one place gives that place, and one step beyond each limit gives none.
func TestCoordinatesInEveryForm(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		// In whole tenths of seconds, so that every form is exact.
		lat, lon := rapid.IntRange(-90*36000, 90*36000).Draw(t, "lat"), rapid.IntRange(-180*36000, 180*36000).Draw(t, "lon")
		size := func(v int) int { return max(v, -v) }
		letter := func(v int, letters string) string {
			if v < 0 {
				return letters[1:]
			}
			return letters[:1]
		}
		minus := func(v int) string {
			if v < 0 {
				return "-"
			}
			return ""
		}
		seconds := func(v int, d, m, s string) string {
			v = size(v)
			return fmt.Sprintf("%d%s%d%s%d.%d%s", v/36000, d, v/600%60, m, v/10%60, v%10, s)
		}
		minutes := func(v int, d, m string) string {
			v = size(v)
			return fmt.Sprintf("%d%s%.5f%s", v/36000, d, float64(v%36000)/600, m)
		}
		degrees := func(v int) string { return fmt.Sprintf("%.9f", float64(size(v))/36000) }
		ns, ew := letter(lat, "NS"), letter(lon, "EW")
		for _, text := range []string{
			minus(lat) + degrees(lat) + ", " + minus(lon) + degrees(lon),
			degrees(lat) + ns + " " + degrees(lon) + ew,
			ew + degrees(lon) + " " + ns + degrees(lat),
			seconds(lat, "°", "'", `"`) + ns + ", " + seconds(lon, "°", "'", `"`) + ew,
			ns + seconds(lat, " ", " ", " ") + ew + seconds(lon, " ", " ", ""),
			minus(lat) + seconds(lat, "°", "'", `" `) + minus(lon) + seconds(lon, "°", "'", `"`),
			minus(lat) + minutes(lat, " ", " ") + minus(lon) + minutes(lon, " ", ""),
			"lon " + minus(lon) + degrees(lon) + " lat " + minus(lat) + degrees(lat),
			"geo:" + minus(lat) + degrees(lat) + "," + minus(lon) + degrees(lon),
		} {
			p, ok := geocode.Coordinates(text, "")
			if !ok || math.Abs(p.Lat-float64(lat)/36000) > 1e-6 || math.Abs(p.Lon-float64(lon)/36000) > 1e-6 {
				t.Fatalf("%q: %v %v, want %v %v", text, p, ok, float64(lat)/36000, float64(lon)/36000)
			}
		}
	})
}

func TestCoordinatesAtTheLimits(t *testing.T) {
	for text, want := range map[string][2]float64{
		"90.0, 45.0": {90, 45}, "-90.0, 45.0": {-90, 45}, "90.0, 180.0": {90, 180}, "-90.0, -180.0": {-90, -180},
		"90.1, 45.0": {45, 90.1}, "-90.1, 45.0": {45, -90.1}, "180.0, 90.0": {90, 180},
		"51°59.9'N 2°59.9'W": {51 + 59.9/60, -2 - 59.9/60}, "51 0 59.9 N 2 0 0.0 W": {51 + 59.9/3600, -2},
		"0°, 0°": {0, 0}, "geo:0,0": {0, 0}, "999.0, 1.0": {},
	} {
		p, ok := geocode.Coordinates(text, "")
		if ok != (text != "999.0, 1.0") || ok && (math.Abs(p.Lat-want[0]) > 1e-9 || math.Abs(p.Lon-want[1]) > 1e-9) {
			t.Errorf("%q: %v %v, want %v", text, p, ok, want)
		}
	}
	refused := []string{
		"90.1, 90.1", "-90.1N", "90.1, 180.1", "45.0, 180.1", "45.0, -180.1", "90.0N 180.1E", "90.1N 0.0E",
		"51°60'N 2°0'W", "51°0'60\"N 2°0'0\"W", "51 60, 2 0", "51 -30, 2 30", "51 +30, 2 30", "51.5 30, 2 30", "51 30.5 10, 2 30 10",
		"51' 2'", `51" 2"`, "51°30° 2°30°", "51'30 2'30", "N, 51.5 2.5", "51.5N W", "51.5 N 2.5 W 3", "51.5N, N2.5", "51.5,,2.5", "51.5 2.5,",
		"51.5 . 2.5", "51..5 2.5", "51.5 - 2.5", "51.5 2.5 X", "51.5 2.5°C",
	}
	for digit := range 10 { // of a number of four digits the fourth is not a number of its own
		refused = append(refused, fmt.Sprintf("51.58, 100%d", digit), fmt.Sprintf("100%d, 51.58", digit), fmt.Sprintf("51.58N 100%dE", digit))
	}
	for _, text := range refused {
		if p, ok := geocode.Coordinates(text, ""); ok {
			t.Errorf("%q are coordinates: %v", text, p)
		}
	}
}
