package places_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/importer/places"
	"github.com/waygate/waygate/index/place"
	"github.com/waygate/waygate/realdata"
	"github.com/waygate/waygate/towntest"
)

// TestQuestionsOfNominatim asks what the behaviour tests of Nominatim ask of Liechtenstein, but for
// what the extract of another date lacks.
func TestQuestionsOfNominatim(t *testing.T) {
	x := ofReal(t, places.Options{Sources: []string{realdata.File(t, "osm/liechtenstein-20221215.osm.pbf")}, Country: "LI"})
	// The texts of the first hit: the number and street of an address, else its name; and its
	// town.
	for q, want := range map[string]string{
		"Bündaweg 555":              " Bündaweg, Triesenberg",
		"Austrasse 11, Vaduz":       "11 Austrasse, Vaduz",
		"9490":                      "9490, ",
		"9486, mauren":              "9486, ",
		"Vaduz":                     "Vaduz, Vaduz",
		"50 Bodastr,Triesenberg":    "50 Bodastrasse, Triesenberg",
		"Grosssteg 3":               "3 Grosssteg, Triesenberg",
		"restaurant Vaduz":          "restaurant",
		"restaurants in triesen":    "restaurant",
		"bars in vaduz":             "bar",
		"restaurants Liechtenstein": "restaurant",
	} {
		hits, err := x.Search(t.Context(), &place.Query{Text: q, Limit: 3})
		if err != nil {
			t.Fatal(err)
		}
		if len(hits) == 0 {
			t.Errorf("%q finds nothing", q)
			continue
		}
		p := &hits[0].Place
		got := p.Name + ", " + p.Locality
		switch {
		case p.Kind == place.Address || p.Kind == place.Street:
			got = p.House + " " + p.Street + ", " + p.Locality
		case p.Kind == place.POI && slices.Contains(p.Categories, want):
			got = want
		}
		if !strings.HasPrefix(got, want) {
			t.Errorf("%q finds %q, want %q", q, got, want)
		}
	}
	for _, c := range []struct {
		at            geo.Point
		house, street string
	}{
		{geo.Point{Lat: 47.107465, Lon: 9.52838521614}, "39a", "Dorfstrasse"},
		{geo.Point{Lat: 47.168440329479594, Lon: 9.511551699184338}, "6", "Schmedgässle"},
		{geo.Point{Lat: 47.11778, Lon: 9.57255}, "5", "Grosssteg"},
		{geo.Point{Lat: 47.11755503977281, Lon: 9.572722250405036}, "7", "Grosssteg"},
	} {
		near, err := x.Reverse(t.Context(), c.at, place.Of(place.Address), 1, 250, "")
		if err != nil || len(near) == 0 || near[0].House != c.house || near[0].Street != c.street {
			t.Errorf("at %v there is %+v, %v, want %s %s", c.at, near, err, c.house, c.street)
		}
	}
}

// TestHouseNumbersOfNominatim asks for house numbers in the ways that its behaviour tests do.
func TestHouseNumbersOfNominatim(t *testing.T) {
	for _, c := range []struct{ street, numbers, asked string }{
		{"North Road", "45", "45, North Road|North Road 45"},
		{"Multistr", "2;4;12|2,4,12|2, 4, 12", "2 Multistr|4 Multistr|12 Multistr"},
		{"Multistr", "2a|2 A|2-a|2/A", "2A Multistr|2 a Multistr|2-A Multistr|Multistr 2 A"},
		{"Chester St", "34-10|34/10", "34-10 Chester St|34/10 Chester St"},
		{"Rue Paris", "45bis|45BIS|45 BIS|45 bis", "Rue Paris 45bis|Rue Paris 45 BIS|Rue Paris 45BIS|Rue Paris 45 bis"},
		{"Rue du Berger", "45ter|45TER|45 ter|45 TER", "Rue du Berger 45ter|Rue du Berger 45 TER|Rue du Berger 45TER|Rue du Berger 45 ter"},
		{"Herengracht", "501 H1|501H 1|501/H/1|501h1", "501-H 1 Herengracht|501H-1 Herengracht|501H1 Herengracht|501-H1 Herengracht"},
		{"Голубинская улица", "55к3|55 к3", "Голубинская улица 55к3|Голубинская улица 55 к-3"},
		{"Rue Paris", "1-5", "Rue Paris 1|Rue Paris 3|Rue Paris 5|Rue Paris 1-5"},
	} {
		for number := range strings.SplitSeq(c.numbers, "|") {
			town := towntest.Draw(t, `
				a---------b
				     1
			`, towntest.Ways{{"ab", `highway=residential name="` + c.street + `"`}}, towntest.Nodes{{"1", `building=yes addr:housenumber="` + number + `" addr:street="` + c.street + `"`}})
			x := built(t, places.Options{Sources: []string{town.PBF(t)}})
			for q := range strings.SplitSeq(c.asked, "|") {
				hits, err := x.Search(t.Context(), &place.Query{Text: q, Limit: 3})
				if err != nil || len(hits) == 0 || hits[0].Kind != place.Address {
					t.Errorf("%q does not find number %q of %s: %+v, %v", q, number, c.street, hits, err)
				}
			}
		}
	}
}
