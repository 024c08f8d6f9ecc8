package nominatim

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/place"
	"github.com/waygate/waygate/wire/schema"
)

// read reads a query as the edge does.
func read[In any](query string) (*In, error) {
	in := new(In)
	_, err := schema.InputOf[In](schema.Warn, "api_key").Read(&http.Request{URL: &url.URL{RawQuery: query}}, nil, in, geo.Bounds{})
	return in, err
}

// search reads and checks a query of /search.
func search(query string) (*Search, error) {
	in, err := read[Search](query)
	if err == nil {
		_, err = in.Output()
	}
	return in, err
}

func ids(n int) string {
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprint("N", i+1)
	}
	return strings.Join(all, ",")
}

// TestSearchIsRead reads every parameter at its limits and beyond them.
func TestSearchIsRead(t *testing.T) {
	for query, says := range map[string]string{
		"":                                   "q: is missing, and so are amenity",
		"q=":                                 "q: is missing",
		"q=x&city=y":                         "q: stands beside city",
		"q=" + strings.Repeat("x", 501):      "q: has 501 characters and may have 500",
		"street=" + strings.Repeat("x", 201): "street: has 201 characters and may have 200",
		"q=x&q=y":                            "q: stands 2 times",
		"city=%01":                           "city: has control characters",
		"q=x&format=html":                    "format: must be one of",
		"q=x&limit=many":                     "limit: must be a whole number",
		"q=x&addressdetails=maybe":           "addressdetails: must be true or false",
		"q=x&countrycodes=gbr":               `countrycodes: has "gbr"`,
		"q=x&countrycodes=gb,,fr":            `countrycodes: has ""`,
		"q=x&countrycodes=" + strings.TrimSuffix(strings.Repeat("gb,", 61), ","): "more than the 60 codes",
		"q=x&layer=address,road":                            "layer: must be of address, poi",
		"q=x&featureType=road":                              "featureType: must be one of",
		"q=x&exclude_place_ids=" + ids(51):                  "more than the 50 places",
		"q=x&exclude_place_ids=N":                           `exclude_place_ids: has "N"`,
		"q=x&exclude_place_ids=N1,drop":                     `has "drop"`,
		"q=x&viewbox=1,2,3":                                 "viewbox: must be lon,lat,lon,lat",
		"q=x&viewbox=1,2,3,4,5":                             "viewbox: must be lon,lat,lon,lat",
		"q=x&viewbox=1,2,NaN,4":                             "viewbox: must be lon,lat,lon,lat",
		"q=x&viewbox=1,2,3,91":                              "latitudes from -90 to 90",
		"q=x&viewbox=1,2,1,4":                               "corners must differ",
		"q=x&bounded=1":                                     "bounded: needs viewbox",
		"q=x&polygon_kml=1":                                 "polygon_kml: asks for an outline",
		"q=x&polygon_svg=1":                                 "polygon_svg: asks for an outline",
		"q=x&polygon_text=1":                                "polygon_text: asks for an outline",
		"q=x&json_callback=f":                               "json_callback: is not taken",
		"q=x&debug=1":                                       "debug: is not taken",
		"q=x&accept-language=" + strings.Repeat("en,", 100): "accept-language: has 300 characters",
		"q=" + strings.Repeat("x", 500) + "&exclude_place_ids=" + ids(50) + "&viewbox=180,90,-180,-90&bounded=1&limit=40&featureType=settlement&countrycodes=gb&layer=poi&polygon_kml=0&debug=0&email=a@b.c": "",
		"amenity=pub&street=3+Quay+Street&city=x&county=y&state=z&country=GB&postalcode=NP20+1AA":                                                                                                            "",
		"q=x&exclude_place_ids=W1,r2,123,Pgb:NP20_1AA,": "",
	} {
		_, err := search(query)
		if got := fmt.Sprint(err); says == "" && err != nil || says != "" && !strings.Contains(got, says) {
			t.Errorf("%.80s: %s, want %q", query, got, says)
		}
	}
	for query, says := range map[string]string{
		"q=x&limit=100":           "limit 100 counts as 40",
		"q=x&limit=-1":            "limit -1 counts as 1",
		"q=x&limit=0":             "limit 0 counts as 1",
		"q=x&dedupe=0":            "dedupe=0 had no effect",
		"q=x&polygon_geojson=1":   "polygon_geojson gives points",
		"q=x&polygon_threshold=1": "polygon_threshold had no effect",
		"q=x&entrances=1":         "entrances had no effect",
		"q=x&flavour=mint":        "flavour is not known here",
	} {
		in, err := search(query)
		if err != nil || len(in.Warnings) != 1 || !strings.Contains(in.Warnings[0].Text, says) {
			t.Errorf("%s: %v %v, want %s", query, in.Warnings, err, says)
		}
	}
	in, err := search("q=x&viewbox=3,52,1,50&bounded=1&limit=7")
	if err != nil || fmt.Sprint(*in.Box()) != "{1.000000,50.000000 3.000000,52.000000}" || fmt.Sprint(*in.Bias()) != "2.000000,51.000000" || in.Limit != 7 || in.Only() != nil {
		t.Errorf("%+v %v", in, err)
	}
}

// TestFiltersOfSearch leaves sorts of places out by layers, types and countries.
func TestFiltersOfSearch(t *testing.T) {
	sorts := map[string]place.Sort{
		"house": {Kind: place.Address, CountryCode: "GB"}, "street": {Kind: place.Street, Class: "residential", CountryCode: "GB"}, "town": {Kind: place.Locality, Class: "town", CountryCode: "GB"},
		"suburb": {Kind: place.Locality, Class: "suburb", CountryCode: "GB"}, "state": {Kind: place.Area, Class: "administrative4", CountryCode: "GB"}, "country": {Kind: place.Area, Class: "administrative2", CountryCode: "FR"},
		"county": {Kind: place.Area, Class: "administrative6", CountryCode: "GB"}, "pub": {Kind: place.POI, Categories: []string{"pub", "amenity"}, CountryCode: "GB"},
		"peak": {Kind: place.POI, Categories: []string{"peak", "natural"}, CountryCode: "GB"}, "station": {Kind: place.POI, Categories: []string{"station", "railway"}, CountryCode: "GB"},
		"park": {Kind: place.POI, Categories: []string{"park", "leisure"}, CountryCode: "GB"}, "tower": {Kind: place.POI, Categories: []string{"tower", "man_made"}, CountryCode: "FR"},
		"building": {Kind: place.POI, Categories: []string{"building"}, CountryCode: "FR"},
	}
	for query, want := range map[string]string{
		"layer=address":                       "building country county house state street suburb town",
		"layer=poi":                           "pub station tower",
		"layer=railway":                       "station",
		"layer=natural":                       "peak",
		"layer=manmade":                       "park",
		"layer=poi,natural":                   "peak pub station tower",
		"featureType=country":                 "country",
		"featureType=state":                   "state",
		"featureType=city":                    "town",
		"featureType=settlement":              "county state suburb town",
		"featureType=settlement&layer=poi":    "county state suburb town",
		"countrycodes=fr":                     "building country tower",
		"countrycodes=fr,de&layer=poi":        "tower",
		"countrycodes=gb&featureType=country": "",
	} {
		in, err := search("q=x&" + query)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, name := range []string{"building", "country", "county", "house", "park", "peak", "pub", "state", "station", "street", "suburb", "tower", "town"} {
			if sort := sorts[name]; in.Only()(&sort) {
				got = append(got, name)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %v, want %s", query, got, want)
		}
	}
}

func TestExcluded(t *testing.T) {
	p := pub()
	code := Place{Place: place.Place{ID: "postcode.gb.np201aa", Kind: place.Postcode, Postcode: "NP20 1AA", CountryCode: "GB"}}
	for list, want := range map[string]string{"N5": "true false", "n5,W7": "true false", "W5": "false false", "322253285911101": "true false", "Pgb:NP20_1AA": "false true"} {
		in, err := search("q=x&exclude_place_ids=" + list)
		if got := fmt.Sprint(in.Excluded(&p), in.Excluded(&code)); err != nil || got != want {
			t.Errorf("%s: %s %v, want %s", list, got, err, want)
		}
	}
}

// TestReverseAndLookupAreRead reads their parameters at their limits.
func TestReverseAndLookupAreRead(t *testing.T) {
	for query, says := range map[string]string{
		"lat=1":                  "lon: is missing",
		"lon=1":                  "lat: is missing",
		"lat=90.1&lon=1":         "lat: is 90.1",
		"lat=1&lon=-180.5":       "lon: is -180.5",
		"lat=NaN&lon=1":          "lat: must be a number",
		"lat=1&lon=1&zoom=x":     "zoom: must be a whole number",
		"lat=1&lon=1&layer=x":    "layer: must be of",
		"lat=-90&lon=180&zoom=0": "",
		"lat=1&lon=1&zoom=99":    "",
		"lat=1&lon=1&zoom=-5":    "",
	} {
		in, err := read[Reverse](query)
		if err == nil {
			_, err = in.Output()
			in.Steps()
		}
		if got := fmt.Sprint(err); says == "" && err != nil || says != "" && !strings.Contains(got, says) {
			t.Errorf("%s: %s, want %q", query, got, says)
		}
	}
	for query, says := range map[string]string{
		"":                                 "osm_ids: is missing",
		"osm_ids=,":                        "osm_ids: is empty",
		"osm_ids=" + ids(50):               "",
		"osm_ids=" + ids(51):               "more than the 50 objects",
		"osm_ids=X1":                       `osm_ids: has "X1"`,
		"osm_ids=N":                        `osm_ids: has "N"`,
		"osm_ids=N-1":                      `osm_ids: has "N-1"`,
		"osm_ids=N0":                       `osm_ids: has "N0"`,
		"osm_ids=N99999999999999999999999": `osm_ids: has "N9`,
		"osm_ids=n1,+w2":                   "",
	} {
		_, err := read[Lookup](query)
		if got := fmt.Sprint(err); says == "" && err != nil || says != "" && !strings.Contains(got, says) {
			t.Errorf("%.60s: %s, want %q", query, got, says)
		}
	}
}

// TestSteps looks for less the smaller the zoom.
func TestSteps(t *testing.T) {
	for query, want := range map[string]string{
		"zoom=18":                "100 600 15000 2500 level 12",
		"zoom=17":                "600 15000 2500 level 12",
		"zoom=15":                "15000 2500 level 12",
		"zoom=10":                "15000 2500 level 8",
		"zoom=8":                 "2500 level 6",
		"zoom=3":                 "2500 level 2",
		"zoom=18&layer=address":  "100 600 15000 level 12",
		"zoom=18&layer=natural":  "100 2500 level 0",
		"zoom=5&layer=address":   " level 4",
		"zoom=16&layer=poi":      "2500 level 0",
		"zoom=-1&layer=address":  " level 1",
		"zoom=100&layer=address": "100 600 15000 level 12",
	} {
		in, err := read[Reverse]("lat=1&lon=1&" + query)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := in.Output(); err != nil {
			t.Fatal(err)
		}
		var reaches []string
		for _, s := range in.Steps() {
			reaches = append(reaches, fmt.Sprint(s.Metres))
		}
		if got := fmt.Sprint(strings.Join(reaches, " "), " level ", in.Level()); got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
}

// TestBest takes the smallest locality that reaches to the point.
func TestBest(t *testing.T) {
	at := func(name, class string, metres float64) Place {
		return Place{Place: place.Place{Kind: place.Locality, Name: name, Class: class}, Metres: &metres}
	}
	for _, c := range []struct {
		all  []Place
		want string
	}{
		{nil, "none"},
		{[]Place{at("Far Village", "village", 2500), at("City", "city", 9000)}, "City"},
		{[]Place{at("Suburb", "suburb", 1500), at("City", "city", 3000)}, "Suburb"},
		{[]Place{at("Near Town", "town", 4500)}, "none"},
		{[]Place{{Place: place.Place{Kind: place.Street, Name: "Street"}}}, "Street"},
	} {
		got := "none"
		if p, ok := (&Reverse{}).Best(c.all); ok {
			got = p.Name
		}
		if got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}

func TestPreferred(t *testing.T) {
	for list, want := range map[string]string{
		"":                            "",
		"de":                          "de",
		"*":                           "",
		"en-GB,en;q=0.9,de;q=0.8":     "en-GB",
		"en;q=0.5, cy;q=0.9":          "cy",
		"en;q=0,cy;q=0.1":             "cy",
		"en;q=NaN,cy":                 "cy",
		"en;q=2,cy":                   "cy",
		"<script>, fr":                "fr",
		strings.Repeat("a", 36):       "",
		strings.Repeat(",", 40) + "a": "",
	} {
		if got := Preferred(list); got != want {
			t.Errorf("%q: %q, want %q", list, got, want)
		}
	}
	in := Search{common: common{Header: "cy,en;q=0.5"}}
	if got := in.Language(); got != "cy" {
		t.Error(got)
	}
	if in.AcceptLanguage = "fr"; in.Language() != "fr" {
		t.Error(in.Language())
	}
}

// FuzzRequests reads queries of any kind, and uses what was read.
func FuzzRequests(f *testing.F) {
	for _, query := range []string{
		"q=x&viewbox=1,2,3,4&bounded=1&exclude_place_ids=N1,Pgb:X&countrycodes=gb,fr&layer=poi&featureType=city&limit=3", "city=x&country=GB", "lat=1&lon=2&zoom=10", "osm_ids=N1,W2", "q=%ff&viewbox=,,,",
	} {
		f.Add(query)
	}
	sort := place.Sort{Kind: place.POI, Categories: []string{"pub", "amenity"}, CountryCode: "GB"}
	f.Fuzz(func(t *testing.T, query string) {
		if in, err := search(query); err == nil {
			if in.Limit < 1 || in.Limit > MostResults || len(in.Exclude) > MostExcluded || in.Asked() == "" {
				t.Fatalf("%+v", in)
			}
			if b := in.Box(); b != nil && !(b.Min.Lon < b.Max.Lon && b.Min.Lat < b.Max.Lat) {
				t.Fatal(b)
			}
			if only := in.Only(); only != nil {
				only(&sort)
			}
			p := pub()
			in.Excluded(&p)
			in.Language()
		}
		if in, err := read[Reverse](query); err == nil {
			if _, err := in.Output(); err == nil {
				for _, step := range in.Steps() {
					step.Only(&sort)
				}
			}
		}
		if in, err := read[Lookup](query); err == nil && (len(in.Objects()) == 0 || len(in.Objects()) > MostObjects || in.Asked() == "") {
			t.Fatalf("%+v", in)
		}
	})
}
