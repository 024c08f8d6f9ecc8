package places_test

import (
	"bufio"
	"cmp"
	"encoding/csv"
	"fmt"
	"hash/fnv"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/place"
	"github.com/waygate/waygate/index/place/build"
	"github.com/waygate/waygate/index/place/find"
)

// expected is a row of a list of Geocoder-tester: a question, and what its answer has.
type expected struct {
	query, name, house, street, city, postcode string

	suburb, state string // of those of Pelias
	typing        bool
}

// listed reads a list; what asks for coordinates or for an area alone is left out.
func listed(t *testing.T, path string) (list []expected) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	r := bufio.NewReader(f)
	head, _ := r.Peek(256)
	line, _, _ := strings.Cut(string(head), "\n")
	c := csv.NewReader(r)
	c.FieldsPerRecord, c.LazyQuotes = -1, true
	if strings.Count(line, ";") > strings.Count(line, ",") {
		c.Comma = ';'
	}
	rows, err := c.ReadAll()
	if err != nil || len(rows) == 0 {
		return nil
	}
	for _, row := range rows[1:] {
		get := func(name string) string {
			if i := slices.Index(rows[0], name); i >= 0 && i < len(row) {
				return strings.TrimSpace(row[i])
			}
			return ""
		}
		one := expected{query: get("query"), name: get("expected_name"), house: get("expected_housenumber"), street: get("expected_street"), city: get("expected_city"), postcode: get("expected_postcode")}
		if one.query != "" && one.name+one.street != "" && !strings.Contains(one.name+one.street+one.city, "|") {
			list = append(list, one)
		}
	}
	return list
}

// TestGeocoderTester asks the questions of Geocoder-tester's lists, a folder of which
// WAYGATE_GEOCODER_LISTS names, of an index of all that they expect.
func TestGeocoderTester(t *testing.T) {
	folder := os.Getenv("WAYGATE_GEOCODER_LISTS")
	if folder == "" {
		t.Skip("WAYGATE_GEOCODER_LISTS names no folder of lists of geocoders/geocoder-tester")
	}
	lists := map[string][]expected{}
	if err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err == nil && filepath.Ext(path) == ".csv" {
			name, _ := filepath.Rel(folder, path)
			lists[filepath.Dir(name)] = append(lists[filepath.Dir(name)], listed(t, path)...)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	askLists(t, lists)
}

// askLists asks the questions of lists of an index of all that they expect; 90 of 100 find it
// first.
func askLists(t *testing.T, lists map[string][]expected) {
	t.Helper()
	x := expectations(t, lists)
	first, within, all := 0, 0, 0
	for _, name := range slices.Sorted(maps.Keys(lists)) {
		good := 0
		for _, one := range lists[name] {
			hits, err := x.Search(t.Context(), &place.Query{Text: one.query, Limit: 5, Typing: one.typing})
			if err != nil {
				t.Fatal(err)
			}
			at := slices.IndexFunc(hits, func(h place.Hit) bool { return one.is(&h.Place) })
			switch {
			case at == 0:
				good++
				fallthrough
			case at > 0:
				within++
			}
			if at != 0 && testing.Verbose() {
				got := "nothing"
				if len(hits) > 0 {
					got = fmt.Sprintf("%s, %s %s", hits[0].Name, hits[0].Postcode, hits[0].Locality)
				}
				t.Logf("%s: %q finds %s, want %+v", name, one.query, got, one)
			}
		}
		t.Logf("%s: %d of %d first", name, good, len(lists[name]))
		first, all = first+good, all+len(lists[name])
	}
	t.Logf("%d of %d within five", within, all)
	atLeast(t, fmt.Sprintf("of %d first", all), float64(first)/float64(all), 0.9)
}

// is reports whether a place has all that is expected.
func (e *expected) is(p *place.Place) bool {
	same := func(want, got string) bool { return want == "" || plain(want) == plain(got) }
	return same(e.name, p.Name) && same(e.house, p.House) && (same(e.street, p.Street) || e.house == "" && same(e.street, p.Name)) &&
		(same(e.city, p.Locality) || same(e.city, p.Name)) && (e.postcode == "" || p.Postcode == "" || same(e.postcode, p.Postcode))
}

// expectations returns an index of what lists expect: a city for each that is named, with its
// streets and their houses, and further houses in each street.
func expectations(t *testing.T, lists map[string][]expected) *find.Index {
	t.Helper()
	b := &build.Builder{}
	number := int64(0)
	add := func(e build.Entry, at geo.Point, name string) {
		number++
		e.Number, e.At = number, at.Fix()
		if name != "" {
			e.Names = []place.Name{{Text: name}}
		}
		if e.Kind == place.Street {
			e.Source, e.Line = place.Way, []geo.Fixed{e.At}
		}
		b.Add(&e)
	}
	hash := func(s string) float64 {
		h := fnv.New32a()
		_, _ = h.Write([]byte(s))
		return float64(h.Sum32()%100_000) / 100_000
	}
	seen := map[string]bool{}
	once := func(key string) bool {
		was := seen[key]
		seen[key] = true
		return !was
	}
	for _, name := range slices.Sorted(maps.Keys(lists)) {
		// Rows that follow one another name the city of an address or its postcode.
		for i, e := range lists[name] {
			for _, o := range lists[name][max(0, i-2):min(len(lists[name]), i+3)] {
				if plain(o.street) == plain(e.street) && o.house == e.house && o.name == e.name {
					e.city, e.postcode = cmp.Or(e.city, o.city), cmp.Or(e.postcode, o.postcode)
				}
			}
			town := cmp.Or(e.city, e.postcode, "elsewhere")
			middle := geo.Point{Lon: 20 * hash(town), Lat: 40 + 15*hash("lat"+town)}
			if e.city != "" && once("city/"+e.city) {
				add(build.Entry{Kind: place.Locality, Class: "town", State: e.state}, middle, e.city)
			}
			at := geo.Point{Lon: middle.Lon + hash(e.street+e.name)/20, Lat: middle.Lat + hash("lat"+e.street+e.name)/20}
			if e.street != "" && once("street/"+town+"/"+plain(e.street)) {
				add(build.Entry{Kind: place.Street, Class: "residential", City: e.city, Postcode: e.postcode, Suburb: e.suburb, State: e.state}, at, e.street)
				for n := range 12 {
					add(build.Entry{Kind: place.Address, House: fmt.Sprint(n*7 + 1), Street: e.street, City: e.city, Postcode: e.postcode, Suburb: e.suburb, State: e.state}, geo.Point{Lon: at.Lon, Lat: at.Lat + float64(n)*1e-5}, "")
				}
			}
			if e.house != "" && once("house/"+town+"/"+plain(e.street)+"/"+e.house) {
				add(build.Entry{Kind: place.Address, House: e.house, Street: e.street, City: e.city, Postcode: e.postcode, Suburb: e.suburb, State: e.state}, at, "")
			}
			if e.name != "" && plain(e.name) != plain(e.city) && once("name/"+town+"/"+e.name) {
				add(build.Entry{Kind: place.POI, City: e.city, Postcode: e.postcode, Suburb: e.suburb, State: e.state, Street: e.street, Categories: []string{"place_of_interest"}}, at, e.name)
			}
		}
	}
	x, err := b.Build(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return find.New(x)
}
