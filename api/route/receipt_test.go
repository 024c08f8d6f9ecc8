package route_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/waygate/waygate/api"
	"github.com/waygate/waygate/api/apitest"
	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/osrm"
	"github.com/waygate/waygate/engine/valhalla"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/world"
)

// entries returns those of a receipt by parameter.
func entries(t *testing.T, r apitest.Reply) map[string]map[string]any {
	t.Helper()
	if r.Status != 200 {
		t.Fatalf("%d %s", r.Status, r.Body)
	}
	all := map[string]map[string]any{}
	for _, e := range r.At(t, "receipt", "parameters").([]any) {
		entry := e.(map[string]any)
		all[entry["parameter"].(string)] = entry
	}
	return all
}

func TestReceipts(t *testing.T) {
	g, town := apitest.Drawn(t)
	at := func(p string) string { return apitest.At(town.Point(p)) }
	body := `{"locations":[` + at("a") + `,` + strings.Replace(at("c"), "{", `{"heading":90,"colour":1,`, 1) + `],"costing":"truck","units":"miles","banner_instructions":true,"weather":"fine","id":null,` +
		`"costing_options":{"truck":{"height":4.02,"weight":20,"gear":3,"exclude_tolls":false},"auto":{"use_tolls":0}},"receipt":true}`
	got := entries(t, g.Send("POST", "/route", body))
	for name, want := range map[string]string{
		"locations[].lat": "honoured", "locations[].heading": "honoured", "locations[].colour": "unknown", "costing": "honoured", "units": "honoured", "banner_instructions": "ignored", "weather": "unknown",
		"costing_options.truck.height": "clamped", "costing_options.truck.weight": "honoured", "costing_options.truck.gear": "unknown", "costing_options.truck.exclude_tolls": "honoured",
		"costing_options.auto.use_tolls": "ignored",
	} {
		if e := got[name]; e["status"] != want || (want == "honoured") != (e["reason"] == nil) {
			t.Errorf("%s is %v, want %s", name, e, want)
		}
	}
	if e := got["costing_options.truck.height"]; e["to"] != 4.05 {
		t.Errorf("the height counted as %v", e)
	}
	if got["receipt"] != nil || got["id"] != nil {
		t.Errorf("parameters that say nothing are listed: %v", got)
	}
	for _, x := range []struct{ path, more string }{
		{"/matrix", `"locations":[` + at("a") + `,` + at("c") + `]`},
		{"/isochrone", `"locations":[` + at("a") + `],"contours":[{"time":5}]`},
		{"/trace_route", `"shape":[` + at("a") + `,` + at("b") + `]`},
		{"/trace_attributes", `"shape":[` + at("a") + `,` + at("b") + `]`},
		{"/centroid", `"locations":[` + at("a") + `,` + at("c") + `]`},
	} {
		r := g.Send("POST", x.path, `{`+x.more+`,"costing":"auto","weather":"fine","costing_options":{"auto":{"use_tolls":0.52}},"receipt":true}`)
		got := entries(t, r)
		if got["weather"]["status"] != "unknown" || got["costing_options.auto.use_tolls"]["status"] != "clamped" || got["costing"]["status"] != "honoured" || r.At(t, "receipt", "engine") != "embedded" {
			t.Errorf("%s: %v", x.path, got)
		}
		if r := g.Send("POST", x.path, `{`+x.more+`,"costing":"auto"}`); strings.Contains(string(r.Body), `"receipt"`) {
			t.Errorf("%s: a receipt that nobody asked for", x.path)
		}
	}
	spot := func(p string) string { return fmt.Sprintf("%.6f,%.6f", town.Point(p).Lon, town.Point(p).Lat) }
	got = entries(t, g.Send("GET", "/route/v1/truck/"+spot("a")+";"+spot("c")+"?receipt=true&height=4.02&hints=;&colour=red&overview=full&exclude=tolls", ""))
	for name, want := range map[string]string{"height": "clamped", "hints": "ignored", "colour": "unknown", "overview": "honoured", "exclude": "honoured"} {
		if got[name]["status"] != want {
			t.Errorf("in OSRM's form %s is %v, want %s", name, got[name], want)
		}
	}
	if strings.Contains(string(g.Send("GET", "/route/v1/driving/"+spot("a")+";"+spot("c")+"?hints=;", "").Body), "hints") {
		t.Error("there is a warning of what is accepted though the request wants no receipt")
	}
}

// TestReceiptsAreOfWhatEnginesGet asks remote engines for routes with every costing option,
// one at a time: a receipt says that one counted where the engine got it, and where it did
// not that it was ignored.
func TestReceiptsAreOfWhatEnginesGet(t *testing.T) {
	var sent string
	line := geo.EncodePolyline([]geo.Point{{Lon: 9.5, Lat: 47.1}, {Lon: 9.51, Lat: 47.1}}, 6)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			sent = r.URL.RawQuery
			q := func(s string) string { return fmt.Sprintf("%q", s) }
			_, _ = io.WriteString(w, `{"code":"Ok","routes":[{"distance":758,"duration":60,"weight":60,"weight_name":"routability","geometry":`+q(line)+`,"legs":[{"distance":758,"duration":60,"weight":60,"summary":"","steps":[{"distance":758,"duration":60,"weight":60,"name":"","mode":"driving","driving_side":"right","geometry":`+q(line)+`,"maneuver":{"type":"depart","location":[9.5,47.1],"bearing_before":0,"bearing_after":90},"intersections":[{"location":[9.5,47.1],"bearings":[90],"entry":[true],"out":0}]},{"distance":0,"duration":0,"weight":0,"name":"","mode":"driving","driving_side":"right","geometry":`+q(geo.EncodePolyline([]geo.Point{{Lon: 9.51, Lat: 47.1}}, 6))+`,"maneuver":{"type":"arrive","location":[9.51,47.1],"bearing_before":90,"bearing_after":0},"intersections":[{"location":[9.51,47.1],"bearings":[270],"entry":[true],"in":0}]}]}]}],"waypoints":[{"name":"","location":[9.5,47.1],"distance":0},{"name":"","location":[9.51,47.1],"distance":0}]}`)
			return
		}
		body, _ := io.ReadAll(r.Body)
		sent = string(body)
		_, _ = fmt.Fprintf(w, `{"trip":{"status":0,"status_message":"","units":"kilometers","language":"en-GB","legs":[{"maneuvers":[],"summary":{"time":60,"length":0.758,"cost":60,"has_toll":false,"has_highway":false,"has_ferry":false,"min_lat":47.1,"min_lon":9.5,"max_lat":47.1,"max_lon":9.51},"shape":%q}],"summary":{"time":60,"length":0.758,"cost":60,"has_toll":false,"has_highway":false,"has_ferry":false,"min_lat":47.1,"min_lon":9.5,"max_lat":47.1,"max_lon":9.51},"locations":[{"type":"break","lat":47.1,"lon":9.5,"original_index":0},{"type":"break","lat":47.1,"lon":9.51,"original_index":1}]}}`, line)
	}))
	defer server.Close()
	servers := map[costing.Costing]string{}
	for _, c := range costing.All {
		servers[c] = server.URL
	}
	for name, e := range map[string]engine.Engine{"osrm": osrm.New(servers, nil), "valhalla": valhalla.New(server.URL, nil)} {
		g := apitest.Start(t, func(o *api.Options) { o.Acquire = apitest.Serves(t, &world.Region{Engine: e}) })
		ask := func(c costing.Costing, option string) (apitest.Reply, string) {
			r := g.Send("POST", "/route", `{"locations":[{"lat":47.1,"lon":9.5},{"lat":47.1,"lon":9.51}],"costing":"`+c.String()+`","costing_options":{"`+c.String()+`":{`+option+`}},"receipt":true}`)
			return r, sent
		}
		for _, c := range costing.All {
			_, without := ask(c, "")
			for _, o := range costing.Of(c) {
				r, with := ask(c, `"`+o.String()+`":`+another(o, c))
				if r.Status == 501 { // refused rather than ignored
					continue
				}
				at := "costing_options." + c.String() + "." + o.String()
				status := entries(t, r)[at]["status"]
				switch got := with != without && (name == "osrm" || strings.Contains(with, o.String())); {
				case !got && status != "ignored":
					t.Errorf("%s: %s is %v and the engine did not get it", name, at, status)
				case got && name == "valhalla" && (status != "honoured") != slices.Contains(unheeded[o], c):
					t.Errorf("valhalla: %s is %v", at, status)
				case got && status == "ignored" && name != "valhalla":
					t.Errorf("%s: %s is ignored and the engine got it: %s", name, at, with)
				case o == costing.ADRTunnelCode && status != "ignored":
					t.Errorf("%s: %s is %v and the engine enforces no codes", name, at, status)
				}
			}
		}
	}
}

// unheeded are options that a Valhalla 3.6.1 accepts and does not heed, by costing, as its
// source has it.
var unheeded = func() map[costing.Option][]costing.Costing {
	cars := []costing.Costing{costing.Auto, costing.Bus}
	others := slices.DeleteFunc(slices.Clone(costing.All[:]), func(c costing.Costing) bool { return slices.Contains(cars, c) })
	return map[costing.Option][]costing.Costing{
		costing.UseDistance: others, costing.IncludeHOT: others, costing.IncludeHOV2: others, costing.IncludeHOV3: others, costing.UseHighways: {costing.MotorScooter}, costing.UseTolls: {costing.MotorScooter},
		costing.Weight: cars, costing.Length: cars, costing.SpeedPenaltyFactor: costing.All[:], costing.LowClassFactor: costing.All[:], costing.ADRTunnelCode: {costing.Truck},
		costing.ExcludeTolls: costing.All[:], costing.ExcludeFerries: costing.All[:], costing.ExcludeHighways: costing.All[:], costing.ExcludeBridges: costing.All[:], costing.ExcludeTunnels: costing.All[:],
		costing.ExcludeUnpaved: costing.All[:], costing.ExcludeCashTolls: costing.All[:],
	}
}()

// another returns a value of an option that is not the usual one.
func another(o costing.Option, c costing.Costing) string {
	row := o.Row()
	switch row.Kind {
	case costing.Bool:
		return "true"
	case costing.Choice:
		for _, v := range row.Values {
			if v != row.Text {
				return fmt.Sprintf("%q", v)
			}
		}
	case costing.Number, costing.Integer:
		if row.Default(c) != row.Max {
			return fmt.Sprint(row.Max)
		}
	}
	return fmt.Sprint(row.Min)
}
