package valhalla

import (
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
)

// FuzzAnswers gives every call of a remote engine the same bytes as its answer:
// each gives an answer that fits its request, or an error.
func FuzzAnswers(f *testing.F) {
	for _, body := range []string{
		`{"trip":{"legs":[{"maneuvers":[{"type":1,"begin_shape_index":0}],"shape":"???AA?","summary":{"length":1,"time":2}}],"summary":{}}}`,
		`{"code":"Ok","routes":[{"geometry":"??","legs":[{"steps":[{"maneuver":{"type":"depart","location":[9.5,47.1]},"intersections":[{"lanes":[{}]}]}]}]}],"waypoints":[{}],"matchings":[{"legs":[]}],"tracepoints":[null,{"matchings_index":0,"location":[1,2]}]}`,
		`{"sources":[[{"lon":1,"lat":2}],[]],"targets":[[]],"sources_to_targets":[[{"distance":1,"time":2},null]],"units":"km"}`,
		`[{"edges":[{"correlated_lon":1,"correlated_lat":2,"percent_along":0.5,"edge_info":{"names":["A"]}}],"nodes":null},{"edges":null}]`,
		`{"type":"FeatureCollection","features":[{"geometry":{"type":"Polygon","coordinates":[[[1,2],[3,4]]]},"properties":{"contour":10}}]}`,
		`{"edges":[{"length":1,"begin_shape_index":0,"end_shape_index":9,"end_node":{"admin_index":7}}],"admins":[],"shape":"??","matched_points":[{"edge_index":18446744073709551615}]}`,
		`{"version":"3.5","tileset_last_modified":-1}`, `{"error_code":171,"error":"no","status_code":400}`, `null`, `[]`, `{}`,
	} {
		f.Add([]byte(body), false, 0)
		f.Add([]byte(body), true, 0)
	}
	f.Add([]byte(`{"error_code":442}`), false, 400)
	var answer atomic.Pointer[[]byte]
	var status atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if code := status.Load(); code >= 200 && code <= 599 {
			w.WriteHeader(int(code))
		}
		_, _ = w.Write(*answer.Load()) // no client waits for more than this
	}))
	f.Cleanup(server.Close)
	e := New(server.URL, server.Client())
	a, b := engine.Location{Point: geo.Point{Lon: -1.5, Lat: 51.5}}, engine.Location{Point: geo.Point{Lon: -1.4, Lat: 51.5}}
	f.Fuzz(func(t *testing.T, body []byte, osrm bool, code int) {
		answer.Store(&body)
		status.Store(int64(code))
		ctx, auto := t.Context(), costing.Auto
		out := engine.Output{Format: engine.Native}
		if osrm {
			out.Format = engine.OSRM
		}
		route := &engine.RouteRequest{Costing: auto, Output: out, Locations: []engine.Location{a, b}}
		trace := &engine.MatchRequest{Costing: auto, Output: out, Trace: []engine.TracePoint{{Point: a.Point}, {Point: b.Point}}}
		_, _ = e.Status(ctx)
		if r, err := e.Route(ctx, route); err == nil && r == nil {
			t.Error("neither a route nor an error")
		}
		if r, err := e.Centroid(ctx, route); err == nil && r == nil {
			t.Error("neither a centroid nor an error")
		}
		if r, err := e.TraceRoute(ctx, trace); err == nil && r == nil {
			t.Error("neither a match nor an error")
		}
		if r, err := e.TraceAttributes(ctx, trace); err == nil && r == nil {
			t.Error("neither attributes nor an error")
		}
		if m, err := e.Matrix(ctx, &engine.MatrixRequest{Costing: auto, Sources: []engine.Location{a, b}, Targets: []engine.Location{b}}); err == nil && m.Cells != nil {
			if len(m.Cells) != 2 || len(m.Cells[0]) != 1 || len(m.Cells[1]) != 1 {
				t.Errorf("a matrix of two by one has the cells %v", m.Cells)
			}
		}
		if r, err := e.Isochrone(ctx, &engine.IsochroneRequest{Costing: auto, Location: a, Contours: []engine.Contour{{}}}); err == nil && r == nil {
			t.Error("neither an isochrone nor an error")
		}
		if r, err := e.Locate(ctx, &engine.LocateRequest{Costing: auto, Locations: []engine.Location{a, b}}); err == nil && r == nil {
			t.Error("neither places nor an error")
		}
		if r, err := e.Nearest(ctx, &engine.NearestRequest{Costing: auto, Location: a, Number: 3}); err == nil && (len(r.Roads) == 0 || len(r.Roads) > 3) {
			t.Errorf("%d roads, up to 3 were wanted", len(r.Roads))
		}
	})
}
