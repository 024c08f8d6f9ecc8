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
	"github.com/waygate/waygate/feature/geocode"
	"github.com/waygate/waygate/feature/geocode/geocodetest"
)

func own(t *testing.T) []geocode.Source {
	return []geocode.Source{{ID: "newport", Bounds: geocodetest.Bounds, Attribution: []string{"© OpenStreetMap contributors"}, Index: geocodetest.Index(t)}}
}

// served returns a gateway with an index of places.
func served(t *testing.T) *apitest.Gateway {
	t.Helper()
	return apitest.Start(t, func(o *api.Options) { o.Geocode = &geocode.Service{Own: own(t)} })
}

// proxied returns a gateway with a Photon behind it.
func proxied(t *testing.T) *apitest.Gateway {
	t.Helper()
	return apitest.Start(t, func(o *api.Options) {
		o.Geocode = &geocode.Service{Proxy: geocode.NewPhoton(geocodetest.Photon(t, geocodetest.Index(t), nil), nil)}
	})
}

func features(t *testing.T, r apitest.Reply) []any {
	t.Helper()
	if r.Status != 200 {
		t.Fatalf("%d %s", r.Status, r.Body)
	}
	return r.At(t, "features").([]any)
}

func properties(t *testing.T, r apitest.Reply, i int) apitest.Object {
	t.Helper()
	all := features(t, r)
	if i >= len(all) {
		t.Fatalf("%d features: %s", len(all), r.Body)
	}
	return all[i].(apitest.Object)["properties"].(apitest.Object)
}

// Both backends answer the same questions in the same form.
func TestOnBothBackends(t *testing.T) {
	for name, g := range map[string]*apitest.Gateway{"first-party": served(t), "proxy": proxied(t)} {
		t.Run(name, func(t *testing.T) {
			g.T = t
			r := g.Send("GET", "/geocode?q="+url.QueryEscape("3 High Street, NP20 1AA")+"&limit=2", "")
			p := properties(t, r, 0)
			if p["name"] != "3 High Street" || p["type"] != "address" || p["housenumber"] != "3" || p["street"] != "High Street" || p["city"] != "Newport" || p["postcode"] != "NP20 1AA" || p["countrycode"] != "GB" {
				t.Errorf("%s", r.Body)
			}
			if _, has := p["id"]; has != (name == "first-party") {
				t.Errorf("has an id: %v", has)
			}
			if r.At(t, "type") != "FeatureCollection" || len(r.At(t, "attribution").([]any)) == 0 || r.Header.Get("X-Svc-Quota-Units") != "1" {
				t.Errorf("%s", r.Body)
			}
			at := features(t, r)[0].(apitest.Object)["geometry"].(apitest.Object)
			if fmt.Sprint(at["type"], at["coordinates"]) != "Point[-2.9996 51.5801]" {
				t.Errorf("%v", at)
			}
			r = g.Send("GET", "/geocode/reverse?lat=51.5801&lon=-2.9996&limit=1", "")
			if p := properties(t, r, 0); p["name"] != "3 High Street" || p["distance_m"] != 0.0 {
				t.Errorf("%s", r.Body)
			}
			if r := g.Send("GET", "/geocode?q=port&bbox=179,-18,-179,-16", ""); r.Status != 200 {
				t.Errorf("%s", r.Body)
			}
			if r := g.Send("GET", "/geocode?q=newport&bbox=179,-18,-179,-16", ""); len(features(t, r)) != 0 {
				t.Errorf("%s", r.Body)
			}
			if r := g.Send("GET", "/geocode?q=newport&flavour=mint", ""); !strings.Contains(string(r.Body), "flavour is not known here") {
				t.Errorf("%s", r.Body)
			}
			if p := properties(t, g.Send("GET", "/geocode?q="+url.QueryEscape(`51°34'48"N 3°0'0"W`), ""), 0); p["type"] != "coordinate" || p["street"] != "High Street" || p["city"] != "Newport" {
				t.Errorf("%v", p)
			}
			batch := g.Send("POST", "/geocode/batch", `{"queries":[{"q":"3 High Street, NP20 1AA"},{"q":" "},{"lat":51.5801,"lon":-2.9996},{"lat":51.58},{"flavour":1},7]}`)
			var statuses []string
			for _, o := range batch.At(t, "results").([]any) {
				statuses = append(statuses, fmt.Sprint(o.(apitest.Object)["status"]))
			}
			if strings.Join(statuses, " ") != "200 400 200 400 400 400" || batch.At(t, "failed") != 4.0 || batch.Header.Get("X-Svc-Quota-Units") != "2" {
				t.Errorf("%s", batch.Body)
			}
			refusals(t, g)
		})
	}
}

func refusals(t *testing.T, g *apitest.Gateway) {
	t.Helper()
	for at, says := range map[string]string{
		"/geocode":       "q: is missing",
		"/geocode?q=":    "q: is missing",
		"/geocode?q=+":   "q: is empty",
		"/geocode?q=%01": "control",
		"/geocode?q=%ff": "UTF-8",
		"/geocode?q=" + strings.Repeat("x", 10_240): "may have 500",
		"/geocode?q=x&limit=0":                      "limit",
		"/geocode?q=x&limit=11":                     "limit",
		"/geocode?q=x&bias=1":                       "bias: must be lon,lat",
		"/geocode?q=x&bias=200,1":                   "bias: must be lon,lat",
		"/geocode?q=x&bias=NaN,1":                   "bias: must be lon,lat",
		"/geocode?q=x&bbox=1,2,3":                   "bbox: must be minLon",
		"/geocode?q=x&bbox=1,4,3,2":                 "minLat 4 above maxLat 2",
		"/geocode?q=x&bbox=1,2,3,200":               "bbox: must be minLon",
		"/geocode/reverse?lat=1":                    "lon: is missing",
		"/geocode/reverse?lon=1":                    "lat: is missing",
		"/geocode/reverse?lat=x&lon=1":              "lat",
		"/geocode/reverse?lat=91&lon=1":             "lat",
		"/geocode/reverse?lat=1&lon=1&kinds=pub":    "must be of address, street, locality, poi, postcode",
	} {
		if p := g.Send("GET", at, "").Problem(t, 400, "bad-request"); !strings.Contains(p["detail"].(string), says) {
			t.Errorf("%.60s: %v", at, p["detail"])
		}
	}
	for body, says := range map[string]string{
		`{}`: "queries: is missing", `{"queries":[]}`: "queries: is empty", `{"queries":{}}`: "must be a list", `{"queries":[` + strings.Repeat(`{"q":"x"},`, 1000) + `{"q":"x"}]}`: "more than the 1000",
	} {
		if p := g.Send("POST", "/geocode/batch", body).Problem(t, 400, "bad-request"); !strings.Contains(p["detail"].(string), says) {
			t.Errorf("%.40s: %v", body, p["detail"])
		}
	}
	for _, q := range []string{"مرحبا بالعالم", "🍕🏴󠁧󠁢󠁷󠁬󠁳󠁿", "שָׁלוֹם", "\u202eabc", "a/b?c=d&e#f", "'; DROP TABLE x; --"} {
		if r := g.Send("GET", "/geocode?q="+url.QueryEscape(q), ""); r.Status != 200 {
			t.Errorf("%s: %d %s", q, r.Status, r.Body)
		}
	}
}

func TestSuggestRetrieveSelect(t *testing.T) {
	g := served(t)
	key := apitest.Bearer(g.Minted(t, account.Minting{Scope: account.Maps}).Secret)
	r := g.Send("GET", "/geocode/suggest?q=red+li", "", key...)
	p := properties(t, r, 0)
	if p["name"] != "The Red Lion" || p["details"] != nil || p["match"] == nil || r.Header.Get("X-Svc-Quota-Units") != "0" {
		t.Fatalf("%s %v", r.Body, r.Header)
	}
	if r := g.Send("GET", "/geocode/suggest?q=red+li", ""); r.Header.Get("X-Svc-Quota-Units") != "1" {
		t.Errorf("without a key: %v", r.Header)
	}
	id := url.QueryEscape(p["id"].(string))
	r = g.Send("GET", "/geocode/retrieve?id="+id, "", key...)
	if d := properties(t, r, 0)["details"].(apitest.Object); d["opening_hours"] != "24/7" || r.Header.Get("X-Svc-Quota-Units") != "1" {
		t.Errorf("%s", r.Body)
	}
	if p := g.Send("GET", "/geocode/retrieve?id=poi.n99", "", key...).Problem(t, 404, "not-found"); !strings.Contains(p["detail"].(string), "another region") {
		t.Errorf("%v", p)
	}
	g.Send("GET", "/geocode/retrieve", "", key...).Problem(t, 400, "bad-request")
	r = g.Send("GET", "/geocode/selection?id="+id+"&q=red+li&position=1", "", key...)
	if r.Status != 204 || r.Header.Get("X-Svc-Quota-Units") != "" {
		t.Errorf("%d %v", r.Status, r.Header)
	}
	g.Send("GET", "/geocode/selection?id=x", "", key...).Problem(t, 404, "not-found")
	g.Send("GET", "/geocode/selection?id="+id+"&position=11", "", key...).Problem(t, 400, "bad-request")
	g.Send("GET", "/geocode/reverse?lat=1&lon=1", "", key...).Problem(t, 403, "scope-insufficient")
	g.Send("POST", "/geocode/batch", `{"queries":[{"q":"x"}]}`, key...).Problem(t, 403, "scope-insufficient")
	if r := g.Send("GET", "/v1/platform", ""); r.At(t, "geocoder") != "first-party" {
		t.Errorf("%s", r.Body)
	}
}

// A capability that the deployment lacks is a 501 that names it, and costs nothing.
func TestNotEnabled(t *testing.T) {
	for name, c := range map[string]struct {
		g     *apitest.Gateway
		paths []string
	}{
		"nothing": {apitest.Start(t), []string{"/geocode?q=x", "/geocode/reverse?lat=1&lon=1", "/geocode/suggest?q=x", "/geocode/retrieve?id=x", "/geocode/selection?id=x"}},
		"proxy":   {proxied(t), []string{"/geocode/suggest?q=x", "/geocode/retrieve?id=x", "/geocode/selection?id=x", "/geocode/reverse?lat=1&lon=1&kinds=street"}},
	} {
		for _, at := range c.paths {
			if p := c.g.Send("GET", at, "").Problem(t, 501, "geocoding-not-enabled"); p["capability"] != "geocoding" {
				t.Errorf("%s: %s: %v", name, at, p)
			}
		}
	}
	g := apitest.Start(t)
	g.Send("POST", "/geocode/batch", `{"queries":[{"q":"x"}]}`).Problem(t, 501, "geocoding-not-enabled")
	if r := g.Send("GET", "/v1/platform", ""); r.At(t, "geocoder") != nil {
		t.Errorf("%s", r.Body)
	}
	broken := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) }))
	t.Cleanup(broken.Close)
	g = apitest.Start(t, func(o *api.Options) { o.Geocode = &geocode.Service{Proxy: geocode.NewPhoton(broken.URL, nil)} })
	for _, at := range []string{"/geocode?q=x", "/geocode/reverse?lat=1&lon=1"} {
		if p := g.Send("GET", at, "").Problem(t, 502, "upstream-error"); strings.Contains(fmt.Sprint(p), "127.0.0.1") {
			t.Errorf("%v", p)
		}
	}
	r := g.Send("POST", "/geocode/batch", `{"queries":[{"q":"x"},{"q":""}]}`)
	if fmt.Sprint(r.At(t, "results").([]any)[0].(apitest.Object)["status"]) != "502" || r.Header.Get("X-Svc-Quota-Units") != "0" {
		t.Errorf("%s", r.Body)
	}
}
