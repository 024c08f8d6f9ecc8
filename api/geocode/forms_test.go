package geocode_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/waygate/waygate/account"
	"github.com/waygate/waygate/api"
	"github.com/waygate/waygate/api/apitest"
	"github.com/waygate/waygate/feature/boundary"
	"github.com/waygate/waygate/feature/geocode"
	"github.com/waygate/waygate/geo"
	index "github.com/waygate/waygate/index/boundary"
	"github.com/waygate/waygate/region/regiontest"
)

// bordered returns a gateway with an index of places, and with the areas that they lie in.
func bordered(t *testing.T) *apitest.Gateway {
	t.Helper()
	box := func(west, south, east, north float64) [][][]geo.Fixed {
		at := func(lon, lat float64) geo.Fixed { return geo.Point{Lon: lon, Lat: lat}.Fix() }
		return [][][]geo.Fixed{{{at(west, south), at(east, south), at(east, north), at(west, north), at(west, south)}}}
	}
	x, err := index.Open(regiontest.Of(t, index.SectionName, index.Version, index.Build([]index.Outlined{
		{Area: index.Area{Level: 2, ISO: "GB", Name: "United Kingdom"}, Polygons: box(-6, 50, 2, 59)},
		{Area: index.Area{Level: 4, ISO: "GB-WLS", Name: "Wales", Names: []index.Name{{Lang: "cy", Text: "Cymru"}}}, Polygons: box(-6, 51, -2.5, 54)},
		{Area: index.Area{Level: 6, Name: "Gwent"}, Polygons: box(-3.4, 51.4, -2.6, 51.9)},
	}).Write))
	if err != nil {
		t.Fatal(err)
	}
	return apitest.Start(t, func(o *api.Options) {
		o.Geocode, o.Boundaries = &geocode.Service{Own: own(t)}, &boundary.Service{Instead: x}
	})
}

const house = "3 High Street, NP20 1AA"

// TestPhoton asks in Photon's form for what our own form has too.
func TestPhoton(t *testing.T) {
	g := bordered(t)
	r := g.Send("GET", "/photon/api?limit=1&q="+url.QueryEscape(house), "")
	p := properties(t, r, 0)
	if got := fmt.Sprintln(p["osm_type"], p["osm_key"], p["osm_value"], p["type"], p["housenumber"], p["street"], p["name"], p["city"], p["county"], p["state"], p["country"], p["postcode"], p["countrycode"]); got != "N place house house 3 High Street <nil> Newport Gwent Wales United Kingdom NP20 1AA GB\n" {
		t.Error(got)
	}
	if r.Header.Get("X-Svc-Quota-Units") != "1" || !strings.Contains(strings.Join(r.Header.Values("Vary"), ","), "Accept-Language") || r.Header.Get("Access-Control-Allow-Origin") != "*" || r.Header.Get("Cache-Control") != "" {
		t.Errorf("%v", r.Header)
	}
	// The last word may be the beginning of one, with and without a slash, and a street comes once.
	for _, path := range []string{"/photon/api?q=high+stre&layer=street", "/photon/api/?q=high+stre&layer=street"} {
		if p := properties(t, g.Send("GET", path, ""), 0); p["name"] != "High Street" || p["street"] != nil || p["osm_value"] != "residential" || p["osm_type"] != "W" || p["type"] != "street" {
			t.Errorf("%s: %v", path, p)
		}
	}
	if p := properties(t, g.Send("GET", "/photon/api?q=newport", "", "Accept-Language", "cy,en;q=0.5"), 0); p["state"] != "Cymru" {
		t.Errorf("%v", p)
	}
	if p := properties(t, g.Send("GET", "/photon/api?q=newport&lang=cy", ""), 0); p["state"] != "Cymru" || p["name"] != "Newport" || p["city"] != nil {
		t.Errorf("%v", p)
	}
	for query, want := range map[string]string{
		"q=newport":                                          "Newport city",
		"q=newport&osm_tag=railway:station":                  "station station station station",
		"q=newport&osm_tag=aeroway":                          "aerodrome aerodrome aerodrome",
		"q=newport&layer=city":                               "city",
		"q=newport&osm_tag=!place&osm_tag=!railway":          "aerodrome aerodrome aerodrome",
		"q=newport&countrycode=FJ":                           "",
		"q=newport&countrycode=FJ&countrycode=gb&layer=city": "city",
		"q=newport&bbox=179,-18,-179,-16":                    "",
		"q=eastport&bbox=179,-18,-179,-16":                   "town",
		"q=newport&limit=2&layer=house":                      "station",
	} {
		var values []string
		for _, f := range features(t, g.Send("GET", "/photon/api?"+query, "")) {
			p := f.(apitest.Object)["properties"].(apitest.Object)
			values = append(values, fmt.Sprint(p["osm_value"]))
		}
		got := strings.Join(values, " ")
		if query == "q=newport" || strings.Contains(query, "limit=2") { // others follow, by their rank
			if len(values) == 0 {
				t.Errorf("%s finds nothing", query)
			}
			continue
		}
		if got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
	// The nearest by the point of the answer comes first, within the radius.
	r = g.Send("GET", "/photon/reverse?lat=51.5801&lon=-2.9996", "")
	if p := properties(t, r, 0); len(features(t, r)) != 1 || p["housenumber"] != "3" {
		t.Errorf("%s", r.Body)
	}
	for query, n := range map[string]int{"radius=0.001": 1, "radius=0.02&limit=40": 4, "radius=100&limit=40&osm_tag=aeroway": 4, "layer=city": 1, "layer=country": 0} {
		if r := g.Send("GET", "/photon/reverse?lat=51.5801&lon=-2.9996&"+query, ""); len(features(t, r)) != n {
			t.Errorf("%s: %d places, want %d: %s", query, len(features(t, r)), n, r.Body)
		}
	}
	if p := properties(t, g.Send("GET", "/photon/structured?street=High+Street&housenumber=3&city=Caerleon&countrycode=gb", ""), 0); p["city"] != "Caerleon" || p["housenumber"] != "3" {
		t.Errorf("%v", p)
	}
	if r := g.Send("GET", "/photon/structured?countrycode=FJ&city=Newport", ""); strings.Contains(string(r.Body), `"GB"`) {
		t.Errorf("%s", r.Body)
	}
	r = g.Send("GET", "/photon/api?q=newport&zoom=12&flavour=mint", "")
	if warnings := fmt.Sprint(r.At(t, "warnings")); !strings.Contains(warnings, "zoom had no effect") || !strings.Contains(warnings, "flavour is not known here") {
		t.Error(warnings)
	}
	if r := g.Send("GET", "/photon/status", ""); r.At(t, "status") != "Ok" || r.Header.Get("X-Svc-Quota-Units") != "" {
		t.Errorf("%s", r.Body)
	}
}

// TestNominatim asks in Nominatim's form for what our own form has too.
func TestNominatim(t *testing.T) {
	g := bordered(t)
	r := g.Send("GET", "/nominatim/search?addressdetails=1&limit=1&q="+url.QueryEscape(house), "")
	p := r.List(t)[0]
	id := fmt.Sprint("N", p["osm_id"])
	if p["osm_type"] != "node" || p["category"] != "place" || p["type"] != "house" || p["place_rank"] != 30.0 || p["lat"] != "51.5801000" || p["lon"] != "-2.9996000" ||
		p["display_name"] != "3, High Street, Newport, Gwent, Wales, NP20 1AA, United Kingdom" || fmt.Sprint(p["address"]) != "map[ISO3166-2-lvl4:GB-WLS city:Newport country:United Kingdom country_code:gb county:Gwent house_number:3 postcode:NP20 1AA road:High Street state:Wales]" {
		t.Errorf("%s", r.Body)
	}
	if r.Header.Get("X-Svc-Quota-Units") != "1" || r.Header.Get("Access-Control-Allow-Origin") != "*" || !strings.Contains(strings.Join(r.Header.Values("Vary"), ","), "Accept-Language") {
		t.Errorf("%v", r.Header)
	}
	// The hit is found again by its object, and left out by it and by its number.
	if all := g.Send("GET", "/nominatim/lookup?format=jsonv2&osm_ids=W999999,"+id, "").List(t); len(all) != 1 || all[0]["display_name"] != p["display_name"] || all[0]["place_id"] != p["place_id"] {
		t.Errorf("%v", all)
	}
	for _, exclude := range []string{id, fmt.Sprintf("%.0f", p["place_id"])} {
		if all := g.Send("GET", "/nominatim/search?limit=1&exclude_place_ids="+exclude+"&q="+url.QueryEscape(house), "").List(t); len(all) != 1 || all[0]["place_id"] == p["place_id"] {
			t.Errorf("%s: %v", exclude, all)
		}
	}
	named := g.Send("GET", "/nominatim/search?format=json&namedetails=1&extratags=1&limit=1&q=red+lion", "").List(t)[0]
	if named["class"] != "amenity" || fmt.Sprint(named["namedetails"]) != "map[name:The Red Lion]" || fmt.Sprint(named["extratags"]) != "map[opening_hours:24/7 phone:+44 1633 000000]" {
		t.Errorf("%v", named)
	}
	for query, want := range map[string]string{
		"street=3+High+Street&city=Caerleon&country=gb":    "3, High Street, Caerleon, Gwent, Wales, NP18 3BB, United Kingdom",
		"amenity=Red+Lion&city=Newport":                    "The Red Lion, High Street, Newport, Gwent, Wales, United Kingdom",
		"postalcode=NP18+3BB":                              "Caerleon, Gwent, Wales, NP18 3BB, United Kingdom",
		"q=newport&featureType=city":                       "Newport, Gwent, Wales, United Kingdom",
		"q=newport&layer=railway&accept-language=cy":       "Newport Central, Newport, Gwent, Cymru, United Kingdom",
		"q=high+street&viewbox=-2.96,51.6,-2.94,51.62":     "High Street, Caerleon, Gwent, Wales, United Kingdom",
		"q=high+street&viewbox=-3.1,51,-2.97,52&bounded=1": "High Street, Newport, Gwent, Wales, United Kingdom",
		"q=51.5801,-2.9996":                                "3, High Street, Newport, Gwent, Wales, NP20 1AA, United Kingdom",
		"q=newport&countrycodes=fj":                        "",
	} {
		got := ""
		if all := g.Send("GET", "/nominatim/search?limit=1&"+query, "").List(t); len(all) > 0 {
			got = all[0]["display_name"].(string)
		}
		if got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
	for query, want := range map[string]string{
		"":                  "3, High Street, Newport, Gwent, Wales, NP20 1AA, United Kingdom 30",
		"zoom=17":           "High Street, Newport, Gwent, Wales, United Kingdom 26",
		"zoom=14":           "Newport, Gwent, Wales, United Kingdom 16",
		"zoom=10":           "Newport, Gwent, Wales, United Kingdom 16",
		"zoom=8":            "Gwent, Wales, United Kingdom 12",
		"zoom=5":            "Wales, United Kingdom 8",
		"zoom=3":            "United Kingdom 4",
		"zoom=0":            " 0",
		"layer=poi":         "The Red Lion, High Street, Newport, Gwent, Wales, United Kingdom 30",
		"layer=natural":     " 0",
		"lat=51.9&lon=-3.9": "Wales, United Kingdom 8",
		"lat=0&lon=0":       " 0",
	} {
		at := "lat=51.5801&lon=-2.9996&"
		if strings.HasPrefix(query, "lat") {
			at = ""
		}
		r := g.Send("GET", "/nominatim/reverse?format=jsonv2&"+at+query, "")
		p := r.JSON(t)
		got := " 0"
		if p["error"] != "Unable to geocode" {
			got = fmt.Sprint(p["display_name"], " ", p["place_rank"])
		}
		if r.Status != 200 || got != want {
			t.Errorf("%s: %s, want %s: %s", query, got, want, r.Body)
		}
	}
	for path, media := range map[string]string{
		"/nominatim/search.php?q=newport&format=xml": "text/xml", "/nominatim/search/?q=newport&format=geojson&polygon_geojson=1": "application/json", "/nominatim/reverse.php?lat=51.58&lon=-3": "text/xml",
		"/nominatim/lookup/?osm_ids=N1": "text/xml", "/nominatim/search?q=newport&format=geocodejson&addressdetails=1": "application/json", "/nominatim/status": "text/plain", "/nominatim/status.php?format=json": "application/json",
	} {
		if r := g.Send("GET", path, ""); r.Status != 200 || !strings.HasPrefix(r.Header.Get("Content-Type"), media) {
			t.Errorf("%s: %d %s", path, r.Status, r.Header.Get("Content-Type"))
		}
	}
	r = g.Send("GET", "/nominatim/search?q=newport&limit=100&polygon_geojson=1&flavour=mint", "")
	if warnings := strings.Join(r.Header.Values("X-Svc-Warnings"), "; "); warnings != "flavour is not known here and had no effect; limit 100 counts as 40: answers have 1 to 40 places; polygon_geojson gives points: outlines are not kept here" {
		t.Error(warnings)
	}
	if r := g.Send("GET", "/nominatim/search?q=newport&limit=100&debug=1", ""); r.Status != 400 || r.Header.Get("X-Svc-Warnings") != "" {
		t.Errorf("%d %v", r.Status, r.Header)
	}
}

// TestFormsThroughAProxy asks a Photon, which has objects and no filters.
func TestFormsThroughAProxy(t *testing.T) {
	g := proxied(t)
	if p := properties(t, g.Send("GET", "/photon/api?q=3+High+Street,+NP20+1AA", ""), 0); p["housenumber"] != "3" || p["type"] != "house" || p["city"] != "Newport" {
		t.Errorf("%v", p)
	}
	if p := g.Send("GET", "/nominatim/reverse?format=jsonv2&lat=51.5801&lon=-2.9996", "").JSON(t); !strings.HasPrefix(p["display_name"].(string), "3, High Street, Newport") {
		t.Errorf("%v", p)
	}
	if all := g.Send("GET", "/nominatim/search?q=newport", "").List(t); len(all) == 0 {
		t.Error("a search finds nothing")
	}
	for _, path := range []string{"/photon/api?q=x&osm_tag=amenity", "/photon/reverse?lat=1&lon=1&layer=city", "/photon/structured?city=x&layer=city"} {
		if r := g.Send("GET", path, ""); r.Status != 501 || r.At(t, "capability") != "geocoding" {
			t.Errorf("%s: %d %s", path, r.Status, r.Body)
		}
	}
	for _, path := range []string{"/nominatim/search?q=x&countrycodes=gb", "/nominatim/reverse?lat=1&lon=1&zoom=10&format=json", "/nominatim/lookup?osm_ids=N1&format=json"} {
		if r := g.Send("GET", path, ""); r.Status != 501 || r.At(t, "error", "capability") != "geocoding" {
			t.Errorf("%s: %d %s", path, r.Status, r.Body)
		}
	}
}

// TestFailuresOfForms checks that failures have the form of the endpoint, with the facts of a problem.
func TestFailuresOfForms(t *testing.T) {
	g := served(t)
	long := strings.Repeat("x", 2000)
	for path, says := range map[string]string{
		"/photon/api": "q: is missing", "/photon/api?q=" + long: "may have 500", "/photon/api?q=%ff": "UTF-8", "/photon/api?q=%01": "control", "/photon/reverse?lat=91&lon=1": "lat: is 91",
		"/photon/structured?city=" + long: "may have 200", "/nominatim/search": "q: is missing", "/nominatim/search?q=" + long: "may have 500", "/nominatim/search?q=%ff": "UTF-8", "/nominatim/reverse?lat=1": "lon: is missing",
		"/nominatim/reverse?lat=1&lon=999&format=xml": "lon: is 999", "/nominatim/lookup?osm_ids=Q1": `has "Q1"`, "/nominatim/lookup": "osm_ids: is missing", "/nominatim/search?q=x&format=html": "format",
	} {
		r := g.Send("GET", path, "")
		at, code := []string{}, any(nil)
		if strings.HasPrefix(path, "/nominatim") {
			at = []string{"error"}
			code = r.At(t, "error", "code")
			if code != 400.0 {
				t.Errorf("%.60s: code %v", path, code)
			}
		}
		message, _ := r.At(t, append(at, "message")...).(string)
		if r.Status != 400 || !strings.Contains(message, says) || r.At(t, append(at, "type")...) != "urn:svc-gateway:problem:bad-request" || r.At(t, append(at, "errors")...) == nil && !strings.Contains(path, "%") {
			t.Errorf("%.60s: %d %.300s, want %s", path, r.Status, r.Body, says)
		}
	}
	if r := g.Send("GET", "/photon/api/x", ""); r.Status != 404 || r.At(t, "message") == nil {
		t.Errorf("%d %s", r.Status, r.Body)
	}
	if r := g.Send("POST", "/nominatim/search", "{}"); r.Status != 405 || r.At(t, "error", "code") != 405.0 {
		t.Errorf("%d %s", r.Status, r.Body)
	}
	nothing := apitest.Start(t)
	for _, path := range []string{"/photon/api?q=x", "/photon/structured?city=x", "/photon/reverse?lat=1&lon=1", "/photon/status"} {
		if r := nothing.Send("GET", path, ""); r.Status != 501 || r.At(t, "type") != "urn:svc-gateway:problem:geocoding-not-enabled" {
			t.Errorf("%s: %d %s", path, r.Status, r.Body)
		}
	}
	for _, path := range []string{"/nominatim/search?q=x", "/nominatim/search?city=x", "/nominatim/reverse?lat=1&lon=1", "/nominatim/lookup?osm_ids=N1"} {
		if r := nothing.Send("GET", path, ""); r.Status != 501 || r.At(t, "error", "type") != "urn:svc-gateway:problem:geocoding-not-enabled" {
			t.Errorf("%s: %d %s", path, r.Status, r.Body)
		}
	}
	if r := nothing.Send("GET", "/nominatim/status", ""); r.Status != 501 || r.At(t, "error", "capability") != "geocoding" {
		t.Errorf("%d %s", r.Status, r.Body)
	}
	if r := nothing.Send("GET", "/nominatim/status?format=json", ""); r.Status != 200 || r.At(t, "status") != 700.0 {
		t.Errorf("%d %s", r.Status, r.Body)
	}
	broken := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) }))
	t.Cleanup(broken.Close)
	failing := apitest.Start(t, func(o *api.Options) { o.Geocode = &geocode.Service{Proxy: geocode.NewPhoton(broken.URL, nil)} })
	if r := failing.Send("GET", "/photon/api?q=x", ""); r.Status != 502 || strings.Contains(string(r.Body), "127.0.0.1") || r.At(t, "message") == nil {
		t.Errorf("%d %s", r.Status, r.Body)
	}
}

// TestKeysOfForms sends a key in every way that clients of these forms can, and counts what each call
// costs it.
func TestKeysOfForms(t *testing.T) {
	g := served(t)
	k := g.Minted(t, account.Minting{Scope: account.Maps})
	header := apitest.Bearer(k.Secret)
	for i, send := range []func(path string) apitest.Reply{
		func(path string) apitest.Reply { return g.Send("GET", path+"&api_key="+k.Secret, "") },
		func(path string) apitest.Reply { return g.Send("GET", path+"&key="+k.Secret, "") },
		func(path string) apitest.Reply { return g.Send("GET", path+"&access_token="+k.Secret, "") },
		func(path string) apitest.Reply { return g.Send("GET", path+"&apiKey="+k.Secret, "") },
		func(path string) apitest.Reply { return g.Send("GET", path, "", header...) },
	} {
		for _, path := range []string{"/photon/api?q=newport", "/photon/structured?city=newport", "/nominatim/search?q=newport", "/nominatim/lookup?osm_ids=N1&format=json"} {
			if r := send(path); r.Status != 200 || r.Header.Get("X-Svc-Quota-Units") != "1" || len(r.Header.Values("X-Svc-Warnings")) > 0 || strings.Contains(string(r.Body), "warnings") {
				t.Errorf("way %d: %s: %d %v", i, path, r.Status, r.Header)
			}
		}
	}
	if calls, units := g.Units(t, k.Key.ID); calls != 20 || units != 20 {
		t.Errorf("%d calls cost %d units", calls, units)
	}
	for _, path := range []string{"/photon/reverse?lat=1&lon=1", "/nominatim/reverse?lat=1&lon=1"} {
		if r := g.Send("GET", path, "", header...); r.Status != 403 || !strings.Contains(string(r.Body), "scope-insufficient") {
			t.Errorf("%s: %d %s", path, r.Status, r.Body)
		}
	}
	if r := g.Send("GET", "/photon/api?q=x&key=somebody-elses", ""); r.Status != 200 || !strings.Contains(string(r.Body), "key is not known here") {
		t.Errorf("%d %s", r.Status, r.Body)
	}
	if r := g.Send("GET", "/nominatim/search?q=x&api_key=wrong", ""); r.Status != 401 || r.At(t, "error", "code") != 401.0 {
		t.Errorf("%d %s", r.Status, r.Body)
	}
}
