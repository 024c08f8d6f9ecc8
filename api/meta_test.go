package api_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/waygate/waygate/api"
	"github.com/waygate/waygate/api/apitest"
	"github.com/waygate/waygate/engine"
)

func TestHealth(t *testing.T) {
	g := apitest.Start(t)
	r := g.Send("GET", "/health", "")
	for name, want := range map[string]string{"status": "ok", "backend": "embedded", "version": "1.2.3", "build": "abc"} {
		if r.At(t, name) != want {
			t.Errorf("%s: %v, want %s", name, r.At(t, name), want)
		}
	}
	if len(r.JSON(t)) != 4 {
		t.Errorf("more than the contract's members: %s", r.Body)
	}
	g.Engine.Down = errors.New("gone")
	if r := g.Send("GET", "/health", ""); r.Status != 200 || r.At(t, "status") != "degraded" {
		t.Errorf("engine down: %d %s", r.Status, r.Body)
	}
}

func TestPlatform(t *testing.T) {
	r := apitest.Start(t).Send("GET", "/v1/platform", "")
	if r.Header.Get("Cache-Control") != "public, max-age=300" {
		t.Errorf("Cache-Control %q", r.Header.Get("Cache-Control"))
	}
	if r.At(t, "routing_engine") != "embedded" || r.At(t, "graph_swapped") != "2001-09-09T01:46:40Z" || r.At(t, "geocoder") != nil {
		t.Errorf("%s", r.Body)
	}
}

func TestDocument(t *testing.T) {
	g := apitest.Start(t)
	r := g.Send("GET", "/openapi.json", "")
	if r.Header.Get("Content-Type") != "application/json" || r.At(t, "openapi") != "3.1.0" {
		t.Errorf("%s %v", r.Header.Get("Content-Type"), r.At(t, "openapi"))
	}
	if err := g.Document.Validate(context.Background()); err != nil {
		t.Errorf("the document is not valid: %v", err)
	}
	if strings.Contains(string(r.Body), "$schema") {
		t.Error("answers would carry $schema")
	}
}

// Where an answer may be one of several bodies, generators of Go code make one type for each
// of them with its headers: one that has other headers elsewhere does not compile.
func TestBodiesHaveOneSetOfHeaders(t *testing.T) {
	type beside struct{ call, headers string }
	had := map[string]beside{}
	for path, item := range apitest.Start(t).Document.Paths.Map() {
		for method, op := range item.Operations() {
			for status, r := range op.Responses.Map() {
				if !strings.HasPrefix(status, "2") || len(r.Value.Content) < 2 {
					continue
				}
				headers := strings.Join(slices.Sorted(maps.Keys(r.Value.Headers)), " ")
				for media, content := range r.Value.Content {
					call := method + " " + path + " " + status + " " + media
					switch before, ok := had[content.Schema.Ref]; {
					case content.Schema.Ref == "":
					case !ok:
						had[content.Schema.Ref] = beside{call, headers}
					case before.headers != headers:
						t.Errorf("%s of %s has the headers %s, and of %s %s", content.Schema.Ref, call, headers, before.call, before.headers)
					}
				}
			}
		}
	}
	if len(had) < 20 {
		t.Errorf("%d bodies", len(had))
	}
}

// A browser that follows a link to nowhere gets a page; programs, and all paths of the API,
// get a problem.
func TestLinkToNowhere(t *testing.T) {
	g := apitest.Start(t)
	const browser = "text/html,application/xhtml+xml,*/*;q=0.8"
	for _, at := range []string{"/nowhere", "/keys/of/mine", "/map.html"} {
		r := g.Send("GET", at, "", "Accept", browser)
		if r.Status != 404 || !strings.HasPrefix(r.Header.Get("Content-Type"), "text/html") || r.Header.Get("Vary") == "" || r.Header.Get("Content-Security-Policy") == "" {
			t.Errorf("%s: %d %v", at, r.Status, r.Header)
		}
		g.Send("GET", at, "").Problem(t, 404, "not-found")
		g.Send("POST", at, "{}", "Accept", browser).Problem(t, 404, "not-found")
	}
	for _, at := range []string{"/v1/nowhere", "/tiles", "/admin/nowhere", "/route/nowhere", "/favicon.ico"} {
		g.Send("GET", at, "", "Accept", browser).Problem(t, 404, "not-found")
	}
}

func TestRoot(t *testing.T) {
	g := apitest.Start(t)
	if r := g.Send("GET", "/", ""); r.At(t, "name") != "waygate" || r.At(t, "version") != "1.2.3" {
		t.Errorf("%s", r.Body)
	}
	page := g.Send("GET", "/", "", "Accept", "text/html,*/*")
	if page.Status != 200 || !strings.Contains(string(page.Body), "<!doctype html>") || page.Header.Get("Content-Security-Policy") == "" {
		t.Errorf("%d %v", page.Status, page.Header)
	}
	g.Send("GET", "/assets/app.js", "").Problem(t, 404, "not-found")

	site := fstest.MapFS{"index.html": {Data: []byte("<!doctype html><p>map")}, "assets/app-1.js": {Data: []byte("1")}, "secret": {Data: []byte("x")}}
	g = apitest.Start(t, func(o *api.Options) { o.Website = site })
	if r := g.Send("GET", "/", "", "Accept", "text/html"); string(r.Body) != "<!doctype html><p>map" {
		t.Errorf("%s", r.Body)
	}
	r := g.Send("GET", "/assets/app-1.js", "")
	if r.Status != 200 || !strings.Contains(r.Header.Get("Cache-Control"), "immutable") || !strings.Contains(r.Header.Get("Content-Type"), "javascript") {
		t.Errorf("%d %v", r.Status, r.Header)
	}
	for _, path := range []string{"/assets/", "/assets/%2e%2e/secret", "/assets/none"} {
		if r := g.Send("GET", path, ""); r.Status == 200 {
			t.Errorf("%s: %d %s", path, r.Status, r.Body)
		}
	}
}

func TestExplorerFacts(t *testing.T) {
	r := apitest.Start(t).Send("GET", "/explorer.json", "")
	var facts struct {
		Territory, Name, Attribution string
		Bounds                       []float64
		Center                       []float64
		Costings                     []string
		Examples                     []any
	}
	if err := json.Unmarshal(r.Body, &facts); err != nil {
		t.Fatal(err)
	}
	if facts.Territory != "county" || len(facts.Bounds) != 4 || facts.Bounds[0] != 9 || facts.Center[0] != 9.5 || facts.Center[2] < 8 || facts.Center[2] > 10 ||
		len(facts.Costings) != 7 || facts.Examples == nil || !strings.Contains(facts.Attribution, "OpenStreetMap") {
		t.Errorf("%s", r.Body)
	}
}

func TestTexts(t *testing.T) {
	g := apitest.Start(t)
	llms := string(g.Send("GET", "/llms.txt", "").Body)
	for _, want := range []string{"POST /route ", "GET /route/v1/{profile}/{coordinates}", "/openapi.json", "100000 calls a minute"} {
		if !strings.Contains(llms, want) {
			t.Errorf("llms.txt does not say %q:\n%s", want, llms)
		}
	}
	if strings.Contains(llms, "/metrics") {
		t.Error("llms.txt lists what is for operators")
	}
	if terms := string(g.Send("GET", "/terms", "").Body); !strings.Contains(terms, "© OpenStreetMap contributors") {
		t.Errorf("%s", terms)
	}
}

func TestMetrics(t *testing.T) {
	g := apitest.Start(t)
	g.Send("POST", "/route", `{"costing":"auto",`+apitest.Two+`}`)
	g.Send("GET", "/route/v1/car/9.5,47.1;9.6,47.2", "")
	g.Send("GET", "/nowhere", "")
	text := string(g.Send("GET", "/metrics", "").Body)
	for _, want := range []string{
		`waygate_requests_total{route="POST /route",status="200"} 1`,
		`waygate_requests_total{route="GET /route/v1/{profile}/{coordinates}",status="200"} 1`,
		`waygate_requests_total{route="unmatched",status="404"} 1`,
		`waygate_engine_seconds_count{call="route",engine="embedded",outcome="ok"} 2`,
		`waygate_info{version="1.2.3"} 1`, `waygate_outbox_messages{state="waiting"} 0`, "waygate_metric_bytes 0", "go_goroutines",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("metrics lack %s", want)
		}
	}
}

// TestInnerCallsAreCounted asks endpoints that ask an engine more than once, or
// for something else than their name: what is counted are the engine's calls.
func TestInnerCallsAreCounted(t *testing.T) {
	g, town := apitest.Drawn(t)
	ends := `"locations":[` + apitest.At(town.Point("a")) + `,` + apitest.At(town.Point("c")) + `]`
	trace := `"shape":[` + apitest.At(town.Point("a")) + `,` + apitest.At(town.Point("c")) + `]`
	for path, body := range map[string]string{"/route/along": ends + `,"places":[` + apitest.At(town.Point("b")) + `]`, "/route/report": trace, "/locate": ends, "/centroid": ends + `,"costing":"auto"`} {
		if r := g.Send("POST", path, `{`+body+`}`); r.Status != 200 {
			t.Fatalf("%s: %d %s", path, r.Status, r.Body)
		}
	}
	g.Send("GET", "/health", "")
	text := string(g.Send("GET", "/metrics", "").Body)
	for call, times := range map[engine.Call]int{
		engine.CallRoute: 1, engine.CallMatrix: 2, engine.CallTraceAttributes: 1, engine.CallLocate: 1, engine.CallCentroid: 1, engine.CallStatus: 1,
	} {
		if want := fmt.Sprintf(`waygate_engine_seconds_count{call="%s",engine="embedded",outcome="ok"} %d`, call, times); !strings.Contains(text, want+"\n") {
			t.Errorf("metrics lack %s", want)
		}
	}
}

// TestSecurityIsShown checks that the document shows for every endpoint how it is opened,
// with a description of the scheme.
func TestSecurityIsShown(t *testing.T) {
	g := apitest.Start(t)
	for path, item := range g.Document.Paths.Map() {
		for method, op := range item.Operations() {
			shown := map[string]bool{}
			if op.Security != nil {
				for _, one := range *op.Security {
					for name := range one {
						shown[name] = true
						if g.Document.Components.SecuritySchemes[name] == nil {
							t.Errorf("%s %s: %s is not described", method, path, name)
						}
					}
				}
			}
			var header []string
			if !shown["link"] { // a wrong one of a link is answered as one at its end
				header = apitest.Bearer("wrong")
			}
			r := g.Send(method, parameter.ReplaceAllString(path, "1"), "", header...)
			opens := r.Status != 401
			if opens != (len(shown) == 0) && path != "/v1/console/session" {
				t.Errorf("%s %s: %d without a credential, the document shows %v", method, path, r.Status, shown)
			}
			if admin := strings.HasPrefix(path, "/admin/"); shown["admin"] != admin {
				t.Errorf("%s %s: shows %v", method, path, shown)
			}
			class := item.GetOperation(method).Extensions["x-price-class"]
			byKey := class == "chunk units" // whose answers are too long to wait for a payment
			if metered := class != "free" && class != "download allowance"; shown["payment"] != (metered && !byKey) || metered && (!shown["bearer"] || !shown["api_key"] || op.Responses.Value("402") == nil) {
				t.Errorf("%s %s: metered %v, shows %v", method, path, metered, shown)
			}
		}
	}
}

// TestEveryInputCanBeRefused checks that an endpoint that takes something says
// with which status it refuses it.
func TestEveryInputCanBeRefused(t *testing.T) {
	g := apitest.Start(t)
	for path, item := range g.Document.Paths.Map() {
		for method, op := range item.Operations() {
			refuses := false
			for status := range op.Responses.Map() {
				refuses = refuses || strings.HasPrefix(status, "4")
			}
			if takes := op.RequestBody != nil || len(op.Parameters)+len(item.Parameters) > 0; takes && !refuses {
				t.Errorf("%s %s takes something and lists no 4xx", method, path)
			}
		}
	}
}

func TestTextsTellThePrices(t *testing.T) {
	for _, c := range []struct {
		change func(*api.Options)
		want   []string
	}{
		{func(o *api.Options) { o.UnitPrice, o.DemoRPM = 12, 0 }, []string{"POST /v1/keys", "1,000 units and 72 hours", "50,000 units a month", "12 millipence", "demo lane is closed", "60 calls a minute"}},
		{func(o *api.Options) { o.UnitPrice, o.DemoRPM = 0, 7 }, []string{"no credit is sold", "7 calls a minute"}},
	} {
		g := apitest.Start(t, c.change)
		text := string(g.Send("GET", "/llms.txt", "").Body)
		for _, want := range c.want {
			if !strings.Contains(text, want) {
				t.Errorf("llms.txt does not say %q:\n%s", want, text)
			}
		}
	}
	g := apitest.Start(t)
	if r := g.Send("GET", "/", ""); r.At(t, "links", "keys") != apitest.Website+"/keys" || r.At(t, "links", "console") != apitest.Website+"/console" {
		t.Errorf("%s", r.Body)
	}
	if text := string(g.Send("GET", "/terms", "").Body); !strings.Contains(text, "50,000 units a month") || !strings.Contains(text, "10 millipence") {
		t.Errorf("%s", text)
	}
}
