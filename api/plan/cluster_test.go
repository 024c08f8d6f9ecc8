package plan_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/waygate/waygate/account"
	"github.com/waygate/waygate/api/apitest"
)

func TestCluster(t *testing.T) {
	g := apitest.Many(t, nil)
	k := g.Minted(t, account.Minting{})
	var list []string
	for i := range 9 {
		list = append(list, fmt.Sprintf(`{"id":"s%d","lat":%g,"lon":%g,"load":%d,"service_s":%d}`, i, 47.1+float64(i/3)*0.2, 9.1+float64(i%3)*0.01, i+1, 60*(i+1)))
	}
	locations := `"locations":[` + strings.Join(list, ",") + `]`
	west := `{"id":"south","polygon":[[[9,47],[10,47],[10,47.2],[9,47.2],[9,47]]]}`
	for body, want := range map[string]float64{
		`"clusters":3`:                              3,
		`"clusters":3,"measure":"road"`:             3,
		`"clusters":3,"balance_by":"service"`:       3,
		`"max_cluster_locations":2`:                 6, // halves of nine are four and five
		`"max_cluster_load":45`:                     1,
		`"max_cluster_service_s":60000`:             1,
		`"clusters":2,"territories":[` + west + `]`: 2,
	} {
		r := g.Send("POST", "/v1/cluster", `{`+locations+`,`+body+`}`, apitest.Bearer(k.Secret)...)
		if r.Status != 200 || r.Header.Get("X-Svc-Quota-Units") != "1" {
			t.Fatalf("%s: %d %s", body, r.Status, r.Body)
		}
		got := r.At(t, "clusters").([]any)
		if n := float64(len(got)); n > want || want <= 3 && n != want {
			t.Errorf("%s: %g clusters, want %g", body, n, want)
		}
		if strings.Contains(body, "south") {
			first, second := got[0].(map[string]any), got[1].(map[string]any)
			if first["territory"] != nil || second["territory"] != "south" || second["count"] != 3.0 {
				t.Errorf("%v %v", first, second)
			}
		}
	}
	one := `"locations":[{"id":"a","lat":47.1,"lon":9.1,"load":5,"service_s":9},{"lat":47.2,"lon":9.1}]`
	ring := "[" + strings.TrimSuffix(strings.Repeat("[9,47],", 1001), ",") + "]"
	var many []string
	for i := range 65 {
		many = append(many, strings.Replace(west, "south", fmt.Sprint("t", i), 1))
	}
	for body, field := range map[string]string{
		`{"clusters":1}`:                                                                            "locations",
		`{"clusters":1,"locations":[]}`:                                                             "locations",
		`{` + one + `}`:                                                                             "clusters",
		`{` + one + `,"clusters":0}`:                                                                "clusters",
		`{` + one + `,"clusters":3}`:                                                                "clusters",
		`{` + one + `,"clusters":1,"max_cluster_load":9}`:                                           "max_cluster_load",
		`{` + one + `,"max_cluster_load":4}`:                                                        "locations[0].load",
		`{` + one + `,"max_cluster_service_s":8}`:                                                   "locations[0].service_s",
		`{` + one + `,"max_cluster_locations":1,"balance_by":"load"}`:                               "balance_by",
		`{` + one + `,"clusters":1,"balance_by":"size"}`:                                            "balance_by",
		`{` + one + `,"clusters":1,"seed":-1}`:                                                      "seed",
		`{` + one + `,"clusters":1,"measure":"road","costing":"truck"}`:                             "costing",
		`{` + one + `,"clusters":1,"territories":[` + strings.Join(many, ",") + `]}`:                "territories",
		`{` + one + `,"clusters":1,"territories":[` + west + `,` + west + `]}`:                      "territories[1].id",
		`{` + one + `,"clusters":1,"territories":[{"id":"x","polygon":[` + ring + `]}]}`:            "territories[0].polygon",
		`{` + one + `,"clusters":1,"territories":[{"id":"x","polygon":[[[9,47],[9,48]]]}]}`:         "territories[0].polygon[0]",
		`{` + one + `,"clusters":1,"territories":[{"id":"x","polygon":[[[9,47],[9,148],[8,47]]]}]}`: "territories[0].polygon[0][1]",
		`{` + one + `,"clusters":1,"territories":[{"polygon":[[[9,47],[9,48],[8,47]]]}]}`:           "territories[0].id",
		`{` + strings.Replace(one, `{"lat"`, `{"id":"a","lat"`, 1) + `,"clusters":1}`:               "locations[1].id",
		`{` + strings.Replace(one, `47.2`, `97.2`, 1) + `,"clusters":1}`:                            "locations[1].lat",
	} {
		p := g.Send("POST", "/v1/cluster", body, apitest.Bearer(k.Secret)...).Problem(t, 400, "bad-request")
		errors, _ := p["errors"].([]any)
		if len(errors) == 0 || errors[0].(map[string]any)["location"] != field {
			t.Errorf("%.200s: %v, want %s", body, p, field)
		}
	}
	if p := g.Send("POST", "/v1/cluster", `{`+one+`,"clusters":1,"territories":[`+strings.Replace(west, "47.2", "47.15", 2)+`]}`, apitest.Bearer(k.Secret)...).Problem(t, 400, "bad-request"); !strings.Contains(p["detail"].(string), "clusters") {
		t.Error(p)
	}
	if _, units := g.Units(t, k.Key.ID); units != 7 {
		t.Errorf("%d units were charged", units)
	}
}

// TestClusterAntimeridian has two stops on either side of the antimeridian, and two far
// from there.
func TestClusterAntimeridian(t *testing.T) {
	g := apitest.Many(t, nil)
	k := g.Minted(t, account.Minting{})
	r := g.Send("POST", "/v1/cluster", `{"clusters":2,"locations":[{"id":"a","lat":0,"lon":179.99},{"id":"b","lat":0,"lon":-179.97},{"id":"c","lat":0,"lon":170},{"id":"d","lat":0,"lon":170.1}]}`, apitest.Bearer(k.Secret)...)
	near, far := r.At(t, "clusters").([]any)[0].(map[string]any), r.At(t, "clusters").([]any)[1].(map[string]any)
	if fmt.Sprint(near["locations"], far["locations"]) != "[a b] [c d]" {
		t.Fatalf("%s", r.Body)
	}
	for _, c := range []struct {
		of          map[string]any
		lon, radius float64
	}{{near, -179.99, 2224}, {far, 170.05, 5560}} {
		if spot := c.of["centroid"].(map[string]any); spot["lon"] != c.lon || spot["lat"] != 0.0 || !apitest.Near(c.of["radius_m"], c.radius) {
			t.Errorf("%v", c.of)
		}
	}
}
