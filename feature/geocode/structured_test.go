package geocode_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/waygate/waygate/feature/geocode"
	"github.com/waygate/waygate/feature/geocode/geocodetest"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/place"
	"github.com/waygate/waygate/index/place/build"
	"github.com/waygate/waygate/index/place/find"
)

// matched returns how a hit meets the parts, those that there are.
func matched(p *geocode.Parts) string {
	if p == nil {
		return "nothing"
	}
	text := ""
	for _, part := range []struct {
		name string
		is   geocode.PartMatch
	}{{"name", p.Name}, {"house", p.HouseNumber}, {"street", p.Street}, {"city", p.City}, {"postcode", p.Postcode}, {"state", p.State}, {"country", p.Country}} {
		if part.is != "" {
			text += " " + part.name + ":" + string(part.is)
		}
	}
	return text
}

// TestStructured checks what the parts of an address find and how each is met, by an index and by a
// Photon.
func TestStructured(t *testing.T) {
	index := geocodetest.Index(t)
	here := (&geocode.Service{Own: []geocode.Source{{ID: "newport", Bounds: geocodetest.Bounds, Index: index}}}).With(nil)
	proxy := (&geocode.Service{Proxy: geocode.NewPhoton(geocodetest.Photon(t, index, nil), nil)}).With(nil)
	for _, c := range []struct {
		name, first string
		q           geocode.Structured
		want        string
		proxied     bool // a Photon finds and answers the same
	}{
		{"all parts", "3 High Street, Newport", geocode.Structured{HouseNumber: "3", Street: "High Street", City: "Newport", Postcode: "NP20 1AA", CountryCode: "GB"}, " house:matched street:matched city:matched postcode:matched country:matched", true},
		{"what is not asked for", "3 High Street, Newport", geocode.Structured{HouseNumber: "3", Street: "High St", Postcode: "NP20 1AA"}, " house:matched street:matched city:inferred postcode:matched country:inferred", false},
		{"the other town", "3 High Street, Caerleon", geocode.Structured{HouseNumber: "3", Street: "High Street", City: "Caerleon"}, " house:matched street:matched city:matched postcode:inferred country:inferred", true},
		{"the number in the street", "3 High Street, Caerleon", geocode.Structured{Street: "3 High Street", City: "Caerleon"}, " house:matched street:matched city:matched postcode:inferred country:inferred", false},
		{"a typo", "3 High Street, Caerleon", geocode.Structured{HouseNumber: "3", Street: "Hgih Street", City: "Caerleon"}, " house:matched street:matched city:matched postcode:inferred country:inferred", false},
		{"a number that is not there", "10 High Street, Caerleon", geocode.Structured{HouseNumber: "12", Street: "High Street", City: "Caerleon"}, " house:unmatched street:matched city:matched postcode:inferred country:inferred", false},
		{"a number far beyond", "High Street, Caerleon", geocode.Structured{HouseNumber: "912", Street: "High Street", City: "Caerleon"}, " house:unmatched street:matched city:matched country:inferred", false},
		{"a postcode of the other town", "3 High Street, Newport", geocode.Structured{HouseNumber: "3", Street: "High Street", City: "Caerleon", Postcode: "NP20 1AA"}, " house:matched street:matched city:unmatched postcode:matched country:inferred", false},
		{"a city that is not there", "3 High Street, Newport", geocode.Structured{HouseNumber: "3", Street: "High Street", City: "Zzyzx"}, " house:matched street:matched city:unmatched postcode:inferred country:inferred", false},
		{"a street that is not there", "Caerleon, Caerleon", geocode.Structured{Street: "Zzyzx Avenue", City: "Caerleon"}, " street:unmatched city:matched country:inferred", false},
		{"a city alone", "Newport, Newport", geocode.Structured{City: "Newport"}, " city:matched country:inferred", true},
		{"a point of interest", "The Red Lion, Newport", geocode.Structured{Name: "Red Lion", City: "Newport"}, " name:matched street:inferred city:matched country:inferred", false},
		{"a street that is called as a city", "Newport, Newport", geocode.Structured{Street: "Caerleon", City: "Newport"}, " street:unmatched city:matched country:inferred", false},
	} {
		c.q.Limit = 3
		for name, g := range map[string]*geocode.Geocoder{"index": here, "photon": proxy} {
			if name == "photon" && !c.proxied {
				continue
			}
			a, err := g.SearchStructured(t.Context(), &c.q)
			if err != nil || len(a.Results) == 0 {
				t.Errorf("%s, %s: %+v, %v", c.name, name, a, err)
				continue
			}
			r := &a.Results[0]
			first := r.Name
			if r.Locality != "" {
				first += ", " + r.Locality
			}
			if first != c.first || matched(r.Parts) != c.want {
				t.Errorf("%s, %s: %s %s, want %s %s", c.name, name, first, matched(r.Parts), c.first, c.want)
			}
			if len(a.Results) > c.q.Limit {
				t.Errorf("%s, %s: %d results", c.name, name, len(a.Results))
			}
			for i := 1; i < len(a.Results) && name == "index"; i++ {
				if gap := *a.Results[i-1].Score - *a.Results[i].Score; gap < 0 || *a.Results[i-1].Gap != gap {
					t.Errorf("%s: gap %v after hit %d, want %v", c.name, a.Results[i-1].Gap, i-1, gap)
				}
			}
		}
	}
	for _, q := range []geocode.Structured{{City: "Newport", CountryCode: "DE", Limit: 3}, {City: "Newport", Limit: 3, Box: &geo.Bounds{Min: geo.Point{Lon: 1, Lat: 1}, Max: geo.Point{Lon: 2, Lat: 2}}}} {
		if a, err := here.SearchStructured(t.Context(), &q); err != nil || len(a.Results) != 0 {
			t.Errorf("%+v finds %+v, %v", q, a, err)
		}
	}
}

// TestPartsOfTexts checks how hits of a text that nobody parted meet the parts of an address.
func TestPartsOfTexts(t *testing.T) {
	g := (&geocode.Service{Own: []geocode.Source{{ID: "newport", Bounds: geocodetest.Bounds, Index: geocodetest.Index(t)}}}).With(nil)
	for text, want := range map[string]string{
		"3 High Street, Newport, NP20 1AA, GB": " house:matched street:matched city:matched postcode:matched country:matched",
		"3 High Street, Caerleon":              " house:matched street:matched city:matched postcode:inferred country:inferred",
		"3 High Street, NP18 3BB":              " house:matched street:matched city:inferred postcode:matched country:inferred",
		"3 High Street, NP20 1AA, Zzyzx":       " house:matched street:matched city:unmatched postcode:matched country:inferred",
		"99 High Street, Caerleon":             " house:unmatched street:matched city:matched country:inferred",
		"3 High Street, Caerleon, NP20 1AA":    " house:matched street:matched city:unmatched postcode:matched country:inferred",
		"High Place, Newport, NP20 1AA":        " street:unmatched city:matched postcode:matched country:inferred",
		"Newport":                              " city:matched country:inferred",
	} {
		a, err := g.Search(t.Context(), &geocode.Forward{Text: text, Limit: 1})
		if err != nil || len(a.Results) == 0 {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := matched(a.Results[0].Parts); got != want {
			t.Errorf("%s: %s is%s, want%s", text, a.Results[0].Name, got, want)
		}
	}
	// Two towns have the street: neither hit is far above the other, and with the town one is.
	gap := func(text string) float64 {
		a, err := g.Search(t.Context(), &geocode.Forward{Text: text, Limit: 1})
		if err != nil || len(a.Results) != 1 || a.Results[0].Gap == nil {
			t.Fatalf("%s: %+v, %v", text, a, err)
		}
		return *a.Results[0].Gap
	}
	if one, two := gap("3 High Street"), gap("3 High Street, Caerleon"); one > 0.02 || two < 0.1 {
		t.Errorf("gaps of %g without a town and %g with it", one, two)
	}
	// Suggestions have no match of parts.
	a, err := g.Search(t.Context(), &geocode.Forward{Text: "3 High Str", Limit: 2, Typing: true})
	if err != nil || len(a.Results) == 0 || a.Results[0].Parts != nil || a.Results[0].Gap != nil {
		t.Errorf("%+v, %v", a, err)
	}
}

// TestHousesInVillages checks that a house that is numbered in a place without streets is found by
// the place.
func TestHousesInVillages(t *testing.T) {
	b := &build.Builder{}
	at := geo.Point{Lon: 19.9, Lat: 49.8}
	b.Add(&build.Entry{Kind: place.Locality, Number: 1, At: at.Fix(), Class: "village", Names: []place.Name{{Text: "Bysina"}}})
	for n := range 9 {
		b.Add(&build.Entry{Kind: place.Address, Number: int64(n + 2), At: geo.Destination(at, 90, float64(n)*20).Fix(), House: fmt.Sprint(n + 1), Place: "Bysina"})
	}
	x, err := b.Build(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	g := (&geocode.Service{Own: []geocode.Source{{ID: "v", Bounds: geo.Around(at, 9000), Index: find.New(x)}}}).With(nil)
	a, err := g.SearchStructured(t.Context(), &geocode.Structured{HouseNumber: "4", City: "Bysina", Limit: 1})
	if err != nil || len(a.Results) != 1 || a.Results[0].House != "4" || matched(a.Results[0].Parts) != " house:matched city:matched" {
		t.Errorf("%+v, %v", a, err)
	}
}

// TestNumbersThatAreMissing checks what becomes of a house number that its street lacks: the street
// is found, and says so, however many houses of that number other streets have.
func TestNumbersThatAreMissing(t *testing.T) {
	b := &build.Builder{Country: func(geo.Point) string { return "DE" }}
	middle := geo.Point{Lon: 11.57, Lat: 48.13}
	b.Add(&build.Entry{Kind: place.Locality, Number: 1, At: middle.Fix(), Class: "city", Population: 1_500_000, Names: []place.Name{{Text: "München"}}})
	number := int64(1)
	street := func(name string, metres float64, houses ...int) {
		at := geo.Destination(middle, 90, metres)
		number++
		b.Add(&build.Entry{Kind: place.Street, Source: place.Way, Number: number, At: at.Fix(), Line: []geo.Fixed{at.Fix(), geo.Destination(at, 0, 200).Fix()}, Class: "residential", Names: []place.Name{{Text: name}}})
		for _, n := range houses {
			number++
			b.Add(&build.Entry{Kind: place.Address, Number: number, At: geo.Destination(at, 0, float64(2*n)).Fix(), House: fmt.Sprint(n), Street: name, City: "München"})
		}
	}
	street("Schlesierstraße", 0, 1, 3, 5, 40)
	street("Schlesische Straße", 2000, 9, 10, 11, 12)
	street("Ingenieur-Etzel-Straße", 4000, 53, 55)
	street("Viaduktbogen", 4020, 55)
	x, err := b.Build(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	g := (&geocode.Service{Own: []geocode.Source{{ID: "m", Bounds: geo.Around(middle, 20_000), Index: find.New(x)}}}).With(nil)
	for _, c := range []struct{ street, house, found, want string }{
		{"Schlesierstraße", "11", "Schlesierstraße", " house:unmatched street:matched city:matched country:inferred"},
		{"Schlesierstr.", "3", "Schlesierstraße", " house:matched street:matched city:matched country:inferred"},
		{"Schlesierstraße", "4000", "Schlesierstraße", " house:unmatched street:matched city:matched country:inferred"},
		{"Ingenieur-Etzel-Straße", "55", "Ingenieur-Etzel-Straße", " house:matched street:matched city:matched country:inferred"},
	} {
		a, err := g.SearchStructured(t.Context(), &geocode.Structured{Street: c.street, HouseNumber: c.house, City: "München", Limit: 2})
		if err != nil || len(a.Results) == 0 {
			t.Fatalf("%s %s: %v", c.street, c.house, err)
		}
		r := &a.Results[0]
		on := r.Street
		if r.Kind == place.Street {
			on = r.Name
		}
		if on != c.found || matched(r.Parts) != c.want {
			t.Errorf("%s %s: %s %s, %s; want %s, %s", c.street, c.house, on, r.House, matched(r.Parts), c.found, c.want)
		}
	}
}

// TestUnmetWords checks that the words of a question that a place does not have are named.
func TestUnmetWords(t *testing.T) {
	g := (&geocode.Service{}).With([]geocode.Source{source(t)})
	for q, want := range map[string]string{
		"Foobar Café, 3 High Street, Newport":         "Foobar Café | name:unmatched house:matched street:matched city:matched postcode:inferred country:inferred",
		"Acme Ltd, Sales Dept, 3 High Street, Xanadu": "Acme Ltd, Sales Dept, Xanadu | name:unmatched house:matched street:matched city:unmatched postcode:inferred country:inferred",
		"Xyzzy Avenue, Newport":                       "Xyzzy Avenue | street:unmatched city:matched country:inferred",
		"NP20 9ZZ":                                    " | city:inferred postcode:inferred country:inferred",
		"3 High Street, Caerleon NP18 9ZZ":            " | house:matched street:matched city:matched postcode:unmatched country:inferred",
		"3 High Street, Newport":                      " | house:matched street:matched city:matched postcode:inferred country:inferred",
	} {
		a, err := g.Search(t.Context(), &geocode.Forward{Text: q, Limit: 3})
		if err != nil || len(a.Results) == 0 {
			t.Errorf("%q finds %v, %v", q, a, err)
			continue
		}
		r := &a.Results[0]
		if got := strings.Join(r.Unmet, ", ") + " |" + matched(r.Parts); got != want {
			t.Errorf("%q is met by %s: %q, want %q", q, r.Name, got, want)
		}
	}
}
