package photon

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/place"
	"github.com/waygate/waygate/wire/nominatim"
	"github.com/waygate/waygate/wire/schema"
)

func read[In any](query string) (*In, error) {
	in := new(In)
	_, err := schema.InputOf[In](schema.Warn, "api_key").Read(&http.Request{URL: &url.URL{RawQuery: query}}, nil, in, geo.Bounds{})
	return in, err
}

// checked reads a query and checks it.
func checked[In any](query string) (*In, error) {
	in, err := read[In](query)
	if err == nil {
		err = any(in).(interface{ Check() error }).Check()
	}
	return in, err
}

// TestRequestsAreRead reads every parameter at its limits and beyond them.
func TestRequestsAreRead(t *testing.T) {
	const searches, addresses, places = "/api", "/structured", "/reverse"
	for _, c := range []struct{ of, query, says string }{
		{searches, "", "q: is missing"},
		{searches, "q=" + strings.Repeat("x", 500), ""},
		{searches, "q=" + strings.Repeat("x", 501), "q: has 501 characters and may have 500"},
		{searches, "q=x&limit=many", "limit: must be a whole number"},
		{searches, "q=x&lat=1", "lon: is missing"},
		{searches, "q=x&lon=1", "lat: is missing"},
		{searches, "q=x&lat=91&lon=1", "lat: is 91"},
		{searches, "q=x&lat=1&lon=-180.1", "lon: is -180.1"},
		{searches, "q=x&lat=1&lon=NaN", "lon: must be a number"},
		{searches, "q=x&lat=-90&lon=180&zoom=0&location_bias_scale=-1e9", ""},
		{searches, "q=x&bbox=1,2,3", "bbox: must be minLon"},
		{searches, "q=x&bbox=1,2,3,4,5", "bbox: must be minLon"},
		{searches, "q=x&bbox=1,2,3,NaN", "bbox: must be minLon"},
		{searches, "q=x&bbox=1,2,3,91", "bbox: must be minLon"},
		{searches, "q=x&bbox=1,4,3,2", "minLat 4 above maxLat 2"},
		{searches, "q=x&bbox=179,-18,-179,-16", ""},
		{searches, "q=x&layer=pub", "layer: must be one of"},
		{searches, "q=x" + strings.Repeat("&layer=city", 10), "layer: stands 10 times"},
		{searches, "q=x" + strings.Repeat("&osm_tag=a", 20), ""},
		{searches, "q=x" + strings.Repeat("&osm_tag=a", 21), "osm_tag: stands 21 times"},
		{searches, "q=x&osm_tag=a:b:c", "osm_tag: must be key"},
		{searches, "q=x&osm_tag=:", "osm_tag: must be key"},
		{searches, "q=x&osm_tag=!", "osm_tag: must be key"},
		{searches, "q=x&osm_tag=" + strings.Repeat("a", 101), "osm_tag: must be key"},
		{searches, "q=x&countrycode=gb&countrycode=FR", ""},
		{searches, "q=x&countrycode=Wales", `countrycode: is "Wales"`},
		{searches, "q=x&include=osm.tourism", "include: is not taken"},
		{searches, "q=x&exclude=osm.tourism", "exclude: is not taken"},
		{searches, "q=x&dedupe=maybe", "dedupe: must be true or false"},
		{addresses, "", "street: is missing, and so is every other part"},
		{addresses, "housenumber=3", "street: is missing: a housenumber needs one"},
		{addresses, "city=%01", "city: has control characters"},
		{addresses, "countrycode=gb", ""},
		{addresses, "countrycode=zz", "countrycode: is no code"},
		{addresses, "countrycode=gbr", "countrycode: has 3 characters"},
		{addresses, "street=x&housenumber=3&city=a&district=b&county=c&state=d&postcode=e&countrycode=GB", ""},
		{addresses, "street=" + strings.Repeat("x", 201), "street: has 201 characters"},
		{places, "lat=1", "lon: is missing"},
		{places, "lon=1", "lat: is missing"},
		{places, "lat=90.5&lon=1", "lat: is 90.5"},
		{places, "lat=1&lon=1&radius=-1", "radius: is -1"},
		{places, "lat=1&lon=1&radius=5001", "radius: is 5001"},
		{places, "lat=1&lon=1&radius=0", ""},
		{places, "lat=1&lon=1&query_string_filter=x", "query_string_filter: is not taken"},
	} {
		var err error
		switch c.of {
		case searches:
			_, err = checked[Search](c.query)
		case addresses:
			_, err = checked[Structured](c.query)
		default:
			_, err = checked[Reverse](c.query)
		}
		if got := fmt.Sprint(err); c.says == "" && err != nil || c.says != "" && !strings.Contains(got, c.says) {
			t.Errorf("%s?%.60s: %s, want %q", c.of, c.query, got, c.says)
		}
	}
	for query, says := range map[string]string{
		"limit=100": "limit 100 counts as 40", "limit=0": "limit 0 counts as 1", "zoom=12": "zoom had no effect", "location_bias_scale=0.2": "location_bias_scale had no effect", "dedupe=0": "dedupe=0 had no effect",
		"geometry=true": "geometry had no effect", "debug=1": "debug had no effect", "suggest_addresses=true": "suggest_addresses had no effect", "flavour=mint": "flavour is not known here",
	} {
		in, err := checked[Search]("q=x&" + query)
		if err != nil || len(in.Warnings) != 1 || !strings.Contains(in.Warnings[0].Text, says) {
			t.Errorf("%s: %v %v, want %s", query, in.Warnings, err, says)
		}
	}
	in, err := checked[Reverse]("lat=1&lon=1&radius=5000&distance_sort=false")
	if err != nil || in.Radius != 100 || len(in.Warnings) != 2 || in.Limit != 1 {
		t.Errorf("%+v %v", in, err)
	}
	for lang, want := range map[string]string{"default": "", "de": "de", "": ""} {
		if in, err := checked[Search]("q=x&lang=" + lang); err != nil || in.Language() != want {
			t.Errorf("%s: %q %v", lang, in.Language(), err)
		}
	}
}

// TestTagFilters checks the seven forms of osm_tag, and how several act together.
func TestTagFilters(t *testing.T) {
	sorts := []struct {
		name string
		tags string
	}{{"museum", "tourism=museum"}, {"hotel", "tourism=hotel"}, {"pub", "amenity=pub"}, {"inn", "amenity=pub tourism=hotel"}, {"city", "place=city"}}
	for query, want := range map[string]string{
		"osm_tag=tourism:museum":                         "museum",
		"osm_tag=tourism":                                "museum hotel inn",
		"osm_tag=:pub":                                   "pub inn",
		"osm_tag=!tourism":                               "pub city",
		"osm_tag=!tourism:hotel":                         "museum pub city",
		"osm_tag=:!pub":                                  "museum hotel city",
		"osm_tag=tourism:!museum":                        "hotel inn",
		"osm_tag=tourism&osm_tag=!tourism:hotel":         "museum",
		"osm_tag=tourism:museum&osm_tag=place:city":      "museum city",
		"osm_tag=!amenity&osm_tag=!place":                "museum hotel",
		"osm_tag=highway":                                "",
		"layer=house":                                    "museum hotel pub inn",
		"layer=city&layer=state":                         "city",
		"layer=house&osm_tag=amenity&countrycode=gb":     "pub inn",
		"layer=house&osm_tag=amenity&countrycode=fr":     "",
		"countrycode=fr&countrycode=gb&osm_tag=:museum ": "museum",
	} {
		in, err := checked[Search]("q=x&" + query)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, c := range sorts {
			sort := place.Sort{Kind: place.POI, CountryCode: "GB"}
			for pair := range strings.FieldsSeq(c.tags) {
				key, value, _ := strings.Cut(pair, "=")
				sort.Categories = append(sort.Categories, value, key)
				if key == "place" {
					sort.Kind, sort.Class = place.Locality, value
				}
			}
			if in.Only()(&sort) {
				got = append(got, c.name)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %v, want %s", query, got, want)
		}
	}
}

// TestAnswer writes places of every kind. The members of a house are those of public answers of
// Photon, in their order.
func TestAnswer(t *testing.T) {
	at := geo.Point{Lon: 13.123456789, Lat: 52.5}
	areas := []nominatim.Area{{Level: 2, Name: "Germany", ISO: "DE"}, {Level: 4, Name: "Saxony"}, {Level: 6, Name: "Zwickau"}, {Level: 9, Name: "Wahlen"}}
	around := func(p place.Place, town string) nominatim.Place {
		p.At, p.CountryCode = at, "DE"
		return nominatim.Place{Place: p, Areas: areas, Town: town}
	}
	for _, c := range []struct {
		of   nominatim.Place
		want string
	}{
		{
			around(place.Place{Kind: place.Address, Name: "Fichtestraße 1", House: "1", Street: "Fichtestraße", Locality: "Crimmitschau", Postcode: "08451", Object: place.Object{Source: place.Way, Number: 570446453}}, "town"),
			`{"osm_type":"W","osm_id":570446453,"osm_key":"place","osm_value":"house","type":"house","housenumber":"1","street":"Fichtestraße","district":"Wahlen","city":"Crimmitschau","county":"Zwickau","state":"Saxony","country":"Germany","postcode":"08451","countrycode":"DE"}`,
		},
		{
			around(place.Place{Kind: place.Street, Name: "Fichtestraße", Street: "Fichtestraße", Locality: "Crimmitschau", Class: "residential", Object: place.Object{Source: place.Way, Number: 7}}, "town"),
			`{"osm_type":"W","osm_id":7,"osm_key":"highway","osm_value":"residential","type":"street","name":"Fichtestraße","district":"Wahlen","city":"Crimmitschau","county":"Zwickau","state":"Saxony","country":"Germany","countrycode":"DE"}`,
		},
		{
			around(place.Place{Kind: place.Locality, Name: "Wahlen", Locality: "Wahlen", Within: "Crimmitschau", Class: "suburb", Object: place.Object{Number: 9}}, "town"),
			`{"osm_type":"N","osm_id":9,"osm_key":"place","osm_value":"suburb","type":"district","name":"Wahlen","city":"Crimmitschau","county":"Zwickau","state":"Saxony","country":"Germany","countrycode":"DE"}`,
		},
		{
			around(place.Place{Kind: place.POI, Name: "Zoo", Street: "Weg", House: "2", Categories: []string{"zoo", "tourism"}, Details: []place.Detail{{Key: "phone", Value: "1"}}, Extent: &geo.Bounds{Min: geo.Point{Lon: 1, Lat: 2}, Max: geo.Point{Lon: 3, Lat: 4}}, Object: place.Object{Source: place.Relation, Number: 3}}, ""),
			`{"osm_type":"R","osm_id":3,"osm_key":"tourism","osm_value":"zoo","type":"house","housenumber":"2","name":"Zoo","street":"Weg","district":"Wahlen","county":"Zwickau","state":"Saxony","country":"Germany","countrycode":"DE","extra":{"phone":"1"},"extent":[1,4,3,2]}`,
		},
		{
			around(place.Place{Kind: place.Postcode, Name: "08451", Postcode: "08451"}, ""),
			`{"osm_key":"place","osm_value":"postcode","type":"other","name":"08451","district":"Wahlen","county":"Zwickau","state":"Saxony","country":"Germany","countrycode":"DE"}`,
		},
	} {
		body, err := json.Marshal(Write([]nominatim.Place{c.of}, []string{"us"}, nil))
		want := `{"type":"FeatureCollection","features":[{"type":"Feature","properties":` + c.want + `,"geometry":{"type":"Point","coordinates":[13.1234568,52.5]}}],"attribution":["us"]}`
		if err != nil || string(body) != want {
			t.Errorf("%s, want\n%s %v", body, want, err)
		}
	}
	if body, err := json.Marshal(Write(nil, nil, nil)); err != nil || !strings.Contains(string(body), `"features":[]`) {
		t.Errorf("%s %v", body, err)
	}
}

// FuzzRequests reads queries of any kind, and uses what was read.
func FuzzRequests(f *testing.F) {
	for _, query := range []string{"q=x&lat=1&lon=2&bbox=1,2,3,4&osm_tag=a:!b&layer=city&countrycode=gb", "street=x&countrycode=GB", "lat=1&lon=2&radius=3", "q=%ff&osm_tag=:::"} {
		f.Add(query)
	}
	sort := place.Sort{Kind: place.POI, Categories: []string{"pub", "amenity"}, CountryCode: "GB"}
	f.Fuzz(func(t *testing.T, query string) {
		if in, err := checked[Search](query); err == nil {
			if in.Limit < 1 || in.Limit > MostResults {
				t.Fatalf("%+v", in)
			}
			if only := in.Only(); only != nil {
				only(&sort)
			}
			if b := in.Box(); b != nil && !(b.Min.Lat <= b.Max.Lat) {
				t.Fatal(b)
			}
		}
		if in, err := checked[Structured](query); err == nil && in.Only() != nil {
			in.Only()(&sort)
		}
		if in, err := checked[Reverse](query); err == nil && !(in.Radius >= 0 && in.Radius <= mostKilometre) {
			t.Fatalf("%+v", in)
		}
	})
}
