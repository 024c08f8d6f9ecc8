package route_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/waygate/waygate/api"
	"github.com/waygate/waygate/api/apitest"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/zone"
	"github.com/waygate/waygate/towntest"
	"github.com/waygate/waygate/world"
)

// zoned returns the drawn town with a zone round c that charges old cars by day, and
// one of the map round g.
func zoned(t *testing.T) (*apitest.Gateway, *towntest.Town) {
	t.Helper()
	amount := 8.0
	source := zone.Source{Publisher: "Town", URL: "https://example.org", Licence: "CC0-1.0", Checked: "2026-01-01"}
	round := func(town *towntest.Town, at string) *zone.Geometry {
		var ring geo.Ring
		for _, way := range [][2]float64{{-100, -100}, {100, -100}, {100, 100}, {-100, 100}} {
			ring = append(ring, town.Offset(at, way[0], way[1]))
		}
		return &zone.Geometry{Polygons: []geo.Polygon{{ring}}}
	}
	noon := func(o *api.Options) {
		o.Now = func() time.Time { return time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC) }
	}
	return apitest.DrawnWith(t, func(town *towntest.Town, r *world.Region) {
		r.Zones = zone.NewIndex(zone.Place([]zone.Zone{{
			ID: "c", Name: "C", Country: "GB", TimeZone: "Europe/London", Charges: &source,
			Rules:    []zone.Rule{{Effect: "charge", Vehicles: []string{"car"}, Fuels: []string{"diesel"}, MinimumEuro: map[string]int{"diesel": 6}, Hours: "Mo-Fr 07:00-18:00", Amount: &amount, Currency: "GBP", Per: "day"}},
			Boundary: zone.Boundary{Source: source, Geometry: round(town, "c")},
		}}, false), zone.Place([]zone.Zone{{ID: "osm:w1", Name: "G", TimeZone: "Europe/London", Rules: []zone.Rule{}, Boundary: zone.Boundary{Source: source, Geometry: round(town, "g")}}}, true))
	}, noon)
}

type zonesAnswer struct {
	Trip  struct{ Summary struct{ Length float64 } }
	Zones *struct {
		JudgedAt string `json:"judged_at"`
		Zones    []struct {
			ID, Verdict, Reason string
			Amount              *float64
			Ends                bool `json:"ends_inside"`
			Passages            []struct {
				Enter float64 `json:"enter_arc_m"`
				Leave float64 `json:"leave_arc_m"`
			}
		}
	}
	Warnings []struct {
		Code int
		Text string
	}
}

func TestZonesOfARoute(t *testing.T) {
	g, town := zoned(t)
	route := func(from, to, more string) (a zonesAnswer, body string) {
		t.Helper()
		r := g.Send("POST", "/route", fmt.Sprintf(`{"costing":"auto","locations":[%s,%s]%s}`, apitest.At(town.Point(from)), apitest.At(town.Point(to)), more))
		if err := json.Unmarshal(r.Body, &a); err != nil || r.Status != 200 {
			t.Fatalf("%d %v %s", r.Status, err, r.Body)
		}
		return a, string(r.Body)
	}
	const old = `,"emissions":{"vehicle_category":"car","fuel":"diesel","euro_standard":5}`
	plain, _ := route("a", "d", "")
	if z := plain.Zones; z == nil || len(z.Zones) != 1 || z.Zones[0].ID != "c" || z.Zones[0].Reason != "vehicle_not_told" || z.Zones[0].Verdict != "unknown" {
		t.Fatalf("without emissions: %+v", z)
	}
	charged, _ := route("a", "d", old)
	if z := charged.Zones.Zones[0]; z.Verdict != "charged" || *z.Amount != 8 || len(z.Passages) != 1 || z.Passages[0].Leave-z.Passages[0].Enter < 150 || z.Passages[0].Leave-z.Passages[0].Enter > 250 {
		t.Errorf("an old car at noon: %+v", z)
	}
	if a, _ := route("a", "d", old+`,"date_time":{"type":1,"value":"2026-11-24T20:00"}`); a.Zones.Zones[0].Reason != "outside_hours" || a.Zones.JudgedAt != "departure" {
		t.Errorf("in the evening: %+v", a.Zones)
	}
	if a, _ := route("a", "d", strings.Replace(old, "5", "6", 1)); a.Zones.Zones[0].Reason != "standard_met" {
		t.Errorf("a clean car: %+v", a.Zones)
	}
	if a, body := route("a", "b", old); a.Zones != nil || strings.Contains(body, `"zones"`) {
		t.Errorf("a route that crosses none: %s", body)
	}
	if a, _ := route("e", "g", old); len(a.Zones.Zones) != 2 || a.Zones.Zones[1].ID != "osm:w1" || a.Zones.Zones[1].Reason != "rules_unknown" || !a.Zones.Zones[1].Ends {
		t.Errorf("into the map's zone: %+v", a.Zones)
	}
	if a, _ := route("a", "c", old+`,"avoid_zones":true`); len(a.Warnings) != 1 || a.Warnings[0].Code != 913 || !a.Zones.Zones[0].Ends {
		t.Errorf("to a place in a zone: %+v", a)
	}
	if a, _ := route("a", "f", old+`,"avoid_zones":true`); a.Zones != nil {
		t.Errorf("a zone is avoided: %+v", a.Zones)
	}
}

// TestAvoidingLeavesNoWay checks that a route the zones leave no way for says so.
func TestAvoidingLeavesNoWay(t *testing.T) {
	g, town := zoned(t)
	const old = `"avoid_zones":true,"emissions":{"vehicle_category":"car","fuel":"diesel","euro_standard":5}`
	body := fmt.Sprintf(`{"costing":"auto","locations":[%s,%s],%s}`, apitest.At(town.Point("a")), apitest.At(town.Point("d")), old)
	p := g.Send("POST", "/route", body).Problem(t, 400, "upstream-error")
	if p["error_code"] != 442.0 || !strings.Contains(p["detail"].(string), "avoid_zones") {
		t.Errorf("%v", p)
	}
	var m struct{ Durations [][]*float64 }
	r := g.Send("POST", "/matrix", fmt.Sprintf(`{"costing":"auto","sources":[%s],"targets":[%s,%s],%s}`, apitest.At(town.Point("a")), apitest.At(town.Point("d")), apitest.At(town.Point("e")), old))
	if err := json.Unmarshal(r.Body, &m); err != nil || r.Status != 200 || m.Durations[0][0] != nil || m.Durations[0][1] == nil {
		t.Errorf("a matrix: %d %s", r.Status, r.Body)
	}
}

func TestEmissionsAreChecked(t *testing.T) {
	g, town := zoned(t)
	for body, location := range map[string]string{
		`"emissions":{"vehicle_category":"car","fuel":"diesel","euro_standard":7}`: "emissions.euro_standard",
		`"emissions":{"vehicle_category":"car","fuel":"diesel"}`:                   "emissions.euro_standard",
		`"emissions":{"vehicle_category":"tram","fuel":"electric"}`:                "emissions.vehicle_category",
		`"emissions":{"vehicle_category":"car","fuel":"steam","euro_standard":1}`:  "emissions.fuel",
		`"avoid_zones":true`: "avoid_zones",
	} {
		p := g.Send("POST", "/route", fmt.Sprintf(`{"costing":"auto","locations":[%s,%s],%s}`, apitest.At(town.Point("a")), apitest.At(town.Point("b")), body)).Problem(t, 400, "bad-request")
		if !strings.HasPrefix(p["detail"].(string), location+":") {
			t.Errorf("%s: %v", body, p["detail"])
		}
	}
}

func TestZonesAreListed(t *testing.T) {
	g, _ := zoned(t)
	var list struct {
		Count int
		Zones []struct {
			ID       string
			Known    bool `json:"rules_known"`
			Geometry *struct{ Coordinates [][][][2]float64 }
			Sources  struct {
				Charges, Boundary *struct{ Publisher, Checked string }
			}
		}
	}
	r := g.Send("GET", "/v1/zones?geometry=true", "")
	if err := json.Unmarshal(r.Body, &list); err != nil || list.Count != 2 {
		t.Fatalf("%v %s", err, r.Body)
	}
	c, m := list.Zones[0], list.Zones[1]
	if !c.Known || c.Sources.Charges == nil || c.Sources.Boundary.Checked == "" || len(c.Geometry.Coordinates[0][0]) != 5 {
		t.Errorf("%+v", c)
	}
	if m.Known || m.Sources.Charges != nil {
		t.Errorf("%+v", m)
	}
	if r := g.Send("GET", "/v1/zones", ""); strings.Contains(string(r.Body), "geometry") {
		t.Errorf("%s", r.Body)
	}
}
