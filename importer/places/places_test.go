package places_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/importer/places"
	"github.com/waygate/waygate/index/place"
	"github.com/waygate/waygate/index/place/find"
	"github.com/waygate/waygate/osm"
	"github.com/waygate/waygate/realdata"
	"github.com/waygate/waygate/soaktest"
	"github.com/waygate/waygate/towntest"
)

func first(t *testing.T, x *find.Index, q string) place.Hit {
	t.Helper()
	hits, err := x.Search(t.Context(), &place.Query{Text: q, Limit: 5})
	if err != nil {
		t.Fatal(err)
	}
	if len(hits) == 0 {
		t.Fatalf("%q finds nothing", q)
	}
	return hits[0]
}

func TestATown(t *testing.T) {
	town := towntest.Draw(t, `
		a----1---2---3---b
		|                |
		c----4-------5---d
		     6
	`, towntest.At(geo.Point{Lon: -3, Lat: 51.6}), towntest.Ways{
		{"a1", `highway=residential name="High Street" name:cy="Stryd Fawr"`},
		{"12", `highway=residential name="High Street"`},
		{"23b", `highway=residential name="High Street"`},
		{"ac", `highway=trunk name="" ref="A48;A449"`},
		{"bd", `highway=tertiary name="Mill Lane" ref=B4591`},
		{"c45d", `highway=footway name="The Backs"`},
	}, towntest.Nodes{
		{"1", `addr:housenumber=1 addr:street="High Street" addr:postcode="NP20 1AA" addr:city=Newport`},
		{"3", `addr:housenumber=2;3a addr:street="High Street" addr:postcode="NP20 1AB" addr:city=Newport`},
		{"4", `amenity=pub name="The Red Lion" opening_hours=24/7 contact:phone="+44 1633 1" addr:street="Mill Lane" socket:type2=2`},
		{"5", `amenity=pub name="The Shut" disused=yes`},
		{"6", `place=town name=Newport name:cy=Casnewydd population=150000 wikidata=Q1`},
	})
	x := built(t, places.Options{Sources: []string{town.PBF(t)}, Country: "GB"})
	for q, want := range map[string]string{
		"high street newport": "High Street", "stryd fawr": "High Street", "3a high st": "3a High Street", "2 high street, np20 1ab": "2 High Street", "casnewydd": "Newport",
		"red lion mill lane": "The Red Lion", "b4591": "Mill Lane", "a48": "A48", "a449 newport": "A48", "np20": "NP20", "backs": "The Backs",
	} {
		if h := first(t, x, q); h.Name != want {
			t.Errorf("%q finds %q, want %q (%v)", q, h.Name, want, h.Match)
		}
	}
	pub := first(t, x, "red lion")
	var details []string
	for _, d := range pub.Details {
		details = append(details, d.Key+"="+d.Value)
	}
	if got := strings.Join(details, " "); got != "opening_hours=24/7 phone=+44 1633 1 socket:type2=2" {
		t.Errorf("details %s", got)
	}
	if hits, err := x.Search(t.Context(), &place.Query{Text: "shut", Limit: 5}); err != nil || len(hits) > 0 && hits[0].Name == "The Shut" {
		t.Errorf("a pub that is no more: %v, %v", hits, err)
	}
	near, err := x.Reverse(t.Context(), town.Point("2"), place.Of(place.Street), 1, 100, "cy")
	if err != nil || len(near) != 1 || near[0].Name != "Stryd Fawr" || near[0].Metres > 1 {
		t.Errorf("near 2 is %v, %v", near, err)
	}
}

func TestInterpolation(t *testing.T) {
	town := towntest.Draw(t, `
		a---1---------2---b
	`, towntest.Ways{{"a12b", `highway=residential name="Long Row"`}, {"12", `addr:interpolation=even`}}, towntest.Nodes{
		{"1", `addr:housenumber=2 addr:street="Long Row"`}, {"2", `addr:housenumber=12 addr:street="Long Row"`},
	})
	x := built(t, places.Options{Sources: []string{town.PBF(t)}})
	for n, share := range map[string]float64{"4": 0.2, "8": 0.6, "10": 0.8} {
		h := first(t, x, n+" Long Row")
		if want := town.Between("1", "2", share); h.House != n || geo.Distance(h.At, want) > 1 {
			t.Errorf("%s is %s at %v, want %v", n, h.Name, h.At, want)
		}
	}
	// Beyond both ends the nearest number stands in, and says so.
	if h := first(t, x, "14 Long Row"); h.House != "12" || h.Match[0].Field != "house" || h.Match[0].Text != "12" || h.Match[0].Quality > 0.5 {
		t.Errorf("14 is %s, %v", h.Name, h.Match)
	}
	if h := first(t, x, "400 Long Row"); h.Kind != place.Street || h.Match[0].Field != "house" || h.Match[0].Quality != 0 {
		t.Errorf("400 is %s, %v", h.Name, h.Match)
	}
}

func TestTables(t *testing.T) {
	for name, c := range map[string]struct{ table, q, want string }{
		"header":         {"name,lat,lon,category,opening_hours,city\nBlue Boar,51.5,-3.1,pub,24/7,Cardiff\n", "blue boar cardiff", "Blue Boar"},
		"other names":    {"Title;Latitude;Longitude;Name\nx;51.5;-3.1;Green Man\n", "green man", "Green Man"},
		"addresses":      {"x,y,housenumber,street,city,postcode\n-3.1,51.5,7,Castle Road,Cardiff,CF10 1AA\n", "7 castle rd cf101aa", "7 Castle Road"},
		"Code-Point":     {"\"CF101AA\",10,318000,176000,\"W92000004\",\"\",\"\",\"\",\"\",\"\"\n", "cf10 1aa", "CF10 1AA"},
		"mark and tabs":  {"\ufeffname\tlat\tlon\nTwo Tabs\t51.5\t-3.1\n", "two tabs", "Two Tabs"},
		"grid by header": {"postcode,eastings,northings\nCF10 1AB,318000,176000\n", "cf101ab", "CF10 1AB"},
		"OpenStreetMap":  {"osm_id,osm_type,lat,lon,name,place\n7,node,51.5,-3.1,Penarth,town\n", "penarth", "Penarth"},
	} {
		t.Run(name, func(t *testing.T) {
			plain := filepath.Join(t.TempDir(), "x.csv")
			if err := os.WriteFile(plain, []byte(c.table), 0o600); err != nil {
				t.Fatal(err)
			}
			var packed bytes.Buffer
			z := gzip.NewWriter(&packed)
			_, _ = z.Write([]byte(c.table))
			_ = z.Close()
			if err := os.WriteFile(plain+".gz", packed.Bytes(), 0o600); err != nil {
				t.Fatal(err)
			}
			for _, path := range []string{plain, plain + ".gz"} {
				x := built(t, places.Options{Tables: []string{path}, Country: "GB"})
				h := first(t, x, c.q)
				if h.Name != c.want {
					t.Errorf("%q finds %q, want %q", c.q, h.Name, c.want)
				}
				if d := geo.Distance(h.At, geo.Point{Lon: -3.1, Lat: 51.5}); d > 20_000 {
					t.Errorf("at %v", h.At)
				}
				if again := first(t, built(t, places.Options{Tables: []string{path}, Country: "GB"}), c.q); again.ID != h.ID {
					t.Errorf("the id is %s and then %s", h.ID, again.ID)
				}
			}
		})
	}
}

// TestPostcodes checks that every postcode of a town is where Ordnance Survey has
// it, with a space and without, and found from there.
// postcodes returns a table of the postcodes of Great Britain: in make soak of all 1.7 million, and
// on every change of those that begin with the letters of some cities.
func postcodes(t *testing.T) string {
	t.Helper()
	whole := realdata.File(t, "geocoder/codepoint-open-201408.csv.gz")
	if soaktest.Whole() {
		return whole
	}
	f, err := os.Open(whole)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	packed, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	some := filepath.Join(t.TempDir(), "postcodes.csv")
	var rows bytes.Buffer
	for lines, first := bufio.NewScanner(packed), true; lines.Scan(); first = false {
		line := lines.Bytes()
		if area := bytes.TrimLeft(line, `"`); first || bytes.ContainsAny(area[:1], "NWC") || bytes.HasPrefix(area, []byte("E")) || bytes.HasPrefix(area, []byte("SW")) || bytes.HasPrefix(area, []byte("SE")) {
			rows.Write(append(line, '\n'))
		}
	}
	if err := os.WriteFile(some, rows.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return some
}

func TestPostcodes(t *testing.T) {
	x := built(t, places.Options{Tables: []string{postcodes(t)}})
	n := 0
	for _, p := range []geo.Point{{Lon: -2.9977, Lat: 51.5882}, {Lon: -0.1276, Lat: 51.5072}, {Lon: -3.1883, Lat: 55.9533}} {
		near, err := x.Reverse(t.Context(), p, place.Of(place.Postcode), 100, 5000, "")
		if err != nil || len(near) < 90 {
			t.Fatalf("%d near %v, %v", len(near), p, err)
		}
		for _, want := range near {
			if strings.IndexByte(want.Name, ' ') < 0 {
				continue // an outward part
			}
			n++
			for _, q := range []string{want.Name, strings.ReplaceAll(want.Name, " ", ""), strings.ToLower(want.Name)} {
				if h := first(t, x, q); h.Name != want.Name || geo.Distance(h.At, want.At) > 100 {
					t.Errorf("%q finds %q at %v, want %v", q, h.Name, h.At, want.At)
				}
			}
			out, _, _ := strings.Cut(want.Name, " ")
			if h := first(t, x, out); h.Name != out {
				t.Errorf("%q finds %q", out, h.Name)
			}
		}
	}
	if n < 250 {
		t.Errorf("only %d postcodes", n)
	}
	// The position of Newport's station by its postcode, NP20 4AX.
	if h := first(t, x, "NP20 4AX"); geo.Distance(h.At, geo.Point{Lon: -2.9993, Lat: 51.5889}) > 300 || math.IsNaN(h.Score) {
		t.Errorf("%v", h.At)
	}
}

// A street over the antimeridian lies there, not half-way round the globe.
func TestStreetAcrossTheAntimeridian(t *testing.T) {
	d := &osm.Data{Ways: []osm.Way{{ID: 1, Nodes: []int64{1, 2, 3}, Tags: osm.Tags{{Key: "highway", Value: "residential"}, {Key: "name", Value: "Date Line Road"}}}}}
	for i, lon := range []int32{1_799_900_000, 1_799_990_000, -1_799_900_000} {
		d.Nodes = append(d.Nodes, osm.Node{ID: int64(i + 1), Lon: lon, Lat: -168_000_000})
	}
	for i, at := range [][2]int32{{1_799_800_000, -169_000_000}, {-1_799_400_000, -169_000_000}, {-1_799_400_000, -169_200_000}, {1_799_800_000, -169_200_000}} {
		d.Nodes = append(d.Nodes, osm.Node{ID: int64(i + 11), Lon: at[0], Lat: at[1]})
	}
	d.Ways = append(d.Ways, osm.Way{ID: 2, Nodes: []int64{11, 12, 13, 14, 11}, Tags: osm.Tags{{Key: "leisure", Value: "park"}, {Key: "name", Value: "Date Line Park"}}},
		osm.Way{ID: 3, Nodes: []int64{11, 12, 13}}, osm.Way{ID: 4, Nodes: []int64{13, 14, 11}})
	d.Relations = []osm.Relation{{ID: 5, Tags: osm.Tags{{Key: "type", Value: "multipolygon"}, {Key: "leisure", Value: "nature_reserve"}, {Key: "name", Value: "Two Days Reserve"}}, Members: []osm.Member{{Kind: osm.KindWay, Ref: 3, Role: "outer"}, {Kind: osm.KindWay, Ref: 4, Role: "outer"}}}}
	path := filepath.Join(t.TempDir(), "street.osm.pbf")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(osm.WritePBF(f, d), f.Close()); err != nil {
		t.Fatal(err)
	}
	x := built(t, places.Options{Sources: []string{path}})
	if h := first(t, x, "date line road"); !h.Extent.Contains(h.At) || h.Extent.Min.Lon != 179.99 || h.Extent.Max.Lon != -179.99 {
		t.Errorf("the road lies at %v in %v", h.At, h.Extent)
	}
	for _, name := range []string{"date line park", "two days reserve"} {
		if h := first(t, x, name); geo.Distance(h.At, geo.Point{Lon: -179.98, Lat: -16.91}) > 1 || h.Extent.Min.Lon != 179.98 || h.Extent.Max.Lon != -179.94 {
			t.Errorf("%s lies at %v in %v", name, h.At, h.Extent)
		}
	}
}

// TestConscriptionNumbers finds houses that have a number of their place, one of their street, or
// both.
func TestConscriptionNumbers(t *testing.T) {
	town := towntest.Draw(t, `
		a--1--2--b
		c        3
	`, towntest.At(geo.Point{Lon: 15.2, Lat: 50.3}), towntest.Ways{{"a12b", `highway=residential name=Kaprova`}}, towntest.Nodes{
		{"1", `addr:street=Kaprova addr:conscriptionnumber=2544 addr:streetnumber=82`},
		{"2", `addr:street=Kaprova addr:housenumber=2531/80`},
		{"3", `addr:place=Lipová addr:conscriptionnumber=150`},
		{"c", `place=village name=Lipová`},
	})
	x := built(t, places.Options{Sources: []string{town.PBF(t)}})
	for q, want := range map[string]string{"Kaprova 82": "1", "Kaprova 2544": "1", "Kaprova 2544/82": "1", "Kaprova 80": "2", "Lipová č.p. 150": "3", "Lipova cp 150": "3", "Lipová 150": "3"} {
		if h := first(t, x, q); geo.Distance(h.At, town.Between(want, want, 0)) > 1 {
			t.Errorf("%q finds %q, want the house at %s", q, h.Name, want)
		}
	}
}

// TestInterpolationsWithLetters makes the houses between ends that have letters.
func TestInterpolationsWithLetters(t *testing.T) {
	town := towntest.Draw(t, `
		a----------b
		1----------2

		c----------d
		3----------4
	`, towntest.At(geo.Point{Lon: 1.2, Lat: 52.6}), towntest.Ways{
		{"ab", `highway=residential name=Distelway`},
		{"12", `addr:interpolation=alphabetic`},
		{"cd", `highway=residential name="Letter Row"`},
		{"34", `addr:interpolation=even`},
	}, towntest.Nodes{
		{"1", `addr:housenumber=1a addr:street=Distelway`},
		{"2", `addr:housenumber=1e addr:street=Distelway`},
		{"3", `addr:housenumber=10A addr:street="Letter Row"`},
		{"4", `addr:housenumber=18 addr:street="Letter Row"`},
	})
	x := built(t, places.Options{Sources: []string{town.PBF(t)}})
	for q, want := range map[string]struct {
		name string
		part float64 // of the way between the ends
	}{
		"1c Distelway": {"1c Distelway", 0.5}, "1b Distelway": {"1b Distelway", 0.25}, "14 Letter Row": {"14 Letter Row", 0.5}, "16 Letter Row": {"16 Letter Row", 0.75},
	} {
		h := first(t, x, q)
		from, to := "1", "2"
		if strings.HasSuffix(q, "Row") {
			from, to = "3", "4"
		}
		at := town.Between(from, to, want.part)
		if h.Name != want.name || geo.Distance(h.At, at) > 1 {
			t.Errorf("%q finds %q at %v, want %q at %v", q, h.Name, h.At, want.name, at)
		}
	}
}
