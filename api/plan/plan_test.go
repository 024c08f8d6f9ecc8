package plan_test

import (
	"strings"
	"testing"
	"time"

	"github.com/waygate/waygate/account"
	"github.com/waygate/waygate/api"
	"github.com/waygate/waygate/api/apitest"
)

// The website's verification takes no key, and has the rate of the demo lane.
func TestVerifyDemo(t *testing.T) {
	const body = `{"text":"Lunch at the Red Lion."}`
	g := apitest.Start(t, func(o *api.Options) { o.DemoRPM = 2 })
	for range 2 {
		g.Send("POST", "/api/verify", body, apitest.Bearer("wg_wrong")...).Problem(t, 503, "upstream-unavailable")
	}
	r := g.Send("POST", "/api/verify", body)
	r.Problem(t, 429, "rate-limited")
	if r.Header.Get("Retry-After") == "" {
		t.Error("no Retry-After")
	}
	closed := apitest.Start(t, func(o *api.Options) { o.DemoRPM = 0 })
	if p := closed.Send("POST", "/api/verify", body).Problem(t, 503, "upstream-unavailable"); !strings.Contains(p["detail"].(string), "demo lane") {
		t.Error(p)
	}
	large := apitest.Start(t, func(o *api.Options) { o.MaxBody = 100 })
	large.Send("POST", "/api/verify", `{"text":"`+strings.Repeat("x", 200)+`"}`).Problem(t, 413, "body-too-large")
}

// The estimate of a check grows with the claims and with their texts.
func TestVerifyEstimate(t *testing.T) {
	g := apitest.Start(t)
	k := g.Minted(t, account.Minting{})
	estimated := func(claims int, name string) float64 {
		body := `{"claims":[` + strings.TrimSuffix(strings.Repeat(`{"name":"`+name+`","locality":"Newport"},`, claims), ",") + `]}`
		r := g.Send("POST", "/verify?estimate=1", body, apitest.Bearer(k.Secret)...)
		if r.Status != 200 {
			t.Fatalf("%d %s", r.Status, r.Body)
		}
		return r.At(t, "estimated_ms").(float64)
	}
	few, many, long := estimated(1, "Red Lion"), estimated(20, "Red Lion"), estimated(20, strings.Repeat("a ", 99)+"a")
	if few <= 0 || many < 10*few || long < 50*many {
		t.Errorf("%g, %g and %g ms", few, many, long)
	}
}

// A plan costs ten units, whatever comes of it, and nothing where it is refused.
func TestErrandsPrice(t *testing.T) {
	g, town := apitest.Drawn(t)
	k := g.Minted(t, account.Minting{})
	arrive := time.Now().Add(time.Hour).Format(time.RFC3339)
	ask := func(by, errand string) apitest.Reply {
		return g.Send("POST", "/v1/errands/plan", `{"origin":`+apitest.At(town.Point("a"))+`,"destination":`+apitest.At(town.Point("d"))+`,"arrive_by":"`+by+`","errands":[`+errand+`]}`, apitest.Bearer(k.Secret)...)
	}
	here := `{"place":` + apitest.At(town.Point("e")) + `}`
	for _, errand := range []string{here, `{"dwell_minutes":240,"place":` + apitest.At(town.Point("e")) + `}`} {
		if r := ask(arrive, errand); r.Status != 200 || r.Header.Get("X-Svc-Quota-Units") != "10" || r.At(t, "feasible") != (errand == here) {
			t.Errorf("%d %s", r.Status, r.Body)
		}
	}
	ask("2020-01-01T00:00:00Z", here).Problem(t, 400, "bad-request")
	ask(arrive, `{"category":"fuel"}`).Problem(t, 501, "geocoding-not-enabled")
	if _, units := g.Units(t, k.Key.ID); units != 20 {
		t.Errorf("%d units were charged", units)
	}
	maps := g.Minted(t, account.Minting{Scope: "maps"})
	g.Send("POST", "/v1/errands/plan", `{}`, apitest.Bearer(maps.Secret)...).Problem(t, 403, "scope-insufficient")
}
