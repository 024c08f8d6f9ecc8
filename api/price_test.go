package api_test

import (
	"fmt"
	"net/url"
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
	plan := `{"costing":"COSTING","time_limit_s":0.1,"vehicles":[{"id":"v","start":` + a + `}],"jobs":[{"id":"j","location":` + d + `}]`
	rest := plan + `,"progress":[{"vehicle":"v"}]}`
	return map[string]string{
		"POST /optimise":                          plan + `}`,
		"POST /optimize":                          plan + `}`,
		"POST /optimise/replan":                   rest,
		"POST /optimize/replan":                   rest,
		"POST /v1/jobs/optimise":                  plan + `}`,
		"POST /v1/jobs/replan":                    rest,
		"POST /v1/jobs/matrix":                    route + `}`,
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
		"POST /sources_to_targets":                route + `}`,
		"POST /isochrone":                         `{"costing":"COSTING","locations":[` + a + `],"contours":[{"time":1}]}`,
	}
}

// TestTrucksArePremium calls every endpoint whose price depends on the request
// for a car and for a truck, and where there is a body with a load: the header,
// the estimate and the usage of the key say the same.
func TestTrucksArePremium(t *testing.T) {
	g, town := apitest.Drawn(t)
	k := g.Minted(t, account.Minting{})
	calls := priced(town)
	asked, total := map[string]bool{}, int64(0)
	for path, item := range g.Document.Paths.Map() {
		for method, op := range item.Operations() {
			if op.Extensions["x-price-class"] != "standard|premium" {
				continue
			}
			call, compatible := calls["GET "+path]
			if !compatible {
				call = calls["POST "+path]
			}
			if call == "" {
				t.Errorf("%s %s: has no call here to be priced", method, path)
			}
			asked[method+" "+path] = true
			ask := func(costing string, load bool, units int64) {
				where, body := path+"?", strings.ReplaceAll(call, "COSTING", costing)
				if load {
					body = strings.TrimSuffix(body, "}") + "," + apitest.Load + "}"
				}
				switch {
				case compatible:
					where, body = strings.ReplaceAll(call, "PROFILE", costing)+"?", ""
				case method == "GET":
					where, body = path+"?json="+url.QueryEscape(body)+"&", ""
				}
				r := g.Send(method, where, body, apitest.Bearer(k.Secret)...)
				job := strings.HasPrefix(path, "/v1/jobs/") // which is taken
				if r.Status != map[bool]int{false: 200, true: 202}[job] || r.Header.Get("X-Svc-Quota-Units") != fmt.Sprint(units) {
					t.Errorf("%s %s for %s: %d, %q units, want %d: %s", method, path, costing, r.Status, r.Header.Get("X-Svc-Quota-Units"), units, r.Body)
				}
				total += units
				class := map[int64]string{1: "standard", 20: "premium"}[units]
				if e := g.Send(method, where+"estimate=1", body, apitest.Bearer(k.Secret)...); e.At(t, "units") != float64(units) || e.At(t, "class") != class {
					t.Errorf("%s %s for %s is estimated at %s", method, path, costing, e.Body)
				}
			}
			ask("auto", false, 1)
			ask("truck", false, 20)
			if !compatible {
				ask("truck", true, 20)
			}
			plans := strings.Contains(path, "/optimi") || strings.HasSuffix(path, "/replan")
			if !compatible && path != "/route" && !plans { // where a load needs a truck
				ask("auto", true, 20)
			}
		}
	}
	if _, units := g.Units(t, k.Key.ID); units != total {
		t.Errorf("the key used %d units, and the headers said %d", units, total)
	}
	for name := range asked {
		delete(calls, name)
	}
	for name := range calls {
		t.Errorf("%s: its price does not depend on the request", name)
	}
}
