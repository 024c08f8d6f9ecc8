package conditional

import (
	"testing"
	"time"

	"github.com/waygate/waygate/geo"
)

// TestPlaces judges conditions by the sun and by the holidays of where a road is. The times
// of the sun are those of almanacs.
func TestPlaces(t *testing.T) {
	london, malmo, phoenix, oahu := geo.Point{Lon: -0.1, Lat: 51.5}, geo.Point{Lon: 13, Lat: 55.6}, geo.Point{Lon: -112.1, Lat: 33.4}, geo.Point{Lon: -157.9, Lat: 21.4}
	const summer = "(Apr 01-Sep 30: Mo-Sa 00:00-06:00,20:00-24:00; Apr 01-Sep 30: Su,PH 00:00-24:00)"
	for _, c := range []struct {
		country   string
		at        geo.Point
		condition string
		local     string
		want      string
	}{
		{"GB", london, "sunset-sunrise", "2026-06-21 21:05", "closed"}, // the sun sets at 21:21
		{"GB", london, "sunset-sunrise", "2026-06-21 21:40", "open"},
		{"GB", london, "sunset-sunrise", "2026-12-21 15:40", "closed"}, // at 15:53
		{"GB", london, "sunset-sunrise", "2026-12-21 16:10", "open"},
		{"GB", london, "(sunrise+01:00)-12:00", "2026-12-21 08:50", "closed"}, // it rises at 8:04
		{"GB", london, "(sunrise+01:00)-12:00", "2026-12-21 09:20", "open"},
		{"US", phoenix, "sunset-sunrise", "2026-06-21 13:00", "closed"},
		{"US", phoenix, "sunset-sunrise", "2026-06-21 23:30", "open"},
		{"US", phoenix, "sunset-sunrise", "2026-06-21 19:40", "unknown"}, // at 19:41 on clocks that are not known here
		{"US", oahu, "sunset-sunrise", "2026-06-21 01:00", "open"},
		{"", phoenix, "sunset-sunrise", "2026-06-21 13:00", "closed"},
		{"SE", malmo, summer, "2026-05-01 12:00", "open"}, // a Friday, and Labour Day
		{"SE", malmo, summer, "2026-05-08 12:00", "closed"},
		{"SE", malmo, summer, "2026-05-08 21:00", "open"},
		{"GB", london, "PH", "2026-12-25 12:00", "open"},
		{"GB", london, "PH", "2026-12-24 12:00", "closed"},
		{"", london, "PH", "2026-12-25 12:00", "unknown"},
		{"", london, "Mo-Fr 07:00-19:00; PH off", "2026-12-25 12:00", "open"}, // an ordinary day for all that is known
		{"GB", london, "Mo-Fr 07:00-19:00; PH off", "2026-12-25 12:00", "closed"},
		{"GB", london, "Mo-Fr 07:00-19:00; SH off", "2026-07-25 12:00", "closed"}, // a Saturday
		{"GB", london, "Mo-Fr 07:00-19:00; SH off", "2026-07-27 12:00", "open"},
		{"GB", london, "SH 07:00-19:00", "2026-07-27 12:00", "unknown"},
		{"GB", london, "SH 07:00-19:00", "2026-07-27 20:00", "closed"},
	} {
		at, err := time.Parse("2006-01-02 15:04", c.local)
		if err != nil {
			t.Fatal(err)
		}
		country := uint16(0)
		if c.country != "" {
			country = uint16(c.country[0])<<8 | uint16(c.country[1])
		}
		x := ParseCondition(c.condition)
		m := &LocalTime{Local: at, Place: NearTo(country, c.at).Place()}
		if got := [...]string{"closed", "open", "unknown"}[x.At(m, &Vehicle{Range: AnyRange})]; !x.Timed() || got != c.want {
			t.Errorf("%q in %q at %s: %s, want %s", c.condition, c.country, c.local, got, c.want)
		}
	}
}
