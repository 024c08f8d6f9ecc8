package api_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/waygate/waygate/account"
	"github.com/waygate/waygate/api"
	"github.com/waygate/waygate/api/apitest"
	"github.com/waygate/waygate/waittest"
)

const (
	plainRoute = `{"costing":"auto",` + apitest.Two + `}`
	truckRoute = `{"costing":"truck",` + apitest.Two + `}`
	crs        = "/coordinates/crs"
)

// TestPrices calls every kind of metered row and reads what it cost.
func TestPrices(t *testing.T) {
	g := apitest.Start(t)
	k := g.Minted(t, account.Minting{})
	total := int64(0)
	for _, c := range []struct {
		method, path, body string
		units              int64
	}{
		{"POST", "/route", plainRoute, 1},
		{"POST", "/route", truckRoute, 20},
		{"POST", "/route", `{"costing":"truck",` + apitest.Two + `,` + apitest.Load + `}`, 20},
		{"GET", "/route/v1/car/9.5,47.1;9.6,47.2", "", 1},
		{"GET", "/route/v1/truck/9.5,47.1;9.6,47.2", "", 20},
		{"POST", "/adr/check", `{` + apitest.Load + `,"tunnel_category":"D"}`, 1},
		{"GET", crs, "", 1},
		{"HEAD", crs, "", 1},
		{"POST", "/map-issues", `{"lat":47,"lon":9,"category":"other"}`, 1},
	} {
		r := g.Send(c.method, c.path, c.body, apitest.Bearer(k.Secret)...)
		if r.Status >= 300 || r.Header.Get("X-Svc-Quota-Units") != fmt.Sprint(c.units) {
			t.Errorf("%s %s: %d, %q units, want %d: %s", c.method, c.path, r.Status, r.Header.Get("X-Svc-Quota-Units"), c.units, r.Body)
		}
		total += c.units
	}
	for _, path := range []string{"/v1/keys/self", "/v1/usage", "/health"} {
		if r := g.Send("GET", path, "", apitest.Bearer(k.Secret)...); r.Status != 200 || r.Header.Get("X-Svc-Quota-Units") != "" {
			t.Errorf("%s: %d, %q units", path, r.Status, r.Header.Get("X-Svc-Quota-Units"))
		}
	}
	if _, units := g.Units(t, k.Key.ID); units != total {
		t.Errorf("%d units counted, want %d", units, total)
	}
	text := string(g.Send("GET", "/metrics", "").Body)
	for _, want := range []string{`waygate_units_total{class="premium",lane="key"} 60`, `waygate_units_total{class="standard",lane="key"} 6`, `waygate_admissions_total{lane="key",outcome="admitted"} 9`} {
		if !strings.Contains(text, want) {
			t.Errorf("metrics lack %s", want)
		}
	}
}

// TestFailuresCostNothing sends what is refused or fails: nothing of it is
// charged, and nothing stays reserved.
func TestFailuresCostNothing(t *testing.T) {
	g := apitest.Start(t, func(o *api.Options) { o.MaxBody = 4000 })
	k := g.Minted(t, account.Minting{MonthlyQuota: 20})
	named := func(name string) string {
		return `{"costing":"truck","locations":[{"lat":47.1,"lon":9.5,"name":"` + name + `"},{"lat":47.2,"lon":9.6}]}`
	}
	for _, c := range []struct {
		method, path, body string
		status             int
	}{
		{"POST", "/route", `{`, 400},
		{"POST", "/route", `{"costing":"plane",` + apitest.Two + `}`, 400},
		{"POST", "/route", `{"costing":"auto","recostings":[{"costing":"truck"}],` + apitest.Two + `}`, 501},
		{"POST", "/route", strings.Repeat("x", 5000), 413},
		{"POST", "/route", named("panic"), 500},
		{"POST", "/route", named("broken"), 500},
		{"POST", "/route", named("gone"), 503},
		{"POST", "/route", named("failed"), 502},
		{"POST", "/route", `{"costing":"truck","locations":[{"lat":1,"lon":1},{"lat":2,"lon":2}]}`, 400},
		{"GET", "/route/v1/truck/9.5,47.1;9.6,47.2?exclude=tunnels", "", 442},
		{"GET", "/route/v1/truck/9.5,47.1", "", 400},
		{"POST", "/adr/check", `{}`, 400},
		{"GET", "/coordinates/transform", "", 400},
		{"GET", "/tiles/none/1/1/1.mvt", "", 404},
		{"POST", "/map-issues", `{"lat":147,"lon":9,"category":"other"}`, 400},
		{"DELETE", "/route", "", 405},
		{"GET", "/nowhere", "", 404},
	} {
		r := g.Send(c.method, c.path, c.body, apitest.Bearer(k.Secret)...)
		if r.Status != c.status || r.Header.Get("X-Svc-Quota-Units") != "" {
			t.Errorf("%s %s %s: %d, %q units: %s", c.method, c.path, c.body, r.Status, r.Header.Get("X-Svc-Quota-Units"), r.Body)
		}
	}
	if calls, units := g.Units(t, k.Key.ID); calls != 0 || units != 0 {
		t.Errorf("%d calls of %d units were charged", calls, units)
	}
	// All 20 units are there: none is still reserved.
	if r := g.Send("POST", "/route", truckRoute, apitest.Bearer(k.Secret)...); r.Status != 200 {
		t.Errorf("%d %s", r.Status, r.Body)
	}
}

// TestTimeoutCostsNothing has the engine elsewhere not answer in time.
func TestTimeoutCostsNothing(t *testing.T) {
	var g *apitest.Gateway
	var k *account.Issued
	var r apitest.Reply
	for limit := range waittest.Limits(100 * time.Millisecond) {
		g = apitest.Start(t, func(o *api.Options) { o.RequestTimeout = limit })
		k = g.Minted(t, account.Minting{MonthlyQuota: 20})
		g.Engine.Hold, g.Engine.Ends = make(chan struct{}), make(chan error, 1)
		r = g.Send("POST", "/route", truckRoute, apitest.Bearer(k.Secret)...)
		if g.Engine.Asked() != nil {
			break
		}
	}
	if r.Status != 504 {
		t.Errorf("%d %s", r.Status, r.Body)
	}
	g.Engine.Hold = nil
	if calls, units := g.Units(t, k.Key.ID); calls != 0 || units != 0 {
		t.Errorf("%d calls of %d units were charged", calls, units)
	}
	// A busy machine may take longer than there is time, which costs nothing either.
	waittest.Until(t, "all 20 units are there", func() bool {
		return g.Send("POST", "/route", truckRoute, apitest.Bearer(k.Secret)...).Status == 200
	})
}

func TestClientThatLeavesIsNotCharged(t *testing.T) {
	g := apitest.Start(t)
	k := g.Minted(t, account.Minting{MonthlyQuota: 20})
	g.Engine.Hold, g.Engine.Ends = make(chan struct{}), make(chan error, 1)
	ctx, cancel := context.WithCancel(t.Context())
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, g.URL+"/route", strings.NewReader(truckRoute))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+k.Secret)
	go func() {
		for g.Engine.Asked() == nil {
			time.Sleep(time.Millisecond)
		}
		cancel()
	}()
	if resp, err := g.Client().Do(req); err == nil {
		_ = resp.Body.Close()
		t.Fatal("answered a client that left")
	}
	if err := <-g.Engine.Ends; err == nil {
		t.Error("the engine ended without a reason")
	}
	g.Engine.Hold = nil
	waittest.Until(t, "what was reserved is given back", func() bool {
		return g.Send("POST", "/route", truckRoute, apitest.Bearer(k.Secret)...).Status == 200
	})
	if calls, units := g.Units(t, k.Key.ID); calls != 1 || units != 20 {
		t.Errorf("%d calls of %d units", calls, units)
	}
}

// TestQuotaAtOnce uses a quota up, a call at a time and all at once, and sees the
// month end.
func TestQuotaAtOnce(t *testing.T) {
	c := &clock{now: time.Date(2026, 11, 30, 23, 59, 0, 0, time.UTC)}
	g := apitest.Start(t, func(o *api.Options) { o.Now = c.Now })
	k := g.Minted(t, account.Minting{MonthlyQuota: 25})
	if r := g.Send("POST", "/route", truckRoute, apitest.Bearer(k.Secret)...); r.Status != 200 {
		t.Fatalf("%d %s", r.Status, r.Body)
	}
	g.Send("POST", "/route", truckRoute, apitest.Bearer(k.Secret)...).Problem(t, 429, "quota-exceeded")
	var passed atomic.Int64
	var all sync.WaitGroup
	for range 40 {
		all.Go(func() {
			r := g.Send("GET", crs, "", apitest.Bearer(k.Secret)...)
			if r.Status == 200 {
				passed.Add(1)
			} else {
				r.Problem(t, 429, "quota-exceeded")
			}
		})
	}
	all.Wait()
	if passed.Load() != 5 {
		t.Errorf("%d of 40 calls passed with 5 units left", passed.Load())
	}
	p := g.Send("GET", crs, "", apitest.Bearer(k.Secret)...).Problem(t, 429, "quota-exceeded")
	if p["quota"] != 25.0 || p["used"] != 25.0 {
		t.Errorf("%v", p)
	}
	g.Send("GET", "/route/v1/car/9.5,47.1;9.6,47.2", "", apitest.Bearer(k.Secret)...).Envelope(t, 429, "TooManyRequests")
	c.advance(2 * time.Minute)
	if r := g.Send("GET", crs, "", apitest.Bearer(k.Secret)...); r.Status != 200 {
		t.Errorf("in December: %d %s", r.Status, r.Body)
	}
	c.advance(-2 * time.Minute) // a clock that is set back gives nothing away
	if r := g.Send("GET", crs, "", apitest.Bearer(k.Secret)...); r.Status != 429 {
		t.Errorf("back in November: %d %s", r.Status, r.Body)
	}
}

// TestCredit goes from the quota into credit and to its end.
func TestCredit(t *testing.T) {
	g := apitest.Start(t)
	const who = "ann@example.org"
	key, id := g.SignUp(who)
	set := func(path, text string) {
		t.Helper()
		if r := g.Send("POST", path, text, apitest.Bearer(apitest.AdminToken)...); r.Status != 200 {
			t.Fatalf("%s: %d %s", path, r.Status, r.Body)
		}
	}
	set("/admin/identities/"+who+"/quota", `{"monthly_quota":2,"reason":"small"}`)
	set("/admin/keys/"+id+"/credit", `{"pence":1,"reason":"a penny"}`) // 100 units at 10 millipence
	call := func(text string) apitest.Reply { return g.Send("POST", "/route", text, apitest.Bearer(key)...) }
	for i, want := range []int64{1000, 1000, 990} {
		if r := call(plainRoute); r.Status != 200 {
			t.Fatalf("call %d: %d %s", i, r.Status, r.Body)
		}
		if r := g.Send("GET", "/v1/keys/self", "", apitest.Bearer(key)...); r.At(t, "credits_millipence") != float64(want) || r.At(t, "credits_pence") != float64(want/1000) {
			t.Errorf("after call %d: %s", i, r.Body)
		}
	}
	for range 4 {
		if r := call(truckRoute); r.Status != 200 {
			t.Fatalf("%d %s", r.Status, r.Body)
		}
	}
	owed := call(truckRoute) // 19 units are left
	if owed.Status != 402 || owed.Header.Get("Content-Type") != "application/json" || owed.Members(t) != words("code balance_millipence upgrade") ||
		owed.At(t, "code") != "payment_required" || owed.At(t, "balance_millipence") != 190.0 || owed.At(t, "upgrade") != apitest.Website+"/console" {
		t.Errorf("%d %v %s", owed.Status, owed.Header, owed.Body)
	}
	if r := g.Send("GET", "/route/v1/truck/9.5,47.1;9.6,47.2", "", apitest.Bearer(key)...); r.Status != 402 || r.At(t, "code") != "payment_required" {
		t.Errorf("%d %s", r.Status, r.Body)
	}
	if r := call(plainRoute); r.Status != 200 {
		t.Errorf("a smaller call: %d %s", r.Status, r.Body)
	}
	set("/admin/identities/credit", `{"email":"`+who+`","pence":1,"reason":"another"}`)
	if r := call(truckRoute); r.Status != 200 {
		t.Errorf("after buying: %d %s", r.Status, r.Body)
	}
}

func TestRate(t *testing.T) {
	c := &clock{now: time.Date(2026, 11, 21, 9, 30, 0, 0, time.UTC)}
	g := apitest.Start(t, func(o *api.Options) { o.Now = c.Now })
	k := g.Minted(t, account.Minting{RatePerMin: 2})
	call := func(path string) apitest.Reply { return g.Send("GET", path, "", apitest.Bearer(k.Secret)...) }
	for range 2 {
		if r := call(crs); r.Status != 200 {
			t.Fatalf("%d %s", r.Status, r.Body)
		}
		c.advance(20 * time.Second)
	}
	r := call(crs)
	r.Problem(t, 429, "rate-limited")
	if r.Header.Get("Retry-After") != "20" {
		t.Errorf("Retry-After %q", r.Header.Get("Retry-After"))
	}
	for range 10 {
		if r := call("/v1/keys/self"); r.Status != 200 {
			t.Fatalf("a free endpoint has a rate: %d %s", r.Status, r.Body)
		}
	}
	c.advance(20 * time.Second)
	if r := call(crs); r.Status != 200 {
		t.Errorf("%d %s", r.Status, r.Body)
	}
	call(crs).Problem(t, 429, "rate-limited")
	if _, units := g.Units(t, k.Key.ID); units != 3 {
		t.Errorf("%d units", units)
	}
}

// TestFreeNeedsAKey checks that endpoints about a key refuse calls without one, though the
// demo lane is open.
func TestFreeNeedsAKey(t *testing.T) {
	g := apitest.Start(t)
	for _, call := range []string{"GET /v1/keys/self", "GET /v1/usage", "POST /v1/keys/self/webhook-secret", "POST /v1/keys/claim", "POST /v1/feedback"} {
		method, path, _ := strings.Cut(call, " ")
		g.Send(method, path, `{"what_built":"x"}`).Problem(t, 401, "unauthorized")
	}
	k := g.Minted(t, account.Minting{})
	g.Send("POST", "/v1/keys/claim", "", apitest.Bearer(k.Secret)...).Problem(t, 403, "forbidden")
}

func TestVelocities(t *testing.T) {
	g := apitest.Start(t)
	k := g.Minted(t, account.Minting{})
	other := g.Minted(t, account.Minting{})
	for i := range 6 {
		r := g.Send("POST", "/v1/feedback", `{"what_built":"x"}`, apitest.Bearer(k.Secret)...)
		if i < 5 && r.Status != 202 {
			t.Fatalf("%d %s", r.Status, r.Body)
		}
		if i == 5 {
			r.Problem(t, 429, "feedback-velocity")
		}
	}
	for i := range 51 {
		r := g.Send("POST", "/map-issues", `{"lat":47,"lon":9,"category":"other"}`, apitest.Bearer(other.Secret)...)
		if i < 50 && r.Status != 201 {
			t.Fatalf("%d %s", r.Status, r.Body)
		}
		if i == 50 {
			r.Problem(t, 429, "map-issue-velocity")
		}
	}
	if _, units := g.Units(t, other.Key.ID); units != 50 {
		t.Errorf("%d units, want nothing for the refused report", units)
	}
	// Without a key the client network is who reports.
	if r := g.Send("POST", "/map-issues", `{"lat":47,"lon":9,"category":"other"}`); r.Status != 201 {
		t.Errorf("%d %s", r.Status, r.Body)
	}
	list := g.Send("GET", "/admin/mcp-map-issues?limit=1", "", apitest.Bearer(apitest.AdminToken)...)
	if list.At(t, "total") != 51.0 || list.At(t, "issues").([]any)[0].(apitest.Object)["key_id"] != nil {
		t.Errorf("%s", list.Body)
	}
}

func TestPaging(t *testing.T) {
	g := apitest.Start(t)
	for _, path := range []string{"/admin/keys", "/admin/identities", "/admin/retros", "/admin/mcp-map-issues"} {
		for _, query := range []string{"?limit=0", "?limit=501", "?limit=-1", "?limit=x", "?offset=-1", "?limit=1.5", "?limit=99999999999999999999"} {
			if r := g.Send("GET", path+query, "", apitest.Bearer(apitest.AdminToken)...); r.Status != 400 {
				t.Errorf("%s%s: %d %s", path, query, r.Status, r.Body)
			}
		}
		if r := g.Send("GET", path, "", apitest.Bearer(apitest.AdminToken)...); r.At(t, "limit") != 50.0 || r.At(t, "offset") != 0.0 || r.At(t, "total") != 0.0 {
			t.Errorf("%s: %s", path, r.Body)
		}
	}
	if r := g.Send("GET", "/admin/identities?order=name", "", apitest.Bearer(apitest.AdminToken)...); r.Status != 400 {
		t.Errorf("%d %s", r.Status, r.Body)
	}
	g.Send("GET", "/admin/identities/nobody@example.org", "", apitest.Bearer(apitest.AdminToken)...).Problem(t, 404, "not-found")
	g.Send("GET", "/admin/keys/none/usage", "", apitest.Bearer(apitest.AdminToken)...).Problem(t, 404, "not-found")
	g.Send("DELETE", "/admin/keys/none", "", apitest.Bearer(apitest.AdminToken)...).Problem(t, 404, "not-found")
	k := g.Minted(t, account.Minting{})
	var first any
	for range 2 {
		r := g.Send("DELETE", "/admin/keys/"+k.Key.ID, "", apitest.Bearer(apitest.AdminToken)...)
		if r.Members(t) != words(keyRecord) || r.At(t, "revoked_at") == nil || first != nil && r.At(t, "revoked_at") != first {
			t.Errorf("%s", r.Body)
		}
		first = r.At(t, "revoked_at")
	}
	p := g.Send("GET", crs, "", apitest.Bearer(k.Secret)...).Problem(t, 401, "unauthorized")
	if !strings.Contains(p["detail"].(string), "revoked") {
		t.Errorf("%v", p)
	}
}

func TestNothingIsSold(t *testing.T) {
	g := apitest.Start(t, func(o *api.Options) { o.UnitPrice = 0 })
	g.SignUp("ann@example.org")
	session := g.SignIn("ann@example.org", 1)
	for _, text := range []string{`{"pence":500}`, `{"plan":"pro"}`} {
		g.Send("POST", "/v1/console/checkout", text, apitest.Bearer(session)...).Problem(t, 501, "billing-not-enabled")
	}
	for _, text := range []string{`{}`, `{"pence":500,"plan":"pro"}`, `{"pence":1.5}`} {
		g.Send("POST", "/v1/console/checkout", text, apitest.Bearer(session)...).Problem(t, 400, "bad-request")
	}
	g.Send("POST", "/v1/console/portal", "", apitest.Bearer(session)...).Problem(t, 501, "billing-not-enabled")
	g.Send("POST", "/v1/stripe/webhook", `{"id":"evt_1"}`).Problem(t, 501, "billing-not-enabled")
	if r := g.Send("GET", "/v1/console/self", "", apitest.Bearer(session)...); r.At(t, "checkout") != false {
		t.Errorf("%s", r.Body)
	}
}
