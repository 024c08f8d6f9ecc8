package find_test

import (
	"slices"
	"testing"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/place"
	"github.com/waygate/waygate/index/place/build"
)

// TestWordsThatTheRegionDoesNotHave asks for addresses with people, companies, towns and countries
// that the county lacks, and for what is not there at all. "" finds nothing.
func TestWordsThatTheRegionDoesNotHave(t *testing.T) {
	x, _ := county(t, geo.Point{Lon: -3, Lat: 51.58})
	for _, c := range []struct{ q, want string }{
		{"Foobar Café, 3 High Street, Newport", "3 High Street, Newport"},
		{"Hillcoast, 3 High Street, Caerleon", "3 High Street, Caerleon"}, // no name has both words
		{"3 High Street, Unknownville, Wales", "3 High Street, Newport"},
		{"3 High Street, Caerleon, Monmouthshire, Cambria, Europe", "3 High Street, Caerleon"},
		{"Acme Widgets Ltd, 3 High Street, Caerleon", "3 High Street, Caerleon"},
		{"c/o John Smith, 3 High Street, Caerleon", "3 High Street, Caerleon"},
		{"Mr and Mrs Bloggs 3 High Street Caerleon", "3 High Street, Caerleon"},
		{"Attn: Accounts Dept, Acme Widgets International (Europe) Holdings Limited, Foobar Business Village, Quux Boulevard, Unit 5, 12 High Street, Newport, NP20 1AA, United Kingdom", "12 High Street, Newport"},
		{"3 High Street, Atlantis, Borduria", "3 High Street, Newport"},
		{"Foobar Industrial Estate, Coast Road, Newport", "Coast Road, Newport"},
		{"Quux House, High Street", "High Street, Newport"},
		{"Liesel Court, 3 High Street, Newport", "3 High Street, Newport"},
		{"Liesel Court Coast Road, Newport", "Coast Road, Newport"},
		// Of a street that is not there the town is found; a postcode says more.
		{"Unknown Street, Newport", "Newport, Newport"},
		{"77 Foobar Street, Caerleon", "Caerleon, Caerleon"},
		{"Zzyzx Avenue, Caerleon NP18 3BB", "NP18 3BB, Caerleon"},
		{"Blorple Snarf Caerleon", "Caerleon, Caerleon"},
		// A postcode falls back to its district, and a street to one in the same sector.
		{"NP20 9ZZ", "NP20, Newport"},
		{"np209zz", "NP20, Newport"},
		{"NP20 9ZZ Newport", "NP20, Newport"},
		{"3 High Street, NP18 9ZZ", "3 High Street, Caerleon"},
		{"Mill Street NP20 6ZY", "Mill Street, Newport"},
		{"3 High Street, Caerleon, CF99 9ZZ", "3 High Street, Caerleon"},
		{"Xyzzy Plugh", ""},
		{"Xyzzy Street", ""},
		{"3 Xyzzy Street", ""},
		{"CF99 9ZZ", ""},
		{"Quux", ""},
		{"Foobar Caerleon Street Quux", ""}, // the town stands in the middle of what is asked for
	} {
		hits, err := x.Search(t.Context(), &place.Query{Text: c.q, Limit: 5})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if len(hits) > 0 {
			got = label(&hits[0].Place)
		}
		if got != c.want {
			t.Errorf("%q finds %q first, want %q", c.q, got, c.want)
		}
	}
	hits, err := x.Search(t.Context(), &place.Query{Text: "Xyzzy Avenue, Newport", Limit: 5})
	if err != nil || len(hits) == 0 || slices.ContainsFunc(hits[0].Words, func(w place.Word) bool { return (w.Field == "") != (w.From < 12) }) {
		t.Errorf("of a street that is not there the words met %+v, %v", hits, err)
	}
}

// TestDistrictsOfPostcodes asks for codes that are not there, in the forms of several countries.
func TestDistrictsOfPostcodes(t *testing.T) {
	b := &build.Builder{}
	for i, code := range []string{"1011 AB", "1012AC", "D02 X285", "K1A 0B1", "90210", "1200-195", "70043-900", "63303"} {
		b.AddPostcode(code, geo.Point{Lon: float64(i), Lat: 50}.Fix(), "")
	}
	x := index(t, b)
	for q, want := range map[string]string{
		"1011 ZZ": "1011", "1011zz": "1011", "1012AC": "1012AC", "1011": "1011", "D02 Y123": "D02", "d02y123": "D02", "K1A 9Z9": "K1A", "k1a9z9": "K1A", "90210-1234": "90210",
		"1200-999": "1200", "70043-111": "70043", "63303": "63303", "63304": "", "9999 ZZ": "",
	} {
		hits, err := x.Search(t.Context(), &place.Query{Text: q, Limit: 3})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if len(hits) > 0 {
			got = hits[0].Name
		}
		if got != want {
			t.Errorf("%q finds %q, want %q", q, got, want)
		}
		if len(hits) > 0 && hits[0].Kind == place.Postcode && (hits[0].Match[0].Quality == 1) != (len(q) == len(want)) {
			t.Errorf("%q is met by %q with the quality %v", q, got, hits[0].Match)
		}
	}
}
