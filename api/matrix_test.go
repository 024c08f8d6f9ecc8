package api_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/waygate/waygate/api"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/world"
)

// manyWays is the straight-line engine with matrices and circles.
type manyWays struct {
	*straight
	hold chan struct{} // where not nil, Matrix waits for the end of its context
}

func (m manyWays) Can() engine.Can {
	can := m.straight.Can()
	can.Calls = append(can.Calls, engine.CallMatrix, engine.CallIsochrone)
	return can
}

func (m manyWays) Matrix(ctx context.Context, r *engine.MatrixRequest) (*engine.MatrixAnswer, error) {
	if m.hold != nil {
		close(m.hold)
		<-ctx.Done()
		return nil, ctx.Err()
	}
	a := &engine.MatrixAnswer{}
	for _, s := range r.Sources {
		var row []engine.MatrixCell
		for _, t := range r.Targets {
			metres := geo.Distance(s.Point, t.Point)
			row = append(row, engine.MatrixCell{Seconds: metres / 50 * 3.6, Metres: metres, Reached: m.region.Contains(s.Point) && m.region.Contains(t.Point)})
		}
		a.Cells = append(a.Cells, row)
	}
	for i, list := range [][]engine.Location{r.Sources, r.Targets} {
		out := make([]engine.Snapped, len(list))
		for j, l := range list {
			if out[j].Point = l.Point; !m.region.Contains(l.Point) {
				out[j] = engine.Snapped{Miss: "no road there"}
			}
		}
		if i == 0 {
			a.Sources = out
		} else {
			a.Targets = out
		}
	}
	return a, nil
}

func (m manyWays) Isochrone(_ context.Context, r *engine.IsochroneRequest) (*engine.IsochroneAnswer, error) {
	if !m.region.Contains(r.Location.Point) {
		return nil, engine.Refused(engine.CodeNoSegment, "locations[0] has no road")
	}
	p := r.Location.Point
	body := fmt.Sprintf(`{"features":[{"properties":{"contour":%g,"metric":"time","color":"#bf4040","fill-opacity":0.33},"geometry":{"coordinates":[[[%g,%g],[%g,%g],[%g,%g],[%g,%g]]],"type":"Polygon"},"type":"Feature"}],"type":"FeatureCollection"}`,
		r.Contours[0].Minutes, p.Lon-0.1, p.Lat-0.1, p.Lon+0.1, p.Lat-0.1, p.Lon, p.Lat+0.1, p.Lon-0.1, p.Lat-0.1)
	return &engine.IsochroneAnswer{Raw: []byte(body), Warnings: []engine.Warning{{Code: 5, Text: "this engine draws triangles"}}}, nil
}

// many starts an edge whose engine has them.
func many(t *testing.T, hold chan struct{}, change ...func(*api.Options)) *gateway {
	t.Helper()
	return start(t, append(change, func(o *api.Options) {
		o.Acquire = changed(t, o.Acquire, func(r *world.Region) { r.Engine = manyWays{r.Engine.(*straight), hold} })
	})...)
}

const (
	ends   = `"sources":[{"lat":47.1,"lon":9.5}],"targets":[{"lat":47.2,"lon":9.6},{"lat":1,"lon":1}]`
	within = `"locations":[{"lat":47.1,"lon":9.5}],"contours":[{"time":10}]`
)

func TestMatrix(t *testing.T) {
	start(t).send("POST", "/matrix", `{"costing":"auto",`+ends+`}`).problem(t, 501, "not-enabled")
	g := many(t, nil, func(o *api.Options) { o.MatrixCells = 4 })
	r := g.send("POST", "/matrix", `{"costing":"auto",`+ends+`}`)
	if r.status != 200 || r.header.Get("X-Svc-Quota-Units") != "1" {
		t.Fatalf("%d, %q units: %s", r.status, r.header.Get("X-Svc-Quota-Units"), r.body)
	}
	row := r.at(t, "distances").([]any)[0].([]any)
	if want := geo.Distance(geo.Point{Lon: 9.5, Lat: 47.1}, geo.Point{Lon: 9.6, Lat: 47.2}); math.Abs(row[0].(float64)-want) > 0.1 || row[1] != nil {
		t.Errorf("%s", r.body)
	}
	if fmt.Sprint(r.at(t, "unreachable")) != "[map[reason:no road near the target source:0 target:1]]" {
		t.Errorf("%s", r.body)
	}
	// The price does not depend on the size, but on the vehicle.
	if r := g.send("POST", "/matrix", `{"costing":"truck",`+ends+`}`); r.status != 200 || r.header.Get("X-Svc-Quota-Units") != "20" {
		t.Errorf("truck: %d, %q units: %s", r.status, r.header.Get("X-Svc-Quota-Units"), r.body)
	}
	p := g.send("POST", "/matrix", `{"costing":"auto","locations":[{"lat":47.1,"lon":9.5},{"lat":47.1,"lon":9.5},{"lat":47.1,"lon":9.5}]}`).problem(t, 400, "bad-request")
	if detail := p["detail"].(string); detail != "locations: makes a matrix of 3 x 3 = 9 cells, and one request may have 4; ask for parts of it" {
		t.Error(detail)
	}
	g.send("POST", "/matrix", ``).problem(t, 400, "bad-request")
	g.send("POST", "/matrix", `{"costing":"auto",`+ends+`,"date_time":{"type":7}}`).problem(t, 400, "bad-request")
	g.send("POST", "/matrix", `{"costing":"auto",`+ends+`,"matrix_locations":1}`).problem(t, 501, "not-enabled")
	if r := g.send("POST", "/matrix", `{"costing":"auto"}`); r.status != 400 || r.header.Get("X-Svc-Quota-Units") != "" {
		t.Errorf("bad input is charged: %d %s", r.status, r.body)
	}
}

func TestIsochrone(t *testing.T) {
	start(t).send("POST", "/isochrone", `{"costing":"auto",`+within+`}`).problem(t, 501, "not-enabled")
	g := many(t, nil)
	r := g.send("POST", "/isochrone", `{"costing":"auto",`+within+`,"polygons":true,"foo":1}`)
	if r.status != 200 || r.header.Get("X-Svc-Quota-Units") != "1" || r.at(t, "type") != "FeatureCollection" || len(r.at(t, "warnings").([]any)) != 2 {
		t.Errorf("%d %s", r.status, r.body)
	}
	if r := g.send("POST", "/isochrone", `{"costing":"truck",`+within+`}`); r.status != 200 || r.header.Get("X-Svc-Quota-Units") != "20" {
		t.Errorf("%d, %q units: %s", r.status, r.header.Get("X-Svc-Quota-Units"), r.body)
	}
	p := g.send("POST", "/isochrone", `{"costing":"auto","locations":[{"lat":9.5,"lon":47.1}],"contours":[{"time":10}]}`).problem(t, 400, "upstream-error")
	if p["error_code"] != 171.0 || p["hint"] == nil {
		t.Errorf("%v", p)
	}
	for body, says := range map[string]string{
		`{"costing":"auto",` + within + `,"denoise":2}`:                                                                                          "denoise: is 2",
		`{"costing":"auto","locations":[{"lat":47.1,"lon":9.5}],"contours":[{"time":600}]}`:                                                      "above 0 and at most 120 minutes",
		`{"costing":"auto","locations":[{"lat":47.1,"lon":9.5}],"contours":[{"time":0}]}`:                                                        "above 0",
		`{"costing":"auto","locations":[{"lat":47.1,"lon":9.5}],"contours":[{"time":1},{"time":2},{"time":3},{"time":4},{"time":5},{"time":6}]}`: "6 contours and may have 4",
		`{"costing":"auto","locations":[{"lat":47.1,"lon":9.5}],"contours":[{"range":1000}]}`:                                                    "needs time in minutes or distance",
	} {
		if p := g.send("POST", "/isochrone", body).problem(t, 400, "bad-request"); !strings.Contains(p["detail"].(string), says) {
			t.Errorf("%s: %v does not say %q", body, p["detail"], says)
		}
	}
}

// TestMatrixStops holds that work ends with the caller.
func TestMatrixStops(t *testing.T) {
	begun := make(chan struct{})
	g := many(t, begun, func(o *api.Options) { o.RequestTimeout = 100 * time.Millisecond })
	r := g.send("POST", "/matrix", `{"costing":"auto",`+ends+`}`)
	select {
	case <-begun:
	default:
		t.Fatal("the engine was not asked")
	}
	r.problem(t, 504, "upstream-timeout")
}
