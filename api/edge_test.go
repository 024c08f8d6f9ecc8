package api_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"

	"github.com/waygate/waygate/account/x402"
	"github.com/waygate/waygate/api"
	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/counted"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/world"
)

// county is the region of the tests.
var county = geo.Bounds{Min: geo.Point{Lon: 9, Lat: 47}, Max: geo.Point{Lon: 10, Lat: 48}}

// gateway is an edge under test over the straight-line engine.
type gateway struct {
	*httptest.Server
	t        *testing.T
	engine   *straight
	document *openapi3.T
	router   routers.Router
	log      *buffer
	*staff
}

// buffer is a log that may be read while it is written.
type buffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) { b.mu.Lock(); defer b.mu.Unlock(); return b.b.Write(p) }

func (b *buffer) String() string { b.mu.Lock(); defer b.mu.Unlock(); return b.b.String() }

func start(t *testing.T, change ...func(*api.Options)) *gateway {
	t.Helper()
	return startTaking(t, x402.Options{}, change...)
}

// startTaking starts an edge that takes payments with the call.
func startTaking(t *testing.T, payments x402.Options, change ...func(*api.Options)) *gateway {
	t.Helper()
	g := &gateway{t: t, log: &buffer{}, engine: &straight{region: county, tunnels: []engine.Tunnel{{Category: "C", Location: geo.Point{Lon: 9.5, Lat: 47.5}, WayID: 7}}}}
	o := api.Options{
		Acquire: serves(t, &world.Region{Engine: g.engine, Since: time.Unix(1e9, 0).UTC(), ID: "county", Name: "County", Bounds: county, Attribution: []string{"© OpenStreetMap contributors"}}), Version: "1.2.3", Build: "abc", DemoRPM: 100_000, UnitPrice: 10,
		AdminToken: adminToken, Log: slog.New(slog.NewTextHandler(g.log, nil)),
	}
	for _, c := range change {
		c(&o)
	}
	o.Metrics = edge.NewMetrics(o.Version)
	o.Acquire = changed(t, o.Acquire, func(r *world.Region) { r.Engine = counted.New(r.Engine, o.Metrics.EngineCall) })
	g.staff = employ(t, &o, payments)
	handler, err := api.New(o)
	if err != nil {
		t.Fatal(err)
	}
	g.Server = httptest.NewServer(handler)
	t.Cleanup(g.Close)
	g.describe(handler)
	return g
}

// serves has regions in service for good.
func serves(t testing.TB, regions ...*world.Region) func() (*world.World, func()) {
	t.Helper()
	w, err := world.New(nil, regions...)
	if err != nil {
		t.Fatal(err)
	}
	return func() (*world.World, func()) { return w, func() {} }
}

// changed has every region in service changed.
func changed(t testing.TB, acquire func() (*world.World, func()), change func(r *world.Region)) func() (*world.World, func()) {
	t.Helper()
	w, release := acquire()
	defer release()
	if w == nil {
		return acquire
	}
	regions := make([]*world.Region, len(w.Regions()))
	for i, r := range w.Regions() {
		with := *r
		change(&with)
		regions[i] = &with
	}
	return serves(t, regions...)
}

// described is the server's own document, against which every answer is
// held. It does not depend on the options of these tests, so it is read once.
var described = struct {
	sync.Mutex
	document *openapi3.T
	router   routers.Router
}{}

func (g *gateway) describe(h http.Handler) {
	g.t.Helper()
	described.Lock()
	defer described.Unlock()
	if described.document == nil {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/openapi.json", nil))
		document, err := openapi3.NewLoader().LoadFromData(w.Body.Bytes())
		if err != nil {
			g.t.Fatalf("openapi.json: %v", err)
		}
		if described.router, err = gorillamux.NewRouter(document); err != nil {
			g.t.Fatal(err)
		}
		described.document = document
	}
	g.document, g.router = described.document, described.router
}

type reply struct {
	status int
	header http.Header
	body   []byte // unpacked
	size   int    // as it came
}

func (r reply) json(t *testing.T) map[string]any {
	t.Helper()
	var v map[string]any
	if err := json.Unmarshal(r.body, &v); err != nil {
		t.Fatalf("not a JSON object: %v\n%s", err, r.body)
	}
	return v
}

// at reads a value by a path of names.
func (r reply) at(t *testing.T, path ...string) any {
	t.Helper()
	var v any = r.json(t)
	for _, name := range path {
		m, ok := v.(map[string]any)
		if !ok {
			t.Fatalf("no %s in %s", strings.Join(path, "."), r.body)
		}
		v = m[name]
	}
	return v
}

// send makes a call and holds the answer against the document: status, media
// type and body, and cross-origin access on every one.
func (g *gateway) send(method, path, body string, header ...string) reply {
	g.t.Helper()
	req, err := http.NewRequestWithContext(g.t.Context(), method, g.URL+path, strings.NewReader(body))
	if err != nil {
		g.t.Fatal(err)
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	resp, err := g.Client().Do(req)
	if err != nil {
		g.t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		g.t.Fatal(err)
	}
	if got := resp.Header.Get("Access-Control-Allow-Origin"); got != "*" {
		g.t.Errorf("%s %s: Access-Control-Allow-Origin %q", method, path, got)
	}
	r := reply{resp.StatusCode, resp.Header, data, len(data)}
	if resp.Header.Get("Content-Encoding") == "gzip" && resp.Header.Get("Content-Type") == "application/json" {
		z, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			g.t.Fatal(err)
		}
		if r.body, err = io.ReadAll(z); err != nil {
			g.t.Fatal(err)
		}
	}
	g.conforms(req, r)
	return r
}

// conforms checks an answer against the document; a path outside it is fine.
func (g *gateway) conforms(req *http.Request, r reply) {
	g.t.Helper()
	found, params, err := g.router.FindRoute(req)
	if err != nil || strings.HasPrefix(r.header.Get("Content-Type"), "text/html") {
		return
	}
	in := &openapi3filter.RequestValidationInput{Request: req, PathParams: params, Route: found}
	err = openapi3filter.ValidateResponse(context.Background(), &openapi3filter.ResponseValidationInput{
		RequestValidationInput: in, Status: r.status, Header: r.header, Body: io.NopCloser(bytes.NewReader(r.body)),
		Options: &openapi3filter.Options{IncludeResponseStatus: true},
	})
	if err != nil {
		g.t.Errorf("%s %s: answer %d is not as described: %v\n%s", req.Method, req.URL, r.status, err, r.body)
	}
}

// problem checks that r is a problem document of the kind.
func (r reply) problem(t *testing.T, status int, slug string) map[string]any {
	t.Helper()
	if r.status != status || r.header.Get("Content-Type") != "application/problem+json" {
		t.Fatalf("status %d, type %q, want a problem %d: %s", r.status, r.header.Get("Content-Type"), status, r.body)
	}
	p := r.json(t)
	if p["type"] != "urn:svc-gateway:problem:"+slug || p["status"] != float64(status) || p["title"] == "" || p["detail"] == "" {
		t.Fatalf("want %s: %s", slug, r.body)
	}
	if _, ok := p["instance"]; ok {
		t.Fatalf("a problem has no instance: %s", r.body)
	}
	return p
}

func (r reply) envelope(t *testing.T, status int, code string) string {
	t.Helper()
	if r.status != status || r.header.Get("Content-Type") != "application/json" || r.at(t, "code") != code {
		t.Fatalf("status %d, want %d %s: %s", r.status, status, code, r.body)
	}
	message, ok := r.at(t, "message").(string)
	if !ok || len(r.json(t)) != 2 {
		t.Fatalf("want code and message: %s", r.body)
	}
	return message
}

const two = `"locations":[{"lat":47.1,"lon":9.5},{"lat":47.2,"lon":9.6}]`

func TestOutsideTheTable(t *testing.T) {
	g := start(t)
	g.send("GET", "/nowhere", "").problem(t, 404, "not-found")
	r := g.send("DELETE", "/route", "")
	r.problem(t, 405, "method-not-allowed")
	if !strings.Contains(r.header.Get("Allow"), "POST") {
		t.Errorf("Allow: %q", r.header.Get("Allow"))
	}
	g.send("POST", "/health", "{}").problem(t, 405, "method-not-allowed")
	g.send("POST", "/route/v1/driving/9.5,47.1;9.6,47.2", "{}").envelope(t, 405, "InvalidUrl")
	g.send("GET", "/route/v1/driving", "").envelope(t, 400, "InvalidUrl")
	g.send("GET", "/route/v1", "").envelope(t, 400, "InvalidUrl")
	g.send("GET", "/route/v1/driving/1,2;3,4/5", "").envelope(t, 400, "InvalidUrl")
}

func TestCrossOrigin(t *testing.T) {
	g := start(t, func(o *api.Options) { o.DemoRPM = 0 })
	r := g.send("OPTIONS", "/route", "", "Origin", "null", "Access-Control-Request-Method", "POST", "Access-Control-Request-Headers", "authorization")
	if r.status != 204 || !strings.Contains(r.header.Get("Access-Control-Allow-Headers"), "Authorization") ||
		!strings.Contains(r.header.Get("Access-Control-Allow-Methods"), "POST") {
		t.Errorf("preflight: %d %v", r.status, r.header)
	}
}

func TestAdmission(t *testing.T) {
	closed := start(t, func(o *api.Options) { o.DemoRPM = 0 })
	closed.send("POST", "/route", `{"costing":"auto",`+two+`}`).problem(t, 401, "unauthorized")
	closed.send("GET", "/route/v1/car/9.5,47.1;9.6,47.2", "").envelope(t, 401, "Unauthorized")
	closed.send("GET", "/coordinates/crs", "").problem(t, 401, "unauthorized")
	for _, free := range []string{"/health", "/v1/platform", "/openapi.json", "/llms.txt", "/terms", "/", "/explorer.json", "/metrics"} {
		if r := closed.send("GET", free, ""); r.status != 200 {
			t.Errorf("%s: %d", free, r.status)
		}
	}

	open := start(t)
	if r := open.send("POST", "/route", `{"costing":"auto",`+two+`}`); r.status != 200 {
		t.Errorf("demo lane: %d %s", r.status, r.body)
	}
	open.send("POST", "/route", `{}`, "Authorization", "Bearer secret-key").problem(t, 401, "unauthorized")
	r := open.send("GET", "/coordinates/crs?q=x;y&api_key=secret-key", "")
	r.problem(t, 401, "unauthorized")
	if r.header.Get("WWW-Authenticate") == "" {
		t.Error("401 without WWW-Authenticate")
	}
	if strings.Contains(string(r.body), "secret-key") || strings.Contains(open.log.String(), "secret-key") {
		t.Error("a key is shown or logged")
	}
}

func TestDemoLane(t *testing.T) {
	c := &clock{now: time.Unix(1e9, 0)}
	g := start(t, func(o *api.Options) {
		o.DemoRPM, o.Now = 3, c.Now
		o.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("10.0.0.0/8")}
	})
	call := func(forwarded string) reply {
		return g.send("GET", "/coordinates/crs", "", "X-Forwarded-For", forwarded)
	}
	for i := range 3 {
		if r := call("203.0.113.5"); r.status != 200 {
			t.Fatalf("call %d: %d", i, r.status)
		}
	}
	r := call("203.0.113.5")
	r.problem(t, 429, "rate-limited")
	if r.header.Get("Retry-After") != "20" {
		t.Errorf("Retry-After %q, want 20 s at 3 a minute", r.header.Get("Retry-After"))
	}
	g.send("GET", "/route/v1/car/9.5,47.1;9.6,47.2", "", "X-Forwarded-For", "203.0.113.5").envelope(t, 429, "TooManyRequests")
	if r := call("203.0.113.6"); r.status != 200 {
		t.Errorf("another client: %d", r.status)
	}
	// What a client claims before the first proxy of ours does not count.
	call("198.51.100.1, 203.0.113.5, 10.1.2.3").problem(t, 429, "rate-limited")
	for range 3 {
		call("2001:db8:1:2::5")
	}
	call("2001:db8:1:2:ffff::6").problem(t, 429, "rate-limited") // the same /64
	c.pass(20 * time.Second)
	if r := call("203.0.113.5"); r.status != 200 {
		t.Errorf("after waiting: %d", r.status)
	}
	call("203.0.113.5").problem(t, 429, "rate-limited")
}

func TestFailuresStayInside(t *testing.T) {
	g := start(t)
	body := func(name string) string {
		return `{"costing":"auto","locations":[{"lat":47.1,"lon":9.5,"name":"` + name + `"},{"lat":47.2,"lon":9.6}]}`
	}
	for _, name := range []string{"panic", "broken"} {
		r := g.send("POST", "/route", body(name))
		r.problem(t, 500, "internal")
		if strings.Contains(string(r.body), "secret of the engine") {
			t.Errorf("leaked: %s", r.body)
		}
	}
	if !strings.Contains(g.log.String(), "secret of the engine") {
		t.Error("the log does not say what failed")
	}
	g.send("POST", "/route", body("gone")).problem(t, 503, "upstream-unavailable")
	g.send("POST", "/route", body("failed")).problem(t, 502, "upstream-error")

	none := start(t, func(o *api.Options) { o.Acquire = func() (*world.World, func()) { return nil, func() {} } })
	none.send("POST", "/route", `{}`).problem(t, 503, "upstream-unavailable")
	none.send("GET", "/route/v1/car/1,2;3,4", "").envelope(t, 503, "UpstreamUnavailable")
	if r := none.send("GET", "/health", ""); r.at(t, "status") != "degraded" || r.at(t, "backend") != "none" {
		t.Errorf("health without a region: %s", r.body)
	}
	if r := none.send("GET", "/v1/platform", ""); r.at(t, "routing_engine") != nil {
		t.Errorf("platform without a region: %s", r.body)
	}
}

func TestLimits(t *testing.T) {
	g := start(t, func(o *api.Options) { o.MaxBody = 2000; o.RequestTimeout = 50 * time.Millisecond })
	long := `{"costing":"auto",` + two + `,"id":"` + strings.Repeat("x", 3000) + `"}`
	p := g.send("POST", "/route", long).problem(t, 413, "body-too-large")
	if !strings.Contains(p["detail"].(string), "2000") {
		t.Errorf("the limit is not named: %v", p)
	}
	g.send("POST", "/geodata/validate", long).problem(t, 413, "body-too-large")
	g.engine.hold, g.engine.ends = make(chan struct{}), make(chan error, 2)
	g.send("POST", "/route", `{"costing":"auto",`+two+`}`).problem(t, 504, "upstream-timeout")
	g.send("GET", "/route/v1/car/9.5,47.1;9.6,47.2", "").envelope(t, 504, "UpstreamTimeout")
}

func TestClientThatLeavesStopsTheEngine(t *testing.T) {
	g := start(t)
	g.engine.hold, g.engine.ends = make(chan struct{}), make(chan error, 1)
	ctx, cancel := context.WithCancel(t.Context())
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, g.URL+"/route", strings.NewReader(`{"costing":"auto",`+two+`}`))
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		for g.engine.asked() == nil {
			time.Sleep(time.Millisecond)
		}
		cancel()
	}()
	if resp, err := g.Client().Do(req); err == nil {
		_ = resp.Body.Close()
		t.Fatal("answered a client that left")
	}
	select {
	case err := <-g.engine.ends:
		if !errors.Is(err, context.Canceled) {
			t.Errorf("the engine ended with %v", err)
		}
	case <-time.After(5 * time.Second):
		t.Fatal("the engine went on")
	}
}

// TestPacked asks as browsers do: large texts come packed, small ones as they
// are.
func TestPacked(t *testing.T) {
	g := start(t)
	plain := g.send("GET", "/openapi.json", "")
	packed := g.send("GET", "/openapi.json", "", "Accept-Encoding", "gzip")
	if packed.header.Get("Content-Encoding") != "gzip" || packed.size > plain.size/2 {
		t.Errorf("%d bytes of %d, encoding %q", packed.size, plain.size, packed.header.Get("Content-Encoding"))
	}
	if !bytes.Equal(packed.body, plain.body) {
		t.Error("what is unpacked differs")
	}
	if small := g.send("GET", "/health", "", "Accept-Encoding", "gzip"); small.header.Get("Content-Encoding") != "" {
		t.Error("a hundred bytes were packed")
	}
}
