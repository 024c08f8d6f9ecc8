package timezone

import (
	"testing"
	"time"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
)

func TestAt(t *testing.T) {
	for _, c := range []struct {
		lat, lon     float64
		at           string
		id           string
		offset, dst  int
		abbreviation string
	}{
		{51.5, -0.12, "2026-07-01T12:00:00Z", "Europe/London", 3600, 3600, "BST"},
		{51.5, -0.12, "2026-01-01T12:00:00Z", "Europe/London", 0, 0, "GMT"},
		{51.5, -0.12, "2026-03-29T00:59:59Z", "Europe/London", 0, 0, "GMT"},
		{51.5, -0.12, "2026-03-29T01:00:00Z", "Europe/London", 3600, 3600, "BST"},
		{51.5, -0.12, "1970-06-01T00:00:00Z", "Europe/London", 3600, 0, "BST"}, // standard time all year
		{-31.55, 159.08, "2026-01-01T00:00:00Z", "Australia/Lord_Howe", 39600, 1800, "+11"},
		{28.6, 77.2, "2026-01-01T00:00:00Z", "Asia/Kolkata", 19800, 0, "IST"},
		{40.71, -74, "2099-07-01T00:00:00Z", "America/New_York", -14400, 3600, "EDT"},
		{0, -30, "2026-01-01T00:00:00Z", "Etc/GMT+2", -7200, 0, "-02"},
	} {
		at, err := time.Parse(time.RFC3339, c.at)
		if err != nil {
			t.Fatal(err)
		}
		z, err := At(geo.Point{Lon: c.lon, Lat: c.lat}, at)
		if err != nil {
			t.Error(err)
			continue
		}
		local, err := time.Parse(time.RFC3339, z.Local)
		if err != nil || !local.Equal(at) || z.Instant != c.at {
			t.Errorf("%s: %+v", c.at, z)
		}
		if z.ID != c.id || z.UTCOffset != c.offset || z.DSTOffset != c.dst || z.Abbreviation != c.abbreviation {
			t.Errorf("%s: %+v, want %+v", c.at, z, c)
		}
	}
	if z, err := At(geo.Point{Lon: 87.6, Lat: 43.8}, time.Unix(0, 0)); err != nil || len(z.Others) != 1 {
		t.Errorf("%+v, %v", z, err)
	}
}

func TestGap(t *testing.T) {
	for lat := -90.0; lat <= 90; lat += 7.5 {
		for lon := -180.0; lon <= 180; lon += 7.5 {
			if _, err := At(geo.Point{Lon: lon, Lat: lat}, time.Unix(0, 0)); err != nil && !fault.Is(err, fault.NotFound) {
				t.Errorf("%v, %v: %v", lat, lon, err)
			}
		}
	}
}
