package api_test

import (
	"strings"
	"testing"

	"github.com/waygate/waygate/account"
	"github.com/waygate/waygate/api/apitest"
	"github.com/waygate/waygate/towntest"
)

// priced are calls for every endpoint whose price depends on the request, by
// the name of its row; PROFILE and COSTING stand for the way of travel.
func priced(town *towntest.Town) map[string]string {
	a, d := apitest.At(town.Point("a")), apitest.At(town.Point("d"))
	route := `{"costing":"COSTING","locations":[` + a + `,` + d + `]`
	line := `{"costing":"COSTING","shape":[` + a + `,` + apitest.At(town.Point("b")) + `,` + apitest.At(town.Point("c")) + `]`
	path := "/v1/PROFILE/" + apitest.LonLat(town, "acd")
	return map[string]string{
		"POST /route":                             route + `}`,
		"GET /route/v1/{profile}/{coordinates}":   "/route" + path,
		"GET /table/v1/{profile}/{coordinates}":   "/table" + path,
		"GET /nearest/v1/{profile}/{coordinates}": "/nearest/v1/PROFILE/" + apitest.LonLat(town, "a"),
		"GET /match/v1/{profile}/{coordinates}":   "/match" + path,
		"GET /trip/v1/{profile}/{coordinates}":    "/trip" + path,
		"POST /route/along":                       route + `,"places":[` + apitest.At(town.Point("e")) + `]}`,
		"POST /route/report":                      route + `}`,
		"POST /route/progress":                    line + `,"position":` + a + `}`,
		"POST /trace_route":                       line + `}`,
		"POST /trace_attributes":                  line + `}`,
		"POST /locate":                            route + `}`,
		"POST /centroid":                          route + `}`,
		"POST /matrix":                            route + `}`,
		"POST /isochrone":                         `{"costing":"COSTING","locations":[` + a + `],"contours":[{"time":1}]}`,
	}
}

// TestTrucksArePremium calls every endpoint whose price depends on the request
// for a car and for a truck.
func TestTrucksArePremium(t *testing.T) {
	g, town := apitest.Drawn(t)
	k := g.Minted(t, account.Minting{})
	calls := priced(town)
	for path, item := range g.Document.Paths.Map() {
		for method, op := range item.Operations() {
			if op.Extensions["x-price-class"] != "standard|premium" {
				continue
			}
			call, ok := calls[method+" "+path]
			if !ok {
				t.Errorf("%s %s: has no call here to be priced", method, path)
			}
			for costing, units := range map[string]string{"auto": "1", "truck": "20"} {
				where, body := path, strings.ReplaceAll(call, "COSTING", costing)
				if method == "GET" {
					where, body = strings.ReplaceAll(call, "PROFILE", costing), ""
				}
				if r := g.Send(method, where, body, apitest.Bearer(k.Secret)...); r.Status != 200 || r.Header.Get("X-Svc-Quota-Units") != units {
					t.Errorf("%s %s for %s: %d, %q units, want %s: %s", method, path, costing, r.Status, r.Header.Get("X-Svc-Quota-Units"), units, r.Body)
				}
			}
			delete(calls, method+" "+path)
		}
	}
	for name := range calls {
		t.Errorf("%s: its price does not depend on the request", name)
	}
}
