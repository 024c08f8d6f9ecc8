package country

import (
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
