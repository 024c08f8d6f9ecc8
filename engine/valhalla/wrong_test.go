package valhalla

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
)

// TestWrongAnswers has a server answer what is no answer to the request: all are refused, and
// none is passed on.
func TestWrongAnswers(t *testing.T) {
	right := tripFor([]byte(`{"locations":[{"lat":51.5,"lon":-1.5},{"lat":51.5,"lon":-1.4}]}`))
	swap := func(old, replacement string) string {
		if !strings.Contains(right, old) {
			t.Fatalf("%q is not in %s", old, right)
		}
		return strings.Replace(right, old, replacement, 1)
	}
	line := func(digits int, points ...geo.Point) string { return geo.EncodePolyline(points, digits) }
	a, b, far := geo.Point{Lon: -1.5, Lat: 51.5}, geo.Point{Lon: -1.4, Lat: 51.5}, geo.Point{Lon: -1.5, Lat: 51.95}
	near := line(6, a, b)
	waypoints := func(p, q geo.Point, legs string) string {
		return fmt.Sprintf(`{"code":"Ok","routes":[{"geometry":"","legs":[%s]}],"waypoints":[{"location":[%g,%g]},{"location":[%g,%g]}]}`, legs, p.Lon, p.Lat, q.Lon, q.Lat)
	}
	for _, c := range []struct {
		name, body string
		format     engine.Format
		status     int
		code       int // of the refusal; 0 is a failure of the server
		right      bool
	}{
		{name: "a right one", body: right, format: engine.Native, right: true},
		{name: "a right one in OSRM's form", body: waypoints(a, b, `{}`), format: engine.OSRM, right: true},
		{name: "an error with status 200", body: `{"error_code":442,"error":"No path could be found for input","status_code":400}`, format: engine.Native, code: engine.CodeNoRoute},
		{name: "an error of OSRM's form with status 200", body: `{"code":"NoRoute","message":"Impossible"}`, format: engine.OSRM},
		{name: "more legs", body: swap(`"legs":[`, `"legs":[{"shape":"`+near+`"},`), format: engine.Native},
		{name: "no legs", body: swap(`"legs":[`, `"stages":[`), format: engine.Native},
		{name: "a start 5 km away in another's answer", body: swap(`"lat":51.5`, `"lat":51.545`), format: engine.Native},
		{name: "a line 50 km away", body: swap(near, line(6, far, b)), format: engine.Native},
		{name: "a line of five digits", body: swap(near, line(5, a, b)), format: engine.Native},
		{name: "a line of seven digits", body: swap(near, line(6, geo.Point{Lon: -15, Lat: 80}, geo.Point{Lon: -14, Lat: 80})), format: engine.Native},
		{name: "no line", body: swap(near, ""), format: engine.Native},
		{name: "three places", body: swap(`"locations":[`, `"locations":[{"lat":51.5,"lon":-1.5},`), format: engine.Native},
		{name: "more legs in OSRM's form", body: waypoints(a, b, `{},{}`), format: engine.OSRM},
		{name: "a start far away in OSRM's form", body: waypoints(far, b, `{}`), format: engine.OSRM},
		{name: "too many requests", body: `{"error_code":500,"error":"later"}`, format: engine.Native, status: 429},
	} {
		e := replying(t, c.status, c.body)
		r := someRequest()
		r.Format = c.format
		answer, err := e.Route(t.Context(), r)
		if c.right {
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
			continue
		}
		if answer != nil || !fault.Is(err, fault.Upstream) || engine.Code(err) != c.code {
			t.Errorf("%s: %v, want a failure of the server or the code %d", c.name, err, c.code)
		}
	}
}

// TestWrongMatrices has a server answer matrices of other sizes, orders and values.
func TestWrongMatrices(t *testing.T) {
	cells := func(rows ...string) string {
		return fmt.Sprintf(`{"sources_to_targets":[%s],"sources":[{"lat":51.5,"lon":-1.5}],"targets":[{"lat":51.5,"lon":-1.5},{"lat":51.5,"lon":-1.4}]}`, strings.Join(rows, ","))
	}
	const one, two = `{"from_index":0,"to_index":0,"time":1,"distance":1}`, `{"from_index":0,"to_index":1,"time":2,"distance":2}`
	for name, body := range map[string]string{
		"":                  cells("[" + one + "," + two + "]"),
		"no rows":           cells(),
		"a row too many":    cells("["+one+","+two+"]", "["+one+","+two+"]"),
		"half a row":        cells("[" + one + "]"),
		"another order":     cells("[" + two + "," + one + "]"),
		"times before none": cells("[" + one + "," + strings.Replace(two, `"time":2`, `"time":-2`, 1) + "]"),
	} {
		list := someRequest().Locations
		a, err := replying(t, 0, body).Matrix(t.Context(), &engine.MatrixRequest{Costing: costing.Auto, Sources: list[:1], Targets: list})
		if name == "" {
			if err != nil || a.Cells[0][1].Seconds != 2 {
				t.Errorf("%v %+v", err, a)
			}
		} else if !fault.Is(err, fault.Upstream) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := replying(t, 0, `[{"edges":[]}]`).Locate(t.Context(), &engine.LocateRequest{Costing: costing.Auto, Locations: someRequest().Locations}); !fault.Is(err, fault.Upstream) {
		t.Errorf("one place for two: %v", err)
	}
	if _, err := replying(t, 0, `{"type":"FeatureCollection"}`).Isochrone(t.Context(), &engine.IsochroneRequest{Costing: costing.Auto, Location: someRequest().Locations[0]}); !fault.Is(err, fault.Upstream) {
		t.Errorf("an isochrone without features: %v", err)
	}
}

// replying is an engine whose server answers the same to all.
func replying(t *testing.T, status int, body string) *Engine {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if status != 0 {
			w.WriteHeader(status)
		}
		_, _ = w.Write([]byte(body)) // a client that hangs up fails by itself
	}))
	t.Cleanup(server.Close)
	return New(server.URL, server.Client())
}
