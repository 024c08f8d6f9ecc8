package along_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/waygate/waygate/api"
	"github.com/waygate/waygate/api/apitest"
	"github.com/waygate/waygate/feature/along/cameras"
	"github.com/waygate/waygate/feature/along/charging"
	"github.com/waygate/waygate/feed"
	"github.com/waygate/waygate/geo"
)

func TestCamerasAlong(t *testing.T) {
	live := cameras.Service{Feeds: cameras.NewFeeds()}
	g, town := apitest.Drawn(t, func(o *api.Options) { o.Live.Cameras = &live })
	a, d := town.Point("a"), town.Point("d")
	there, back := `"locations":[`+apitest.At(a)+`,`+apitest.At(d)+`]`, `"locations":[`+apitest.At(d)+`,`+apitest.At(a)+`]`
	g.Send("POST", "/v1/cameras/along", `{`+there+`}`).Problem(t, 501, "cameras-not-enabled")
	on := town.Between("a", "b", 0.5)
	beside := geo.Destination(town.Between("c", "d", 0.5), 0, 60)
	text := "id,lat,lon,kind,limit_mph,travel_bearing,to_lat,to_lon,limit_confidence\n" +
		"east," + at(on) + ",fixed,30,90,,\n" +
		"west," + at(on) + ",redlight,,270,,\n" +
		"both," + at(town.Between("b", "c", 0.5)) + ",mobile_site,,,,\n" +
		"aside," + at(beside) + ",fixed,,,,\n" +
		"section," + at(town.Between("a", "b", 0.8)) + ",average,50,," + at(town.Between("c", "d", 0.8)) + ",official\n"
	add := func(country string) {
		t.Helper()
		if _, err := live.Feeds.Add(feed.Options{}, feed.Source{ID: "own-" + strings.ToLower(country), Kind: "cameras", URL: written(t, "cameras.csv", text), Country: country, Licence: "CC-BY-4.0", Attribution: "Own " + country}); err != nil {
			t.Fatal(err)
		}
		for _, f := range live.Feeds.Feeds() {
			_ = f.Poll(t.Context())
		}
	}
	add("GB")
	listed := func(r apitest.Reply) string {
		var list []string
		for _, c := range r.At(t, "cameras").([]any) {
			m := c.(map[string]any)
			line := fmt.Sprintf("%v %v %v %v", m["kind"], m["limit_kph"], m["limit_confidence"], m["bearing"])
			if m["from_arc_m"] != nil {
				line += fmt.Sprintf(" %.0f-%.0f of %d", m["from_arc_m"], m["to_arc_m"], len(m["zone"].(map[string]any)["coordinates"].([]any)))
			}
			list = append(list, line)
		}
		return strings.Join(list, "; ")
	}
	r := g.Send("POST", "/v1/cameras/along", `{"locations":[`+apitest.At(town.Point("f"))+`,`+apitest.At(town.Point("g"))+`]}`)
	if r.At(t, "policy", "country") != "ZZ" || r.At(t, "policy", "mode") != "omitted" || listed(r) != "" {
		t.Errorf("%s", r.Body)
	}
	r = g.Send("POST", "/v1/cameras/along", `{`+there+`}`)
	if got, want := listed(r), "fixed 48 unknown 270; average 80 official <nil> 480-1680 of 4; mobile_site <nil> unknown <nil>"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if r.At(t, "policy", "country") != "GB" || r.At(t, "policy", "mode") != "exact" || fmt.Sprint(r.At(t, "attribution")) != "[Own GB]" {
		t.Errorf("%s", r.Body)
	}
	if got, want := listed(g.Send("POST", "/v1/cameras/along", `{`+back+`}`)), "mobile_site <nil> unknown <nil>; redlight <nil> unknown 90"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	// A width beyond the most is taken as the most; one of 0 takes what is on the line.
	if got := listed(g.Send("POST", "/v1/cameras/along", `{`+there+`,"buffer_m":101}`)); !strings.HasSuffix(got, "; fixed <nil> unknown <nil>") {
		t.Error(got)
	}
	if got := listed(g.Send("POST", "/v1/cameras/along", `{`+there+`,"buffer_m":null}`)); strings.Count(got, ";") != 2 {
		t.Error(got)
	}
	// A country that is unknown forbids it, in every call.
	add("")
	for range 20 {
		r = g.Send("POST", "/v1/cameras/along", `{`+there+`}`)
		if r.At(t, "policy", "country") != "ZZ" || r.At(t, "policy", "mode") != "omitted" || listed(r) != "" || !strings.Contains(r.At(t, "caveat").(string), "does not say which country") {
			t.Fatalf("%s", r.Body)
		}
	}
	// Where one of the countries near forbids it, no camera is listed.
	add("XK")
	r = g.Send("POST", "/v1/cameras/along", `{`+there+`}`)
	if r.At(t, "policy", "country") != "XK" || r.At(t, "policy", "mode") != "omitted" || listed(r) != "" || len(r.At(t, "attribution").([]any)) != 0 {
		t.Errorf("%s", r.Body)
	}
}

func TestChargingAlong(t *testing.T) {
	now := morning
	live := charging.Service{Feeds: charging.NewFeeds(), Now: func() time.Time { return now }}
	g, town := apitest.Drawn(t, func(o *api.Options) { o.Live.Charging = &live; o.Now = func() time.Time { return now } })
	way := `"costing":"pedestrian","locations":[` + apitest.At(town.Point("a")) + `,` + apitest.At(town.Point("d")) + `]`
	g.Send("POST", "/v1/charging/along", `{`+way+`}`).Problem(t, 501, "charging-not-enabled")
	place := func(p geo.Point) string { return fmt.Sprintf(`"lat":%.6f,"lon":%.6f`, p.Lat, p.Lon) }
	text := `{"stations":[{"id":"slow","name":"Slow","operator":"Pod",` + place(town.Between("b", "c", 0.5)) + `,"connectors":[{"standard":"type2","power_kw":22,"count":2}]},` +
		`{"id":"fast","name":"Fast","operator":"Grid",` + place(town.Point("e")) + `,"updated_at":"2026-03-02T07:58:00Z","available":1,"out_of_order":1,"connectors":[{"standard":"ccs2","power_kw":150,"count":3},{"standard":"type2","power_kw":43}]},` +
		`{"id":"dark","name":"Dark",` + place(town.Point("f")) + `,"connectors":[{"standard":"chademo"}]}]}`
	if _, err := live.Feeds.Add(feed.Options{Now: func() time.Time { return morning }}, feed.Source{ID: "own", Kind: "charging", URL: written(t, "chargers.json", text), Attribution: "Own"}); err != nil {
		t.Fatal(err)
	}
	if err := live.Feeds.Feeds()[0].Poll(t.Context()); err != nil {
		t.Fatal(err)
	}
	r := g.Send("POST", "/v1/charging/along", `{`+way+`}`)
	var order []string
	for _, s := range r.At(t, "stations").([]any) {
		order = append(order, s.(map[string]any)["id"].(string))
	}
	first := r.At(t, "stations").([]any)[0].(map[string]any)
	state := first["availability"].(map[string]any)
	if strings.Join(order, " ") != "fast slow dark" || first["power_kw"] != 150.0 || state["available"] != 1.0 || state["occupied"] != 2.0 || state["out_of_order"] != 1.0 || state["stale"] != false {
		t.Errorf("%v %s", order, r.Body)
	}
	if say := r.At(t, "say").(string); !strings.HasPrefix(say, "The most powerful charger is at Grid Fast with 150 kW") || !strings.HasSuffix(say, "1 of 4 points are free.") {
		t.Error(say)
	}
	if second := r.At(t, "stations").([]any)[1].(map[string]any); second["availability"] != nil || second["detour_s"] != 0.0 {
		t.Errorf("%v", second)
	}
	r = g.Send("POST", "/v1/charging/along", `{`+way+`,"connectors":["type2"],"min_kw":30,"language":"fr"}`)
	first = r.At(t, "stations").([]any)[0].(map[string]any)
	if n := len(r.At(t, "stations").([]any)); n != 1 || first["power_kw"] != 43.0 || first["points"] != 4.0 || r.At(t, "excluded", "connectors") != 2.0 || !strings.HasPrefix(r.At(t, "say").(string), "La borne la plus puissante") {
		t.Errorf("%s", r.Body)
	}
	// A point that was free a while ago may not be free now.
	now = now.Add(time.Hour)
	first = g.Send("POST", "/v1/charging/along", `{`+way+`}`).At(t, "stations").([]any)[0].(map[string]any)
	if first["availability"].(map[string]any)["stale"] != true {
		t.Errorf("%v", first)
	}
}
