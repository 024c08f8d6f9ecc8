package timezone

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"
	_ "time/tzdata"

	tzfdist "github.com/ringsaturn/tzf-dist"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/rings"
)

func world(t testing.TB) *Zones {
	t.Helper()
	z, err := World()
	if err != nil {
		t.Fatal(err)
	}
	return z
}

func TestPlaces(t *testing.T) {
	z := world(t)
	for _, c := range []struct {
		lat, lon float64
		want     string
	}{
		{51.5, -0.12, "Europe/London"},
		{53.35, -6.26, "Europe/Dublin"},
		{54.15, -4.48, "Europe/Isle_of_Man"},
		{47.14, 9.52, "Europe/Vaduz"},
		{47.37, 8.54, "Europe/Zurich"},
		{47.697, 8.69, "Europe/Busingen"},
		{35.9, 14.5, "Europe/Malta"},
		{40.71, -74.0, "America/New_York"},
		{36.1, -112.1, "America/Phoenix"},
		{35.7, -110.5, "America/Phoenix"},
		{36.7, -109.9, "America/Denver"},
		{-33.87, 151.2, "Australia/Sydney"},
		{28.6, 77.2, "Asia/Kolkata"},
		{65, 179.5, "Asia/Anadyr"},
		{-16.8, 179.9, "Pacific/Fiji"},
		{-89.9, 10, "Antarctica/McMurdo"},
		{0, -30, "Etc/GMT+2"},
		{30, -179.9, "Etc/GMT+12"},
		{90, 0, "Etc/GMT"},
		{0, 180, "Etc/GMT-12"},
		{0, -180, "Etc/GMT+12"},
	} {
		if got := z.At(geo.Point{Lon: c.lon, Lat: c.lat}); !slices.Contains(got, c.want) {
			t.Errorf("%v, %v: %v, want %s", c.lat, c.lon, got, c.want)
		}
	}
	// Two claim Xinjiang.
	if got := z.At(geo.Point{Lon: 87.6, Lat: 43.8}); !slices.Equal(got, []string{"Asia/Shanghai", "Asia/Urumqi"}) {
		t.Errorf("Urumqi: %v", got)
	}
}

// TestWorld has a zone of the IANA database nearly everywhere, and more than one nearly
// nowhere.
func TestWorld(t *testing.T) {
	z := world(t)
	if len(z.names) < 400 || z.Version == "" {
		t.Errorf("%d zones of %q", len(z.names), z.Version)
	}
	for _, name := range z.names {
		if _, err := time.LoadLocation(name); err != nil {
			t.Error(err)
		}
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	const n = 20_000
	none, several := 0, 0
	for range n {
		p := geo.Point{Lon: rnd.Float64()*360 - 180, Lat: rnd.Float64()*180 - 90}
		switch names := z.At(p); len(names) {
		case 0:
			none++
		case 1:
		default:
			several++
		}
	}
	if none > n/200 || several > n/50 {
		t.Errorf("of %d places %d lie in no zone and %d in several", n, none, several)
	}
}

// TestRows compares with looking at every piece of every border.
func TestRows(t *testing.T) {
	z := world(t)
	rnd := rand.New(rand.NewPCG(3, 4))
	slow := func(p geo.Point) (names []string) {
		y := p.Fix().Point()
		odd := map[uint32]bool{}
		seen := map[rings.Piece]bool{}
		for _, b := range z.borders.Pieces {
			if seen[b] {
				continue
			}
			seen[b] = true
			c, d := z.borders.Corners[b.From].Point(), z.borders.Corners[b.From+1].Point()
			if (c.Lat > y.Lat) != (d.Lat > y.Lat) && c.Lon+(y.Lat-c.Lat)/(d.Lat-c.Lat)*(d.Lon-c.Lon) < y.Lon {
				zone, other, two := ownedBy(b.Owner)
				odd[zone] = !odd[zone]
				if two {
					odd[other] = !odd[other]
				}
			}
		}
		for zone, name := range z.names {
			if odd[uint32(zone)] {
				names = append(names, name)
			}
		}
		return names
	}
	for range 5 {
		p := geo.Point{Lon: rnd.Float64()*40 - 10, Lat: 35 + rnd.Float64()*30}
		if got, want := z.At(p), slow(p); !slices.Equal(got, want) {
			t.Errorf("%v: %v, want %v", p, got, want)
		}
	}
}

func TestOwners(t *testing.T) {
	for _, zones := range [][]uint32{{0}, {7}, {0, 0}, {3, 0}, {0, 3}, {mostZones - 1}, {mostZones - 1, mostZones - 1}} {
		zone, other, two := ownedBy(owners(zones...))
		if zone != zones[0] || two != (len(zones) == 2) || two && other != zones[1] {
			t.Errorf("%v become %d, %d, %t", zones, zone, other, two)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{0x12, 0x04, 0x08, 0x01, 0x12, 0x00, 0x1a, 0x03, 0x12, 0x01, 'x'})
	f.Fuzz(func(_ *testing.T, raw []byte) {
		if z, err := read(raw); err == nil {
			z.At(geo.Point{Lon: 1, Lat: 2})
		}
	})
}

func BenchmarkAt(b *testing.B) {
	z := world(b)
	rnd := rand.New(rand.NewPCG(5, 6))
	var places []geo.Point
	for range 1000 {
		places = append(places, geo.Point{Lon: rnd.Float64()*360 - 180, Lat: rnd.Float64()*140 - 60})
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		z.At(places[i%len(places)])
	}
}

func BenchmarkRead(b *testing.B) {
	for b.Loop() {
		if _, err := read(tzfdist.TopologyCompressTopoData); err != nil {
			b.Fatal(err)
		}
	}
}
