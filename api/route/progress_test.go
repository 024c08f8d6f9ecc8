package route_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/waygate/waygate/api/apitest"
	"github.com/waygate/waygate/geo"
)

func TestProgress(t *testing.T) {
	g, town := apitest.Drawn(t)
	a, b, d := town.Point("a"), town.Point("b"), town.Point("d")
	plan := `"encoded_polyline":"` + strings.ReplaceAll(geo.EncodePolyline([]geo.Point{a, b, town.Point("c"), d}, 6), `\`, `\\`) + `"`
	total := geo.Distance(a, b) + geo.Distance(b, town.Point("c")) + geo.Distance(town.Point("c"), d)
	for _, c := range []struct {
		name, body string
		behind     float64
		off        bool
		by         float64
	}{
		{"at the start", plan + `,"position":` + apitest.At(a), 0, false, 0},
		{"half-way to b", plan + `,"position":` + apitest.At(town.Between("a", "b", 0.5)), geo.Distance(a, b) / 2, false, 0},
		{"at the end", plan + `,"position":` + apitest.At(d), total, false, 0},
		{"points in place of a polyline", `"shape":[` + apitest.At(a) + `,` + apitest.At(d) + `],"position":` + apitest.At(b), geo.Distance(a, b), false, 0},
		{"origin and destination", `"origin":` + apitest.At(a) + `,"destination":` + apitest.At(d) + `,"position":` + apitest.At(b), geo.Distance(a, b), false, 0},
		{"beside the road", plan + `,"position":` + apitest.At(geo.Destination(b, 0, 30)), geo.Distance(a, b), false, 30},
		{"off the road", plan + `,"position":` + apitest.At(geo.Destination(b, 0, 60)), geo.Distance(a, b), true, 60},
		{"far off, by its own bound", plan + `,"off_route_threshold_m":100,"position":` + apitest.At(geo.Destination(b, 0, 60)), geo.Distance(a, b), false, 60},
		{"all behind", plan + `,"travelled_m":1e6,"position":` + apitest.At(d), total, false, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := g.Send("POST", "/route/progress", `{"at":"2026-05-01T10:00:00Z",`+c.body+`}`)
			if r.Status != 200 || r.Header.Get("X-Svc-Quota-Units") != "1" {
				t.Fatalf("%d %s", r.Status, r.Body)
			}
			if !apitest.Near(r.At(t, "travelled_m"), c.behind) || !apitest.Near(r.At(t, "plan_remaining_m"), total-c.behind) || !apitest.Near(r.At(t, "plan_distance_m"), total) {
				t.Errorf("want %.0f of %.0f m behind: %s", c.behind, total, r.Body)
			}
			if f := r.At(t, "progress_fraction").(float64); math.Abs(f-c.behind/total) > 0.01 {
				t.Errorf("the fraction is %g, want %g", f, c.behind/total)
			}
			if r.At(t, "off_route") != c.off || !apitest.Near(r.At(t, "off_route_distance_m"), c.by) {
				t.Errorf("want off the route %v by %.0f m: %s", c.off, c.by, r.Body)
			}
			if !apitest.Near(r.At(t, "remaining_distance_m"), total-c.behind) {
				t.Errorf("want %.0f m to go: %s", total-c.behind, r.Body)
			}
			eta, err := time.Parse(time.RFC3339, r.At(t, "eta").(string))
			took := eta.Sub(time.Date(2026, 5, 1, 10, 0, 0, 0, time.UTC)).Seconds()
			if err != nil || !apitest.Near(r.At(t, "remaining_duration_s"), took) {
				t.Errorf("the ETA is %v after the position: %s", took, r.Body)
			}
			if fmt.Sprint(r.At(t, "traffic", "sources")) != "[default]" || r.At(t, "traffic", "live") != false || r.At(t, "traffic", "covered_pct") != 0.0 {
				t.Errorf("traffic is %v", r.At(t, "traffic"))
			}
		})
	}
}

// TestProgressKeepsToThePlan has a plan that no fastest route follows, and one
// that passes a place twice.
func TestProgressKeepsToThePlan(t *testing.T) {
	g, town := apitest.Drawn(t)
	line := func(places string) string {
		var list []string
		for _, p := range places {
			list = append(list, apitest.At(town.Point(string(p))))
		}
		return `"shape":[` + strings.Join(list, ",") + `]`
	}
	r := g.Send("POST", "/route/progress", `{`+line("abefcd")+`,"position":`+apitest.At(town.Between("a", "b", 0.5))+`}`)
	if r.At(t, "remaining_follows_plan") != true || !apitest.Near(r.At(t, "remaining_distance_m"), r.At(t, "plan_remaining_m").(float64)) {
		t.Errorf("the rest of the plan is left aside: %s", r.Body)
	}
	out := g.Send("POST", "/route/progress", `{`+line("abef")+`,"position":`+apitest.At(town.Between("a", "b", 0.25), `,"heading":90`)+`}`)
	there := `{` + line("bcb") + `,"position":` + apitest.At(town.Between("b", "c", 0.25), `,"heading":%d`) + `}`
	if out.Status != 200 {
		t.Fatalf("%s", out.Body)
	}
	way := geo.Distance(town.Point("b"), town.Point("c"))
	for heading, want := range map[int]float64{90: way / 4, 270: way * 7 / 4} {
		if r := g.Send("POST", "/route/progress", fmt.Sprintf(there, heading)); !apitest.Near(r.At(t, "travelled_m"), want) {
			t.Errorf("heading %d: want %.0f m behind: %s", heading, want, r.Body)
		}
	}
}

func TestProgressRefusals(t *testing.T) {
	g, town := apitest.Drawn(t)
	a, d := apitest.At(town.Point("a")), apitest.At(town.Point("d"))
	ends := `"origin":` + a + `,"destination":` + d
	for name, c := range map[string]struct{ body, slug, says string }{
		"no plan":               {`"position":` + a, "bad-request", "shape: is missing"},
		"no position":           {ends, "bad-request", "position: is missing"},
		"two plans":             {ends + `,"shape":[` + a + `,` + d + `],"position":` + a, "bad-request", "origin and destination: stands beside shape"},
		"two lines":             {`"encoded_polyline":"__c~@_c~@??","shape":[` + a + `,` + d + `],"position":` + a, "bad-request", "encoded_polyline: stands beside shape"},
		"an origin only":        {`"origin":` + a + `,"position":` + a, "bad-request", "destination: is missing"},
		"one point":             {`"shape":[` + a + `],"position":` + a, "bad-request", "shape"},
		"a broken polyline":     {`"encoded_polyline":"~","position":` + a, "bad-request", "encoded_polyline: is not a polyline"},
		"a polyline of a point": {`"encoded_polyline":"??","position":` + a, "bad-request", "1 of at least two"},
		"a heading of 400":      {ends + `,"position":` + apitest.At(town.Point("a"), `,"heading":400`), "bad-request", "position.heading"},
		"a threshold of 0":      {ends + `,"position":` + a + `,"off_route_threshold_m":0.5`, "bad-request", "off_route_threshold_m"},
		"a time that is none":   {ends + `,"position":` + a + `,"at":"tomorrow"`, "bad-request", "at"},
		"a time without clocks": {ends + `,"position":` + a + `,"at":"9999-12-31T23:59:59Z"`, "bad-request", "at: must be"},
		"a destination at sea":  {`"origin":` + a + `,"destination":{"lat":40,"lon":-30},"position":` + a, "upstream-error", "destination: "},
		"an origin at sea":      {`"destination":` + a + `,"origin":{"lat":40,"lon":-30},"position":` + a, "upstream-error", "origin: "},
		"a traveller at sea":    {ends + `,"position":{"lat":40,"lon":-30}`, "upstream-error", "position: "},
	} {
		t.Run(name, func(t *testing.T) {
			r := g.Send("POST", "/route/progress", `{`+c.body+`}`)
			if p := r.Problem(t, 400, c.slug); !strings.Contains(p["detail"].(string), c.says) {
				t.Errorf("%v, want %q", p["detail"], c.says)
			}
			if units := r.Header.Get("X-Svc-Quota-Units"); units != "" {
				t.Errorf("a refusal costs %s units", units)
			}
		})
	}
}
