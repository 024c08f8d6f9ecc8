package along_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/waygate/waygate/api"
	"github.com/waygate/waygate/api/apitest"
	"github.com/waygate/waygate/feed/charging"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/towntest"
	"github.com/waygate/waygate/world"
)

// charged returns the drawn town with a station at b, and one that no road leads to.
func charged(t *testing.T) (*apitest.Gateway, *towntest.Town) {
	t.Helper()
	noon := func(o *api.Options) {
		o.Now = func() time.Time { return time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC) }
	}
	return apitest.DrawnWith(t, func(town *towntest.Town, r *world.Region) {
		plug := []charging.Point{{Connectors: []charging.Connector{{Standard: charging.CCS2, KW: 50}}}}
		r.Chargers = charging.MapOf([]charging.Station{
			{ID: "n1", At: town.Point("b"), Points: plug},
			{ID: "n2", At: geo.Destination(town.Point("c"), 0, 45_000), Points: plug},
		}, "© OpenStreetMap contributors", nil)
	}, noon)
}

func TestEVPlan(t *testing.T) {
	g, town := charged(t)
	ends := fmt.Sprintf(`"locations":[%s,%s]`, apitest.At(town.Point("a")), apitest.At(town.Point("g")))
	plan := func(vehicle, more string) (out struct {
		Feasible bool
		Reason   *struct{ Code string }
		Stops    []struct {
			Charged float64 `json:"charged_kwh"`
		}
		Summary     *struct{ Energy, Arrival float64 }
		Profile     []any
		Vehicle     struct{ ID *string }
		Attribution []string
	},
	) {
		t.Helper()
		r := g.Send("POST", "/v1/ev/plan", `{`+ends+`,"vehicle":`+vehicle+more+`}`)
		if err := json.Unmarshal(r.Body, &out); err != nil || r.Status != 200 {
			t.Fatalf("%d %v %s", r.Status, err, r.Body)
		}
		return out
	}
	if p := plan(`{"id":"bmw-i3-60-ah-2013"}`, ""); !p.Feasible || len(p.Stops) != 0 || len(p.Profile) < 3 || *p.Vehicle.ID == "" || !strings.Contains(strings.Join(p.Attribution, " "), "Open EV Data") {
		t.Errorf("%+v", p)
	}
	// An estimate has the direct route twice in it, and the matrix between stations.
	estimate := func(path, body string) float64 {
		return g.Send("POST", path+"?estimate=1", "{"+ends+body+"}").At(t, "estimated_ms").(float64)
	}
	if whole, route := estimate("/v1/ev/plan", `,"vehicle":{"id":"bmw-i3-60-ah-2013"}`), estimate("/route", ""); whole < 3*route {
		t.Errorf("a journey is estimated at %g ms, and its route at %g", whole, route)
	}
	// A toy's battery has to be charged on two kilometres, with a station that cannot be come to near by.
	toy := `{"battery_kwh":0.8,"consumption_kwh_per_100km":15,"max_dc_kw":1,"connectors":["ccs2"]}`
	if p := plan(toy, `,"departure_soc_pct":40,"min_destination_soc_pct":40,"corridor_m":50000,"min_charging_s":60`); !p.Feasible || len(p.Stops) != 1 || p.Stops[0].Charged <= 0 {
		t.Errorf("%+v", p)
	}
	if p := plan(toy, `,"departure_soc_pct":12,"min_destination_soc_pct":90,"max_charge_soc_pct":50`); p.Feasible || p.Reason == nil {
		t.Errorf("%+v", p)
	}
}

func TestEVPlanRefuses(t *testing.T) {
	g, town := charged(t)
	ends := fmt.Sprintf(`"locations":[%s,%s]`, apitest.At(town.Point("a")), apitest.At(town.Point("g")))
	car := `,"vehicle":{"battery_kwh":50}`
	for body, location := range map[string]string{
		ends:                                                              "vehicle",
		ends + `,"vehicle":{"battery_kwh":0}`:                             "vehicle.battery_kwh",
		ends + `,"vehicle":{"mass_kg":1500}`:                              "vehicle.battery_kwh",
		ends + car + `,"min_stop_soc_pct":101`:                            "min_stop_soc_pct",
		ends + car + `,"min_destination_soc_pct":-1`:                      "min_destination_soc_pct",
		ends + car + `,"departure_soc_pct":0`:                             "departure_soc_pct",
		ends + car + `,"max_charge_soc_pct":30,"min_stop_soc_pct":40`:     "max_charge_soc_pct",
		ends + car + `,"date_time":{"type":1,"value":"2025-01-01T08:00"}`: "date_time.value",
		ends + `,"vehicle":{"battery_kwh":50,"charging_curve":[{"soc_pct":50,"kw":50},{"soc_pct":20,"kw":30}]}`: "vehicle.charging_curve",
		ends + `,"vehicle":{"battery_kwh":50,"speed_consumption":[{"speed_kph":50,"wh_per_m":0}]}`:              "vehicle.speed_consumption[0].wh_per_m",
		`"locations":[{"lat":1,"lon":2}]` + car:                                                                 "locations",
	} {
		p := g.Send("POST", "/v1/ev/plan", "{"+body+"}").Problem(t, 400, "bad-request")
		if !strings.HasPrefix(p["detail"].(string), location+":") {
			t.Errorf("%s: %v", body, p["detail"])
		}
	}
	next := ends + car + `,"date_time":{"type":1,"value":"2027-11-24T08:00"}`
	if r := g.Send("POST", "/v1/ev/plan", "{"+next+"}"); r.Status != 200 {
		t.Errorf("next year: %d %s", r.Status, r.Body)
	}
	g.Send("POST", "/v1/ev/plan", "{"+ends+`,"vehicle":{"id":"trabant"}}`).Problem(t, 404, "not-found")
	g, _ = apitest.Drawn(t)
	g.Send("POST", "/v1/ev/plan", "{"+ends+car+"}").Problem(t, 501, "ev-plan-not-enabled")
}

func TestEVVehicles(t *testing.T) {
	g, _ := apitest.Drawn(t)
	var list struct {
		Count       int
		Vehicles    []struct{ ID, Name string }
		Attribution string
	}
	r := g.Send("GET", "/v1/ev/vehicles?q=bmw+i3&limit=2", "")
	if err := json.Unmarshal(r.Body, &list); err != nil || r.Status != 200 || list.Count < 3 || len(list.Vehicles) != 2 || !strings.Contains(list.Attribution, "KilowattApp") {
		t.Errorf("%d %v %s", r.Status, err, r.Body)
	}
	for _, v := range list.Vehicles {
		if !strings.Contains(v.Name, "i3") {
			t.Errorf("%+v", v)
		}
	}
}

// TestRowsOfVehiclesAreTaken posts rows of GET /v1/ev/vehicles back as they stand, every fifth and those
// that have something of their own: none is refused or warned of, and the plan is that of the id.
func TestRowsOfVehiclesAreTaken(t *testing.T) {
	g, town := charged(t)
	var list struct{ Vehicles []json.RawMessage }
	if err := json.Unmarshal(g.Send("GET", "/v1/ev/vehicles?limit=2000", "").Body, &list); err != nil || len(list.Vehicles) < 1000 {
		t.Fatalf("%d vehicles, %v", len(list.Vehicles), err)
	}
	ends := fmt.Sprintf(`"locations":[%s,%s]`, apitest.At(town.Point("a")), apitest.At(town.Point("g")))
	ports, odd := map[string]bool{}, 0
	for i, row := range list.Vehicles {
		var v struct {
			ID         string
			Average    float64 `json:"consumption_kwh_per_100km"`
			AC         float64 `json:"max_ac_kw"`
			Connectors []string
		}
		if err := json.Unmarshal(row, &v); err != nil {
			t.Fatal(err)
		}
		kind := strings.Join(v.Connectors, " ")
		extreme := v.Average > 60 || v.AC > 100
		if ports[kind] && !extreme && i%5 > 0 {
			continue
		}
		asked := fmt.Sprintf(`{%s,"vehicle":%s}`, ends, row)
		if r := g.Send("POST", "/v1/ev/plan?estimate=1", asked); r.Status != 200 {
			t.Fatalf("%d %s\n%s", r.Status, r.Body, row)
		}
		if ports[kind] && !extreme && i%200 > 0 {
			continue
		}
		ports[kind] = true
		if extreme {
			odd++
		}
		byRow, byID := g.Send("POST", "/v1/ev/plan", asked), g.Send("POST", "/v1/ev/plan", fmt.Sprintf(`{%s,"vehicle":{"id":%q}}`, ends, v.ID))
		if string(byRow.Body) != string(byID.Body) || byRow.Status != 200 {
			t.Errorf("%s\n%d %s\nbut by its id\n%s", row, byRow.Status, byRow.Body, byID.Body)
		}
	}
	if len(ports) < 3 || odd == 0 {
		t.Errorf("%v, %d odd vehicles", ports, odd)
	}
}
