package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/waygate/waygate/towntest"
	"github.com/waygate/waygate/waittest"
)

// TestTheEmbeddedEngineAnswersInstead serves a region by a rule that prefers a Valhalla: while
// none is there the embedded engine answers and says so; with one that is there, that one
// does, and gets the caller's trace.
func TestTheEmbeddedEngineAnswersInstead(t *testing.T) {
	town := towntest.Draw(t, "a---b", towntest.Ways{{"ab", "primary"}})
	dir := t.TempDir()
	imports(t, town, dir, "Town")
	var works atomic.Bool
	var trace atomic.Value
	trace.Store("")
	peer := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case !works.Load():
			w.WriteHeader(http.StatusServiceUnavailable)
		case r.URL.Path == "/status":
			_, _ = io.WriteString(w, `{"version":"3.6.1","tileset_last_modified":1700000000}`)
		default:
			trace.Store(r.Header.Get("Traceparent"))
			w.WriteHeader(http.StatusBadRequest)
			_, _ = io.WriteString(w, `{"error_code":442,"error":"No path could be found for input"}`)
		}
	}))
	defer peer.Close()
	s := quick()
	s.ValhallaURL = []string{"http://" + closedPort, peer.URL}
	s.RoutingRules = []string{"truck=embedded", "*=valhalla+embedded"}
	s.UpstreamProbe = 10 * time.Millisecond
	if err := s.Validate(); err != nil {
		t.Fatal(err)
	}
	address, _ := serving(t, s, dir)
	const parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
	route := func(c string) (int, string) {
		a, b := town.Point("a"), town.Point("b")
		body := fmt.Sprintf(`{"locations":[{"lat":%f,"lon":%f},{"lat":%f,"lon":%f}],"costing":%q}`, a.Lat, a.Lon, b.Lat, b.Lon, c)
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address+"/route", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Traceparent", parent)
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = res.Body.Close() }()
		text, err := io.ReadAll(res.Body)
		if err != nil {
			t.Fatal(err)
		}
		return res.StatusCode, string(text)
	}
	if status, body := route("auto"); status != 200 || !strings.Contains(body, `"code":923`) || !strings.Contains(body, "embedded answered, as valhalla did not") {
		t.Errorf("%d %s", status, body)
	}
	if status, body := route("truck"); status != 200 || strings.Contains(body, `"code":923`) {
		t.Errorf("%d %s", status, body)
	}
	waittest.Until(t, "the health lacks both servers", func() bool {
		_, body := get(t, address+"/health")
		return strings.Contains(body, `"status":"degraded"`) && strings.Count(body, `"state":"down"`) == 2 && !strings.Contains(body, "127.0.0.1")
	})
	if status, body := get(t, address+"/ready"); status != 200 {
		t.Errorf("%d %s: the embedded engine answers", status, body)
	}
	works.Store(true)
	waittest.Until(t, "the second Valhalla is back", func() bool { status, _ := route("auto"); return status == 400 })
	if trace.Load() != parent {
		t.Errorf("the server was asked in the trace %q", trace.Load())
	}
	waittest.Until(t, "the health has the second Valhalla", func() bool {
		_, body := get(t, address+"/health")
		return strings.Contains(body, `"status":"ok"`) && strings.Contains(body, `{"engine":"valhalla","number":2,"state":"up"}`)
	})
	waittest.Until(t, "the platform names the version of the second Valhalla and no address", func() bool {
		_, body := get(t, address+"/v1/platform")
		return strings.Contains(body, `{"engine":"valhalla","costing":null,"number":2,"routing_engine_version":"3.6.1","graph_snapshot":"2023-11-14T22:13:20Z","swapped":null}`) && !strings.Contains(body, "127.0.0.1")
	})
	_, body := get(t, address+"/metrics")
	if !strings.Contains(body, `waygate_upstream_up{engine="valhalla",server="`+closedPort+`"} 0`) || !strings.Contains(body, `waygate_upstream_calls_total{engine="valhalla",outcome="answered",server="`+peer.Listener.Addr().String()+`"}`) {
		t.Error(body)
	}
}
