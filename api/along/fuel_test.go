package along_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/waygate/waygate/api"
	"github.com/waygate/waygate/api/apitest"
	"github.com/waygate/waygate/feature/along/fuel"
	"github.com/waygate/waygate/feed"
	"github.com/waygate/waygate/geo"
)

var morning = time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)

// written returns a file of a feed.
func written(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// priced returns the group of feeds of one file of prices.
func priced(t *testing.T, text string) *fuel.Feeds {
	t.Helper()
	g := fuel.NewFeeds()
	if _, err := g.Add(feed.Options{Now: func() time.Time { return morning }}, feed.Source{ID: "prices", Kind: "fuel", URL: written(t, "prices.csv", text), Licence: "OGL-UK-3.0", Attribution: "Contains prices.", Area: "the town", Country: "GB"}); err != nil {
		t.Fatal(err)
	}
	if err := g.Feeds()[0].Poll(t.Context()); err != nil {
		t.Fatal(err)
	}
	return g
}

func at(p geo.Point) string { return fmt.Sprintf("%.6f,%.6f", p.Lat, p.Lon) }

func TestFuelAlong(t *testing.T) {
	var live fuel.Service
	g, town := apitest.Drawn(t, func(o *api.Options) { o.Live.Fuel = &live; o.Now = func() time.Time { return morning } })
	live.Now = func() time.Time { return morning }
	a, d := town.Point("a"), town.Point("d")
	way := `"locations":[` + apitest.At(a) + `,` + apitest.At(d) + `]`
	g.Send("POST", "/v1/fuel/along", `{`+way+`}`).Problem(t, 501, "fuel-not-enabled")

	on := town.Between("b", "c", 0.5)
	live.Feeds = priced(t, "id,name,brand,lat,lon,e10,b7,updated_at,closed\n"+
		"dear,Dear,Esso,"+at(on)+",149.9,159.9,2026-03-02T07:00:00Z,\n"+
		"cheap,Cheap,BP,"+at(town.Point("e"))+",139.9,,2026-02-20T07:00:00Z,\n"+
		"shut,Shut,BP,"+at(town.Point("c"))+",100,,,true\n"+
		"far,Far,BP,51,0,139.9,,,\n")
	r := g.Send("POST", "/v1/fuel/along", `{`+way+`,"costing":"pedestrian"}`)
	if r.Status != 200 || r.Header.Get("X-Svc-Quota-Units") != "1" {
		t.Fatalf("%d %s", r.Status, r.Body)
	}
	stations := r.At(t, "stations").([]any)
	if len(stations) != 2 {
		t.Fatalf("%s", r.Body)
	}
	first, second := stations[0].(map[string]any), stations[1].(map[string]any)
	if first["id"] != "cheap" || first["pence_per_litre"] != 139.9 || first["stale"] != true || first["cost"] != nil || first["source"] != "prices" {
		t.Errorf("%v", first)
	}
	if second["id"] != "dear" || second["stale"] != false || second["detour_s"] != 0.0 || !apitest.Near(second["arc_m"], geo.Distance(a, on)) {
		t.Errorf("%v", second)
	}
	if r.At(t, "excluded", "closed") != 1.0 || r.At(t, "attribution").([]any)[0] != "Contains prices." || r.At(t, "coverage").([]any)[0].(map[string]any)["records"] != 4.0 {
		t.Errorf("%s", r.Body)
	}
	if say := r.At(t, "say").(string); !strings.HasPrefix(say, "The cheapest E10 is at Esso Dear for 149.9p a litre") {
		t.Error(say) // the cheaper price is stale
	}
	if say := g.Send("POST", "/v1/fuel/along", `{`+way+`,"costing":"pedestrian","fuel":"diesel","language":"de-AT"}`).At(t, "say").(string); !strings.HasPrefix(say, "Am günstigsten ist B7 bei Esso Dear für 159,9p je Liter") {
		t.Error(say)
	}
	// A tank decides how much is bought and what is within reach.
	r = g.Send("POST", "/v1/fuel/along", `{`+way+`,"costing":"pedestrian","tank":{"capacity_l":50,"level":0.0001},"consumption_l_per_100km":100}`)
	first = r.At(t, "stations").([]any)[0].(map[string]any)
	if first["in_range"] != false || !apitest.Near(first["litres"], 50) || first["cost"].(map[string]any)["total"].(float64) < 50*139 {
		t.Errorf("%v", first)
	}
	if r.At(t, "route", "duration_s").(float64) < 100 {
		t.Errorf("%s", r.Body)
	}
	// The line itself does as well; how long it takes is not known.
	r = g.Send("POST", "/v1/fuel/along", `{"shape":`+fmt.Sprintf("%q", geo.EncodePolyline([]geo.Point{a, town.Point("b"), town.Point("c"), d}, 6))+`,"costing":"pedestrian","litres":30,"limit":1}`)
	if len(r.At(t, "stations").([]any)) != 1 || r.At(t, "excluded", "beyond_limit") != 1.0 || r.At(t, "stations").([]any)[0].(map[string]any)["cost"] == nil || r.At(t, "route", "duration_s") != nil {
		t.Errorf("%s", r.Body)
	}
	// Nothing near is an answer.
	r = g.Send("POST", "/v1/fuel/along", `{`+way+`,"fuel":"hvo"}`)
	if len(r.At(t, "stations").([]any)) != 0 || r.At(t, "excluded", "without_fuel") != 2.0 || !strings.Contains(r.At(t, "say").(string), "HVO") || len(r.At(t, "attribution").([]any)) != 0 {
		t.Errorf("%s", r.Body)
	}
}

// TestAheadRefusals checks the refusals of all requests about the way ahead.
func TestAheadRefusals(t *testing.T) {
	live := fuel.Service{Now: func() time.Time { return morning }, Feeds: priced(t, "id,lat,lon,e10\n1,51,-3,140\n")}
	g, town := apitest.Drawn(t, func(o *api.Options) { o.Live.Fuel = &live; o.Now = func() time.Time { return morning } })
	a, d := town.Point("a"), town.Point("d")
	way := `"locations":[` + apitest.At(a) + `,` + apitest.At(d) + `]`
	long := make([]geo.Point, 100_000)
	for i := range long {
		long[i] = geo.Point{Lon: a.Lon + float64(i%2)*1e-5, Lat: a.Lat}
	}
	for name, c := range map[string]struct{ body, says string }{
		"no route":             {`"fuel":"e10"`, "shape: is missing"},
		"two":                  {way + `,"shape":"` + geo.EncodePolyline([]geo.Point{a, d}, 6) + `"`, "locations"},
		"five digits":          {`"shape":"` + geo.EncodePolyline([]geo.Point{a, d}, 5) + `"`, "encode it with six digits"},
		"100,000 points":       {`"shape":"` + geo.EncodePolyline(long, 6) + `"`, "may have 20000"},
		"no polyline":          {`"shape":"~~~"`, "shape"},
		"a departure long ago": {way + `,"depart_at":"2026-02-02T08:00:00Z"`, "in the past"},
		"a buffer of 0":        {way + `,"buffer_m":0`, "buffer_m"},
		"more than full":       {way + `,"tank":{"capacity_l":50,"level":1.1}`, "tank.level"},
		"no such fuel":         {way + `,"fuel":"coal"`, "fuel"},
	} {
		t.Run(name, func(t *testing.T) {
			if p := g.Send("POST", "/v1/fuel/along", `{`+c.body+`}`).Problem(t, 400, "bad-request"); !strings.Contains(p["detail"].(string), c.says) {
				t.Errorf("%v, want %q", p["detail"], c.says)
			}
		})
	}
}
