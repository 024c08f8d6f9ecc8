package api_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/waygate/waygate/account"
	"github.com/waygate/waygate/api"
	"github.com/waygate/waygate/api/apitest"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/waittest"
)

// TestEstimate asks what calls would cost: the request is checked in full, and
// nothing is made, charged or written.
func TestEstimate(t *testing.T) {
	g := apitest.Start(t)
	g.Engine.Costs = engine.Estimate{Kind: "x", Work: 5 * time.Millisecond, Cores: 1, Bytes: 1 << 20, Cheaper: "less of it"}
	k := g.Minted(t, account.Minting{MonthlyQuota: 5})
	ask := func(method, path, body string) apitest.Reply {
		t.Helper()
		return g.Send(method, path, body, apitest.Bearer(k.Secret)...)
	}
	for _, c := range []struct {
		method, path, body, class string
		units, ms                 float64
	}{
		{"POST", "/route?estimate=1", plainRoute, "standard", 1, 5},
		{"POST", "/route?estimate=1", truckRoute, "premium", 20, 5}, // more than the key has left
		{"POST", "/route?estimate=1", `{"costing":"truck","costing_options":{"truck":{"height":4}},"rationale":true,` + apitest.Two + `}`, "premium", 40, 10},
		{"GET", "/route/v1/truck/9.5,47.1;9.6,47.2?steps=true&estimate=1", "", "premium", 20, 5},
		{"POST", "/adr/check?estimate=1", `{` + apitest.Load + `,"tunnel_category":"D"}`, "standard", 1, 0},
		{"POST", "/map-issues?estimate=1", `{"lat":47,"lon":9,"category":"other"}`, "standard", 1, 0},
	} {
		r := ask(c.method, c.path, c.body)
		if r.Status != 200 || r.Header.Get("Content-Type") != "application/vnd.svc-gateway.estimate+json" || r.Header.Get("X-Svc-Quota-Units") != "" {
			t.Errorf("%s: %d %v %s", c.path, r.Status, r.Header, r.Body)
			continue
		}
		if r.At(t, "class") != c.class || r.At(t, "units") != c.units || r.At(t, "estimated_ms") != c.ms || r.At(t, "accepted") != true || r.At(t, "limits", "timeout_ms") != 30000.0 {
			t.Errorf("%s %s: %s", c.path, c.body, r.Body)
		}
	}
	g.Engine.Costs.Work = time.Minute
	if r := ask("POST", "/route?estimate=1", plainRoute); r.At(t, "accepted") != false || !strings.Contains(r.At(t, "reason").(string), "less of it") || r.At(t, "lane") != "dear" {
		t.Errorf("what would be refused: %s", r.Body)
	}
	ask("POST", "/route?estimate=1", `{"costing":"plane",`+apitest.Two+`}`).Problem(t, 400, "bad-request")
	for _, path := range []string{"/geocode?q=x", "/tiles/x/1/0/0.mvt?v=2", "/places?", "/places/search?q=x", "/styles?", "/territories?"} { // whose price is known
		if p := ask("GET", path+"&estimate=1", "").Problem(t, 400, "bad-request"); !strings.Contains(fmt.Sprint(p["errors"]), "query.estimate") {
			t.Errorf("%s: %v", path, p)
		}
	}
	ask("POST", "/route?estimate=2", plainRoute).Problem(t, 400, "bad-request")
	g.Send("POST", "/route?estimate=1", plainRoute, "Authorization", "Bearer wrong").Problem(t, 401, "unauthorized")
	if g.Engine.Asked() != nil {
		t.Error("the engine was asked")
	}
	if calls, units := g.Units(t, k.Key.ID); calls+units != 0 {
		t.Errorf("%d calls of %d units were charged", calls, units)
	}
	g.Engine.Costs.Work = time.Millisecond
	if r := ask("POST", "/route?estimate=0", plainRoute); r.Status != 200 || r.Header.Get("X-Svc-Quota-Units") != "1" {
		t.Errorf("no estimate was asked for: %d %s", r.Status, r.Body)
	}
	if r := g.Send("POST", "/route?estimate=1", plainRoute); r.Status != 200 || r.At(t, "units") != 1.0 {
		t.Errorf("without a key: %d %s", r.Status, r.Body)
	}
}

// TestRefusedForTheirWork sends calls that cannot be answered in time: they are
// refused at once, and cost nothing.
func TestRefusedForTheirWork(t *testing.T) {
	g := apitest.Start(t, func(o *api.Options) { o.RequestTimeout = waittest.Patience })
	k := g.Minted(t, account.Minting{})
	g.Engine.Costs = engine.Estimate{Work: 3 * waittest.Patience, Cores: 1, Cheaper: "less of it"}
	p := g.Send("POST", "/route", plainRoute, apitest.Bearer(k.Secret)...).Problem(t, 400, "bad-request")
	if p["estimated_ms"] != 900_000.0 || p["limit_ms"] != 300_000.0 || !strings.Contains(p["detail"].(string), "less of it") {
		t.Errorf("%v", p)
	}
	if r := g.Send("GET", "/route/v1/car/9.5,47.1;9.6,47.2", "", apitest.Bearer(k.Secret)...); r.Status != 400 || r.At(t, "code") != "TooBig" {
		t.Errorf("%d %s", r.Status, r.Body)
	}

	g.Engine.Costs.Work = 2 * waittest.Patience / 3
	g.Engine.Hold, g.Engine.Ends = make(chan struct{}), make(chan error, 1)
	first := make(chan apitest.Reply)
	go func() { first <- g.Send("POST", "/route", plainRoute, apitest.Bearer(k.Secret)...) }()
	for g.Engine.Asked() == nil {
		time.Sleep(time.Millisecond)
	}
	r := g.Send("POST", "/route", plainRoute, apitest.Bearer(k.Secret)...)
	if r.Problem(t, 503, "upstream-unavailable"); r.Header.Get("Retry-After") == "" {
		t.Errorf("refused: %v", r.Header)
	}
	close(g.Engine.Hold)
	if r := <-first; r.Status != 200 {
		t.Errorf("the call before it: %d %s", r.Status, r.Body)
	}
	if calls, units := g.Units(t, k.Key.ID); calls != 1 || units != 1 {
		t.Errorf("%d calls of %d units were charged", calls, units)
	}
	text := string(g.Send("GET", "/metrics", "").Body)
	for _, want := range []string{`waygate_calls_refused_total{reason="too_dear"} 2`, `waygate_calls_refused_total{reason="busy"} 1`, `waygate_calls_admitted_total{lane="dear"} 1`, "waygate_calls_memory_bytes 0\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("metrics lack %s", want)
		}
	}
}

// TestWorkInVainIsCharged has the engine here work until the time is up.
func TestWorkInVainIsCharged(t *testing.T) {
	var g *apitest.Gateway
	var k *account.Issued
	var r apitest.Reply
	for limit := range waittest.Limits(100 * time.Millisecond) {
		g = apitest.Start(t, func(o *api.Options) { o.RequestTimeout = limit })
		k = g.Minted(t, account.Minting{})
		g.Engine.Costs = engine.Estimate{Work: time.Millisecond, Cores: 1}
		g.Engine.Hold, g.Engine.Ends = make(chan struct{}), make(chan error, 2)
		r = g.Send("POST", "/route", truckRoute, apitest.Bearer(k.Secret)...)
		if g.Engine.Asked() != nil {
			break
		}
	}
	if r.Problem(t, 504, "upstream-timeout"); r.Header.Get("X-Svc-Quota-Units") != "20" {
		t.Errorf("%q units", r.Header.Get("X-Svc-Quota-Units"))
	}
	if calls, units := g.Units(t, k.Key.ID); calls != 1 || units != 20 {
		t.Errorf("%d calls of %d units were charged", calls, units)
	}
}

// TestCallersLimits reads what holds for callers with and without a key.
func TestCallersLimits(t *testing.T) {
	g := apitest.Start(t, func(o *api.Options) { o.MatrixCells = 400 })
	k := g.Minted(t, account.Minting{MonthlyQuota: 50, RatePerMin: 70})
	g.Send("POST", "/route", truckRoute, apitest.Bearer(k.Secret)...)
	r := g.Send("GET", "/v1/limits", "", apitest.Bearer(k.Secret)...)
	for path, want := range map[string]string{
		"caller lane": "key", "caller rate_per_min": "70", "caller quota": "50", "caller remaining": "30",
		"prices premium_units": "20", "call matrix_cells": "400", "call timeout_ms": "30000", "call dear_calls": "1",
	} {
		if got := fmt.Sprint(r.At(t, strings.Fields(path)...)); got != want {
			t.Errorf("%s is %s, want %s", path, got, want)
		}
	}
	if r.Header.Get("X-Svc-Quota-Units") != "" || r.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("%v", r.Header)
	}
	if r := g.Send("GET", "/v1/limits", ""); r.Status != 200 || r.At(t, "caller", "lane") != "demo" || r.At(t, "caller", "quota") != nil {
		t.Errorf("%d %s", r.Status, r.Body)
	}
	closed := apitest.Start(t, func(o *api.Options) { o.DemoRPM = 0 })
	closed.Send("GET", "/v1/limits", "").Problem(t, 401, "unauthorized")
}

// TestEstimateOfSeveralCalls asks what answers would cost that take several calls of the
// engine: all of them count, also those that need what the first would answer.
func TestEstimateOfSeveralCalls(t *testing.T) {
	g := apitest.Many(t, nil)
	g.Engine.Costs = engine.Estimate{Work: 5 * time.Millisecond, Cores: 1, Bytes: 1 << 20}
	k := g.Minted(t, account.Minting{})
	place := func(lat float64) string { return fmt.Sprintf(`{"lat":%g,"lon":9.5}`, lat) }
	errands := `{"origin":` + place(47.1) + `,"destination":` + place(47.2) + `,"arrive_by":"2099-06-01T10:00:00Z","errands":[{"place":` + place(47.15) + `}]}`
	for _, c := range []struct {
		method, path, body string
		ms                 float64
	}{
		{"POST", "/v1/errands/plan", errands, 10}, // a matrix and the route of the plan
		{"GET", "/trip/v1/driving/9.5,47.1;9.6,47.2;9.7,47.3", "", 10},
	} {
		r := g.Send(c.method, c.path+"?estimate=1", c.body, apitest.Bearer(k.Secret)...)
		// Putting three places in order takes microseconds.
		if ms, _ := r.At(t, "estimated_ms").(float64); r.Status != 200 || ms < c.ms || ms > c.ms+1 {
			t.Errorf("%s: %d %s", c.path, r.Status, r.Body)
		}
	}
	if calls, units := g.Units(t, k.Key.ID); calls+units != 0 || g.Engine.Asked() != nil {
		t.Errorf("%d calls of %d units were charged, or the engine was asked", calls, units)
	}
}
