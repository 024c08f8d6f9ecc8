package route_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/waygate/waygate/account"
	"github.com/waygate/waygate/api"
	"github.com/waygate/waygate/api/apitest"
	"github.com/waygate/waygate/engine/embedded"
	"github.com/waygate/waygate/towntest"
	"github.com/waygate/waygate/world"
)

// TestDangerousGoodsWithoutACode checks that every endpoint that takes a load keeps one
// without a code out of tunnels as one of code B and says so, that (—) forbids no tunnel,
// and that any other code says that the load is dangerous.
func TestDangerousGoodsWithoutACode(t *testing.T) {
	town := towntest.Draw(t, `
		a---b---c---d---j
		|       |   |   |
		e-------f   k---l`, towntest.Ways{
		{"ab", "primary"},
		{"bc", "primary tunnel=yes hazmat:adr_tunnel_cat=B"},
		{"cd", "primary"},
		{"ae", "residential"},
		{"ef", "residential"},
		{"fc", "residential"},
		{"dj", "primary hazmat=no"},
		{"dk", "residential"},
		{"kl", "residential"},
		{"lj", "residential"},
	})
	e, err := embedded.New(town.Region(t))
	if err != nil {
		t.Fatal(err)
	}
	g := apitest.Start(t, func(o *api.Options) {
		o.Acquire = apitest.Serves(t, &world.Region{Engine: e, ID: "town", Name: "Town", Bounds: town.Bounds()})
	})
	k := g.Minted(t, account.Minting{})
	at := func(p string) string { return apitest.At(town.Point(p)) }
	spot := func(p string) string {
		q := strings.NewReplacer(`{"lat":`, "", `"lon":`, "", "}", "").Replace(at(p))
		lat, lon, _ := strings.Cut(q, ",")
		return lon + "," + lat
	}
	said := func(r apitest.Reply) bool { return strings.Contains(string(r.Body), `"code":918`) }
	// metres asks an endpoint how far it is from one place to another for the lorry, whose
	// load an adr object, options, or a query describes.
	type ask func(from, to, adr, options, query string) (apitest.Reply, float64)
	post := func(path, body string) apitest.Reply {
		t.Helper()
		r := g.Send("POST", path, body, apitest.Bearer(k.Secret)...)
		if r.Status != 200 {
			t.Fatalf("%s %s: %d %s", path, body, r.Status, r.Body)
		}
		return r
	}
	with := func(adr, options string) (more string) {
		if adr != "" {
			more += `,"adr":{"dimensions":{"height_m":3,"width_m":2,"length_m":8,"gross_weight_t":12},` + adr + `}`
		}
		if options != "" {
			more += `,"costing_options":{"truck":{` + options + `}}`
		}
		return `,"costing":"truck"` + more
	}
	number := func(r apitest.Reply, path ...string) float64 { t.Helper(); return r.At(t, path...).(float64) }
	get := func(path string) apitest.Reply {
		t.Helper()
		r := g.Send("GET", path, "", apitest.Bearer(k.Secret)...)
		if r.Status != 200 {
			t.Fatalf("%s: %d %s", path, r.Status, r.Body)
		}
		return r
	}
	asks := map[string]ask{
		"/route": func(from, to, adr, options, _ string) (apitest.Reply, float64) {
			r := post("/route", `{"locations":[`+at(from)+`,`+at(to)+`]`+with(adr, options)+`}`)
			return r, number(r, "trip", "summary", "length") * 1000
		},
		"/route in OSRM's form": func(from, to, adr, options, _ string) (apitest.Reply, float64) {
			r := post("/route", `{"format":"osrm","locations":[`+at(from)+`,`+at(to)+`]`+with(adr, options)+`}`)
			return r, r.At(t, "routes").([]any)[0].(map[string]any)["distance"].(float64)
		},
		"/matrix": func(from, to, _, options, _ string) (apitest.Reply, float64) {
			r := post("/matrix", `{"sources":[`+at(from)+`],"targets":[`+at(to)+`]`+with("", options)+`}`)
			return r, r.At(t, "distances").([]any)[0].([]any)[0].(float64)
		},
		"/optimise": func(from, to, adr, options, _ string) (apitest.Reply, float64) {
			r := post("/optimise", `{"vehicles":[{"id":"v","start":`+at(from)+`,"end":`+at(to)+`}],"jobs":[{"id":"x","location":`+at(to)+`}]`+with(adr, options)+`}`)
			return r, number(r, "summary", "distance")
		},
		"/route/v1": func(from, to, _, _, query string) (apitest.Reply, float64) {
			r := get("/route/v1/truck/" + spot(from) + ";" + spot(to) + "?" + query)
			return r, r.At(t, "routes").([]any)[0].(map[string]any)["distance"].(float64)
		},
		"/table/v1": func(from, to, _, _, query string) (apitest.Reply, float64) {
			r := get("/table/v1/truck/" + spot(from) + ";" + spot(to) + "?annotations=distance&" + query)
			return r, r.At(t, "distances").([]any)[0].([]any)[1].(float64)
		},
		"/trip/v1": func(from, to, _, _, query string) (apitest.Reply, float64) {
			r := get("/trip/v1/truck/" + spot(from) + ";" + spot(to) + "?roundtrip=false&source=first&destination=last&" + query)
			return r, r.At(t, "trips").([]any)[0].(map[string]any)["distance"].(float64)
		},
	}
	for name, ask := range asks {
		_, plain := ask("a", "d", "", "", "")
		_, short := ask("d", "j", "", "", "")
		for _, c := range []struct {
			what, adr, options, query string
			round, kept               bool // round the tunnel, and off the road closed to dangerous goods
			says                      bool
		}{
			{"dangerous without a code", `"hazmat":true,"tunnel_code":null`, `"hazmat":true`, "hazmat=true", true, true, true},
			{"dangerous and free of tunnels", `"hazmat":true,"tunnel_code":"(—)"`, `"hazmat":true,"adr_tunnel_code":"(—)"`, "hazmat=true&tunnel_code=%28%E2%80%94%29", false, true, false},
			{"a code that means it is dangerous", `"hazmat":false,"tunnel_code":"C/D"`, `"hazmat":false,"adr_tunnel_code":"C/D"`, "hazmat=false&tunnel_code=C%2FD", false, true, true},
			{"harmless", `"hazmat":false,"tunnel_code":null`, `"hazmat":false`, "hazmat=false", false, false, false},
			{"harmless and free of tunnels", `"hazmat":false,"tunnel_code":"(—)"`, `"adr_tunnel_code":"(—)"`, "tunnel_code=%28%E2%80%94%29", false, false, false},
		} {
			for _, way := range []struct{ adr, options string }{{c.adr, ""}, {"", c.options}} {
				r, far := ask("a", "d", way.adr, way.options, c.query)
				if strings.HasPrefix(name, "/matrix") && way.options == "" {
					continue // an adr object has no effect there
				}
				if round := far > plain+100; round != c.round || said(r) != c.says {
					t.Errorf("%s, %s, %+v: %g m through and round a tunnel (%g without a load), says %v: %s", name, c.what, way, far, plain, said(r), r.Body)
				}
				if r, far := ask("d", "j", way.adr, way.options, c.query); far > short+100 != c.kept {
					t.Errorf("%s, %s, %+v: %g m past a road closed to dangerous goods (%g without a load): %s", name, c.what, way, far, short, r.Body)
				}
			}
		}
	}
	r := post("/route", `{"locations":[`+at("a")+`,`+at("d")+`]`+with(`"hazmat":true,"tunnel_code":null`, "")+`}`)
	if r.At(t, "adr", "tunnel_code") != "B" || r.At(t, "adr", "enforced_by") != "engine" || r.At(t, "adr", "costing_options", "adr_tunnel_code") != "B" {
		t.Errorf("%v", r.At(t, "adr"))
	}
	r = post("/route", `{"locations":[`+at("a")+`,`+at("d")+`]`+with(`"hazmat":false,"tunnel_code":"E"`, `"hazmat":false`)+`}`)
	if r.At(t, "adr", "hazmat") != true || r.At(t, "adr", "costing_options", "hazmat") != true {
		t.Errorf("%v", r.At(t, "adr"))
	}
	reaches := func(options string) bool {
		r := post("/isochrone", `{"locations":[`+at("b")+`],"contours":[{"distance":0.25}],"polygons":true`+with("", options)+`}`)
		var a struct {
			Features []struct {
				Geometry struct{ Coordinates [][][2]float64 }
			}
		}
		if err := json.Unmarshal(r.Body, &a); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(options, "true") && !said(r) {
			t.Errorf("an isochrone does not say what was made of %s", options)
		}
		east := town.Point("b").Lon
		for _, p := range a.Features[0].Geometry.Coordinates[0] {
			east = max(east, p[0])
		}
		return east > (town.Point("b").Lon+town.Point("c").Lon)/2
	}
	if !reaches("") || reaches(`"hazmat":true`) {
		t.Error("an isochrone of dangerous goods without a code does not end before the tunnel")
	}
}
