package route_test

import (
	"math"
	"strings"
	"testing"

	"github.com/waygate/waygate/api/apitest"
	"github.com/waygate/waygate/geo"
)

// reported checks that the lists of a report add up, and gives the metres of
// an entry.
func reported(t *testing.T, r apitest.Reply) func(list, member, value string) float64 {
	t.Helper()
	if r.Status != 200 || r.Header.Get("X-Svc-Quota-Units") != "1" {
		t.Fatalf("%d %s", r.Status, r.Body)
	}
	for _, list := range []string{"road_classes", "admin_areas", "surfaces"} {
		metres, seconds, share := 0.0, 0.0, 0.0
		for _, x := range r.At(t, list).([]any) {
			m := x.(map[string]any)
			metres, seconds, share = metres+m["distance_m"].(float64), seconds+m["duration_s"].(float64), share+m["share"].(float64)
		}
		if !apitest.Near(r.At(t, "distance_m"), metres) || !apitest.Near(r.At(t, "duration_s"), seconds) || math.Abs(share-1) > 0.01 {
			t.Errorf("%s add up to %.1f m, %.1f s and %.3f: %s", list, metres, seconds, share, r.Body)
		}
	}
	return func(list, member, value string) float64 {
		for _, x := range r.At(t, list).([]any) {
			m := x.(map[string]any)
			if got, _ := m[member].(string); got == value {
				return m["distance_m"].(float64)
			}
		}
		return 0
	}
}

func TestReport(t *testing.T) {
	g, town := apitest.Drawn(t)
	var line []geo.Point
	var list []string
	for _, p := range "abefg" {
		line = append(line, town.Point(string(p)))
		list = append(list, apitest.At(town.Point(string(p))))
	}
	length := func(a, b string) float64 { return geo.Distance(town.Point(a), town.Point(b)) }
	for name, way := range map[string]string{
		"a route":    `"locations":[` + strings.Join([]string{list[0], apitest.At(town.Between("b", "e", 0.5)), apitest.At(town.Between("e", "f", 0.5)), list[4]}, ",") + `]`,
		"points":     `"shape":[` + strings.Join(list, ",") + `]`,
		"a polyline": `"encoded_polyline":"` + strings.ReplaceAll(geo.EncodePolyline(line, 6), `\`, `\\`) + `"`,
	} {
		t.Run(name, func(t *testing.T) {
			r := g.Send("POST", "/route/report", `{"costing":"bicycle",`+way+`}`)
			metres := reported(t, r)
			want := map[bool]string{true: "route", false: "trace"}[name == "a route"]
			if r.At(t, "source") != want || !apitest.Near(r.At(t, "input_distance_m"), geo.Length(line)) {
				t.Errorf("want a %s of %.0f m: %s", want, geo.Length(line), r.Body)
			}
			for _, c := range []struct {
				list, member, value string
				metres              float64
			}{
				{"road_classes", "road_class", "primary", length("a", "b")},
				{"road_classes", "road_class", "residential", length("b", "e") + length("e", "f")},
				{"road_classes", "road_class", "service_other", length("f", "g")},
				{"surfaces", "surface", "compacted", length("e", "f")},
				{"surfaces", "surface", "unknown", length("b", "e") + length("f", "g")},
				{"admin_areas", "country_code", "GB", geo.Length(line)},
			} {
				if got := metres(c.list, c.member, c.value); math.Abs(got-c.metres) > 5 {
					t.Errorf("%s %s: %.1f m, want %.1f: %s", c.list, c.value, got, c.metres, r.Body)
				}
			}
			if r.At(t, "bridge_count") != 1.0 || r.At(t, "tunnel_count") != 0.0 || r.At(t, "toll_count") != 1.0 ||
				math.Abs(r.At(t, "bridge_m").(float64)-length("e", "f")) > 5 || math.Abs(r.At(t, "toll_m").(float64)-length("f", "g")) > 5 {
				t.Errorf("want a bridge, a toll and no tunnel: %s", r.Body)
			}
		})
	}
}

func TestReportRefusals(t *testing.T) {
	g, town := apitest.Drawn(t)
	a, d := apitest.At(town.Point("a")), apitest.At(town.Point("d"))
	for name, c := range map[string]struct{ body, slug, says string }{
		"nothing":           {``, "bad-request", "locations: is missing"},
		"both":              {`"locations":[` + a + `,` + d + `],"shape":[` + a + `,` + d + `]`, "bad-request", "shape: stands beside locations"},
		"one position":      {`"shape":[` + a + `]`, "bad-request", "shape"},
		"one location":      {`"locations":[` + a + `]`, "bad-request", "locations"},
		"a broken polyline": {`"encoded_polyline":"~"`, "bad-request", "encoded_polyline: is not a polyline"},
		"a trace at sea":    {`"shape":[{"lat":40,"lon":-30},{"lat":40.01,"lon":-30}]`, "upstream-error", "none of the 2 positions"},
	} {
		t.Run(name, func(t *testing.T) {
			if p := g.Send("POST", "/route/report", `{`+c.body+`}`).Problem(t, 400, c.slug); !strings.Contains(p["detail"].(string), c.says) {
				t.Errorf("%v, want %q", p["detail"], c.says)
			}
		})
	}
}
