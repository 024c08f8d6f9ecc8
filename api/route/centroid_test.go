package route_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/waygate/waygate/api/apitest"
	"github.com/waygate/waygate/geo"
)

func TestCentroid(t *testing.T) {
	g, town := apitest.Drawn(t)
	where := func(places string) string {
		var list []string
		for _, p := range places {
			list = append(list, apitest.At(town.Point(string(p))))
		}
		return `"locations":[` + strings.Join(list, ",") + `]`
	}
	for places, want := range map[string]string{"adg": "c", "abe": "b", "aad": "a"} {
		r := g.Send("POST", "/centroid", `{`+where(places)+`,"costing":"pedestrian","units":"mi","id":"mine","directions_type":"none","foo":1}`)
		if r.Status != 200 || r.At(t, "id") != "mine" || r.At(t, "trip", "units") != "miles" {
			t.Fatalf("%d %s", r.Status, r.Body)
		}
		ends := r.At(t, "trip", "locations").([]any)[1].(map[string]any)
		if d := geo.Distance(geo.Point{Lon: ends["lon"].(float64), Lat: ends["lat"].(float64)}, town.Point(want)); d > 3 {
			t.Errorf("%s meet %.0f m from %s", places, d, want)
		}
		if n := len(r.At(t, "alternates").([]any)); n != len(places)-1 {
			t.Errorf("%d alternates for %s", n, places)
		}
		if !strings.Contains(fmt.Sprint(r.At(t, "warnings")), "foo") {
			t.Errorf("no warning of foo: %s", r.Body)
		}
	}
}

func TestCentroidRefusals(t *testing.T) {
	g, town := apitest.Drawn(t)
	a, b := apitest.At(town.Point("a")), apitest.At(town.Point("b"))
	two := `"locations":[` + a + `,` + b + `]`
	for name, c := range map[string]struct {
		body, slug, says string
	}{
		"one location":       {`"costing":"auto","locations":[` + a + `]`, "bad-request", "1 of at least two locations"},
		"eleven":             {`"costing":"auto","locations":[` + strings.Repeat(a+",", 10) + b + `]`, "bad-request", "11 locations and may have 10"},
		"a costing of ships": {two + `,"costing":"ship"`, "bad-request", "costing: must be one of auto"},
		"in OSRM's form":     {two + `,"costing":"auto","format":"osrm"`, "bad-request", "format: must be json"},
		"a unit that is not": {two + `,"costing":"auto","units":"leagues"`, "bad-request", "units: must be one of"},
		"at sea":             {`"costing":"auto","locations":[` + a + `,{"lat":40,"lon":-30}]`, "upstream-error", "locations[1]"},
	} {
		t.Run(name, func(t *testing.T) {
			if p := g.Send("POST", "/centroid", `{`+c.body+`}`).Problem(t, 400, c.slug); !strings.Contains(p["detail"].(string), c.says) {
				t.Errorf("%v, want %q", p["detail"], c.says)
			}
		})
	}
}
