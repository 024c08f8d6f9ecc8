package places_test

import (
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/importer/boundaries"
	"github.com/waygate/waygate/importer/places"
	"github.com/waygate/waygate/index/boundary"
	"github.com/waygate/waygate/index/place"
	"github.com/waygate/waygate/index/place/find"
	"github.com/waygate/waygate/osm"
	"github.com/waygate/waygate/realdata"
	"github.com/waygate/waygate/region"
	"github.com/waygate/waygate/soaktest"
)

// truth is an address as a source has it.
type truth struct {
	house, street, city, postcode string
	at                            geo.Point
}

// addressesOf reads the addresses of an extract, apart from the stage.
func addressesOf(t *testing.T, path string) []truth {
	t.Helper()
	at := map[int64]geo.Point{}
	var list []truth
	take := func(tags osm.Tags, p geo.Point) {
		one := truth{tags.Get("addr:housenumber"), tags.Get("addr:street"), tags.Get("addr:city"), tags.Get("addr:postcode"), p}
		if one.house != "" && one.street != "" {
			list = append(list, one)
		}
	}
	if _, err := osm.Scan(t.Context(), path, osm.Options{SkipRelations: true}, func(b *osm.Block) error {
		for i := range b.Nodes {
			n := &b.Nodes[i]
			p := geo.Fixed{Lon: n.Lon, Lat: n.Lat}.Point()
			at[n.ID] = p
			take(n.Tags, p)
		}
		for i := range b.Ways {
			w := &b.Ways[i]
			if !w.Tags.Has("addr:housenumber") || w.Tags.Has("addr:interpolation") {
				continue
			}
			box := geo.NoBounds()
			for _, n := range w.Nodes {
				if p, ok := at[n]; ok {
					box = box.Extend(p)
				}
			}
			if !box.Empty() {
				take(w.Tags, box.Centre())
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return list
}

// addressesOfTable reads those of a CSV with OpenStreetMap's keys.
func addressesOfTable(t *testing.T, path string) []truth {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	r := csv.NewReader(f)
	header, err := r.Read()
	if err != nil {
		t.Fatal(err)
	}
	var list []truth
	for {
		row, err := r.Read()
		if errors.Is(err, io.EOF) {
			return list
		}
		if err != nil {
			t.Fatal(err)
		}
		get := func(name string) string { return row[slices.Index(header, name)] }
		var p geo.Point
		if _, err := fmt.Sscan(get("lat"), &p.Lat); err != nil {
			t.Fatal(err)
		}
		if _, err := fmt.Sscan(get("lon"), &p.Lon); err != nil {
			t.Fatal(err)
		}
		one := truth{get("addr:housenumber"), get("addr:street"), get("addr:city"), get("addr:postcode"), p}
		if one.house != "" && one.street != "" {
			list = append(list, one)
		}
	}
}

// sampled draws n of those that a condition holds for.
func sampled(list []truth, n int, holds func(truth) bool) []truth {
	var fit []truth
	for _, one := range list {
		if holds(one) {
			fit = append(fit, one)
		}
	}
	r := rand.New(rand.NewPCG(7, 11))
	r.Shuffle(len(fit), func(i, j int) { fit[i], fit[j] = fit[j], fit[i] })
	return fit[:min(n, len(fit))]
}

// misspelt makes one typo: a letter less, more or another, or two swapped.
func misspelt(r *rand.Rand, s string) string {
	letters := []rune(s)
	var at []int
	for i, c := range letters {
		if c != ' ' {
			at = append(at, i)
		}
	}
	i := at[r.IntN(len(at))]
	other := rune('a' + r.IntN(26))
	switch r.IntN(4) {
	case 0:
		letters = slices.Delete(letters, i, i+1)
	case 1:
		letters = slices.Insert(letters, i, other)
	case 2:
		letters[i] = other
	default:
		if i+1 < len(letters) {
			letters[i], letters[i+1] = letters[i+1], letters[i]
		}
	}
	return string(letters)
}

// indexes are those of real sources, by their options: several tests ask each. No test of
// this package runs beside another.
var indexes = map[string]*find.Index{}

// ofReal returns the index of real sources, which is built once for all tests.
func ofReal(t testing.TB, opt places.Options) *find.Index {
	t.Helper()
	key := fmt.Sprintf("%q %q %q", opt.Sources, opt.Tables, opt.Country)
	x := indexes[key]
	if x == nil {
		x = built(t, opt)
		indexes[key] = x
	}
	return x
}

// built returns the index of some sources.
func built(t testing.TB, opt places.Options) *find.Index {
	t.Helper()
	opt.Out = filepath.Join(t.TempDir(), "places")
	if len(opt.Sources) > 0 {
		opt.Areas = areasOf(t, opt.Sources)
	}
	if _, err := places.Build(context.Background(), opt); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(opt.Out)
	if err != nil {
		t.Fatal(err)
	}
	s, err := region.ReadSection(place.SectionName, data)
	if err != nil {
		t.Fatal(err)
	}
	x, err := find.Read(s)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// areasOf returns the administrative areas of extracts.
func areasOf(t testing.TB, sources []string) *boundary.Index {
	t.Helper()
	path := filepath.Join(t.TempDir(), "boundaries")
	if _, err := boundaries.Build(context.Background(), boundaries.Options{Sources: sources, Out: path}); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	s, err := region.ReadSection(boundary.SectionName, data)
	if err != nil {
		t.Fatal(err)
	}
	x, err := boundary.Read(s)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// trips asks for addresses and gives the share that comes first within so many
// metres.
func trips(t *testing.T, x *find.Index, list []truth, metres float64, write func(truth) string) float64 {
	t.Helper()
	good, logged := 0, 0
	for _, one := range list {
		q := write(one)
		hits, err := x.Search(t.Context(), &place.Query{Text: q, Limit: 5})
		if err != nil {
			t.Fatal(err)
		}
		if len(hits) > 0 && geo.Distance(hits[0].At, one.at) <= metres {
			good++
			continue
		}
		if logged++; logged <= 12 && testing.Verbose() {
			t.Logf("%q of %v", q, one)
			for _, h := range hits[:min(2, len(hits))] {
				t.Logf("    %.3f %s, %s, %s %s, %.0f m, %v", h.Score, h.Name, h.Street, h.Locality, h.Postcode, geo.Distance(h.At, one.at), h.Match)
			}
		}
	}
	return float64(good) / float64(len(list))
}

func atLeast(t *testing.T, what string, got, want float64) {
	t.Helper()
	t.Logf("%s: %.1f %%, want %.1f %%", what, got*100, want*100)
	if got < want {
		t.Errorf("%s: %.1f %%, want %.1f %%", what, got*100, want*100)
	}
}

// roundTrips checks that addresses are found as people write them, and that
// where they are one finds their street.
func roundTrips(t *testing.T, x *find.Index, list []truth, town string) {
	const n = 1000
	coded := sampled(list, n, func(a truth) bool { return strings.ContainsAny(a.postcode, " ") })
	atLeast(t, "number, street, postcode", trips(t, x, coded, 25, func(a truth) string { return a.house + " " + a.street + ", " + a.postcode }), 0.98)
	r := rand.New(rand.NewPCG(1, 2))
	atLeast(t, "a typo in the street", trips(t, x, coded, 25, func(a truth) string { return a.house + " " + misspelt(r, a.street) + ", " + a.postcode }), 0.92)
	inTown := sampled(list, n, func(a truth) bool { return a.city == town || town == "" && a.city != "" })
	atLeast(t, "number, street, town", trips(t, x, inTown, 25, func(a truth) string { return a.house + " " + a.street + ", " + a.city }), 0.95)
	flats(t, x, list)
	atLeast(t, "the right street near", reversed(t, x, sampled(list, n, func(truth) bool { return true })), 0.97)
}

// flats checks that the part of a building before or after an address changes nothing.
func flats(t *testing.T, x *find.Index, list []truth) {
	t.Helper()
	plainHouse := sampled(list, 200, func(a truth) bool {
		return a.city+a.postcode != "" && !strings.ContainsFunc(a.house, func(r rune) bool { return !unicode.IsDigit(r) })
	})
	write := func(a truth) string { return a.house + " " + a.street + ", " + cmp.Or(a.city, a.postcode) }
	without := trips(t, x, plainHouse, 25, write)
	for _, unit := range []string{"Flat 3, ", "Apt 12b ", "Unit 5/", "2/", "Room 7, 1st floor, "} {
		atLeast(t, unit, trips(t, x, plainHouse, 25, func(a truth) string { return unit + write(a) }), without-0.01)
	}
	for _, unit := range []string{"Wohnung 3", "Apt. 4", "кв. 12"} {
		atLeast(t, unit, trips(t, x, plainHouse, 25, func(a truth) string {
			return a.street + " " + a.house + ", " + unit + ", " + cmp.Or(a.city, a.postcode)
		}), without-0.01)
	}
}

// reversed returns the share of points, some metres off an address, at which the
// nearest address or street is that of the address.
func reversed(t *testing.T, x *find.Index, list []truth) float64 {
	t.Helper()
	r := rand.New(rand.NewPCG(3, 4))
	good, logged := 0, 0
	for _, one := range list {
		p := geo.Destination(one.at, r.Float64()*360, r.Float64()*5)
		near, err := x.Reverse(t.Context(), p, place.Of(place.Address, place.Street), 1, 1000, "")
		if err != nil {
			t.Fatal(err)
		}
		right := len(near) > 0 && plain(near[0].Street) == plain(one.street)
		if !right && len(near) > 0 {
			// Of two languages the address may be written in one and the street in
			// the other.
			p, _ := x.Find(near[0].ID, "en")
			right = plain(p.Street) == plain(one.street)
		}
		if right {
			good++
			continue
		}
		if logged++; logged <= 8 && testing.Verbose() {
			t.Logf("%v", one)
			for _, h := range near {
				t.Logf("    %s %q, %q %.1f m", h.Kind, h.Name, h.Street, h.Metres)
			}
		}
	}
	return float64(good) / float64(len(list))
}

// plain returns a street's name without what people write this way or that.
func plain(street string) string {
	street = strings.ReplaceAll(strings.ToLower(street), "saint", "st")
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, street)
}

func TestNewport(t *testing.T) {
	extract := realdata.File(t, "osm/newport-wales-20230613.osm.pbf")
	x := ofReal(t, places.Options{Sources: []string{extract}})
	list := addressesOf(t, extract)
	roundTrips(t, x, list, "Newport")
}

func TestIsleOfMan(t *testing.T) {
	dir := realdata.File(t, "geocoder/isle-of-man-osm")
	tables, err := filepath.Glob(filepath.Join(dir, "*.csv"))
	if err != nil {
		t.Fatal(err)
	}
	x := built(t, places.Options{Tables: tables, Country: "IM"})
	roundTrips(t, x, addressesOfTable(t, filepath.Join(dir, "addresses.csv")), "")
}

// TestOtherTowns asks for the addresses of places that nothing was fitted to, in
// the way of their countries.
func TestOtherTowns(t *testing.T) {
	for _, c := range []struct {
		extract                           string
		coded, misspelt, located, reverse float64
	}{
		{"osm/liechtenstein-20221215.osm.pbf", 0.98, 0.92, 0.95, 0.95},
		{"osm/dreieich-20221016.osm.gz", 0.98, 0.92, 0.95, 0.95},
		{"osm/dusseldorf-universitaetstunnel-20210812.osm.pbf", 0.98, 0.92, 0.95, 0.95},
		{"osm/london-westminster-20200720.osm.pbf", 0.95, 0.9, 0.9, 0.95},
		{"osm/rutland-england-20220720.osm.pbf", 0.98, 0.92, 0.95, 0.95},
		{"osm/malta-20180827.osm.pbf", 0.95, 0.9, 0.9, 0.9}, // where neighbouring houses name their street in either language
		{"osm/andorra-20211028.osm.pbf", 0.95, 0.9, 0.9, 0.95},
	} {
		t.Run(filepath.Base(c.extract), func(t *testing.T) {
			extract := realdata.File(t, c.extract)
			x := ofReal(t, places.Options{Sources: []string{extract}})
			list, n := addressesOf(t, extract), soaktest.Cases(200, 500)
			coded := sampled(list, n, func(a truth) bool { return a.postcode != "" })
			r := rand.New(rand.NewPCG(1, 2))
			atLeast(t, "street, number, postcode", trips(t, x, coded, 25, func(a truth) string { return a.street + " " + a.house + ", " + a.postcode }), c.coded)
			atLeast(t, "a typo in the street", trips(t, x, coded, 25, func(a truth) string { return misspelt(r, a.street) + " " + a.house + ", " + a.postcode }), c.misspelt)
			flats(t, x, list)
			inTown := sampled(list, n, func(a truth) bool { return a.city != "" })
			atLeast(t, "street, number, town", trips(t, x, inTown, 25, func(a truth) string { return a.street + " " + a.house + " " + a.city }), c.located)
			atLeast(t, "the right street near", reversed(t, x, sampled(list, n, func(truth) bool { return true })), c.reverse)
		})
	}
}

// TestSuggestionsDoNotJump types addresses letter by letter: what has come first
// stays first while what follows belongs to it.
func TestSuggestionsDoNotJump(t *testing.T) {
	extract := realdata.File(t, "osm/newport-wales-20230613.osm.pbf")
	x := ofReal(t, places.Options{Sources: []string{extract}})
	list := sampled(addressesOf(t, extract), 150, func(a truth) bool { return a.city == "Newport" })
	typed, jumped, shown := 0, 0, 0
	for _, one := range list {
		for _, text := range []string{one.street, one.house + " " + one.street + ", Newport"} {
			first, letters := false, 0
			for n := 1; n <= len(text); n++ {
				if !utf8.ValidString(text[:n]) {
					continue
				}
				hits, err := x.Search(t.Context(), &place.Query{Text: text[:n], Limit: 5, Typing: true})
				if err != nil {
					t.Fatal(err)
				}
				typed++
				meant := len(hits) > 0 && plain(hits[0].Street) == plain(one.street)
				if first && !meant {
					jumped++
					if jumped < 12 && testing.Verbose() {
						t.Logf("%q of %q: %v", text[:n], text, hits[:min(1, len(hits))])
					}
				}
				first = meant
				if meant {
					letters = n
				}
			}
			if letters == len(text) {
				shown++
			}
		}
	}
	t.Logf("%d letters, %d jumps, %d of %d first at the end", typed, jumped, shown, 2*len(list))
	if float64(jumped) > 0.005*float64(typed) {
		t.Errorf("%d of %d letters took the street meant from the first place", jumped, typed)
	}
	if shown < 2*len(list)*97/100 {
		t.Errorf("%d of %d streets come first when they are typed", shown, 2*len(list))
	}
}
