package e2e

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/waittest"
)

// client follows no redirects and waits for no answer for ever.
var client = &http.Client{
	Timeout:       waittest.Patience,
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	Transport:     &http.Transport{MaxIdleConnsPerHost: 32},
}

// answer is an answer of the gateway.
type answer struct {
	status int
	header http.Header
	body   []byte
}

func (a *answer) String() string {
	body := string(a.body)
	if len(body) > 2000 {
		body = body[:2000] + "…"
	}
	return fmt.Sprintf("%d %s", a.status, body)
}

// into decodes the body, which must be JSON, into v.
func (a *answer) into(t testing.TB, v any) {
	t.Helper()
	if err := json.Unmarshal(a.body, v); err != nil {
		t.Fatalf("%v: %s", err, a)
	}
}

// ok fails the test unless the status is 200.
func (a *answer) ok(t *testing.T) *answer {
	t.Helper()
	if a.status != http.StatusOK {
		t.Fatalf("want 200: %s", a)
	}
	return a
}

// request sends one request; header is "Name: value" lines.
func request(method, url, body string, header ...string) (*answer, error) {
	r, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	for _, h := range header {
		name, value, _ := strings.Cut(h, ": ")
		r.Header.Set(name, value)
	}
	resp, err := client.Do(r)
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	return &answer{resp.StatusCode, resp.Header, data}, err
}

func (g *gateway) send(t testing.TB, method, path, body string, header ...string) *answer {
	t.Helper()
	a, err := request(method, g.url+path, body, header...)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func (g *gateway) get(t testing.TB, path string, header ...string) *answer {
	t.Helper()
	return g.send(t, http.MethodGet, path, "", header...)
}

// raw sends bytes as they are, for requests that no client library makes, and
// reads one answer.
func (g *gateway) raw(t *testing.T, head, body string) *answer {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(g.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	if err := conn.SetDeadline(time.Now().Add(waittest.Patience)); err != nil {
		t.Fatal(err)
	}
	length := ""
	if body != "" {
		length = fmt.Sprintf("Content-Length: %d\r\n", len(body))
	}
	go func() { // a server may answer and hang up before it has read all
		_, _ = io.Copy(conn, io.MultiReader(strings.NewReader(head+" HTTP/1.1\r\nHost: waygate.test\r\nConnection: close\r\n"+length+"\r\n"), strings.NewReader(body)))
	}()
	method, _, _ := strings.Cut(head, " ")
	resp, err := http.ReadResponse(bufio.NewReader(conn), &http.Request{Method: method})
	if err != nil {
		t.Fatalf("%.80s: no answer: %v", head, err)
	}
	data, err := io.ReadAll(resp.Body)
	if err != nil && len(data) == 0 {
		t.Fatalf("%.80s: %v", head, err)
	}
	return &answer{resp.StatusCode, resp.Header, data}
}

// ask is a native request; its members are those of the wire.
type ask map[string]any

func at(p geo.Point) map[string]any { return map[string]any{"lat": p.Lat, "lon": p.Lon} }

// between asks for a route through places of the sample county.
func between(t *testing.T, costing string, places ...string) ask {
	t.Helper()
	var locations []map[string]any
	for _, p := range places {
		locations = append(locations, at(countyPlace(t, p)))
	}
	return ask{"locations": locations, "costing": costing}
}

// with returns the request with one more member.
func (a ask) with(name string, value any) ask {
	more := ask{name: value}
	for k, v := range a {
		if _, own := more[k]; !own {
			more[k] = v
		}
	}
	return more
}

func (a ask) options(name string, value any) ask {
	return a.with("costing_options", map[string]any{a["costing"].(string): map[string]any{name: value}})
}

func (g *gateway) native(t *testing.T, a ask) *answer {
	t.Helper()
	body, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	return g.send(t, http.MethodPost, "/route", string(body), "Content-Type: application/json")
}

// trip is a native answer as far as the tests read it.
type trip struct {
	Trip struct {
		Units     string
		Locations []struct{ Lat, Lon float64 }
		Summary   summary
		Legs      []struct {
			Summary   summary
			Shape     string
			Maneuvers []struct {
				Type          int
				Instruction   string
				Length        float64
				Time          float64
				TravelType    string `json:"travel_type"`
				StreetNames   []string
				Toll          bool
				RoundaboutOut int `json:"roundabout_exit_count"`
			}
		}
	}
	Alternates []trip
	ADR        *struct {
		EnforcedBy string `json:"enforced_by"`
		TunnelCode *string
		Tunnels    []struct {
			Category string
			Decision struct{ Status, Reason string }
			WayID    int64 `json:"way_id"`
		}
		Caveats []string
	}
	Avoid *struct {
		Avoid, Exclude []string
		CostingOptions map[string]any `json:"costing_options"`
	}
	Warnings []struct {
		Code int
		Text string
	}
}

type summary struct {
	Length, Time float64
	HasToll      bool `json:"has_toll"`
	HasHighway   bool `json:"has_highway"`
	HasFerry     bool `json:"has_ferry"`
}

// route asks for a route that there must be.
func (g *gateway) route(t *testing.T, a ask) trip {
	t.Helper()
	got := g.native(t, a)
	if got.status != http.StatusOK {
		body, _ := json.Marshal(a)
		t.Fatalf("%s\n%s", body, got)
	}
	var r trip
	got.into(t, &r)
	if len(r.Trip.Legs) == 0 {
		t.Fatalf("a route without legs: %s", got)
	}
	return r
}

// line returns the whole geometry of a trip.
func (r *trip) line(t *testing.T) []geo.Point {
	t.Helper()
	var all []geo.Point
	for _, l := range r.Trip.Legs {
		part, err := geo.DecodePolyline(l.Shape, 6)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, part...)
	}
	return all
}

// passes returns how near a line comes to a point, in metres.
func passes(line []geo.Point, p geo.Point) float64 {
	nearest := geo.Distance(line[0], p)
	for i := 1; i < len(line); i++ {
		q, _, _ := geo.Nearest(p, line[i-1], line[i])
		nearest = min(nearest, geo.Distance(p, q))
	}
	return nearest
}

// problem is a failure of any endpoint, in either form.
type problem struct {
	Type, Title, Detail, Code, Message string
	Status                             int
	ErrorCode                          int            `json:"error_code"`
	BlockedBy                          map[string]any `json:"blocked_by"`
	Fields                             map[string]any `json:"-"`
}

// refused fails the test unless the answer is a proper failure with the status
// and the slug, or the code on the compatible endpoint.
func (a *answer) refused(t *testing.T, status int, slug string) problem {
	t.Helper()
	if a.status != status {
		t.Fatalf("want %d %s: %s", status, slug, a)
	}
	var p problem
	a.into(t, &p)
	if err := json.Unmarshal(a.body, &p.Fields); err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(a.body, []byte("goroutine")) || bytes.Contains(a.body, []byte(".go:")) {
		t.Errorf("the failure tells of our insides: %s", a)
	}
	if a.header.Get("Access-Control-Allow-Origin") != "*" {
		t.Errorf("no page could read this failure: %v", a.header)
	}
	if p.Code != "" {
		if p.Code != slug || p.Message == "" || len(p.Fields) != 2 || a.header.Get("Content-Type") != "application/json" {
			t.Errorf("want the envelope with %s: %s", slug, a)
		}
		return p
	}
	if _, there := p.Fields["instance"]; there || p.Type != "urn:svc-gateway:problem:"+slug || p.Status != status || p.Title == "" || p.Detail == "" {
		t.Errorf("want the problem %s: %s", slug, a)
	}
	if media := a.header.Get("Content-Type"); media != "application/problem+json" {
		t.Errorf("the problem has the media type %q", media)
	}
	return p
}
