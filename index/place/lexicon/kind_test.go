package lexicon

import (
	"testing"
)

func TestResolve(t *testing.T) {
	index := []string{"bench", "fuel", "supermarket", "zoo"}
	for said, want := range map[string]string{
		"fuel": "fuel", "petrol station": "fuel", "Petrol Stations": "fuel", "a petrol-station": "fuel", "bench": "bench", "Benches": "bench", "Zoos": "zoo", "supermarkets": "supermarket",
		"cash machine": "atm", "the nearest cash machine": "atm", "chemist": "pharmacy", "chemist's": "pharmacy", "Chemists": "pharmacy", "Bäckerei": "bakery", "boulangerie": "bakery", "fish & chips": "fast_food",
		"pharmacies": "pharmacy", "post office": "post_office", "post_office": "post_office", "farmacia": "pharmacy", "somewhere to eat": "restaurant", "cafés": "cafe", "diy": "doityourself", "libraries": "library", "bakeries": "bakery", "flower shop": "florist", "toilets": "toilets", "glasses": "optician",
		"Parkhäuser": "parking", "stacje benzynowe": "fuel", "stacja ładowania": "charging_station", "stations-service": "fuel", "la pharmacie la plus proche": "pharmacy", "farmacias": "pharmacy", "laadpalen": "charging_station", "a pharmacy near me": "pharmacy",
		"train station": "station+railway", "football pitches": "pitch+sport=soccer", "Fußballplätze": "pitch+sport=soccer", "eglwysi": "place_of_worship+religion=christian", "hållplatser": "bus_stop",
	} {
		got, near := Resolve(said, index)
		if len(got) == 0 || got[0] != want {
			t.Errorf("%q is %v (near %v), want %s", said, got, near, want)
		}
	}
	for said, want := range map[string]string{"petrol sation": "petrol station", "farmacy": "farmacia", "pharmcy": "pharmacy", "supermaket": "supermarket"} {
		got, near := Resolve(said, index)
		if got != nil || len(near) == 0 || near[0] != want {
			t.Errorf("%q is %v, near %v, want %s", said, got, near, want)
		}
	}
	for _, said := range []string{"qwertyuiop", "", "near me", "the", "???", "petrol station in Newport"} {
		if got, _ := Resolve(said, index); got != nil {
			t.Errorf("%q is %v", said, got)
		}
	}
}

func FuzzResolve(f *testing.F) {
	for _, s := range []string{"petrol station", "the nearest Cash machines", "Bäckerei", "", "\xff", "supermarkt!", "in der Nähe von", "E-Tankstelle"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if categories, near := Resolve(s, []string{"bench", "fuel"}); categories != nil && near != nil {
			t.Errorf("%q: %v and %v", s, categories, near)
		}
	})
}
