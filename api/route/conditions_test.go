package route_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/waygate/waygate/api/apitest"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/towntest"
)

// ring writes a polygon around a place.
func ring(p geo.Point, metres float64) string {
	var corners []string
	for _, bearing := range []float64{45, 135, 225, 315} {
		c := geo.Destination(p, bearing, metres)
		corners = append(corners, fmt.Sprintf("[%.6f,%.6f]", c.Lon, c.Lat))
	}
	return `"exclude_polygons":[[` + strings.Join(corners, ",") + `]]`
}

// bodies are requests for the way from a to d, by endpoint.
func bodies(town *towntest.Town) map[string]string {
	a, d := apitest.At(town.Point("a")), apitest.At(town.Point("d"))
	ends := `"costing":"auto","locations":[` + a + `,` + d + `]`
	return map[string]string{
		"/route":          ends,
		"/matrix":         `"costing":"auto","sources":[` + a + `],"targets":[` + d + `]`,
		"/isochrone":      `"costing":"auto","locations":[` + a + `],"contours":[{"distance":10}]`,
		"/centroid":       ends,
		"/route/along":    ends + `,"places":[` + a + `]`,
		"/route/report":   ends,
		"/route/progress": `"origin":` + a + `,"destination":` + d + `,"position":` + a,
	}
}

// TestBendsReachEveryEndpoint closes the High Street between b and c, so that
// the way from a to d is by Mill Lane.
func TestBendsReachEveryEndpoint(t *testing.T) {
	g, town := apitest.Drawn(t)
	closed := ring(town.Between("b", "c", 0.5), 50)
	length := map[string]func(r apitest.Reply) float64{
		"/route":          func(r apitest.Reply) float64 { return 1000 * r.At(t, "trip", "summary", "length").(float64) },
		"/matrix":         func(r apitest.Reply) float64 { return r.At(t, "distances").([]any)[0].([]any)[0].(float64) },
		"/route/along":    func(r apitest.Reply) float64 { return r.At(t, "route", "distance_m").(float64) },
		"/route/report":   func(r apitest.Reply) float64 { return r.At(t, "distance_m").(float64) },
		"/route/progress": func(r apitest.Reply) float64 { return r.At(t, "remaining_distance_m").(float64) },
	}
	side := geo.Distance(town.Point("b"), town.Point("e"))
	for path, body := range bodies(town) {
		plain, bent := g.Send("POST", path, `{`+body+`}`), g.Send("POST", path, `{`+body+`,`+closed+`}`)
		if plain.Status != 200 || bent.Status != 200 {
			t.Errorf("%s: %d %s, %d %s", path, plain.Status, plain.Body, bent.Status, bent.Body)
			continue
		}
		if m := length[path]; m != nil {
			if more := m(bent) - m(plain); more < 2*side-5 || more > 2*side+5 {
				t.Errorf("%s: past the polygon it is %g m further, want %g", path, more, 2*side)
			}
		} else if string(plain.Body) == string(bent.Body) {
			t.Errorf("%s: the polygon changes nothing: %s", path, bent.Body)
		}
	}
}

// TestBadBends sends what cannot be to every endpoint: the problem names the
// member, and costs nothing.
func TestBadBends(t *testing.T) {
	g, town := apitest.Drawn(t)
	b := town.Point("b")
	position := func(p geo.Point) string { return fmt.Sprintf("[%g,%g]", p.Lon, p.Lat) }
	e, c, f := town.Point("e"), town.Point("c"), town.Point("f")
	for path, body := range bodies(town) {
		for _, x := range []struct {
			members, says string
			timed         bool
		}{
			{`"exclude_polygons":[[` + position(b) + `,` + position(f) + `,` + position(c) + `,` + position(e) + `]]`, "exclude_polygons[0]: crosses itself", false},
			{`"exclude_polygons":[[` + position(b) + `,` + position(c) + `]]`, "exclude_polygons[0]: has 2 different corners and needs at least 3", false},
			{ring(b, 5000), "may have 10000 m", false},
			{`"exclude_locations":[{"lat":91,"lon":0}]`, "exclude_locations[0].lat", false},
			{`"speed_types":["fast"]`, "speed_types", false},
			{`"date_time":{"type":1,"value":"1969-12-31T23:59"}`, "date_time.value: must not be before the year 1970", true},
			{`"date_time":{"type":1,"value":"noon"}`, "date_time.value: must be a local date", true},
			{`"date_time":{"type":9}`, "date_time.type", true},
		} {
			if x.timed && (path == "/centroid" || path == "/route/progress") {
				continue
			}
			r := g.Send("POST", path, `{`+body+`,`+x.members+`}`)
			if p := r.Problem(t, 400, "bad-request"); !strings.Contains(p["detail"].(string), x.says) {
				t.Errorf("%s with %s: %v, want %q", path, x.members, p["detail"], x.says)
			}
			if units := r.Header.Get("X-Svc-Quota-Units"); units != "" {
				t.Errorf("%s: a refusal costs %s units", path, units)
			}
		}
		if p := g.Send("POST", path, `{`+body+`,"exclude_locations":[{"lat":40,"lon":-30}]}`).Problem(t, 400, "upstream-error"); !strings.Contains(p["detail"].(string), "exclude_locations[0]") || p["error_code"] != 171.0 {
			t.Errorf("%s, a place at sea: %v", path, p)
		}
	}
	g.Send("POST", "/centroid", `{`+bodies(town)["/centroid"]+`,"date_time":{"type":0}}`).Problem(t, 501, "date-time-not-enabled")
	a := apitest.At(town.Point("a"))
	p := g.Send("POST", "/route/report", `{"shape":[`+a+`,`+apitest.At(b)+`],`+ring(c, 20)+`}`).Problem(t, 400, "bad-request")
	if !strings.Contains(p["detail"].(string), "shape: stands beside") {
		t.Errorf("%v", p)
	}
}

// FuzzTypedBodies sends anything to the endpoints whose bodies a type describes: no
// body makes a failure of ours.
func FuzzTypedBodies(f *testing.F) {
	for _, body := range []string{
		`{"costing":"auto","locations":[{"lat":1,"lon":2},{"lat":1,"lon":3}],"places":[{"lat":1,"lon":2}]}`,
		`{"shape":[{"lat":1,"lon":2},{"lat":1,"lon":3}],"position":{"lat":1,"lon":2,"heading":90},"at":"2026-09-01T08:00:00Z"}`,
		`{"encoded_polyline":"_p~iF~ps|U_ulLnnqC","date_time":{"type":1,"value":"2026-09-01T08:00"},"exclude_polygons":[[[1,2],[3,4],[5,6]]]}`,
		`{"origin":null,"destination":7}`, `[]`, `{"costing_options":{"auto":{"height":1e99}}}`, "\xff", `{"a":1,"a":2}`,
	} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		g, _ := apitest.Drawn(t)
		for _, path := range []string{"/route/along", "/route/progress", "/route/report"} {
			if r := g.Send("POST", path, string(body)); r.Status >= 500 && r.Status != 501 {
				t.Errorf("%s %q: %d %s", path, body, r.Status, r.Body)
			}
		}
	})
}
