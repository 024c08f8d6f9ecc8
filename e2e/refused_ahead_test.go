package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/waittest"
)

// askedAhead are the questions about the way ahead, and what each needs besides it.
var askedAhead = map[string]string{
	"/v1/fuel/along": `"fuel":"e10"`, "/v1/charging/along": `"min_kw":0`, "/v1/weather/along": `"language":"en-GB"`,
	"/v1/incidents/along": `"costing":"auto"`, "/v1/cameras/along": `"buffer_m":40`,
}

// TestRefusalsAhead checks that impossible requests about the way ahead, plans for electric
// vehicles, zones and watches are refused with the field, the value and the limit, and cost
// nothing.
func TestRefusalsAhead(t *testing.T) {
	t.Parallel()
	server, _ := misbehaving(t)
	var list []map[string]any
	// Cameras are those of the map: none is reported beside one whose country is unknown.
	for _, kind := range []string{"fuel", "charging", "weather", "incidents"} {
		list = append(list, map[string]any{"id": kind, "kind": kind, "url": server.URL + "/" + kind, "every": "1h", "stale_after": "24h"})
	}
	g := withFeeds(t, list)
	waittest.Until(t, "every feed was read", func() bool {
		for _, f := range g.feeds(t) {
			if f.State != "ok" {
				return false
			}
		}
		return true
	})
	t.Run("along", func(t *testing.T) { t.Parallel(); refusedAlong(t, g) })
	t.Run("electric", func(t *testing.T) { t.Parallel(); refusedElectric(t, g) })
	t.Run("zones and watches", func(t *testing.T) { t.Parallel(); refusedElsewhere(t, g) })
}

func refusedAlong(t *testing.T, g *gateway) {
	from, to := countyPlace(t, "Stannerford"), countyPlace(t, "Port Gwillan")
	ends := fmt.Sprintf(`"locations":[{"lat":%g,"lon":%g},{"lat":%g,"lon":%g}]`, from.Lat, from.Lon, to.Lat, to.Lon)
	line := []geo.Point{from, to}
	long := make([]geo.Point, 100_000)
	for i := range long {
		long[i] = geo.Point{Lon: from.Lon, Lat: from.Lat + float64(i%2)*1e-5}
	}
	shape := func(line []geo.Point, digits int) string {
		return `"shape":"` + strings.ReplaceAll(geo.EncodePolyline(line, digits), `\`, `\\`) + `"`
	}
	for path, needs := range askedAhead {
		for _, w := range []wrong{
			{name: "no way", body: "{" + needs + "}", says: []string{"shape", "is missing", "shape, locations"}},
			{name: "an empty line", body: `{"shape":"",` + needs + "}", says: []string{"shape", "0 of at least two positions"}},
			{name: "no line", body: `{"shape":17,` + needs + "}", says: []string{"shape", "17", "polyline of six digits"}},
			{name: "a line cut off", body: `{"shape":"izsa}AvjqzLnC_",` + needs + "}", says: []string{"shape", "polyline ends inside a number"}},
			{name: "five digits", body: "{" + shape(line, 5) + "," + needs + "}", says: []string{"shape", fmt.Sprintf("begins at lat %.5f", from.Lat/10), fmt.Sprintf("at lat %.5f", from.Lat), "encode it with six digits"}},
			{name: "100,000 points", body: "{" + shape(long, 6) + "," + needs + "}", says: []string{"shape", "100000 positions", "20000"}},
			{name: "both", body: "{" + ends + "," + shape(line, 6) + "," + needs + "}", says: []string{"locations", "stands beside shape"}},
			{name: "51 stops", body: `{"locations":[` + strings.Repeat(here+",", 50) + there + "]," + needs + "}", says: []string{"locations", "51", "50"}},
			{name: "years ago", body: "{" + ends + `,"depart_at":"2020-01-01T08:00:00Z",` + needs + "}", says: []string{"depart_at", "2020-01-01T08:00:00Z", "more than a day in the past"}},
			{name: "no time", body: "{" + ends + `,"depart_at":"tomorrow",` + needs + "}", says: []string{"depart_at", "tomorrow", "RFC 3339"}},
		} {
			t.Run(path+" "+w.name, func(t *testing.T) {
				t.Parallel()
				w.head, w.status, w.slug = "POST "+path, 400, bad
				w.check(t, g)
			})
		}
		// In a year there is an answer: what is unknown then is left out.
		g.send(t, http.MethodPost, path, "{"+ends+`,"depart_at":"2099-06-01T08:00:00Z",`+needs+"}").ok(t)
	}
	for body, says := range map[string][]string{
		`"fuel":"rocket"`:              {"fuel", "rocket", "b7_premium"},
		`"litres":0`:                   {"litres", "0", "1 and 2000"},
		`"buffer_m":20001`:             {"buffer_m", "20001", "50 and 20000"},
		`"tank":{"capacity_l":50}`:     {"tank.level", "is missing"},
		`"limit":51`:                   {"limit", "51", "1 and 50"},
		`"consumption_l_per_100km":-3`: {"consumption_l_per_100km", "-3", "1 and 100"},
	} {
		w := wrong{head: "POST /v1/fuel/along", body: "{" + ends + "," + body + "}", status: 400, slug: bad, says: says}
		w.check(t, g)
	}
	for body, says := range map[string][]string{
		`"connectors":["plug"]`: {"connectors[0]", "plug", "ccs2"},
		`"connectors":[]`:       {"connectors"},
		`"min_kw":4001`:         {"min_kw", "4001", "0 and 4000"},
	} {
		w := wrong{head: "POST /v1/charging/along", body: "{" + ends + "," + body + "}", status: 400, slug: bad, says: says}
		w.check(t, g)
	}
	// A corridor for cameras is clamped, as the contract has it, and null is the usual one.
	type answered struct {
		Route   struct{ Shape json.RawMessage }
		Cameras []fields
	}
	var first answered
	g.send(t, http.MethodPost, "/v1/cameras/along", "{"+ends+"}").ok(t).into(t, &first)
	cameras := func(buffer string) string { // of one line: traffic may change the route
		var a answered
		g.send(t, http.MethodPost, "/v1/cameras/along", `{"shape":`+string(first.Route.Shape)+`,"buffer_m":`+buffer+"}").ok(t).into(t, &a)
		return fmt.Sprint(a.Cameras)
	}
	if len(first.Cameras) == 0 {
		t.Error("there are no cameras")
	}
	if at100 := cameras("100"); cameras("101") != at100 || cameras("1e9") != at100 || cameras("null") != cameras("40") {
		t.Errorf("buffer_m is not clamped to 100 metres, or null is not 40: within 100 m %v, 101 m %v, 1e9 m %v, null %v, 40 m %v", at100, cameras("101"), cameras("1e9"), cameras("null"), cameras("40"))
	}
}

// refusedElectric checks besides that a plan that cannot be is no error: it says why.
func refusedElectric(t *testing.T, g *gateway) {
	from, to := countyPlace(t, "Stannerford"), countyPlace(t, "Port Gwillan")
	point := func(p geo.Point, more string) string { return fmt.Sprintf(`{"lat":%g,"lon":%g%s}`, p.Lat, p.Lon, more) }
	ends := `"locations":[` + point(from, "") + "," + point(to, "") + "]"
	by := func(more string) string {
		return `"locations":[` + point(from, "") + "," + point(to, more) + "," + point(from, "") + `],"vehicle":{"battery_kwh":60}`
	}
	const car = `,"vehicle":{"battery_kwh":60},`
	for _, w := range []wrong{
		{name: "no stops", body: `"vehicle":{"battery_kwh":60}`, says: []string{"locations", "is missing"}},
		{name: "one stop", body: `"locations":[` + here + `],"vehicle":{"battery_kwh":60}`, says: []string{"locations", "1 of at least two"}},
		{name: "no vehicle", body: ends, says: []string{"vehicle", "is missing"}},
		{name: "a battery that nobody says", body: ends + `,"vehicle":{}`, says: []string{"vehicle.battery_kwh", "needed without an id"}},
		{name: "a battery of 0 kWh", body: ends + `,"vehicle":{"battery_kwh":0}`, says: []string{"vehicle.battery_kwh", "is 0", "above 0 and at most 2000"}},
		{name: "a start without charge", body: ends + car + `"departure_soc_pct":0`, says: []string{"departure_soc_pct", "is 0", "above 0 and at most 100"}},
		{name: "a start above all", body: ends + car + `"departure_soc_pct":101`, says: []string{"departure_soc_pct", "101", "100"}},
		{name: "a minimum at stops above 100", body: ends + car + `"min_stop_soc_pct":101`, says: []string{"min_stop_soc_pct", "101", "0 and 100"}},
		{name: "a minimum at the end above 100", body: ends + car + `"min_destination_soc_pct":100.5`, says: []string{"min_destination_soc_pct", "100.5", "0 and 100"}},
		{name: "a minimum above the most", body: ends + car + `"min_stop_soc_pct":90,"max_charge_soc_pct":80`, says: []string{"max_charge_soc_pct", "80", "above min_stop_soc_pct (90)"}},
		{name: "a minimum at a call above 100", body: by(`,"min_soc_pct":101`), says: []string{"locations[1].min_soc_pct", "101", "0 and 100"}},
		{name: "a stay backwards", body: by(`,"dwell_s":-5`), says: []string{"locations[1].dwell_s", "-5", "0 and 604800"}},
		{name: "a charger of nothing", body: by(`,"charger_kw":-1`), says: []string{"locations[1].charger_kw", "-1", "0 and 1000"}},
		{name: "no such vehicle", body: ends + `,"vehicle":{"id":"cart"}`, status: 404, slug: "not-found", says: []string{"vehicle.id", "cart", "/v1/ev/vehicles"}},
		{name: "no such plug", body: ends + `,"vehicle":{"battery_kwh":60,"connectors":["plug"]}`, says: []string{"vehicle.connectors[0]", "plug", "ccs2"}},
		{name: "a curve of nothing", body: ends + `,"vehicle":{"battery_kwh":60,"charging_curve":[{"soc_pct":0,"kw":0}]}`, says: []string{"vehicle.charging_curve[0].kw", "0", "above 0 and at most 5000"}},
		{name: "no consumption", body: ends + `,"vehicle":{"battery_kwh":60,"consumption_kwh_per_100km":0}`, says: []string{"vehicle.consumption_kwh_per_100km", "0", "2 and 300"}},
		{name: "years ago", body: ends + car + `"date_time":{"type":1,"value":"2020-01-01T08:00"}`, says: []string{"date_time.value", "2020-01-01T08:00", "past"}},
		{name: "Euro 7", body: ends + car + `"emissions":{"vehicle_category":"car","fuel":"diesel","euro_standard":7}`, says: []string{"emissions.euro_standard", "7", "1 and 6"}},
	} {
		t.Run(w.name, func(t *testing.T) {
			t.Parallel()
			w.head, w.body = "POST /v1/ev/plan", "{"+w.body+"}"
			if w.slug == "" {
				w.status, w.slug = 400, bad
			}
			w.check(t, g)
		})
	}
	plan := func(body string) (code string, reach bool) {
		var a struct {
			Feasible bool
			Reason   struct{ Code, Text string }
			Furthest *struct{ Area *struct{ Type string } }
		}
		g.send(t, http.MethodPost, "/v1/ev/plan", "{"+body+"}").ok(t).into(t, &a)
		if !a.Feasible && a.Reason.Text == "" {
			t.Errorf("%s: no cause is reported", body)
		}
		return a.Reason.Code, a.Furthest != nil && a.Furthest.Area != nil
	}
	for body, want := range map[string]string{
		ends + `,"vehicle":{"battery_kwh":2},"departure_soc_pct":20`:                                                  "start_too_low", // no charger is within reach
		ends + `,"vehicle":{"battery_kwh":8,"connectors":["mcs"]},"departure_soc_pct":20`:                             "no_stations",
		ends + car + `"min_destination_soc_pct":99,"max_charge_soc_pct":80`:                                           "destination_minimum",
		ends + car + `"departure_soc_pct":90,"date_time":{"type":1,"value":"2099-06-01T08:00"},"min_stop_soc_pct":10`: "",
	} {
		if code, reach := plan(body); code != want || (want != "" && !reach) {
			t.Errorf("%s: cause %q, want %q; reported how far it comes: %v", body, code, want, reach)
		}
	}
}

// refusedElsewhere checks besides that a key pays for no refusal.
func refusedElsewhere(t *testing.T, g *gateway) {
	key, _ := mint(t, g, 1e9, 1e6)
	emits := func(vehicle string) string { return body(`"costing":"auto","emissions":{` + vehicle + `}`) }
	watch := func(more string) string { return body(`"costing":"auto",` + more) }
	const hook = `"webhook_url":"https://hooks.example.org/x"`
	for _, w := range []wrong{
		{head: "GET /v1/zones?geometry=maybe", says: []string{"geometry", "maybe", "true or false"}},
		{head: "POST /route", body: emits(`"vehicle_category":"car","fuel":"diesel","euro_standard":7`), says: []string{"emissions.euro_standard", "7", "1 and 6"}},
		{head: "POST /route", body: emits(`"vehicle_category":"car","fuel":"steam","euro_standard":6`), says: []string{"emissions.fuel", "steam", "hydrogen"}},
		{head: "POST /route", body: emits(`"vehicle_category":"cart","fuel":"diesel"`), says: []string{"emissions.vehicle_category", "cart", "motorhome"}},
		{head: "POST /route", body: body(`"costing":"auto","avoid_zones":true`), says: []string{"avoid_zones", "emissions"}},
		{head: "POST /v1/watches", body: watch(`"threshold_s":60`), says: []string{"webhook_url", "is missing"}},
		{head: "POST /v1/watches", body: watch(`"webhook_url":"ftp://hooks.example.org"`), says: []string{"webhook_url", "ftp"}},
		{head: "POST /v1/watches", body: watch(hook + `,"threshold_s":1`), says: []string{"threshold_s", "1", "30 and 86400"}},
		{head: "POST /v1/watches", body: `{"costing":"auto",` + hook + `}`, says: []string{"shape", "is missing", "locations"}},
		{head: "POST /v1/watches", body: watch(hook + `,"until":"2020-01-01T00:00:00Z"`), says: []string{"until", "2020-01-01"}},
		{head: "POST /v1/watches", body: watch(hook + `,"until":"2099-01-01T00:00:00Z"`), says: []string{"until", "2099-01-01", "24 hours"}},
		{head: "POST /v1/watches", body: watch(hook + `,"depart_at":"2099-01-01T00:00:00Z"`), says: []string{"depart_at"}},
		{head: "POST /v1/ev/plan", body: body(`"vehicle":{"battery_kwh":0}`), says: []string{"vehicle.battery_kwh"}},
		{head: "POST /v1/cameras/along", body: "{}", says: []string{"shape"}},
	} {
		method, target, _ := strings.Cut(w.head, " ")
		a := g.send(t, method, target, w.body, bearer(key))
		a.refused(t, 400, bad)
		for _, want := range w.says {
			if !strings.Contains(string(a.body), want) {
				t.Errorf("%s %s: does not say %q: %s", w.head, w.body, want, a)
			}
		}
	}
	// Only the one answered call is charged.
	g.send(t, http.MethodPost, "/route", body(`"costing":"auto"`), bearer(key)).ok(t)
	waittest.Until(t, "the route is counted, and nothing else", func() bool { return self(t, g, key).Used == 1 })
}
