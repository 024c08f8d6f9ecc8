package route_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/waygate/waygate/api"
	"github.com/waygate/waygate/api/apitest"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/waittest"
)

const (
	ends         = `"sources":[{"lat":47.1,"lon":9.5}],"targets":[{"lat":47.2,"lon":9.6},{"lat":1,"lon":1}]`
	thresholdURL = `"locations":[{"lat":47.1,"lon":9.5}],"contours":[{"time":10}]`
)

func TestMatrix(t *testing.T) {
	apitest.Start(t).Send("POST", "/matrix", `{"costing":"auto",`+ends+`}`).Problem(t, 501, "matrix-not-enabled")
	g := apitest.Many(t, nil, func(o *api.Options) { o.MatrixCells = 4 })
	r := g.Send("POST", "/matrix", `{"costing":"auto",`+ends+`}`)
	if r.Status != 200 || r.Header.Get("X-Svc-Quota-Units") != "1" {
		t.Fatalf("%d, %q units: %s", r.Status, r.Header.Get("X-Svc-Quota-Units"), r.Body)
	}
	row := r.At(t, "distances").([]any)[0].([]any)
	if want := geo.Distance(geo.Point{Lon: 9.5, Lat: 47.1}, geo.Point{Lon: 9.6, Lat: 47.2}); math.Abs(row[0].(float64)-want) > 0.1 || row[1] != nil {
		t.Errorf("%s", r.Body)
	}
	if fmt.Sprint(r.At(t, "unreachable")) != "[map[reason:no road near the target source:0 target:1]]" {
		t.Errorf("%s", r.Body)
	}
	// The price does not depend on the size, but on the vehicle.
	if r := g.Send("POST", "/matrix", `{"costing":"truck",`+ends+`}`); r.Status != 200 || r.Header.Get("X-Svc-Quota-Units") != "20" {
		t.Errorf("truck: %d, %q units: %s", r.Status, r.Header.Get("X-Svc-Quota-Units"), r.Body)
	}
	p := g.Send("POST", "/matrix", `{"costing":"auto","locations":[{"lat":47.1,"lon":9.5},{"lat":47.1,"lon":9.5},{"lat":47.1,"lon":9.5}]}`).Problem(t, 400, "bad-request")
	if detail := p["detail"].(string); detail != "locations: makes a matrix of 3 x 3 = 9 cells, and one request may have 4; ask for parts of it" {
		t.Error(detail)
	}
	g.Send("POST", "/matrix", ``).Problem(t, 400, "bad-request")
	g.Send("POST", "/matrix", `{"costing":"auto",`+ends+`,"date_time":{"type":7}}`).Problem(t, 400, "bad-request")
	g.Send("POST", "/matrix", `{"costing":"auto",`+ends+`,"matrix_locations":1}`).Problem(t, 501, "matrix-locations-not-enabled")
	if r := g.Send("POST", "/matrix", `{"costing":"auto"}`); r.Status != 400 || r.Header.Get("X-Svc-Quota-Units") != "" {
		t.Errorf("bad input is charged: %d %s", r.Status, r.Body)
	}
}

func TestIsochrone(t *testing.T) {
	apitest.Start(t).Send("POST", "/isochrone", `{"costing":"auto",`+thresholdURL+`}`).Problem(t, 501, "isochrone-not-enabled")
	g := apitest.Many(t, nil)
	r := g.Send("POST", "/isochrone", `{"costing":"auto",`+thresholdURL+`,"polygons":true,"foo":1}`)
	if r.Status != 200 || r.Header.Get("X-Svc-Quota-Units") != "1" || r.At(t, "type") != "FeatureCollection" || len(r.At(t, "warnings").([]any)) != 2 {
		t.Errorf("%d %s", r.Status, r.Body)
	}
	if r := g.Send("POST", "/isochrone", `{"costing":"truck",`+thresholdURL+`}`); r.Status != 200 || r.Header.Get("X-Svc-Quota-Units") != "20" {
		t.Errorf("%d, %q units: %s", r.Status, r.Header.Get("X-Svc-Quota-Units"), r.Body)
	}
	p := g.Send("POST", "/isochrone", `{"costing":"auto","locations":[{"lat":9.5,"lon":47.1}],"contours":[{"time":10}]}`).Problem(t, 400, "upstream-error")
	if p["error_code"] != 171.0 || p["hint"] == nil {
		t.Errorf("%v", p)
	}
	for body, says := range map[string]string{
		`{"costing":"auto",` + thresholdURL + `,"denoise":2}`:                                                                                    "denoise: is 2",
		`{"costing":"auto","locations":[{"lat":47.1,"lon":9.5}],"contours":[{"time":600}]}`:                                                      "above 0 and at most 120 minutes",
		`{"costing":"auto","locations":[{"lat":47.1,"lon":9.5}],"contours":[{"time":0}]}`:                                                        "above 0",
		`{"costing":"auto","locations":[{"lat":47.1,"lon":9.5}],"contours":[{"time":1},{"time":2},{"time":3},{"time":4},{"time":5},{"time":6}]}`: "6 contours and may have 4",
		`{"costing":"auto","locations":[{"lat":47.1,"lon":9.5}],"contours":[{"range":1000}]}`:                                                    "needs time in minutes or distance",
	} {
		if p := g.Send("POST", "/isochrone", body).Problem(t, 400, "bad-request"); !strings.Contains(p["detail"].(string), says) {
			t.Errorf("%s: %v does not say %q", body, p["detail"], says)
		}
	}
}

// TestMatrixStops checks that work ends with the caller.
func TestMatrixStops(t *testing.T) {
	for limit := range waittest.Limits(100 * time.Millisecond) {
		begun := make(chan struct{})
		g := apitest.Many(t, begun, func(o *api.Options) { o.RequestTimeout = limit })
		r := g.Send("POST", "/matrix", `{"costing":"auto",`+ends+`}`)
		select {
		case <-begun:
			r.Problem(t, 504, "upstream-timeout")
			return
		default:
		}
	}
	t.Fatal("the engine was not asked")
}
