package valhalla

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/upstream"
	"github.com/waygate/waygate/waittest"
)

// listen serves a port with a function of the connection and gives its URL.
func listen(t testing.TB, serve func(net.Conn)) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() }) // some tests closed it already
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				serve(c)
				_ = c.Close() // the client may be gone
			}()
		}
	}()
	return "http://" + l.Addr().String()
}

// answering reads one request and writes these bytes back.
func answering(response string) func(net.Conn) {
	return func(c net.Conn) {
		if readRequest(bufio.NewReader(c)) == nil {
			_, _ = io.WriteString(c, response) // a client that hangs up is part of the test
		}
	}
}

func readRequest(r *bufio.Reader) error {
	req, err := http.ReadRequest(r)
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, req.Body)
	return err
}

func response(status int, body string) string {
	return fmt.Sprintf("HTTP/1.1 %d %s\r\nContent-Length: %d\r\n\r\n%s", status, http.StatusText(status), len(body), body)
}

// tripFor returns the answer of a Valhalla that has a road at every place; the request stands in it.
func tripFor(asked []byte) string {
	var r struct{ Locations []position }
	if err := json.Unmarshal(asked, &r); err != nil {
		return err.Error()
	}
	var locations, legs []string
	for i, l := range r.Locations {
		locations = append(locations, fmt.Sprintf(`{"lat":%g,"lon":%g}`, l.Lat, l.Lon))
		if i > 0 {
			from := r.Locations[i-1]
			shape, _ := json.Marshal(geo.EncodePolyline([]geo.Point{{Lon: from.Lon, Lat: from.Lat}, {Lon: l.Lon, Lat: l.Lat}}, 6))
			legs = append(legs, fmt.Sprintf(`{"summary":{},"shape":%s}`, shape))
		}
	}
	return fmt.Sprintf(`{"trip":{"locations":[%s],"legs":[%s]},"asked":%s}`, strings.Join(locations, ","), strings.Join(legs, ","), asked)
}

func someRequest() *engine.RouteRequest {
	return &engine.RouteRequest{
		Costing:   costing.Auto,
		Output:    engine.Output{Format: engine.Native},
		Locations: []engine.Location{{Point: geo.Point{Lon: -1.5, Lat: 51.5}}, {Point: geo.Point{Lon: -1.4, Lat: 51.5}}},
	}
}

func TestFailuresNameTheirKind(t *testing.T) {
	for _, c := range []struct {
		name, response string
		slug           fault.Slug
		code           int
		status         any
		detail         string
		format         engine.Format
	}{
		{
			"a refusal", response(400, `{"error_code":154,"error":"Path distance exceeds the max distance limit: 5000000 meters","status_code":400,"status":"Bad Request"}`),
			fault.Upstream, 154, 400, "Path distance exceeds the max distance limit: 5000000 meters", engine.Native,
		},
		{
			"a refusal in OSRM's words", response(400, `{"code":"NoRoute","message":"Impossible route between points"}`),
			fault.Upstream, 442, 400, "Impossible route between points", engine.OSRM,
		},
		{
			"a refusal without a number", response(400, `{"code":"InvalidOptions","message":"Options are invalid."}`),
			fault.Upstream, 0, 400, "Options are invalid.", engine.OSRM,
		},
		{
			"an internal error", response(500, `{"error_code":599,"error":"Unknown","status_code":500,"status":"Internal Server Error"}`),
			fault.Upstream, 0, 500, "Unknown", engine.Native,
		},
		{"a proxy's page", response(502, `<html>Bad Gateway</html>`), fault.Upstream, 0, 502, "no reason", engine.Native},
		{"a proxy's words", response(502, `{"error":"connect ECONNREFUSED 10.1.2.3:8002"}`), fault.Upstream, 0, 502, "failed with status 502", engine.Native},
		{"a proxy's refusal", response(403, `{"message":"no route to inner.example"}`), fault.Upstream, 0, 403, "failed with status 403", engine.Native},
		{"an error of something else with status 200", response(200, `{"error":"no file /srv/inner"}`), fault.Upstream, 0, 200, "failed with status 200", engine.Native},
		{"a page that is not there", response(404, ``), fault.Upstream, 0, 404, "status 404", engine.Native},
		{"something else that listens there", response(200, `<html>welcome</html>`), fault.Upstream, 0, 200, "not a JSON object", engine.Native},
		{"an array", response(200, `[{"trip":{}}]`), fault.Upstream, 0, 200, "not a JSON object", engine.Native},
		{"half an object", response(200, `{"trip":{"legs":[`), fault.Upstream, 0, 200, "not a JSON object", engine.Native},
		{"half an answer", "HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{\"trip\":", fault.Upstream, 0, 200, "broke off after 8 bytes", engine.Native},
		{"an answer without end", response(200, `{"trip":"`+strings.Repeat("x", 5000)+`"}`), fault.Upstream, 0, 200, "longer than 4096 bytes", engine.Native},
		{"a native answer in OSRM's format", response(200, `{"trip":{}}`), fault.Upstream, 0, 200, "not a route in OSRM's format", engine.OSRM},
		{"a waypoint that is none", response(200, `{"code":"Ok","routes":[{}],"waypoints":[null]}`), fault.Upstream, 0, 200, "not a route in OSRM's format", engine.OSRM},
		{"no answer at all", "", fault.UpstreamUnavailable, 0, nil, "could not be reached", engine.Native},
		{"not HTTP", "SSH-2.0-OpenSSH_9.2\r\n", fault.UpstreamUnavailable, 0, nil, "could not be reached", engine.Native},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := NewPool([]string{listen(t, answering(c.response))}, upstream.PoolOptions{Most: 4096}, nil)
			r := someRequest()
			r.Format = c.format
			_, err := e.Route(t.Context(), r)
			var f *fault.Error
			if !errors.As(err, &f) || f.Slug != c.slug {
				t.Fatalf("the error is %v, want one of the kind %s", err, c.slug)
			}
			if engine.Code(err) != c.code || f.Fields["upstream_status"] != c.status {
				t.Errorf("error_code %d and upstream_status %v, want %d and %v", engine.Code(err), f.Fields["upstream_status"], c.code, c.status)
			}
			if !strings.Contains(f.Detail, c.detail) || strings.Contains(f.Detail, "127.0.0.1") {
				t.Errorf("the detail is %q, want %q in it and no address", f.Detail, c.detail)
			}
		})
	}
}

func TestNobodyListens(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	e := New("http://"+l.Addr().String(), nil)
	if _, err := e.Route(t.Context(), someRequest()); !fault.Is(err, fault.UpstreamUnavailable) {
		t.Errorf("Route: %v, want the kind %s", err, fault.UpstreamUnavailable)
	}
	if _, err := e.Status(t.Context()); !fault.Is(err, fault.UpstreamUnavailable) {
		t.Errorf("Status: %v, want the kind %s", err, fault.UpstreamUnavailable)
	}
}

func TestWaitingEnds(t *testing.T) {
	silent := func(c net.Conn) { _, _ = io.Copy(io.Discard, c) } // until the client hangs up
	base := listen(t, silent)
	t.Run("by the client's limit", func(t *testing.T) {
		_, err := New(base, &http.Client{Timeout: 30 * time.Millisecond}).Route(t.Context(), someRequest())
		if !fault.Is(err, fault.UpstreamTimeout) {
			t.Errorf("%v, want the kind %s", err, fault.UpstreamTimeout)
		}
	})
	t.Run("by the request's deadline", func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
		defer cancel()
		if _, err := New(base, nil).Route(ctx, someRequest()); !fault.Is(err, fault.UpstreamTimeout) {
			t.Errorf("%v, want the kind %s", err, fault.UpstreamTimeout)
		}
	})
	t.Run("in the middle of an answer", func(t *testing.T) {
		slow := listen(t, func(c net.Conn) {
			answering("HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{")(c)
			silent(c)
		})
		_, err := New(slow, &http.Client{Timeout: 30 * time.Millisecond}).Route(t.Context(), someRequest())
		if !fault.Is(err, fault.UpstreamTimeout) {
			t.Errorf("%v, want the kind %s", err, fault.UpstreamTimeout)
		}
	})
	t.Run("when the caller goes away, and the connection with it", func(t *testing.T) {
		asked, gone := make(chan struct{}), make(chan struct{})
		patient := listen(t, func(c net.Conn) {
			if readRequest(bufio.NewReader(c)) == nil {
				close(asked)
				silent(c)
				close(gone)
			}
		})
		ctx, cancel := context.WithCancel(t.Context())
		go func() { <-asked; cancel() }()
		if _, err := New(patient, nil).Route(ctx, someRequest()); !errors.Is(err, context.Canceled) {
			t.Errorf("%v, want %v", err, context.Canceled)
		}
		select {
		case <-gone:
		case <-time.After(waittest.Patience):
			t.Error("the engine still works for a caller who went away")
		}
	})
}

func TestAConnectionDroppedWhileIdleIsReplaced(t *testing.T) {
	var served atomic.Int32
	e := New(listen(t, func(c net.Conn) {
		r := bufio.NewReader(c)
		if req, err := http.ReadRequest(r); err == nil {
			served.Add(1)
			asked, _ := io.ReadAll(req.Body)
			_, _ = io.WriteString(c, response(200, tripFor(asked)))
		}
		_ = readRequest(r) // and hang up on the second
	}), nil)
	for i := range 3 {
		if _, err := e.Route(t.Context(), someRequest()); err != nil {
			t.Fatalf("request %d: %v", i, err)
		}
	}
	if served.Load() != 3 {
		t.Errorf("%d requests were answered, want 3", served.Load())
	}
}

func FuzzOSRM(f *testing.F) {
	f.Add([]byte(`{"code":"Ok","routes":[{"geometry":"_p~iF~ps|U_ulLnnqC_mqNvxq`+"`"+`@"}],"waypoints":[{"name":"x"}]}`), "simplified", "polyline")
	f.Add([]byte(`{"routes":[{"geometry":{"coordinates":[[1,2],[3,4]],"type":"LineString"}}],"waypoints":[]}`), "", "geojson")
	f.Add([]byte(`{"routes":[{"geometry":"","geometry":"","x":[]},{"legs":[],"geometry":""},{"geometry":""}],"waypoints":[]}`), "false", "polyline6")
	f.Add([]byte(`{"routes":[null],"waypoints":{}}`), "false", "polyline6")
	f.Fuzz(func(t *testing.T, body []byte, overview, geometries string) {
		if !json.Valid(body) {
			return // judge has refused it
		}
		out, err := osrmAnswer(body, &engine.Output{Overview: overview, Geometries: geometries})
		if err == nil && !json.Valid(out) {
			t.Errorf("%q became %q", body, out)
		}
	})
}
