package find_test

import (
	"context"
	"slices"
	"testing"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/place"
	"github.com/waygate/waygate/index/place/build"
	"github.com/waygate/waygate/index/place/find"
	"github.com/waygate/waygate/region"
	"github.com/waygate/waygate/region/regiontest"
)

// town is two towns with a street of the same name, a pub and postcodes.
func town(tb testing.TB) *build.Builder {
	tb.Helper()
	b := &build.Builder{Country: func(geo.Point) string { return "GB" }}
	at := func(lon, lat float64) geo.Fixed { return geo.Point{Lon: lon, Lat: lat}.Fix() }
	b.Add(&build.Entry{Kind: place.Locality, Number: 1, At: at(0, 51), Class: "town", Names: []place.Name{{Text: "Newport"}, {Lang: "cy", Text: "Casnewydd"}}})
	b.Add(&build.Entry{Kind: place.Locality, Number: 2, At: at(0.2, 51), Class: "village", Names: []place.Name{{Text: "Caerleon"}}})
	for i, x := range []float64{0, 0.2} {
		b.Add(&build.Entry{
			Kind: place.Street, Source: place.Way, Number: int64(10 + i), At: at(x, 51), Line: []geo.Fixed{at(x, 51), at(x+0.002, 51)}, Class: "residential",
			Names: []place.Name{{Text: "High Street"}},
		})
		for n := range 10 {
			b.Add(&build.Entry{
				Kind: place.Address, Number: int64(100 + 20*i + n), At: at(x+float64(n)*2e-4, 51.0001), House: []string{"1", "2", "3", "4", "5", "6", "7", "8a", "12-16", "20"}[n],
				Street: "High St.", City: []string{"Newport", "Caerleon"}[i], Postcode: []string{"NP20 1AA", "NP18 3BB"}[i],
			})
		}
	}
	b.Add(&build.Entry{
		Kind: place.POI, Number: 50, At: at(0.001, 51.0002), Names: []place.Name{{Text: "The Red Lion"}}, Categories: []string{"pub", "amenity"}, Street: "High Street", House: "5",
		Details: []place.Detail{{Key: "opening_hours", Value: "24/7"}},
	})
	return b
}

func index(tb testing.TB, b *build.Builder) *find.Index {
	tb.Helper()
	built, err := b.Build(tb.Context())
	if err != nil {
		tb.Fatal(err)
	}
	s, err := region.ReadSection(place.SectionName, regiontest.Written(tb, built.Write))
	if err != nil {
		tb.Fatal(err)
	}
	x, err := find.Read(s)
	if err != nil {
		tb.Fatal(err)
	}
	return x
}

func TestSearch(t *testing.T) {
	x := index(t, town(t))
	for _, c := range []struct{ q, want, street, locality string }{
		{"Newport", "Newport", "", "Newport"},
		{"casnewydd", "Newport", "", "Newport"},
		{"3 High Street, NP20 1AA", "3 High Street", "High Street", "Newport"},
		{"3 high st caerleon", "3 High Street", "High Street", "Caerleon"},
		{"caerleon hgih street 3", "3 High Street", "High Street", "Caerleon"},
		{"3 Jigh Street NP183BB", "3 High Street", "High Street", "Caerleon"},
		{"14 High Street Newport", "12-16 High Street", "High Street", "Newport"},
		{"8A High Street Newport", "8a High Street", "High Street", "Newport"},
		{"99 High Street Newport", "High Street", "High Street", "Newport"},
		{"NP20", "NP20", "", "Newport"},
		{"np201aa", "NP20 1AA", "", "Newport"},
		{"red lion", "The Red Lion", "High Street", "Newport"},
		{"pub newport", "The Red Lion", "High Street", "Newport"},
	} {
		hits, err := x.Search(t.Context(), &place.Query{Text: c.q, Limit: 5})
		if err != nil {
			t.Fatal(err)
		}
		if len(hits) == 0 {
			t.Errorf("%q finds nothing", c.q)
			continue
		}
		if h := hits[0]; h.Name != c.want || h.Street != c.street || h.Locality != c.locality {
			t.Errorf("%q finds %q, %q, %q (%v), want %q, %q, %q", c.q, h.Name, h.Street, h.Locality, h.Match, c.want, c.street, c.locality)
		}
	}
}

// TestHouseNumbersInParts asks for each house in the ways people write it.
func TestHouseNumbersInParts(t *testing.T) {
	b := &build.Builder{Country: func(geo.Point) string { return "RU" }}
	at := func(n int) geo.Fixed { return geo.Point{Lon: float64(n) * 2e-4, Lat: 51}.Fix() }
	streets := []struct {
		name   string
		houses []string
	}{
		{"улица Фонвизина", []string{"9", "9 к1", "9 к4", "17", "17к1", "17А", "17А к4", "17А к4 с2"}},
		{"Ringstraße", []string{"38", "38 e", "40/2", "40/12", "42 bis", "44-46"}},
		{"East Main Road", []string{"5", "5e", "7"}},
	}
	number := int64(0)
	for _, street := range streets {
		number++
		b.Add(&build.Entry{Kind: place.Street, Source: place.Way, Number: number, At: at(0), Line: []geo.Fixed{at(0), at(20)}, Class: "residential", Names: []place.Name{{Text: street.name}}})
		for n, house := range street.houses {
			number++
			b.Add(&build.Entry{Kind: place.Address, Number: number, At: at(n), House: house, Street: street.name})
		}
	}
	x := index(t, b)
	for _, c := range []struct{ q, house string }{
		{"улица Фонвизина 9", "9"},
		{"улица Фонвизина 9к4", "9 к4"},
		{"9 к4 улица Фонвизина", "9 к4"},
		{"улица Фонвизина, 9 корп. 4", "9 к4"},
		{"ул. Фонвизина, д. 17, корпус 1", "17к1"},
		{"17 к1 улица Фонвизина", "17к1"},
		{"17а улица Фонвизина", "17А"},
		{"17А к4 улица Фонвизина", "17А к4"},
		{"улица Фонвизина 17А корпус 4 строение 2", "17А к4 с2"},
		{"улица Фонвизина 9 к3", "9"},
		{"38e Ringstrasse", "38 e"},
		{"38 e Ringstrasse", "38 e"},
		{"Ringstraße 38", "38"},
		{"Ringstraße 40/12", "40/12"},
		{"Ringstraße 40 / 2", "40/2"},
		{"42bis Ringstrasse", "42 bis"},
		{"42 bis, Ringstrasse", "42 bis"},
		{"Ringstraße 44-46", "44-46"},
		{"45 Ringstraße", "44-46"},
		{"5 E Main Road", "5"},
		{"5e East Main Road", "5e"},
		{"7 East Main Rd", "7"},
	} {
		hits, err := x.Search(t.Context(), &place.Query{Text: c.q, Limit: 5})
		if err != nil {
			t.Fatal(err)
		}
		if len(hits) == 0 || hits[0].House != c.house {
			t.Errorf("%q finds %+v, want house %q", c.q, hits, c.house)
		}
	}
}

func TestNothingIsFound(t *testing.T) {
	x := index(t, town(t))
	for _, q := range []string{"", " ", "🙂", "\x00\x01", "qqqqqqqq", "שלום"} {
		if hits, err := x.Search(t.Context(), &place.Query{Text: q, Limit: 5}); err != nil || len(hits) > 0 {
			t.Errorf("%q finds %v, %v", q, hits, err)
		}
	}
}

func TestReverse(t *testing.T) {
	x := index(t, town(t))
	near, err := x.Reverse(t.Context(), geo.Point{Lon: 0.0002, Lat: 51.00011}, 0, 3, 1000, "")
	if err != nil || len(near) != 3 || near[0].Name != "2 High Street" || near[0].Locality != "Newport" {
		t.Fatalf("%v, %v", near, err)
	}
	near, err = x.Reverse(t.Context(), geo.Point{Lon: 0.0011, Lat: 51.0001}, place.Of(place.Street), 3, 1000, "")
	if err != nil || len(near) != 1 || near[0].Name != "High Street" || near[0].Metres > 12 {
		t.Fatalf("%v, %v", near, err)
	}
	near, err = x.Reverse(t.Context(), geo.Point{Lon: 0.0011, Lat: 51.0001}, place.Of(place.Locality), 1, 1000, "cy")
	if err != nil || len(near) != 1 || near[0].Name != "Casnewydd" {
		t.Fatalf("%v, %v", near, err)
	}
}

func TestAroundAndFind(t *testing.T) {
	x := index(t, town(t))
	var found []place.Near
	if err := x.Around(t.Context(), geo.Point{Lon: 0, Lat: 51}, 500, []string{"pub"}, "", func(n place.Near) bool { found = append(found, n); return true }); err != nil || len(found) != 1 {
		t.Fatalf("%v, %v", found, err)
	}
	p, ok := x.Find(found[0].ID, "")
	if !ok || p.Name != "The Red Lion" || len(p.Details) != 1 {
		t.Errorf("%v %v", p, ok)
	}
	if got := x.Categories(); !slices.Equal(got, []string{"amenity", "pub"}) {
		t.Errorf("categories %q", got)
	}
	hits, err := x.Search(context.Background(), &place.Query{Text: "3 high street newport", Limit: 1})
	if err != nil || len(hits) != 1 {
		t.Fatal(hits, err)
	}
	if p, ok := x.Find(hits[0].ID, ""); !ok || p.Name != "3 High Street" {
		t.Errorf("%v %v", p, ok)
	}
	if _, ok := x.Find("postcode.gb.np201aa", ""); !ok {
		t.Error("no postcode")
	}
	for _, id := range []string{"", "x", "poi.n", "poi.n999", "postcode.gb.zz", "address.q1", "poi.n-1"} {
		if _, ok := x.Find(id, ""); ok {
			t.Errorf("%q is found", id)
		}
	}
}

func TestUnits(t *testing.T) {
	x, _ := county(t, geo.Point{Lon: -3, Lat: 51.58})
	for text, want := range map[string]string{
		"Flat 3, 18 High Street":              "Flat 3",
		"3/18 High Street":                    "3",
		"18 High Street, Unit B, Newport":     "Unit B",
		"Ground floor flat, 18 High Street":   "Ground floor flat",
		"Room 7, 2nd floor, 18 High Street":   "Room 7, 2nd floor",
		"18 High Street":                      "",
		"12-16 High Street":                   "",
		"Unit 3 St Johns Road":                "", // is the house's own number
		"Flat A, NP20 1AA":                    "",
		"38 e Königstraße":                    "",
		"Wohnung 3, Stiege 2, Königstraße 38": "Wohnung 3, Stiege 2",
		"улица Ленина 9 корпус 1, квартира 105": "квартира 105",
	} {
		hits, err := x.Search(t.Context(), &place.Query{Text: text, Limit: 1})
		if err != nil || len(hits) == 0 {
			t.Errorf("%q: %d hits, %v", text, len(hits), err)
			continue
		}
		if got := hits[0].Unit; got != want {
			t.Errorf("%q: the unit is %q, want %q (found %s)", text, got, want, hits[0].Name)
		}
	}
}

// TestCrossings asks for places where two streets meet. In the county Long Lane runs north
// and meets Dock Street, where nothing else is, and Birch Street twice by its name alone.
func TestCrossings(t *testing.T) {
	x, g := county(t, geo.Point{Lon: -3, Lat: 51.58})
	dock := g.at(100, 1500)
	for text, want := range map[string]string{
		"Long Lane & Dock Street":                    "Long Lane & Dock Street",
		"Dock St and Long Ln, Newport":               "Dock Street & Long Lane",
		"corner of Long Lane and Dock Street":        "Long Lane & Dock Street",
		"Dock Street / Long Lane":                    "Dock Street & Long Lane",
		"Ecke Dock Street/Long Lane":                 "Dock Street & Long Lane",
		"intersection of Dock Street with Long Lane": "Dock Street & Long Lane",
		"esquina de Dock Street y Long Lane":         "Dock Street & Long Lane",
		"Dock Street at Long Lane, Newport, Wales":   "Dock Street & Long Lane",
		"Long Lane @ Dock Street":                    "Long Lane & Dock Street",
	} {
		hits, err := x.Search(t.Context(), &place.Query{Text: text, Limit: 3})
		if err != nil || len(hits) == 0 {
			t.Errorf("%q: %d hits, %v", text, len(hits), err)
			continue
		}
		h := hits[0]
		if h.Kind != place.Crossing || h.Name != want || geo.Distance(h.At, dock) > 5 || h.ID != "" || h.Locality != "Newport" {
			t.Errorf("%q: %s %q of %s, %.0f m from where they meet", text, h.Kind, h.Name, h.Locality, geo.Distance(h.At, dock))
		}
	}
	// Streets that do not meet, and words with a connector of their own, are what they were.
	for text, never := range map[string]place.Kind{"High Street & Church Road": place.Crossing, "The Red Lion and Dock Museum": place.Crossing, "&": place.Crossing, "Dock Street &": place.Crossing, "/ / /": place.Crossing, "Lion & Lamb": place.Crossing} {
		hits, err := x.Search(t.Context(), &place.Query{Text: text, Limit: 5})
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range hits {
			if h.Kind == never {
				t.Errorf("%q finds the crossing %q", text, h.Name)
			}
		}
	}
}
