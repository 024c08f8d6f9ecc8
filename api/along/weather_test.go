package along_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/waygate/waygate/api"
	"github.com/waygate/waygate/api/apitest"
	"github.com/waygate/waygate/feature/along/weather"
	"github.com/waygate/waygate/feed"
	"github.com/waygate/waygate/geo"
)

func TestWeatherAlong(t *testing.T) {
	live := weather.Service{Feeds: weather.NewFeeds(), Now: func() time.Time { return morning }}
	g, town := apitest.Drawn(t, func(o *api.Options) { o.Live.Weather = &live; o.Now = live.Now })
	a, d := town.Point("a"), town.Point("d")
	way := `"costing":"pedestrian","locations":[` + apitest.At(a) + `,` + apitest.At(d) + `]`
	g.Send("POST", "/v1/weather/along", `{`+way+`}`).Problem(t, 501, "weather-not-enabled")
	text := "lat,lon,time,temperature_c,wind_ms,wind_from_deg,gust_ms,rain_mm_h,made_at\n" +
		at(a) + ",2026-03-02T08:00:00Z,4,10,0,20,0,2026-03-02T07:00:00Z\n" + at(a) + ",2026-03-02T09:00:00Z,0,10,0,,1.5,\n"
	if _, err := live.Feeds.Add(feed.Options{Now: live.Now}, feed.Source{ID: "own", Kind: "weather", URL: written(t, "weather.csv", text), Attribution: "Own"}); err != nil {
		t.Fatal(err)
	}
	if err := live.Feeds.Feeds()[0].Poll(t.Context()); err != nil {
		t.Fatal(err)
	}
	sample := func(r apitest.Reply, i int) map[string]any { return r.At(t, "samples").([]any)[i].(map[string]any) }
	r := g.Send("POST", "/v1/weather/along", `{`+way+`}`)
	first := sample(r, 0)
	if first["temperature_c"] != 4.0 || first["headwind_ms"] != 0.0 || first["crosswind_ms"] != -10.0 || first["crossgust_ms"] != -20.0 || first["ice_risk"] != "none" || first["source"] != "own" || first["at"] != "2026-03-02T08:00:00Z" || first["snow_cm_h"] != nil {
		t.Errorf("%v", first) // it blows from the north, and one goes east
	}
	last := sample(r, len(r.At(t, "samples").([]any))-1)
	if !apitest.Near(last["arc_m"], geo.Distance(a, d)) || last["temperature_c"].(float64) >= 4 || fmt.Sprint(r.At(t, "attribution")) != "[Own]" || last["made_at"] != "2026-03-02T07:00:00Z" {
		t.Errorf("%s", r.Body)
	}
	// Later it is wet and cold.
	later := sample(g.Send("POST", "/v1/weather/along", `{`+way+`,"depart_at":"2026-03-02T09:00:00Z"}`), 0)
	if later["ice_risk"] != "likely" || later["gust_ms"] != nil {
		t.Errorf("%v", later)
	}
	// No forecast reaches next year, and the answer says so.
	r = g.Send("POST", "/v1/weather/along", `{`+way+`,"depart_at":"2027-03-02T08:00:00Z"}`)
	if next := sample(r, 0); next["temperature_c"] != nil || next["source"] != nil || next["ice_risk"] != nil || !strings.Contains(next["reason"].(string), "beyond the forecast") || len(r.At(t, "attribution").([]any)) != 0 {
		t.Errorf("%s", r.Body)
	}
	// A line has its times by a matrix; one that no car can follow has none.
	r = g.Send("POST", "/v1/weather/along", `{"costing":"pedestrian","shape":`+fmt.Sprintf("%q", geo.EncodePolyline([]geo.Point{a, town.Point("b"), town.Point("c"), d}, 6))+`}`)
	if got := sample(r, 0); got["temperature_c"] != 4.0 || r.At(t, "route", "duration_s").(float64) < 100 {
		t.Errorf("%s", r.Body)
	}
	g.Send("POST", "/v1/weather/along", `{`+way+`,"depart_at":"2025-03-02T08:00:00Z"}`).Problem(t, 400, "bad-request")
}
