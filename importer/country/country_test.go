package country

import (
	"math/rand/v2"
	"testing"

	"github.com/waygate/waygate/geo"
)

func TestAt(t *testing.T) {
	b, err := New("GB")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		what string
		at   geo.Point
		want Country
	}{
		{"Newport", geo.Point{Lon: -2.99, Lat: 51.58}, Country{"GB", true, true}},
		{"Vaduz", geo.Point{Lon: 9.521, Lat: 47.141}, Country{"LI", false, false}},
		{"Valletta", geo.Point{Lon: 14.51, Lat: 35.9}, Country{"MT", true, false}},
		{"Dover, Delaware", geo.Point{Lon: -75.52, Lat: 39.16}, Country{"US", false, true}},
		{"Paris", geo.Point{Lon: 2.35, Lat: 48.86}, Country{"FR", false, false}},
		{"Tenerife", geo.Point{Lon: -16.5, Lat: 28.3}, Country{"ES", false, false}},
		{"Sark", geo.Point{Lon: -2.36, Lat: 49.43}, Country{"GG", true, true}},
		{"Andorra", geo.Point{Lon: 1.52, Lat: 42.51}, Country{"AD", false, false}},
		{"mid-Atlantic, by the fallback", geo.Point{Lon: -30, Lat: 45}, Country{"GB", true, true}},
	} {
		if got := *b.At(c.at); got != c.want {
			t.Errorf("%s: got %+v, want %+v", c.what, got, c.want)
		}
	}
}

func TestUnknownFallback(t *testing.T) {
	if _, err := New("XX"); err == nil {
		t.Error("XX was taken for a country")
	}
}

// TestTheLastAreaIsNoShortCut asks one set of borders for many places near one
// another across borders, and compares with borders that remember nothing.
func TestTheLastAreaIsNoShortCut(t *testing.T) {
	b, err := New("")
	if err != nil {
		t.Fatal(err)
	}
	fresh := *b // shares the areas, which do not change
	r := rand.New(rand.NewPCG(51, 52))
	corners := []geo.Point{
		{Lon: 9.55, Lat: 47.2},
		{Lon: 6.02, Lat: 50.76},
		{Lon: 1.6, Lat: 42.5},
		{Lon: 4.93, Lat: 51.44},
		{Lon: -2.7, Lat: 51.6},
		{Lon: 8.69, Lat: 47.69},
		{Lon: -75.5, Lat: 39.2},
		{Lon: 114.1, Lat: 22.5},
		{Lon: 12.45, Lat: 41.9},
		{Lon: -5.35, Lat: 36.15},
		{Lon: 35.2, Lat: 31.8},
		{Lon: -6.9, Lat: 54.2},
	}
	countries := map[string]bool{}
	for range 20_000 {
		c := corners[r.IntN(len(corners))]
		p := geo.Point{Lon: c.Lon + r.NormFloat64()*0.3, Lat: c.Lat + r.NormFloat64()*0.3}
		if r.IntN(20) == 0 {
			p = geo.Point{Lon: r.Float64()*360 - 180, Lat: r.Float64()*180 - 90}
		}
		fresh.last = -1
		got, want := *b.At(p), *fresh.At(p)
		if got != want {
			t.Fatalf("%v: %+v after others, %+v at first", p, got, want)
		}
		countries[got.Code] = true
	}
	if len(countries) < 40 {
		t.Errorf("only %d countries were met", len(countries))
	}
}

func TestNumber(t *testing.T) {
	for code, want := range map[string]uint16{"": 0, "GB": 0x4742, "XKX": 0} {
		if got := (&Country{Code: code}).Number(); got != want {
			t.Errorf("%q: %#x, want %#x", code, got, want)
		}
	}
}
