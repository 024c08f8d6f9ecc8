package geocode_test

import (
	"strings"
	"testing"

	"github.com/waygate/waygate/api/apitest"
)

// TestStructured checks that an address by its parts is found on both backends, with what is
// said of each part, and that faults are named.
func TestStructured(t *testing.T) {
	for name, g := range map[string]*apitest.Gateway{"first-party": served(t), "proxy": proxied(t)} {
		g.T = t
		for _, country := range []string{`"gb"`, `"GBR"`, `"United Kingdom"`, `"uk"`} {
			r := g.Send("POST", "/geocode", `{"housenumber":"3","street":"High Street","city":"Caerleon","country":`+country+`,"limit":2}`)
			p := properties(t, r, 0)
			m, _ := p["match"].(apitest.Object)
			if p["name"] != "3 High Street" || p["city"] != "Caerleon" || m["housenumber"] != "matched" || m["street"] != "matched" || m["city"] != "matched" || m["postcode"] != "inferred" || m["country"] != "matched" {
				t.Errorf("%s, %s: %s", name, country, r.Body)
			}
			if gap, ok := m["score_gap"].(float64); name == "first-party" && (!ok || gap <= 0) {
				t.Errorf("%s: %s", name, r.Body)
			}
			if r.Header.Get("X-Svc-Quota-Units") != "1" {
				t.Errorf("%s: %v", name, r.Header)
			}
		}
		if all := features(t, g.Send("POST", "/geocode", `{"city":"Newport","country":"DE"}`)); len(all) != 0 {
			t.Errorf("%s: %v in Germany", name, all)
		}
		for body, location := range map[string]string{
			`{}`:                         "street",
			`{"street":" ","city":null}`: "street",
			`{"housenumber":"3"}`:        "street",
			`{"housenumber":"3","postcode":"NP20 1AA"}`:            "street",
			`{"housenumber":3,"street":"High Street"}`:             "housenumber",
			`{"street":"High\u0001Street"}`:                        "street",
			`{"street":"` + strings.Repeat("x", 201) + `"}`:        "street",
			`{"city":"Newport","limit":11}`:                        "limit",
			`{"city":"Newport","bbox":[1,4,3,2]}`:                  "bbox",
			`{"city":"Newport","bias":{"lat":91,"lon":1}}`:         "bias.lat",
			`{"city":"Newport","country":["GB"]}`:                  "country",
			`{"street":"` + strings.Repeat("\xff", 3) + `"}`:       "",
			`{"housenumber":"123456789012345678901","street":"x"}`: "housenumber",
		} {
			p := g.Send("POST", "/geocode", body).Problem(t, 400, "bad-request")
			if !strings.HasPrefix(p["detail"].(string), location) {
				t.Errorf("%s: %q: %v", name, body, p["detail"])
			}
		}
		if r := g.Send("POST", "/geocode", `{"city":"Newport","planet":"Earth"}`); !strings.Contains(string(r.Body), "planet is not known here") {
			t.Errorf("%s: %s", name, r.Body)
		}
	}
	apitest.Start(t).Send("POST", "/geocode", `{"city":"Newport"}`).Problem(t, 501, "geocoding-not-enabled")
}

// TestMatchOfTexts checks that GET /geocode has the standing of each part too, and suggestions the words alone.
func TestMatchOfTexts(t *testing.T) {
	g := served(t)
	r := g.Send("GET", "/geocode?q=99+High+Street,+Caerleon&limit=1", "")
	m := properties(t, r, 0)["match"].(apitest.Object)
	if m["housenumber"] != "unmatched" || m["street"] != "matched" || m["city"] != "matched" || m["country"] != "inferred" || len(m["words"].([]any)) == 0 {
		t.Errorf("%s", r.Body)
	}
	r = g.Send("GET", "/geocode/suggest?q=3+High+Str&limit=1", "")
	if m := properties(t, r, 0)["match"].(apitest.Object); len(m) != 1 || len(m["words"].([]any)) == 0 {
		t.Errorf("%s", r.Body)
	}
	r = g.Send("POST", "/geocode/batch", `{"queries":[{"q":"3 High Street, Caerleon"}]}`)
	first := r.At(t, "results").([]any)[0].(apitest.Object)["features"].([]any)[0].(apitest.Object)["properties"].(apitest.Object)
	if m := first["match"].(apitest.Object); m["city"] != "matched" || m["score_gap"] == nil {
		t.Errorf("%s", r.Body)
	}
}
