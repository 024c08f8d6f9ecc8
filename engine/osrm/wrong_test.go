package osrm

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
)

// TestWrongAnswers has a server answer what is no answer to the request: all are refused, as
// they are written and as values, and none is passed on.
func TestWrongAnswers(t *testing.T) {
	list := []engine.Location{at(9.52, 47.14), at(9.51, 47.16)}
	line := geo.EncodePolyline([]geo.Point{{Lon: 9.52, Lat: 47.14}, {Lon: 9.51, Lat: 47.16}}, 6)
	short := geo.EncodePolyline([]geo.Point{{Lon: 9.52, Lat: 47.14}, {Lon: 9.51, Lat: 47.16}}, 5)
	answer := func(legs, waypoints, geometry string) string {
		return `{"code":"Ok","routes":[{"distance":1,"duration":1,"geometry":"` + strings.ReplaceAll(geometry, `\\`, `\\\\`) + `","legs":[` + legs + `]}],"waypoints":[` + waypoints + `]}`
	}
	const here, there = `{"location":[9.52,47.14],"distance":0}`, `{"location":[9.51,47.16],"distance":0}`
	for _, c := range []struct {
		name, body string
		status     int
		code       int // of the refusal; 0 is a failure of the server
		right      bool
	}{
		{name: "a right one", body: answer(`{}`, here+","+there, line), right: true},
		{name: "an error with status 200", body: `{"code":"NoRoute","message":"Impossible route between points"}`, code: engine.CodeNoRoute},
		{name: "no code", body: strings.Replace(answer(`{}`, here+","+there, line), `"code":"Ok",`, "", 1)},
		{name: "more legs", body: answer(`{},{}`, here+","+there, line)},
		{name: "no legs", body: answer(``, here+","+there, line)},
		{name: "one place", body: answer(`{}`, here, line)},
		{name: "three places", body: answer(`{}`, here+","+here+","+there, line)},
		{name: "a start 5 km away that says it is here", body: answer(`{}`, `{"location":[9.585,47.14],"distance":0},`+there, line)},
		{name: "a start 50 km away", body: answer(`{}`, `{"location":[9.52,47.59],"distance":50038},`+there, line)},
		{name: "the places exchanged", body: answer(`{}`, there+","+here, line)},
		{name: "a line of another precision", body: answer(`{}`, here+","+there, short)},
		{name: "no line", body: answer(`{}`, here+","+there, "")},
		{name: "no routes", body: `{"code":"Ok","routes":[],"waypoints":[` + here + "," + there + `]}`},
		{name: "a page", body: `<html>welcome</html>`},
		{name: "half an answer", body: answer(`{}`, here+","+there, line)[:80]},
		{name: "a proxy's page", body: `<html>Bad Gateway</html>`, status: 502},
		{name: "too many requests", body: `{"code":"TooManyRequests"}`, status: 429},
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			if c.status != 0 {
				w.WriteHeader(c.status)
			}
			_, _ = w.Write([]byte(c.body)) // a client that hangs up fails by itself
		}))
		e := New(map[costing.Costing]string{costing.Auto: server.URL}, server.Client())
		for _, format := range []engine.Format{engine.OSRM, engine.NoFormat} {
			r := &engine.RouteRequest{Costing: costing.Auto, Locations: list, Output: engine.Output{Format: format, Geometries: "polyline6", Overview: "full"}}
			if format == engine.NoFormat && strings.Contains(c.name, "line") {
				continue // which then is that of the steps
			}
			a, err := e.Route(t.Context(), r)
			if c.right {
				if err != nil {
					t.Errorf("%s: %v", c.name, err)
				}
				continue
			}
			if a != nil || !fault.Is(err, fault.Upstream) || engine.Code(err) != c.code {
				t.Errorf("%s, format %d: %v, want a failure of the server or the code %d", c.name, format, err, c.code)
			}
		}
		server.Close()
	}
}
