package api_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestOneSetOfManners sends what has no effect to every endpoint that takes a
// question: each answers, and says so.
func TestOneSetOfManners(t *testing.T) {
	g, town := drawn(t)
	asked := bodies(town)
	a, d := at(town.Point("a")), at(town.Point("d"))
	asked["/locate"] = `"locations":[` + a + `]`
	asked["/trace_route"] = `"costing":"auto","shape":[` + a + `,` + d + `]`
	asked["/trace_attributes"] = asked["/trace_route"]
	for path, body := range asked {
		r := g.send("POST", path, `{`+body+`,"colour":"red","costing_options":{"auto":{"wings":1},"bicycle":{"use_hills":1}}}`)
		if r.status != 200 {
			t.Errorf("%s: %d %s", path, r.status, r.body)
			continue
		}
		for _, says := range []string{
			`{"code":901,"text":"colour is not known here and had no effect"}`, `{"code":902,"text":"costing_options.auto.wings is not an option of auto and had no effect"}`,
			`{"code":903,"text":"costing_options.bicycle has no effect: the costing is auto"}`,
		} {
			if !strings.Contains(string(r.body), says) {
				t.Errorf("%s does not say %s: %s", path, says, r.body)
			}
		}
		if r := g.send("POST", path, `{`+strings.Replace(body, `"costing":"auto",`, "", 1)+`}`); r.status != 200 || strings.Contains(string(r.body), `"code":90`) {
			t.Errorf("%s without costing: %d %s", path, r.status, r.body)
		}
		if path == "/route" {
			continue
		}
		load := `"adr":{"dimensions":{"height_m":4,"width_m":2,"length_m":9,"gross_weight_t":9},"tunnel_code":null,"hazmat":true}`
		r = g.send("POST", path, `{`+body+`,`+load+`}`)
		if says := `{"code":903,"text":"adr counts on POST /route only`; r.status != 200 || !strings.Contains(string(r.body), says) {
			t.Errorf("%s with a load: %d %s", path, r.status, r.body)
		}
		if units := r.header.Get("X-Svc-Quota-Units"); units != "20" {
			t.Errorf("%s with a load costs %s units", path, units)
		}
	}
	for path, body := range map[string]string{
		"/adr/check":        `"adr":{"dimensions":{"height_m":4,"width_m":2,"length_m":9,"gross_weight_t":9,"wheels":6},"tunnel_code":"B","hazmat":true},"tunnel_category":"C"`,
		"/geodata/validate": `"declared_crs":"EPSG:4326","coordinates":[{"x":1,"y":2,"wheels":3}]`,
	} {
		r := g.send("POST", path, `{`+body+`,"colour":"red"}`)
		if r.status != 200 || !strings.Contains(string(r.body), "colour is not known here") || !strings.Contains(string(r.body), "wheels is not known here") {
			t.Errorf("%s: %d %s", path, r.status, r.body)
		}
		if w := fmt.Sprint(g.send("POST", path, `{`+body+`}`).json(t)["warnings"]); strings.Contains(w, "colour") {
			t.Errorf("%s: %s", path, w)
		}
	}
}
