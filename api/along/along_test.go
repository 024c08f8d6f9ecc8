package along_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/waygate/waygate/account"
	"github.com/waygate/waygate/api/apitest"
	"github.com/waygate/waygate/geo"
)

func TestAlong(t *testing.T) {
	g, town := apitest.Drawn(t)
	a, d := town.Point("a"), town.Point("d")
	places := `"places":[` + apitest.At(town.Point("e"), `,"id":"e"`) + `,` + apitest.At(town.Between("b", "c", 0.5), `,"id":"bc","name":"Half-way","properties":{"x":[1]}`) + `,` +
		apitest.At(town.Point("g"), `,"id":"g"`) + `,{"lat":10,"lon":10,"id":"far"}]`
	side := geo.Distance(town.Point("b"), town.Point("e"))
	for name, way := range map[string]string{
		"locations": `"locations":[` + apitest.At(a) + `,` + apitest.At(d) + `]`,
		"a line":    `"shape":[` + apitest.At(a) + `,` + apitest.At(town.Point("b")) + `,` + apitest.At(town.Point("c")) + `,` + apitest.At(d) + `]`,
	} {
		t.Run(name, func(t *testing.T) {
			// On foot one may turn anywhere, so that detours are plain to see.
			r := g.Send("POST", "/route/along", `{"costing":"pedestrian",`+way+`,`+places+`}`)
			if r.Status != 200 || r.Header.Get("X-Svc-Quota-Units") != "1" {
				t.Fatalf("%d %s", r.Status, r.Body)
			}
			var order []string
			for _, p := range r.At(t, "places").([]any) {
				order = append(order, p.(map[string]any)["id"].(string))
			}
			if strings.Join(order, " ") != "bc e g" {
				t.Fatalf("the order is %v: %s", order, r.Body)
			}
			first := r.At(t, "places").([]any)[0].(map[string]any)
			if !apitest.Near(first["detour_s"], 0) || first["name"] != "Half-way" || fmt.Sprint(first["properties"]) != "map[x:[1]]" || first["index"] != 1.0 ||
				!apitest.Near(first["arc_m"], geo.Distance(a, town.Between("b", "c", 0.5))) {
				t.Errorf("%v", first)
			}
			second := r.At(t, "places").([]any)[1].(map[string]any)
			if m := second["detour_m"].(float64); math.Abs(m-2*side) > 5 || math.Abs(second["route_distance_m"].(float64)-side) > 2 {
				t.Errorf("the detour to e is %v m and the place %v m aside, want %.0f and %.0f", m, second["route_distance_m"], 2*side, side)
			}
			if u := r.At(t, "unreachable").([]any); len(u) != 1 || u[0].(map[string]any)["id"] != "far" || u[0].(map[string]any)["reason"] == "" {
				t.Errorf("unreachable is %v", u)
			}
			if !apitest.Near(r.At(t, "route", "distance_m"), geo.Distance(a, d)) {
				t.Errorf("the route is %v", r.At(t, "route"))
			}
			limited := g.Send("POST", "/route/along", `{"costing":"pedestrian",`+way+`,`+places+`,"limit":1,"max_detour_s":`+fmt.Sprint(second["detour_s"])+`}`)
			if n := len(limited.At(t, "places").([]any)); n != 1 || limited.At(t, "excluded", "beyond_limit") != 1.0 || limited.At(t, "excluded", "over_max_detour") != 1.0 {
				t.Errorf("limited: %s", limited.Body)
			}
		})
	}
}

func TestAlongRefusals(t *testing.T) {
	g, town := apitest.Drawn(t)
	a, d := apitest.At(town.Point("a")), apitest.At(town.Point("d"))
	way, place := `"locations":[`+a+`,`+d+`]`, `"places":[`+a+`]`
	for name, c := range map[string]struct{ body, slug, says string }{
		"no route":           {place, "bad-request", "locations: is missing"},
		"two routes":         {way + `,"shape":[` + a + `,` + d + `],` + place, "bad-request", "shape: stands beside locations"},
		"one location":       {`"locations":[` + a + `],` + place, "bad-request", "locations"},
		"no places":          {way, "bad-request", "places: is missing"},
		"an empty list":      {way + `,"places":[]`, "bad-request", "places"},
		"501 places":         {way + `,"places":[` + strings.Repeat(a+",", 500) + d + `]`, "bad-request", "places"},
		"off the globe":      {way + `,"places":[{"lat":99,"lon":0}]`, "bad-request", "places[0].lat"},
		"a limit of 0":       {way + `,` + place + `,"limit":-1`, "bad-request", "limit"},
		"a negative detour":  {way + `,` + place + `,"max_detour_s":-1`, "bad-request", "max_detour_s"},
		"a route out at sea": {`"locations":[` + a + `,{"lat":40,"lon":-30}],` + place, "upstream-error", "locations[1]"},
	} {
		t.Run(name, func(t *testing.T) {
			if p := g.Send("POST", "/route/along", `{`+c.body+`}`).Problem(t, 400, c.slug); !strings.Contains(p["detail"].(string), c.says) {
				t.Errorf("%v, want %q", p["detail"], c.says)
			}
		})
	}
}

// TestAlongIsWhatRoutesSay compares detours with the routes by the places.
func TestAlongIsWhatRoutesSay(t *testing.T) {
	g, town := apitest.Drawn(t)
	a, d := town.Point("a"), town.Point("d")
	seconds := func(by ...geo.Point) float64 {
		var list []string
		for _, p := range by {
			list = append(list, apitest.At(p))
		}
		r := g.Send("POST", "/route", `{"costing":"bicycle","locations":[`+strings.Join(list, ",")+`]}`)
		return r.At(t, "trip", "summary", "time").(float64)
	}
	for _, place := range []string{"e", "f", "g", "b"} {
		p := town.Point(place)
		r := g.Send("POST", "/route/along", `{"costing":"bicycle","locations":[`+apitest.At(a)+`,`+apitest.At(d)+`],"places":[`+apitest.At(p)+`]}`)
		got := r.At(t, "places").([]any)[0].(map[string]any)["detour_s"]
		if want := seconds(a, p, d) - seconds(a, d); !apitest.Near(got, want) {
			t.Errorf("by %s: the detour is %v s, the routes say %.1f", place, got, want)
		}
	}
}

// The key's own places are ranked as those that a request brings; those beyond
// the corridor are counted.
func TestAlongOwnPlaces(t *testing.T) {
	g, town := apitest.Drawn(t)
	key := apitest.Bearer(g.Minted(t, account.Minting{}).Secret)
	way := `"costing":"pedestrian","locations":[` + apitest.At(town.Point("a")) + `,` + apitest.At(town.Point("d")) + `]`
	g.Send("POST", "/route/along", `{`+way+`,"dataset":"own"}`, key...).Problem(t, 404, "not-found")
	g.Send("POST", "/route/along", `{`+way+`,"dataset":"own"}`).Problem(t, 401, "unauthorized")
	list := apitest.At(town.Point("g"), `,"id":"g","name":"G","categories":["shop"],"properties":{"x":[1]}`) + `,` + apitest.At(town.Point("e"), `,"id":"e","name":"E","categories":["Pub"]`) + `,{"lat":10,"lon":10,"id":"far","name":"Far","categories":["pub"]}`
	if r := g.Send("PUT", "/places", `{"places":[`+list+`]}`, key...); r.Status != 200 {
		t.Fatalf("%s", r.Body)
	}
	brought := g.Send("POST", "/route/along", `{`+way+`,"places":[`+apitest.At(town.Point("g"), `,"id":"g"`)+`,`+apitest.At(town.Point("e"), `,"id":"e"`)+`]}`)
	r := g.Send("POST", "/route/along", `{`+way+`,"dataset":"own"}`, key...)
	var order []string
	for i, p := range r.At(t, "places").([]any) {
		got, want := p.(map[string]any), brought.At(t, "places").([]any)[i].(map[string]any)
		order = append(order, got["id"].(string))
		if got["detour_s"] != want["detour_s"] || got["index"] != want["index"] {
			t.Errorf("%v, want %v", got, want)
		}
	}
	if strings.Join(order, " ") != "e g" || r.At(t, "excluded", "beyond_corridor") != 1.0 || len(r.At(t, "unreachable").([]any)) > 0 {
		t.Errorf("%s", r.Body)
	}
	r = g.Send("POST", "/route/along", `{`+way+`,"dataset":"own","categories":["pub"],"corridor_m":50000}`, key...)
	if n := len(r.At(t, "places").([]any)); n != 1 || r.At(t, "excluded", "beyond_corridor") != 1.0 {
		t.Errorf("%s", r.Body)
	}
	for body, says := range map[string]string{
		`"dataset":"own","places":[` + apitest.At(town.Point("a")) + `]`: "places: stands beside dataset",
		`"dataset":"mine"`: "dataset",
		`"categories":["pub"],"places":[` + apitest.At(town.Point("a")) + `]`: "categories: is of own places",
		`"dataset":"own","corridor_m":99`:                                     "corridor_m",
	} {
		if p := g.Send("POST", "/route/along", `{`+way+`,`+body+`}`, key...).Problem(t, 400, "bad-request"); !strings.Contains(p["detail"].(string), says) {
			t.Errorf("%s: %v", body, p["detail"])
		}
	}
}
