package e2e

import (
	"bytes"
	"net/http"
	"strconv"
	"strings"
	"testing"
)

const compatiblePath = "/route/v1/driving/" + herePath + ";" + therePath

// The demo lane counts calls of every metered endpoint of one address.
func TestDemoLane(t *testing.T) {
	t.Parallel()
	g := start(t, []string{"SVC_DEMO_RPM=5"}, "serve", "--region", countyDir(t))
	for range 3 {
		g.get(t, compatiblePath).ok(t)
	}
	g.get(t, "/tiles/halvern/tiles.json").ok(t)
	g.send(t, http.MethodPost, "/route", body(`"costing":"auto"`)).ok(t)
	sixth := g.send(t, http.MethodPost, "/route", body(`"costing":"auto"`))
	p := sixth.refused(t, 429, "rate-limited")
	wait, err := strconv.Atoi(sixth.header.Get("Retry-After"))
	if err != nil || wait < 1 || wait > 60 || !strings.Contains(p.Detail, "5 calls a minute") {
		t.Errorf("Retry-After %q: %s", sixth.header.Get("Retry-After"), sixth)
	}
	seventh := g.get(t, compatiblePath)
	if e := seventh.refused(t, 429, "TooManyRequests"); !strings.Contains(e.Message, "5 calls a minute") || seventh.header.Get("Retry-After") == "" {
		t.Errorf("%s %v", seventh, seventh.header)
	}
	// Another address is not let in by saying that it is one.
	g.get(t, compatiblePath, "X-Forwarded-For: 203.0.113.9").refused(t, 429, "TooManyRequests")
	// Free endpoints stay free.
	for _, path := range []string{"/health", "/explorer.json", "/openapi.json", "/fonts/Go%20Regular/0-255.pbf"} {
		g.get(t, path).ok(t)
	}
}

func TestDemoLaneBehindAProxy(t *testing.T) {
	t.Parallel()
	g := start(t, []string{"SVC_DEMO_RPM=1", "SVC_TRUSTED_PROXIES=127.0.0.0/8"}, "serve", "--region", countyDir(t))
	for _, address := range []string{"203.0.113.1", "203.0.113.2", "2001:db8::1", "203.0.113.99, 203.0.113.3"} {
		g.get(t, compatiblePath, "X-Forwarded-For: "+address).ok(t)
		g.get(t, compatiblePath, "X-Forwarded-For: "+address).refused(t, 429, "TooManyRequests")
	}
	g.get(t, compatiblePath, "X-Forwarded-For: 2001:db8::2").refused(t, 429, "TooManyRequests") // the same network
}

func TestClosedLaneAndBadKeys(t *testing.T) {
	t.Parallel()
	closed := start(t, []string{"SVC_DEMO_RPM=0"}, "serve", "--region", countyDir(t))
	for _, g := range []*gateway{closed, county(t)} {
		for _, header := range []string{"Authorization: Bearer nonsense", "Authorization: Basic dTpw", "Authorization: bearer "} {
			a := g.send(t, http.MethodPost, "/route", body(`"costing":"auto"`), header)
			a.refused(t, 401, "unauthorized")
			if !strings.HasPrefix(a.header.Get("WWW-Authenticate"), "Bearer") || strings.Contains(string(a.body), "nonsense") {
				t.Errorf("%s %v", a, a.header)
			}
			g.get(t, compatiblePath, header).refused(t, 401, "Unauthorized")
		}
		g.get(t, compatiblePath+"?steps=true&api_key=nonsense").refused(t, 401, "Unauthorized")
		g.get(t, "/tiles/halvern/tiles.json?api_key=nonsense").refused(t, 401, "unauthorized")
		if log := g.log.String(); strings.Contains(log, "nonsense") {
			t.Error("a key is in the log")
		}
		g.get(t, "/health").ok(t)
	}
	closed.send(t, http.MethodPost, "/route", body(`"costing":"auto"`)).refused(t, 401, "unauthorized")
	closed.get(t, compatiblePath).refused(t, 401, "Unauthorized")
	closed.get(t, "/tiles/halvern/0/0/0.mvt").refused(t, 401, "unauthorized")
}

// TestEngineOutOfReach has a Valhalla that does not answer: the gateway runs, says so, and
// has callers come back.
func TestEngineOutOfReach(t *testing.T) {
	t.Parallel()
	for name, args := range map[string][]string{"without a region": {"serve"}, "with a region": {"serve", "--region", countyDir(t)}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := start(t, []string{"SVC_VALHALLA_URL=http://user:hunter2@127.0.0.1:1"}, args...)
			var health struct {
				Status, Backend string
				Upstreams       []struct{ State string }
			}
			a := g.get(t, "/health").ok(t)
			a.into(t, &health)
			if health.Status != "degraded" || health.Backend != "valhalla" || len(health.Upstreams) != 1 || bytes.Contains(a.body, []byte("127.0.0.1")) {
				t.Errorf("%s", a.body)
			}
			a = g.send(t, http.MethodPost, "/route", body(`"costing":"auto"`))
			a.refused(t, 503, "upstream-unavailable")
			b := g.get(t, compatiblePath)
			b.refused(t, 503, "UpstreamUnavailable")
			for _, text := range []string{string(a.body), string(b.body), g.log.String()} {
				if strings.Contains(text, "hunter2") {
					t.Errorf("the password of the engine is revealed: %s", text)
				}
			}
			if inside := string(a.body) + string(b.body); strings.Contains(inside, "127.0.0.1") {
				t.Errorf("the address of the engine is revealed: %s", inside)
			}
			g.get(t, "/v1/platform").ok(t)
			g.send(t, http.MethodPost, "/adr/check", `{"adr":{"dimensions":{"height_m":4,"width_m":2,"length_m":9,"gross_weight_t":9},"hazmat":true,"tunnel_code":"C"},"tunnel_category":"C"}`).ok(t)
			// A request that is wrong is refused before the engine is called.
			g.send(t, http.MethodPost, "/route", `{}`).refused(t, 400, "bad-request")
		})
	}
}
