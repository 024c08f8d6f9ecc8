// Package apitest starts a whole gateway in a test and calls it: on a real
// database, over an engine that flies or the kernel on a drawn town. Every answer
// is held against the gateway's own document.
package apitest

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/waygate/waygate/account/x402"
	"github.com/waygate/waygate/api"
	"github.com/waygate/waygate/api/edge"
	"github.com/waygate/waygate/api/edge/metrics"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/engine/counted"
	"github.com/waygate/waygate/engine/scheduled"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/job"
	"github.com/waygate/waygate/wire/schema/schematest"
	"github.com/waygate/waygate/world"
)

// county is the region of the tests.
var county = geo.Bounds{Min: geo.Point{Lon: 9, Lat: 47}, Max: geo.Point{Lon: 10, Lat: 48}}

// Gateway is an edge under test over the straight-line engine.
type Gateway struct {
	*httptest.Server
	T        *testing.T
	Edge     *edge.Edge
	Engine   *StraightLine
	Document *openapi3.T
	answers  *schematest.Document
	kinds    map[string]job.Kind
	Log      *buffer
	*Backend
}

// buffer is a log that may be read while it is written.
type buffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

// Write adds to the log.
func (b *buffer) Write(p []byte) (int, error) { b.mu.Lock(); defer b.mu.Unlock(); return b.b.Write(p) }

// String returns the log so far.
func (b *buffer) String() string { b.mu.Lock(); defer b.mu.Unlock(); return b.b.String() }

// Start starts an edge over the straight-line engine.
func Start(t *testing.T, change ...func(*api.Options)) *Gateway {
	t.Helper()
	return StartTaking(t, x402.Options{}, change...)
}

// StartTaking starts an edge that takes payments with the call.
func StartTaking(t *testing.T, payments x402.Options, change ...func(*api.Options)) *Gateway {
	t.Helper()
	g := &Gateway{T: t, Log: &buffer{}, Engine: &StraightLine{region: county, tunnels: []engine.Tunnel{{Category: "C", Location: geo.Point{Lon: 9.5, Lat: 47.5}, WayID: 7}}}}
	o := api.Options{
		Server: api.Server{
			Acquire: Serves(t, &world.Region{Engine: g.Engine, Since: time.Unix(1e9, 0).UTC(), ID: "county", Name: "County", Bounds: county, Attribution: []string{"© OpenStreetMap contributors"}}),
			Version: "1.2.3", Build: "abc", AdminToken: AdminToken, Log: slog.New(slog.NewTextHandler(g.Log, nil)),
		},
		Limits: api.Limits{DemoRPM: 100_000, UnitPrice: 10},
	}
	for _, c := range change {
		c(&o)
	}
	o.Metrics = metrics.New(o.Version)
	o.Scheduler = scheduled.New(scheduled.Options{Cores: 2})
	o.Acquire = Changed(t, o.Acquire, func(r *world.Region) { r.Engine = o.Scheduler.Wrap(counted.New(r.Engine, o.Metrics.EngineCall)) })
	g.Backend = NewStaff(t, &o, payments)
	handler, err := api.New(o)
	if err != nil {
		t.Fatal(err)
	}
	g.Edge, g.kinds = handler, api.Kinds(o)
	g.Server = httptest.NewServer(handler)
	t.Cleanup(g.Close)
	g.describe(handler)
	return g
}

// Work has the gateway work on jobs for the rest of the test.
func (g *Gateway) Work(t testing.TB) {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	var work sync.WaitGroup
	work.Go(func() { g.Queue.Run(ctx, g.kinds) })
	t.Cleanup(func() { stop(); work.Wait() })
}

// Serves has regions in service for good.
func Serves(t testing.TB, regions ...*world.Region) func() (*world.World, func()) {
	t.Helper()
	w, err := world.New(nil, regions...)
	if err != nil {
		t.Fatal(err)
	}
	return func() (*world.World, func()) { return w, func() {} }
}

// Changed has every region in service changed.
func Changed(t testing.TB, acquire func() (*world.World, func()), change func(r *world.Region)) func() (*world.World, func()) {
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
	return Serves(t, regions...)
}

// described is the server's own document, against which every answer is
// held. It does not depend on the options of these tests, so it is read once.
var described = struct {
	sync.Mutex
	document *openapi3.T
	answers  *schematest.Document
}{}

func (g *Gateway) describe(h http.Handler) {
	g.T.Helper()
	described.Lock()
	defer described.Unlock()
	if described.document == nil {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequestWithContext(g.T.Context(), http.MethodGet, "/openapi.json", nil))
		document, err := openapi3.NewLoader().LoadFromData(w.Body.Bytes())
		if err != nil {
			g.T.Fatalf("openapi.json: %v", err)
		}
		if described.answers, err = schematest.Read(w.Body.Bytes()); err != nil {
			g.T.Fatal(err)
		}
		described.document = document
	}
	g.Document, g.answers = described.document, described.answers
}

// Reply is an answer.
type Reply struct {
	Status int
	Header http.Header
	Body   []byte // unpacked
	Size   int    // as it came
}

// JSON reads an answer that is an object.
func (r Reply) JSON(t *testing.T) map[string]any {
	t.Helper()
	var v map[string]any
	if err := json.Unmarshal(r.Body, &v); err != nil {
		t.Fatalf("not a JSON object: %v\n%s", err, r.Body)
	}
	return v
}

// At reads a value by a path of names.
func (r Reply) At(t *testing.T, path ...string) any {
	t.Helper()
	var v any = r.JSON(t)
	for _, name := range path {
		m, ok := v.(map[string]any)
		if !ok {
			t.Fatalf("no %s in %s", strings.Join(path, "."), r.Body)
		}
		v = m[name]
	}
	return v
}

// Send makes a call and holds the answer against the document: status, media
// type and body, and cross-origin access on every one.
func (g *Gateway) Send(method, path, body string, header ...string) Reply {
	g.T.Helper()
	req, err := http.NewRequestWithContext(g.T.Context(), method, g.URL+path, strings.NewReader(body))
	if err != nil {
		g.T.Fatal(err)
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	resp, err := g.Client().Do(req)
	if err != nil {
		g.T.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		g.T.Fatal(err)
	}
	if got := resp.Header.Get("Access-Control-Allow-Origin"); got != "*" {
		g.T.Errorf("%s %s: Access-Control-Allow-Origin %q", method, path, got)
	}
	r := Reply{resp.StatusCode, resp.Header, data, len(data)}
	if resp.Header.Get("Content-Encoding") == "gzip" && resp.Header.Get("Content-Type") == "application/json" {
		z, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			g.T.Fatal(err)
		}
		if r.Body, err = io.ReadAll(z); err != nil {
			g.T.Fatal(err)
		}
	}
	g.conforms(req, r)
	return r
}

// conforms checks an answer against the document; a path outside it is fine.
func (g *Gateway) conforms(req *http.Request, r Reply) {
	g.T.Helper()
	if strings.HasPrefix(r.Header.Get("Content-Type"), "text/html") {
		return
	}
	if err := g.answers.Answer(req.Method, req.URL.Path, r.Status, r.Header, r.Body); err != nil {
		g.T.Errorf("%s %s: answer %d is not as described: %v\n%s", req.Method, req.URL, r.Status, err, r.Body)
	}
}

// Problem checks that r is a problem document of the kind.
func (r Reply) Problem(t *testing.T, status int, slug string) map[string]any {
	t.Helper()
	if r.Status != status || r.Header.Get("Content-Type") != "application/problem+json" {
		t.Fatalf("status %d, type %q, want a problem %d: %s", r.Status, r.Header.Get("Content-Type"), status, r.Body)
	}
	p := r.JSON(t)
	if p["type"] != "urn:svc-gateway:problem:"+slug || p["status"] != float64(status) || p["title"] == "" || p["detail"] == "" {
		t.Fatalf("want %s: %s", slug, r.Body)
	}
	if _, ok := p["instance"]; ok {
		t.Fatalf("a problem has no instance: %s", r.Body)
	}
	return p
}

// Envelope checks that r is a failure in OSRM's form of the code, and gives its
// message.
func (r Reply) Envelope(t *testing.T, status int, code string) string {
	t.Helper()
	if r.Status != status || r.Header.Get("Content-Type") != "application/json" || r.At(t, "code") != code {
		t.Fatalf("status %d, want %d %s: %s", r.Status, status, code, r.Body)
	}
	message, ok := r.At(t, "message").(string)
	if !ok || len(r.JSON(t)) != 2 {
		t.Fatalf("want code and message: %s", r.Body)
	}
	return message
}

// Two are locations of a request.
const Two = `"locations":[{"lat":47.1,"lon":9.5},{"lat":47.2,"lon":9.6}]`

// List reads an answer that is a list of objects.
func (r Reply) List(t *testing.T) []map[string]any {
	t.Helper()
	var v []map[string]any
	if err := json.Unmarshal(r.Body, &v); err != nil {
		t.Fatalf("not a list of objects: %v\n%s", err, r.Body)
	}
	return v
}

// Load is a lorry with dangerous goods, for requests.
const Load = `"adr":{"dimensions":{"height_m":4,"width_m":2.5,"length_m":16.5,"gross_weight_t":40},"tunnel_code":"c/d","hazmat":true}`

// Near reports whether a number of an answer is within a metre or second.
func Near(got any, want float64) bool {
	v, ok := got.(float64)
	return ok && math.Abs(v-want) <= 1.5
}
