package find_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/place"
	"github.com/waygate/waygate/index/place/build"
	"github.com/waygate/waygate/index/place/find"
)

// mapped returns a town with an area, houses that name a street which is not mapped, houses between
// the ends of an interpolation, and rows of a table.
func mapped(t *testing.T) *find.Index {
	t.Helper()
	b := town(t)
	at := func(lon, lat float64) geo.Fixed { return geo.Point{Lon: lon, Lat: lat}.Fix() }
	b.Add(&build.Entry{Kind: place.Area, Source: place.Relation, Number: 7, At: at(0.4, 51), Class: "administrative6", Names: []place.Name{{Text: "Gwent"}}, Categories: []string{"administrative", "boundary"}})
	b.Add(&build.Entry{Kind: place.Address, Source: place.Way, Number: 8, At: at(0.5, 51), House: "1", Street: "Unmapped Lane"})
	b.Add(&build.Entry{Kind: place.Address, Source: place.Way, Number: 8, Part: 1, At: at(0.5, 51), House: "3", Street: "Unmapped Lane"})
	b.Add(&build.Entry{Kind: place.Address, Source: place.Between, Number: 9, Part: 22, At: at(0.001, 51), House: "22", Street: "High Street", City: "Newport"})
	b.Add(&build.Entry{Kind: place.Locality, Number: 3, At: at(0.01, 51), Class: "suburb", Names: []place.Name{{Text: "Pill"}}, Categories: []string{"suburb", "place"}})
	b.Add(&build.Entry{Kind: place.POI, Source: place.Row, Number: 4, At: at(0.002, 51), Names: []place.Name{{Text: "The Row Inn"}}, Categories: []string{"pub", "amenity"}})
	return index(t, b)
}

func first(t *testing.T, x *find.Index, q *place.Query) place.Place {
	t.Helper()
	q.Limit = 5
	hits, err := x.Search(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	if len(hits) == 0 {
		return place.Place{Name: "nothing"}
	}
	return hits[0].Place
}

// TestWhatAPlaceIsMappedAs checks the object, the class and the town of hits of every kind.
func TestWhatAPlaceIsMappedAs(t *testing.T) {
	x := mapped(t)
	for q, want := range map[string]string{
		"Newport":                "Newport town 0 1 ",
		"Pill":                   "Pill suburb 0 3 Newport",
		"Gwent":                  "Gwent administrative6 2 7 ",
		"High Street, Newport":   "High Street residential 1 10 ",
		"3 High Street, Newport": "3 High Street  0 102 ",
		"22 High Street Newport": "22 High Street  1 9 ",
		"Unmapped Lane":          "Unmapped Lane  0 0 ",
		"3 Unmapped Lane":        "3 Unmapped Lane  1 8 ",
		"Red Lion":               "The Red Lion  0 50 ",
		"Row Inn":                "The Row Inn  0 0 ",
		"NP20 1AA":               "NP20 1AA  0 0 ",
	} {
		p := first(t, x, &place.Query{Text: q})
		if got := fmt.Sprint(p.Name, " ", p.Class, " ", p.Object.Source, " ", p.Object.Number, " ", p.Within); got != want {
			t.Errorf("%s: %s, want %s", q, got, want)
		}
		all := x.Of(p.Object, "")
		if listed := slices.ContainsFunc(all, func(o place.Place) bool { return o.ID == p.ID }); listed != (p.Object.Number != 0) {
			t.Errorf("%s: its object is %d places", q, len(all))
		}
	}
	if n := len(x.Of(place.Object{Source: place.Way, Number: 8}, "")); n != 2 {
		t.Errorf("a building of two numbers is %d places", n)
	}
	if got := fmt.Sprint(x.Names(first(t, x, &place.Query{Text: "Newport"}).ID)); got != "[{ Newport} {cy Casnewydd}]" {
		t.Error(got)
	}
	if got := x.Names("address.n102"); got != nil {
		t.Error(got)
	}
	if got := x.ClassOf("Caerleon", geo.Point{Lon: 0.1, Lat: 51}) + " " + x.ClassOf("Nowhere", geo.Point{Lon: 0.1, Lat: 51}); got != "village " {
		t.Error(got)
	}
}

// TestOnly leaves sorts of places out of a search and lets what stands behind them come.
func TestOnly(t *testing.T) {
	x := mapped(t)
	of := func(kinds ...place.Kind) place.Only {
		return func(s *place.Sort) bool { return slices.Contains(kinds, s.Kind) }
	}
	for _, c := range []struct {
		text string
		only place.Only
		want string
	}{
		{"3 High Street, Newport", of(place.Street), "High Street"},
		{"3 High Street, Newport", of(place.Address), "3 High Street"},
		{"pub Newport", of(place.POI), "The Red Lion"},
		{"pub Newport", of(place.Street), "nothing"},
		{"NP20 1AA", of(place.Address), "nothing"},
		{"NP20 1AA", of(place.Postcode), "NP20 1AA"},
		{"Newport", func(s *place.Sort) bool { return s.Class == "village" }, "nothing"},
		{"Newport", func(s *place.Sort) bool { return s.CountryCode == "FR" }, "nothing"},
		{"Newport", func(s *place.Sort) bool { return s.CountryCode == "GB" }, "Newport"},
		{"Red Lion", func(s *place.Sort) bool { return slices.Contains(s.Categories, "amenity") }, "The Red Lion"},
	} {
		if got := first(t, x, &place.Query{Text: c.text, Only: c.only}).Name; got != c.want {
			t.Errorf("%s: %s, want %s", c.text, got, c.want)
		}
	}
}

// TestReverseOnly compares with what Reverse finds, some of it left out.
func TestReverseOnly(t *testing.T) {
	at := geo.Point{Lon: 9.5, Lat: 47}
	b, _ := scattered(rand.New(rand.NewPCG(7, 8)), 600, at, 0.05)
	x := index(t, b)
	for _, category := range []string{"pub", "bank", "school", "zoo"} {
		calls := 0
		got, err := x.ReverseOnly(t.Context(), at, place.Of(place.POI, place.Street), func(s *place.Sort) bool {
			calls++
			return slices.Contains(s.Categories, category)
		}, 9, 5000, "")
		if err != nil {
			t.Fatal(err)
		}
		all, err := x.Reverse(t.Context(), at, place.Of(place.POI), 100, 5000, "")
		if err != nil {
			t.Fatal(err)
		}
		all = slices.DeleteFunc(all, func(n place.Near) bool { return !slices.Contains(n.Categories, category) })
		var want, listed []string
		for i := range all[:min(9, len(all))] {
			want = append(want, all[i].ID)
		}
		for i := range got {
			listed = append(listed, got[i].ID)
		}
		if !slices.Equal(want, listed) || category != "zoo" && len(listed) == 0 {
			t.Errorf("%s: %v, want %v", category, listed, want)
		}
		if calls > 8 {
			t.Errorf("%s: the sorts are asked for %d times", category, calls)
		}
	}
}
