package api_test

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/waygate/waygate/api"
	"github.com/waygate/waygate/api/apitest"
	"github.com/waygate/waygate/waittest"
	"github.com/waygate/waygate/world"
)

func TestOutsideTheTable(t *testing.T) {
	g := apitest.Start(t)
	g.Send("GET", "/nowhere", "").Problem(t, 404, "not-found")
	r := g.Send("DELETE", "/route", "")
	r.Problem(t, 405, "method-not-allowed")
	if !strings.Contains(r.Header.Get("Allow"), "POST") {
		t.Errorf("Allow: %q", r.Header.Get("Allow"))
	}
	g.Send("POST", "/health", "{}").Problem(t, 405, "method-not-allowed")
	g.Send("POST", "/route/v1/driving/9.5,47.1;9.6,47.2", "{}").Envelope(t, 405, "InvalidUrl")
	g.Send("GET", "/route/v1/driving", "").Envelope(t, 400, "InvalidUrl")
	g.Send("GET", "/route/v1", "").Envelope(t, 400, "InvalidUrl")
	g.Send("GET", "/route/v1/driving/1,2;3,4/5", "").Envelope(t, 400, "InvalidUrl")
}

// Endpoints of the contract that no deployment has answer that they are not there.
func TestCapabilitiesThatNoDeploymentHas(t *testing.T) {
	g := apitest.Start(t)
	for _, row := range [][3]string{
		{"GET", "/v1/transit/vehicles?bbox=9,47,10,48", "transit"},
		{"GET", "/v1/transit/stops?lat=47&lon=9", "transit"},
		{"GET", "/v1/transit/departures?stop=x", "transit"},
		{"GET", "/v1/voice/clips/abc.opus", "voice"},
		{"GET", "/v1/voice/speech?text=x", "voice"},
		{"GET", "/v1/voice/bank?voice=x", "voice"},
	} {
		p := g.Send(row[0], row[1], "").Problem(t, 501, row[2]+"-not-enabled")
		if p["capability"] != row[2] {
			t.Errorf("%s %s: %v", row[0], row[1], p)
		}
	}
	g.Send("GET", "/v1/transits", "").Problem(t, 404, "not-found")
}

// TestPathsThatAreNotClean checks that a path with doubled slashes or dots is sent to the clean
// one with its query, and that one with a slash at its end is not there.
func TestPathsThatAreNotClean(t *testing.T) {
	g := apitest.Start(t)
	for path, want := range map[string]string{
		"//route?x=1": "/route?x=1", "/./route": "/route", "/v1//keys/self": "/v1/keys/self", "/v1/../health": "/health", "//nowhere": "",
		"/route/": "", "/health/": "", "/v1/keys/": "", "/": "/",
	} {
		method := "POST"
		if strings.Contains(path, "self") || strings.Contains(path, "health") || path == "/" {
			method = "GET"
		}
		r, err := http.NewRequestWithContext(t.Context(), method, g.URL+path, strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		answer, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = answer.Body.Close()
		switch at := answer.Header.Get("Location"); {
		case path == want:
			if answer.StatusCode >= 300 {
				t.Errorf("%s: %d", path, answer.StatusCode)
			}
		case want != "" && (answer.StatusCode != http.StatusTemporaryRedirect || at != want), want == "" && answer.StatusCode != http.StatusNotFound:
			t.Errorf("%s: %d, to %q, want %q", path, answer.StatusCode, at, want)
		}
	}
}

// TestCrossOrigin checks that pages may send every header that an endpoint reads, and read
// every header that an answer is described to have.
func TestCrossOrigin(t *testing.T) {
	g := apitest.Start(t, func(o *api.Options) { o.DemoRPM = 0 })
	r := g.Send("OPTIONS", "/route", "", "Origin", "null", "Access-Control-Request-Method", "POST", "Access-Control-Request-Headers", "authorization")
	if r.Status != 204 || !strings.Contains(r.Header.Get("Access-Control-Allow-Methods"), "POST") {
		t.Errorf("preflight: %d %v", r.Status, r.Header)
	}
	listed := func(header string) []string { return strings.Split(strings.ToLower(r.Header.Get(header)), ", ") }
	sent, exposed := listed("Access-Control-Allow-Headers"), listed("Access-Control-Expose-Headers")
	for _, name := range []string{"authorization", "content-type", "x-payment", "x-request-id", "if-match", "if-none-match", "range"} {
		if !slices.Contains(sent, name) {
			t.Errorf("pages may not send %s", name)
		}
	}
	for _, name := range []string{"etag", "content-range", "retry-after", "allow"} {
		if !slices.Contains(exposed, name) {
			t.Errorf("pages may not read %s", name)
		}
	}
	plain := []string{"cache-control", "content-language", "content-length", "content-type", "expires", "last-modified", "pragma", "vary", "stripe-signature"} // browsers let these be read; no page signs for Stripe
	for path, item := range g.Document.Paths.Map() {
		for method, op := range item.Operations() {
			for _, p := range op.Parameters {
				if name := strings.ToLower(p.Value.Name); p.Value.In == "header" && !slices.Contains(sent, name) && !slices.Contains(plain, name) {
					t.Errorf("%s %s: pages may not send %s", method, path, name)
				}
			}
			for _, answer := range op.Responses.Map() {
				for name := range answer.Value.Headers {
					if name = strings.ToLower(name); !slices.Contains(exposed, name) && !slices.Contains(plain, name) {
						t.Errorf("%s %s: pages may not read %s", method, path, name)
					}
				}
			}
		}
	}
}

func TestAdmission(t *testing.T) {
	closed := apitest.Start(t, func(o *api.Options) { o.DemoRPM = 0 })
	closed.Send("POST", "/route", `{"costing":"auto",`+apitest.Two+`}`).Problem(t, 401, "unauthorized")
	closed.Send("GET", "/route/v1/car/9.5,47.1;9.6,47.2", "").Envelope(t, 401, "Unauthorized")
	closed.Send("GET", "/coordinates/crs", "").Problem(t, 401, "unauthorized")
	for _, free := range []string{"/health", "/v1/platform", "/openapi.json", "/llms.txt", "/terms", "/", "/explorer.json", "/metrics"} {
		if r := closed.Send("GET", free, ""); r.Status != 200 {
			t.Errorf("%s: %d", free, r.Status)
		}
	}

	open := apitest.Start(t)
	if r := open.Send("POST", "/route", `{"costing":"auto",`+apitest.Two+`}`); r.Status != 200 {
		t.Errorf("demo lane: %d %s", r.Status, r.Body)
	}
	open.Send("POST", "/route", `{}`, "Authorization", "Bearer secret-key").Problem(t, 401, "unauthorized")
	r := open.Send("GET", "/coordinates/crs?q=x;y&api_key=secret-key", "")
	r.Problem(t, 401, "unauthorized")
	if r.Header.Get("WWW-Authenticate") == "" {
		t.Error("401 without WWW-Authenticate")
	}
	if strings.Contains(string(r.Body), "secret-key") || strings.Contains(open.Log.String(), "secret-key") {
		t.Error("a key is shown or logged")
	}
}

func TestDemoLane(t *testing.T) {
	c := &clock{now: time.Unix(1e9, 0)}
	g := apitest.Start(t, func(o *api.Options) {
		o.DemoRPM, o.Now = 3, c.Now
		o.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("10.0.0.0/8")}
	})
	call := func(forwarded string) apitest.Reply {
		return g.Send("GET", "/coordinates/crs", "", "X-Forwarded-For", forwarded)
	}
	for i := range 3 {
		if r := call("203.0.113.5"); r.Status != 200 {
			t.Fatalf("call %d: %d", i, r.Status)
		}
	}
	r := call("203.0.113.5")
	r.Problem(t, 429, "rate-limited")
	if r.Header.Get("Retry-After") != "60" {
		t.Errorf("Retry-After %q, want a minute after the first of three", r.Header.Get("Retry-After"))
	}
	g.Send("GET", "/route/v1/car/9.5,47.1;9.6,47.2", "", "X-Forwarded-For", "203.0.113.5").Envelope(t, 429, "TooManyRequests")
	if r := call("203.0.113.6"); r.Status != 200 {
		t.Errorf("another client: %d", r.Status)
	}
	// Addresses that a client claims before our first proxy do not count.
	call("198.51.100.1, 203.0.113.5, 10.1.2.3").Problem(t, 429, "rate-limited")
	for range 3 {
		call("2001:db8:1:2::5")
	}
	call("2001:db8:1:2:ffff::6").Problem(t, 429, "rate-limited") // the same /64
	c.advance(time.Minute)
	for range 3 {
		if r := call("203.0.113.5"); r.Status != 200 {
			t.Errorf("after waiting: %d", r.Status)
		}
	}
	call("203.0.113.5").Problem(t, 429, "rate-limited")
}

func TestFailuresStayInside(t *testing.T) {
	g := apitest.Start(t)
	body := func(name string) string {
		return `{"costing":"auto","locations":[{"lat":47.1,"lon":9.5,"name":"` + name + `"},{"lat":47.2,"lon":9.6}]}`
	}
	for _, name := range []string{"panic", "broken"} {
		r := g.Send("POST", "/route", body(name))
		r.Problem(t, 500, "internal")
		if strings.Contains(string(r.Body), "secret of the engine") {
			t.Errorf("leaked: %s", r.Body)
		}
	}
	if !strings.Contains(g.Log.String(), "secret of the engine") {
		t.Error("the log does not say what failed")
	}
	g.Send("POST", "/route", body("gone")).Problem(t, 503, "upstream-unavailable")
	g.Send("POST", "/route", body("failed")).Problem(t, 502, "upstream-error")

	none := apitest.Start(t, func(o *api.Options) { o.Acquire = func() (*world.World, func()) { return nil, func() {} } })
	none.Send("POST", "/route", `{}`).Problem(t, 503, "upstream-unavailable")
	none.Send("GET", "/route/v1/car/1,2;3,4", "").Envelope(t, 503, "UpstreamUnavailable")
	if r := none.Send("GET", "/health", ""); r.At(t, "status") != "degraded" || r.At(t, "backend") != "none" {
		t.Errorf("health without a region: %s", r.Body)
	}
	if r := none.Send("GET", "/v1/platform", ""); r.At(t, "routing_engine") != nil {
		t.Errorf("platform without a region: %s", r.Body)
	}
}

func TestLimits(t *testing.T) {
	g := apitest.Start(t, func(o *api.Options) { o.MaxBody = 2000 })
	long := `{"costing":"auto",` + apitest.Two + `,"id":"` + strings.Repeat("x", 3000) + `"}`
	p := g.Send("POST", "/route", long).Problem(t, 413, "body-too-large")
	if !strings.Contains(p["detail"].(string), "2000") {
		t.Errorf("the limit is not named: %v", p)
	}
	g.Send("POST", "/geodata/validate", long).Problem(t, 413, "body-too-large")
	g = apitest.Start(t, func(o *api.Options) { o.RequestTimeout = 50 * time.Millisecond })
	g.Engine.Hold, g.Engine.Ends = make(chan struct{}), make(chan error, 2)
	g.Send("POST", "/route", `{"costing":"auto",`+apitest.Two+`}`).Problem(t, 504, "upstream-timeout")
	g.Send("GET", "/route/v1/car/9.5,47.1;9.6,47.2", "").Envelope(t, 504, "UpstreamTimeout")
}

// A body that says it is too long is refused before any of it is sent, if its client waits for leave.
func TestLongBodyIsNotAskedFor(t *testing.T) {
	g := apitest.Start(t)
	body := &countedReads{}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, g.URL+"/route", body)
	if err != nil {
		t.Fatal(err)
	}
	req.ContentLength = 1 << 40
	req.Header.Set("Expect", "100-continue")
	client := &http.Client{Transport: &http.Transport{ExpectContinueTimeout: waittest.Patience}}
	resp, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	if resp.StatusCode != http.StatusRequestEntityTooLarge || body.reads.Load() != 0 {
		t.Errorf("%s after %d reads of the body", resp.Status, body.reads.Load())
	}
}

// countedReads is a body without end that counts how often it is read.
type countedReads struct{ reads atomic.Int64 }

func (c *countedReads) Read(p []byte) (int, error) { c.reads.Add(1); return len(p), nil }

// A compressed body is refused by its header, whatever it holds.
func TestCompressedBodies(t *testing.T) {
	g := apitest.Start(t)
	for _, coding := range []string{"gzip", "br", "deflate, gzip"} {
		r := g.Send("POST", "/adr/check", "\x1f\x8b\x08", "Content-Encoding", coding)
		if r.Problem(t, 400, "bad-request"); !strings.Contains(string(r.Body), "Content-Encoding") {
			t.Errorf("%s: %s", coding, r.Body)
		}
	}
}

func TestClientThatLeavesStopsTheEngine(t *testing.T) {
	g := apitest.Start(t)
	g.Engine.Hold, g.Engine.Ends = make(chan struct{}), make(chan error, 1)
	ctx, cancel := context.WithCancel(t.Context())
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, g.URL+"/route", strings.NewReader(`{"costing":"auto",`+apitest.Two+`}`))
	if err != nil {
		t.Fatal(err)
	}
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
	select {
	case err := <-g.Engine.Ends:
		if !errors.Is(err, context.Canceled) {
			t.Errorf("the engine ended with %v", err)
		}
	case <-time.After(waittest.Patience):
		t.Fatal("the engine went on")
	}
}

// TestPacked asks as browsers do: large texts come packed, small ones as they
// are.
func TestPacked(t *testing.T) {
	g := apitest.Start(t)
	plain := g.Send("GET", "/openapi.json", "")
	packed := g.Send("GET", "/openapi.json", "", "Accept-Encoding", "gzip")
	if packed.Header.Get("Content-Encoding") != "gzip" || packed.Size > plain.Size/2 {
		t.Errorf("%d bytes of %d, encoding %q", packed.Size, plain.Size, packed.Header.Get("Content-Encoding"))
	}
	if !bytes.Equal(packed.Body, plain.Body) {
		t.Error("what is unpacked differs")
	}
	if small := g.Send("GET", "/health", "", "Accept-Encoding", "gzip"); small.Header.Get("Content-Encoding") != "" {
		t.Error("a hundred bytes were packed")
	}
}
