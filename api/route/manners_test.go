package route_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/waygate/waygate/api/apitest"
	"github.com/waygate/waygate/towntest"
)

// everyBody returns a question for each endpoint that takes one: those of bodies, and
// of what has no conditions.
func everyBody(town *towntest.Town) map[string]string {
	asked := bodies(town)
	a, d := apitest.At(town.Point("a")), apitest.At(town.Point("d"))
	asked["/locate"] = `"locations":[` + a + `]`
	asked["/trace_route"] = `"costing":"auto","shape":[` + a + `,` + d + `]`
	asked["/trace_attributes"] = asked["/trace_route"]
	return asked
}

// TestOneSetOfManners sends what has no effect to every endpoint that takes a
// question: each answers, and says so.
func TestOneSetOfManners(t *testing.T) {
	g, town := apitest.Drawn(t)
	asked := everyBody(town)
	for path, body := range asked {
		r := g.Send("POST", path+"?flavour=mint", `{`+body+`,"colour":"red","costing_options":{"auto":{"wings":1},"bicycle":{"use_hills":1}}}`)
		if r.Status != 200 {
			t.Errorf("%s: %d %s", path, r.Status, r.Body)
			continue
		}
		for _, says := range []string{
			`{"code":901,"text":"colour is not known here and had no effect","parameter":"colour"}`, `{"code":901,"text":"flavour is not known here and had no effect","parameter":"flavour"}`, `{"code":902,"text":"costing_options.auto.wings is not an option of auto and had no effect","parameter":"costing_options.auto.wings"}`,
			`{"code":903,"text":"costing_options.bicycle has no effect: the costing is auto","parameter":"costing_options.bicycle"}`,
		} {
			if !strings.Contains(string(r.Body), says) {
				t.Errorf("%s does not say %s: %s", path, says, r.Body)
			}
		}
		if r := g.Send("POST", path, `{`+strings.Replace(body, `"costing":"auto",`, "", 1)+`}`); r.Status != 200 || strings.Contains(string(r.Body), `"code":90`) {
			t.Errorf("%s without costing: %d %s", path, r.Status, r.Body)
		}
		if path == "/route" {
			continue
		}
		load := `"adr":{"dimensions":{"height_m":4,"width_m":2,"length_m":9,"gross_weight_t":9},"tunnel_code":null,"hazmat":true}`
		r = g.Send("POST", path, `{`+body+`,`+load+`}`)
		if says := `{"code":903,"text":"adr counts on POST /route and POST /optimise only`; r.Status != 200 || !strings.Contains(string(r.Body), says) {
			t.Errorf("%s with a load: %d %s", path, r.Status, r.Body)
		}
		if units := r.Header.Get("X-Svc-Quota-Units"); units != "20" {
			t.Errorf("%s with a load costs %s units", path, units)
		}
	}
	for _, question := range []string{"/coordinates/crs?q=27700", "/coordinates/transform?from=4326&to=3857&coordinates=1,2"} {
		if r := g.Send("GET", question+"&flavour=mint", ""); r.Status != 200 || !strings.Contains(string(r.Body), `"warnings":[{"code":901,"text":"flavour is not known here and had no effect","parameter":"flavour"}]`) {
			t.Errorf("%s: %d %s", question, r.Status, r.Body)
		}
		if r := g.Send("GET", question, ""); r.Status != 200 || strings.Contains(string(r.Body), "warnings") {
			t.Errorf("%s: %d %s", question, r.Status, r.Body)
		}
		g.Send("GET", question+"&q=1&q=2", "").Problem(t, 400, "bad-request")
	}
	for path, body := range map[string]string{
		"/adr/check":        `"adr":{"dimensions":{"height_m":4,"width_m":2,"length_m":9,"gross_weight_t":9,"wheels":6},"tunnel_code":"B","hazmat":true},"tunnel_category":"C"`,
		"/geodata/validate": `"declared_crs":"EPSG:4326","coordinates":[{"x":1,"y":2,"wheels":3}]`,
	} {
		r := g.Send("POST", path, `{`+body+`,"colour":"red"}`)
		if r.Status != 200 || !strings.Contains(string(r.Body), "colour is not known here") || !strings.Contains(string(r.Body), "wheels is not known here") {
			t.Errorf("%s: %d %s", path, r.Status, r.Body)
		}
		if w := fmt.Sprint(g.Send("POST", path, `{`+body+`}`).JSON(t)["warnings"]); strings.Contains(w, "colour") {
			t.Errorf("%s: %s", path, w)
		}
	}
}
