package plan_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/waygate/waygate/account"
	"github.com/waygate/waygate/api"
	"github.com/waygate/waygate/api/apitest"
	"github.com/waygate/waygate/engine/embedded"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/zone"
	"github.com/waygate/waygate/towntest"
	"github.com/waygate/waygate/world"
)

// The bans of zones and for dangerous goods reach the matrices: the plan goes round, and
// tasks that cannot be reached are left out.
func TestOptimiseKeepsOut(t *testing.T) {
	const drawing = `
		a---b---c---d
		|       |
		e-------f   g`
	town := towntest.Draw(t, drawing, towntest.Ways{
		{"ab", "primary"}, {"bc", "primary tunnel=yes hazmat:E=no"}, {"cd", "primary"}, {"ae", "residential"}, {"ef", "residential"}, {"fc", "residential"}, {"dg", "residential"},
	})
	e, err := embedded.New(town.Region(t))
	if err != nil {
		t.Fatal(err)
	}
	source := zone.Source{Publisher: "Town", URL: "https://example.org", Licence: "CC0-1.0", Checked: "2026-01-01"}
	amount := 8.0
	var ring geo.Ring
	for _, way := range [][2]float64{{-100, -60}, {60, -60}, {60, 60}, {-100, 60}} {
		ring = append(ring, town.Offset("b", way[0], way[1]))
	}
	r := &world.Region{Engine: e, ID: "town", Name: "Town", Bounds: town.Bounds()}
	r.Zones = zone.NewIndex(zone.Place([]zone.Zone{{
		ID: "b", Name: "B", Country: "GB", TimeZone: "Europe/London", Charges: &source,
		Rules:    []zone.Rule{{Effect: "charge", Vehicles: []string{"car"}, Fuels: []string{"diesel"}, MinimumEuro: map[string]int{"diesel": 6}, Amount: &amount, Currency: "GBP", Per: "day"}},
		Boundary: zone.Boundary{Source: source, Geometry: &zone.Geometry{Polygons: []geo.Polygon{{ring}}}},
	}}, false))
	g := apitest.Start(t, func(o *api.Options) {
		o.Acquire = apitest.Serves(t, r)
		o.Now = func() time.Time { return time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC) }
	})
	k := g.Minted(t, account.Minting{})
	plan := func(more string) apitest.Reply {
		t.Helper()
		at := func(p string) string { return apitest.At(town.Point(p)) }
		r := g.Send("POST", "/optimise", `{"vehicles":[{"id":"v","start":`+at("a")+`,"end":`+at("a")+`}],"jobs":[{"id":"c","location":`+at("c")+`},{"id":"d","location":`+at("d")+`}]`+more+`}`, apitest.Bearer(k.Secret)...)
		if r.Status != 200 || len(r.At(t, "unassigned").([]any)) != 0 {
			t.Fatalf("%s: %d %s", more, r.Status, r.Body)
		}
		return r
	}
	metres := func(r apitest.Reply) float64 { return r.At(t, "summary", "distance").(float64) }
	const goods = `,"costing":"truck","adr":{"dimensions":{"height_m":3,"width_m":2,"length_m":8,"gross_weight_t":12},"tunnel_code":%q,"hazmat":true}`
	old, clean := `,"emissions":{"vehicle_category":"car","fuel":"diesel","euro_standard":5}`, `,"emissions":{"vehicle_category":"car","fuel":"diesel","euro_standard":6}`
	straight := metres(plan(""))
	for more, round := range map[string]bool{
		old: false, old + `,"avoid_zones":true`: true, clean + `,"avoid_zones":true`: false,
		`,"costing":"truck"`: false, fmt.Sprintf(goods, "E"): true, fmt.Sprintf(goods, "—"): false,
	} {
		if got := metres(plan(more)); round != (got > straight+300) {
			t.Errorf("%s: %g m, and %g without it", more, got, straight)
		}
	}
	if r := plan(old); strings.Contains(string(r.Body), `"zones"`) {
		t.Errorf("no place lies in a zone: %s", r.Body)
	}
}
