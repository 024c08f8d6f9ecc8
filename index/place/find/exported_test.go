package find_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/place"
	"github.com/waygate/waygate/index/place/build"
	"github.com/waygate/waygate/index/place/find"
	"github.com/waygate/waygate/region"
	"github.com/waygate/waygate/region/regiontest"
)

// TestOpen opens the places of a region that has them, and of one that was built without.
func TestOpen(t *testing.T) {
	built, err := town(t).Build(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	x, err := find.Open(regiontest.Of(t, place.SectionName, place.Version, built.Write))
	if err != nil {
		t.Fatal(err)
	}
	want := map[place.Kind]int{place.Address: 20, place.Street: 2, place.Locality: 2, place.POI: 1, place.Postcode: 4}
	if got := x.Counts(); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("it has %v, want %v", got, want)
	}
	if x, err := find.Open(regiontest.Of(t, "other", 1, built.Write)); x != nil || err != nil {
		t.Errorf("a region without places has %v, %v", x, err)
	}
	if _, err := find.Open(regiontest.Of(t, place.SectionName, place.Version+1, built.Write)); err == nil {
		t.Error("places of a newer format are read")
	}
	gone, leave := context.WithCancel(t.Context())
	leave()
	if x, err := town(t).Build(gone); x != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("whoever has left builds %v, %v", x, err)
	}
	if _, err := find.Read(&region.Section{}); err == nil {
		t.Error("an empty section is read")
	}
}

// TestLimits checks that no question gets more results than it asked for, nor more than any
// may have, and that a caller who has left gets the context's error.
func TestLimits(t *testing.T) {
	b := &build.Builder{}
	for i := range 150 {
		b.Add(&build.Entry{Kind: place.POI, Number: int64(i + 1), At: geo.Point{Lon: float64(i) * 0.004}.Fix(), Names: []place.Name{{Text: "Inn"}}, Categories: []string{"pub"}})
	}
	x := index(t, b)
	for asked, want := range map[int]int{-1: 0, 0: 0, 1: 1, 99: 99, 100: 100, 150: 100} {
		hits, err := x.Search(t.Context(), &place.Query{Text: "inn", Limit: asked})
		if err != nil || len(hits) != want {
			t.Errorf("of %d hits asked for it finds %d, %v", asked, len(hits), err)
		}
		near, err := x.Reverse(t.Context(), geo.Point{}, 0, asked, 1e9, "")
		if err != nil || len(near) != want {
			t.Errorf("of %d places asked for %d are near, %v", asked, len(near), err)
		}
	}
	around := func(ctx context.Context, metres float64, most int) (n int, err error) {
		err = x.Around(ctx, geo.Point{}, metres, nil, "", func(place.Near) bool { n++; return n < most })
		return n, err
	}
	for _, c := range []struct {
		metres     float64
		most, want int
	}{{-1, 999, 0}, {0, 999, 1}, {1000, 999, 3}, {1000, 2, 2}, {1e9, 999, 150}} {
		if n, err := around(t.Context(), c.metres, c.most); err != nil || n != c.want {
			t.Errorf("within %v m there are %d, %v, for who takes %d; want %d", c.metres, n, err, c.most, c.want)
		}
	}
	far := &build.Builder{}
	far.Add(&build.Entry{Kind: place.POI, Number: 1, At: geo.Point{Lon: 0.95}.Fix(), Names: []place.Name{{Text: "Inn"}}, Categories: []string{"pub"}})
	if near, err := index(t, far).Reverse(t.Context(), geo.Point{}, 0, 1, 1e9, ""); err != nil || len(near) != 0 {
		t.Errorf("what is 106 km away is near: %v, %v", near, err)
	}
	gone, leave := context.WithCancel(t.Context())
	leave()
	_, searched := x.Search(gone, &place.Query{Text: "inn", Limit: 5})
	_, reversed := x.Reverse(gone, geo.Point{}, 0, 5, 1000, "")
	_, looked := around(gone, 1000, 999)
	for what, err := range map[string]error{"search": searched, "reverse": reversed, "around": looked} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("the %s of a caller who has left ends with %v", what, err)
		}
	}
}

// TestMatch checks the match of each part of a question.
func TestMatch(t *testing.T) {
	x, _ := county(t, geo.Point{Lon: -3, Lat: 51.58})
	for text, want := range map[string]string{
		"3 Hgih St, Newport, NP20 1AA, Wales, GB": `3: house "3" 1, Hgih St: street "High Street" 0.8, Newport: locality "Newport" 0.98, NP20 1AA: postcode "NP20 1AA" 1, Wales: state "Wales" 0.98, GB: country "GB" 0.98`,
		"pub Caerleon":           `pub: category "pub" 0.95, Caerleon: locality "Caerleon" 0.98`,
		"Red Lion, High Street":  `Red Lion: name "The Red Lion" 1, High Street: street "High Street" 0.98`,
		"99 High Street Newport": `99: house "" 0, High Street: name "High Street" 1, Newport: locality "Newport" 0.98`,
		"NP20 1AA":               `NP20 1AA: postcode "NP20 1AA" 1`,
	} {
		hits, err := x.Search(t.Context(), &place.Query{Text: text, Limit: 1})
		if err != nil || len(hits) != 1 {
			t.Fatal(text, hits, err)
		}
		got := ""
		for i, m := range hits[0].Match {
			if i > 0 {
				got += ", "
			}
			got += fmt.Sprintf("%s: %s %q %.3g", m.Query, m.Field, m.Text, m.Quality)
		}
		if got != want {
			t.Errorf("%q meets %s, want %s", text, got, want)
		}
	}
}

// TestDoubles checks that a place that is mapped twice is found once: a stop on each side of
// a street, and a hamlet that is a point and an outline, which has the facts of both. A place
// that only has the same name is found for itself.
func TestDoubles(t *testing.T) {
	b := &build.Builder{}
	at := func(metres float64) geo.Fixed { return geo.Point{Lon: metres / 111195}.Fix() }
	add := func(e build.Entry, name string) {
		e.Names = []place.Name{{Text: name}}
		b.Add(&e)
	}
	stop := []string{"bus_stop", "highway"}
	for i, metres := range []float64{0, 200, 1000} {
		add(build.Entry{Kind: place.POI, Number: int64(i + 1), At: at(metres), Categories: stop}, "Mill Lane")
	}
	add(build.Entry{Kind: place.Locality, Source: place.Relation, Number: 9, At: at(5000), Extent: [2]geo.Fixed{at(0), {Lon: at(6000).Lon, Lat: 1000}}, Class: "hamlet"}, "Sands")
	add(build.Entry{Kind: place.Locality, Source: place.Node, Number: 8, At: at(500), Class: "hamlet", Population: 70}, "Sands")
	x := index(t, b)
	for text, want := range map[string][]string{"Mill Lane": {"poi.n1", "poi.n3"}, "Sands": {"locality.n8"}} {
		hits, err := x.Search(t.Context(), &place.Query{Text: text, Limit: 9})
		var got []string
		for i := range hits {
			got = append(got, hits[i].ID)
		}
		if slices.Sort(got); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q finds %v, %v; want %v", text, got, err, want)
		}
	}
	if p, ok := x.Find("locality.n8", ""); !ok || p.Extent == nil || p.At != at(500).Point() {
		t.Errorf("the hamlet is %+v, %v; want the point's place and the outline's extent", p, ok)
	}
}

// TestSettlements checks which values of place make a locality, which an area and which neither.
func TestSettlements(t *testing.T) {
	for class, want := range map[string][2]bool{"city": {true, false}, "hamlet": {true, false}, "suburb": {true, false}, "county": {false, true}, "country": {false, true}, "sea": {}, "": {}} {
		if got := [2]bool{place.IsLocality(class), place.IsArea(class)}; got != want {
			t.Errorf("%q is a locality, an area: %v, want %v", class, got, want)
		}
	}
}
