package places_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/runes"
	"golang.org/x/text/transform"
	"golang.org/x/text/unicode/norm"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/importer/places"
	"github.com/waygate/waygate/index/place"
	"github.com/waygate/waygate/index/place/find"
	"github.com/waygate/waygate/realdata"
	"github.com/waygate/waygate/soaktest"
)

// plainLetters returns a text without accents.
func plainLetters(t *testing.T, s string) string {
	t.Helper()
	s, _, err := transform.String(transform.Chain(norm.NFD, runes.Remove(runes.In(unicode.Mn)), norm.NFC), s)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// shorten writes the words of a street as people abbreviate them, apart from the geocoder's table.
var shorten = strings.NewReplacer(
	"Street", "St", "Road", "Rd.", "Avenue", "Ave", "Lane", "Ln", "Drive", "Dr", "Close", "Cl", "Court", "Ct", "Crescent", "Cres.", "Gardens", "Gdns", "Terrace", "Terr", "Square", "Sq", "Place", "Pl",
	"Saint ", "St ", "Upper ", "Upr ", "Lower ", "Lwr ", "Great ", "Gt ", "straße", "str.", "strasse", "str.", "Straße", "Str.", "Strasse", "Str.", "platz", "pl.", "Sankt ", "St. ",
	"Carrer ", "C/ ", "Avinguda ", "Av. ", "Carretera ", "Ctra. ", "Plaça ", "Pl. ", "Passeig ", "Pg. ", "Triq ", "Tr. ", "Doctor ", "Dr. ", "Misraħ", "Mis.",
)

// TestVariants asks for addresses of places in the ways that people write them; of each way 95 of
// 100 come first within 50 m.
func TestVariants(t *testing.T) {
	type way struct{ good, all int }
	sums := map[string]*way{}
	for _, c := range []struct {
		extract  string
		trailing bool // the number stands behind the street
	}{
		{"osm/liechtenstein-20221215.osm.pbf", true},
		{"osm/dreieich-20221016.osm.gz", true},
		{"osm/dusseldorf-universitaetstunnel-20210812.osm.pbf", true},
		{"osm/andorra-20211028.osm.pbf", true},
		{"osm/newport-wales-20230613.osm.pbf", false},
		{"osm/rutland-england-20220720.osm.pbf", false},
		{"osm/london-westminster-20200720.osm.pbf", false},
		{"osm/malta-20180827.osm.pbf", false},
	} {
		t.Run(filepath.Base(c.extract), func(t *testing.T) {
			extract := realdata.File(t, c.extract)
			x := ofReal(t, places.Options{Sources: []string{extract}})
			r := rand.New(rand.NewPCG(41, 2026))
			list := addressesOf(t, extract)
			r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
			line := func(a truth, street string) string {
				if c.trailing {
					return street + " " + a.house
				}
				return a.house + " " + street
			}
			town := func(a truth) string { return cmp.Or(a.city, a.postcode) }
			for _, v := range []struct {
				how   string
				write func(a truth) string
			}{
				{"exact", func(a truth) string { return line(a, a.street) + ", " + town(a) }},
				{"typo", func(a truth) string { return line(a, misspelt(r, a.street)) + ", " + town(a) }},
				{"swapped", func(a truth) string { return town(a) + ", " + a.street + " " + a.house }},
				{"small letters without accents or commas", func(a truth) string { return strings.ToLower(plainLetters(t, line(a, a.street)+" "+town(a))) }},
				{"a flat", func(a truth) string { return "Flat 3, " + line(a, a.street) + ", " + town(a) }},
				{"abbreviated", func(a truth) string { return line(a, shorten.Replace(a.street)) + ", " + town(a) }},
				{"in full", func(a truth) string { return line(a, a.street) + ", " + a.city + " " + a.postcode + ", Europe" }},
				{"a company", func(a truth) string { return "Foobar Qwx Ltd, " + line(a, a.street) + ", " + town(a) }},
				{"an unknown town", func(a truth) string { return line(a, a.street) + ", Qwxville" }},
			} {
				sample := list[:0:0]
				same := map[string][]geo.Point{} // where an address is by how it is written
				for _, a := range list {
					if town(a) == "" || strings.ContainsAny(a.house, ";,") {
						continue
					}
					k := a.house + "/" + a.street
					if v.how != "an unknown town" {
						k += town(a)
					}
					same[k] = append(same[k], a.at)
					if len(sample) < soaktest.Cases(60, 150) {
						sample = append(sample, a)
					}
				}
				good := 0
				for _, a := range sample {
					q := v.write(a)
					k := a.house + "/" + a.street
					if v.how != "an unknown town" {
						k += town(a)
					}
					h := firstOf(t, x, q)
					for _, at := range same[k] {
						if h != nil && geo.Distance(h.At, at) <= 50 {
							good++
							break
						}
					}
					if testing.Verbose() && (h == nil || geo.Distance(h.At, a.at) > 50) {
						t.Logf("%s: %q finds %v", v.how, q, labelled(h))
					}
				}
				t.Logf("%s: %d of %d", v.how, good, len(sample))
				if sums[v.how] == nil {
					sums[v.how] = &way{}
				}
				sums[v.how].good += good
				sums[v.how].all += len(sample)
			}
		})
	}
	for how, s := range sums {
		atLeast(t, fmt.Sprintf("%s, of %d", how, s.all), float64(s.good)/float64(s.all), 0.95)
	}
}

// firstOf returns the first hit, nil where there is none.
func firstOf(t *testing.T, x *find.Index, q string) *place.Hit {
	t.Helper()
	hits, err := x.Search(t.Context(), &place.Query{Text: q, Limit: 1})
	if err != nil {
		t.Fatal(err)
	}
	if len(hits) == 0 {
		return nil
	}
	return &hits[0]
}

func labelled(h *place.Hit) string {
	if h == nil {
		return "nothing"
	}
	return h.Name + ", " + h.Locality + " " + h.Postcode
}
