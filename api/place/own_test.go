package place_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/waygate/waygate/account"
	"github.com/waygate/waygate/api"
	"github.com/waygate/waygate/api/apitest"
)

// holder returns a key that uploads places.
func holder(t *testing.T, g *apitest.Gateway) []string {
	t.Helper()
	return apitest.Bearer(g.Minted(t, account.Minting{MonthlyQuota: 1e6, RatePerMin: 1e6}).Secret)
}

func TestOwnPlaces(t *testing.T) {
	g := apitest.Start(t)
	key := holder(t, g)
	if p := g.Send("GET", "/places", "", key...).Problem(t, 404, "not-found"); !strings.Contains(p["detail"].(string), "PUT /places") {
		t.Errorf("%v", p)
	}
	properties := "{ \"n\" : 1.50e+0,\t\"u\":\"\\u00e9\\/\",\n\"nested\" : [ {} , null ] }"
	body := `{"places":[{"name":"Harbour Café","properties":` + properties + `,"lon":9.5,"lat":47.50,"id":"a","street":null,"categories":["coffee"],"importance":3},
		{"id":"b","name":"Depot","lat":47.6,"lon":9.6}]}`
	r := g.Send("PUT", "/places", body, key...)
	if r.Status != 200 || r.At(t, "count") != 2.0 || r.At(t, "updated_at") == nil || r.Header.Get("X-Svc-Quota-Units") != "1" {
		t.Fatalf("%d %s", r.Status, r.Body)
	}
	for _, at := range []string{"/places", "/places/search?q=harbour", "/places/search?q=cafe&lat=47&lon=9&category=Coffee&limit=50", "/places/nearest?lat=47.5&lon=9.5&limit=1"} {
		r := g.Send("GET", at, "", key...)
		if r.Status != 200 || !strings.Contains(string(r.Body), `"properties":`+properties) || r.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %d %s", at, r.Status, r.Body)
		}
	}
	if r := g.Send("GET", "/places?flavour=mint", "", key...); r.At(t, "count") != 2.0 || r.At(t, "warnings") == nil {
		t.Errorf("%s", r.Body)
	}
	if r := g.Send("GET", "/places/nearest?lat=47.5&lon=9.5", "", key...); len(r.At(t, "results").([]any)) != 2 || r.At(t, "results").([]any)[0].(apitest.Object)["distance_m"] != 0.0 {
		t.Errorf("%s", r.Body)
	}
	// The places are the key's own: not another's, and nobody's without a key.
	other := holder(t, g)
	g.Send("GET", "/places", "", other...).Problem(t, 404, "not-found")
	for _, c := range [][2]string{{"PUT", "/places"}, {"GET", "/places"}, {"DELETE", "/places"}, {"GET", "/places/search?q=x"}, {"GET", "/places/nearest?lat=1&lon=1"}} {
		sent := ""
		if c[0] == "PUT" {
			sent = body
		}
		g.Send(c[0], c[1], sent).Problem(t, 401, "unauthorized")
	}
	maps := apitest.Bearer(g.Minted(t, account.Minting{Scope: account.Maps}).Secret)
	g.Send("GET", "/places/search?q=x", "", maps...).Problem(t, 404, "not-found")
	g.Send("PUT", "/places", body, maps...).Problem(t, 403, "scope-insufficient")
	for range 2 {
		if r := g.Send("DELETE", "/places", "", key...); r.Status != 204 || len(r.Body) > 0 {
			t.Errorf("%d %s", r.Status, r.Body)
		}
	}
	g.Send("GET", "/places/search?q=cafe", "", key...).Problem(t, 404, "not-found")
}

func TestOwnPlacesRefused(t *testing.T) {
	g := apitest.Start(t)
	key := holder(t, g)
	place := func(members string) string { return `{"id":"a","name":"A","lat":1,"lon":2` + members + `}` }
	if r := g.Send("PUT", "/places", `{"places":[`+place("")+`]}`, key...); r.Status != 200 {
		t.Fatalf("%s", r.Body)
	}
	long := strings.Repeat("x", 2048-len(`{"a":""}`))
	if r := g.Send("PUT", "/places", `{"places":[`+place(`,"properties":{"a":"`+long+`"}`)+`]}`, key...); r.Status != 200 {
		t.Errorf("2,048 bytes: %.200s", r.Body)
	}
	for list, want := range map[string]string{
		place(`,"properties":{"a":"x` + long + `"}`):                   "0 properties has 2049 bytes and may have 2048",
		place(`,"properties":[]`):                                      "0 properties must be a JSON object",
		place("") + "," + place(""):                                    "1 id is that of places[0] too",
		`{"id":"a","name":"A","lat":1}`:                                "0 lon is missing",
		`{"id":"a","name":"  ","lat":1,"lon":2}`:                       "0 name is blank",
		place("") + `,{"id":"b","name":"B","lat":91,"lon":"x"}`:        "1 lat is 91 and must be",
		place(`,"country_code":"G1"`):                                  "0 country_code must be two letters",
		place(`,"alt_names":["x","` + strings.Repeat("y", 257) + `"]`): "0 alt_names[1] has 257 characters",
		`7`:    "0  must be a JSON object",
		`null`: "0  must be a JSON object",
	} {
		p := g.Send("PUT", "/places", `{"places":[`+list+`]}`, key...).Problem(t, 422, "invalid-places")
		first := p["problems"].([]any)[0].(map[string]any)
		if said := fmt.Sprintf("%v %v %v", first["index"], first["field"], first["message"]); !strings.HasPrefix(said, want) {
			t.Errorf("%.80s: %q, want %q", list, said, want)
		}
	}
	p := g.Send("PUT", "/places", `{"places":[`+strings.Repeat("{},", 200)+`{}]}`, key...).Problem(t, 422, "invalid-places")
	if n := len(p["problems"].([]any)); n != 100 || p["problem_count"] != 804.0 {
		t.Errorf("%d problems of %v", n, p["problem_count"])
	}
	for body, says := range map[string]string{
		`{"places":[` + place(`,"flavour":1`) + `]}`: "places[0].flavour: is not known here",
		`{"places":[],"flavour":1}`:                  "flavour: is not known here",
		`{"places":[` + place(`,"id":"b"`) + `]}`:    "stands twice",
		`{}`:            "places: is missing",
		`{"places":{}}`: "must be a list",
		`[]`:            "object",
		`{"places":[` + place(`,"properties":{`) + `]}`: "not JSON",
	} {
		if p := g.Send("PUT", "/places", body, key...).Problem(t, 400, "bad-request"); !strings.Contains(p["detail"].(string), says) {
			t.Errorf("%s: %v", body, p["detail"])
		}
	}
	var many []string
	for i := range 10_001 {
		many = append(many, fmt.Sprintf(`{"id":"%d","name":"A","lat":1,"lon":2}`, i))
	}
	if p := g.Send("PUT", "/places", `{"places":[`+strings.Join(many, ",")+`]}`, key...).Problem(t, 413, "places-too-many"); p["limit"] != 10_000.0 {
		t.Errorf("%v", p)
	}
	// Nothing was changed, and nothing charged for refusals.
	if r := g.Send("GET", "/places", "", key...); r.At(t, "count") != 1.0 {
		t.Errorf("%.200s", r.Body)
	}
	if r := g.Send("PUT", "/places", `{"places":[`+strings.Join(many[1:], ",")+`]}`, key...); r.At(t, "count") != 10_000.0 {
		t.Errorf("%.200s", r.Body)
	}
	for at, says := range map[string]string{
		"/places/search":        "q: is missing",
		"/places/search?q=":     "q: is missing",
		"/places/search?q=+":    "q: is empty",
		"/places/search?q=%01a": "control",
		"/places/search?q=" + strings.Repeat("x", 10_000): "may have 200",
		"/places/search?q=x&lat=1":                        "lon: is missing",
		"/places/search?q=x&lon=1":                        "lat: is missing",
		"/places/search?q=x&limit=51":                     "limit",
		"/places/search?q=x&limit=0":                      "limit",
		"/places/nearest?lat=1":                           "lon: is missing",
		"/places/nearest?lat=91&lon=1":                    "lat",
	} {
		if p := g.Send("GET", at, "", key...).Problem(t, 400, "bad-request"); !strings.Contains(p["detail"].(string), says) {
			t.Errorf("%.60s: %v", at, p["detail"])
		}
	}
	for _, q := range []string{"مرحبا", "🍕", "שלום עולם"} {
		r := g.Send("GET", "/places/search?q="+url.QueryEscape(q), "", key...)
		if ok := r.Status == 200 && len(r.At(t, "results").([]any)) == 0; !ok && q != "🍕" || q == "🍕" && r.Status != 400 {
			t.Errorf("%s: %d %s", q, r.Status, r.Body)
		}
	}
}

// A body above the usual bound is read of who sends a key, up to the bound of
// uploads.
func TestOwnPlacesBody(t *testing.T) {
	g := apitest.Start(t, func(o *api.Options) { o.MaxBody, o.MaxPlacesBody = 10_000, 20_000 })
	key := holder(t, g)
	body := func(bytes int) string {
		text, _ := json.Marshal(map[string]any{"places": []any{}})
		return string(text) + strings.Repeat(" ", bytes-len(text))
	}
	if r := g.Send("PUT", "/places", body(20_000), key...); r.Status != 200 {
		t.Errorf("%d %s", r.Status, r.Body)
	}
	if p := g.Send("PUT", "/places", body(20_001), key...).Problem(t, 413, "body-too-large"); p["limit_bytes"] != 20_000.0 {
		t.Errorf("%v", p)
	}
	if p := g.Send("PUT", "/places", body(10_001)).Problem(t, 413, "body-too-large"); p["limit_bytes"] != 10_000.0 {
		t.Errorf("%v", p)
	}
	if p := g.Send("POST", "/geodata/validate", body(10_001), key...).Problem(t, 413, "body-too-large"); p["limit_bytes"] != 10_000.0 {
		t.Errorf("%v", p)
	}
}

// Few large uploads are in memory at once; the next waits for one of them, and
// small ones wait for nobody.
func TestLargeUploadsAtOnce(t *testing.T) {
	g := apitest.Start(t, func(o *api.Options) { o.MaxBody = 1000 })
	key := holder(t, g)
	upload := func() (end func() int) {
		reader, writer := io.Pipe()
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPut, g.URL+"/places", reader)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set(key[0], key[1])
		status := make(chan int, 1)
		go func() {
			resp, err := g.Client().Do(r)
			if err != nil {
				status <- 0
				return
			}
			_ = resp.Body.Close()
			status <- resp.StatusCode
		}()
		if _, err := writer.Write([]byte(`{"places":`)); err != nil { // returns once it is sent
			t.Fatal(err)
		}
		return func() int {
			_, err := writer.Write([]byte(`[]}`))
			if err := errors.Join(err, writer.Close()); err != nil {
				t.Error(err)
			}
			return <-status
		}
	}
	var ends []func() int
	for range 5 {
		ends = append(ends, upload())
	}
	if r := g.Send("PUT", "/places", `{"places":[]}`, key...); r.Status != 200 {
		t.Errorf("a small one: %d %s", r.Status, r.Body)
	}
	statuses := make(chan int)
	for _, end := range ends {
		go func() { statuses <- end() }()
	}
	for range ends {
		if status := <-statuses; status != 200 {
			t.Errorf("status %d", status)
		}
	}
}
