package osrm

import (
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
)

// FuzzAnswers gives every call the same bytes as its server's answer: each gives an answer
// that fits its request, or an error.
func FuzzAnswers(f *testing.F) {
	for _, body := range []string{
		`{"code":"Ok","routes":[{"distance":1,"legs":[{"steps":[{"geometry":"??AA","maneuver":{"type":"depart","location":[9.5,47.1]},"intersections":[{"location":[9.5,47.1],"in":9,"bearings":[400],"lanes":[{}]}]}]}]}],"waypoints":[{"location":[1,2]},{}]}`,
		`{"code":"Ok","matchings":[{"confidence":0.5,"legs":[{"annotation":{"nodes":[1]},"steps":[]}]}],"tracepoints":[{"matchings_index":0,"waypoint_index":0,"location":[1,2]},{"matchings_index":0,"waypoint_index":1}]}`,
		`{"code":"Ok","durations":[[1],[null]],"distances":[[2],[3]],"sources":[{"location":[1,2]},{}],"destinations":[{}]}`,
		`{"code":"Ok","durations":[[1,null]],"distances":[[2]],"sources":[null],"destinations":[null]}`,
		`{"code":"NoSegment","message":"no"}`, `{"waypoints":[null]}`, `null`, `[]`, `{}`,
	} {
		f.Add([]byte(body), 200)
	}
	f.Add([]byte(`{"code":"NoRoute"}`), 400)
	var answer atomic.Pointer[[]byte]
	var status atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if code := status.Load(); code >= 200 && code <= 599 {
			w.WriteHeader(int(code))
		}
		_, _ = w.Write(*answer.Load()) // no client waits for more than this
	}))
	f.Cleanup(server.Close)
	e := New(map[costing.Costing]string{costing.Auto: server.URL}, server.Client())
	a, b := at(-1.5, 51.5), at(-1.4, 51.5)
	f.Fuzz(func(t *testing.T, body []byte, code int) {
		answer.Store(&body)
		status.Store(int64(code))
		ctx, auto := t.Context(), costing.Auto
		_, _ = e.Status(ctx)
		for _, o := range []engine.Output{{Format: engine.Native}, {Format: engine.OSRM, Overview: "full"}} {
			if r, err := e.Route(ctx, &engine.RouteRequest{Costing: auto, Output: o, Locations: []engine.Location{a, b}}); err == nil && r.Raw == nil {
				for _, rt := range r.Routes {
					if len(rt.Waypoints) != 2 || len(rt.Legs) != 1 || len(rt.Legs[0].Line) == 0 {
						t.Errorf("a route between two places is %+v", rt)
					}
				}
			}
			m, err := e.TraceRoute(ctx, &engine.MatchRequest{Costing: auto, Output: o, Trace: []engine.TracePoint{{Point: a.Point}, {Point: b.Point}}})
			if err == nil && len(m.Points) != 2 {
				t.Errorf("a match of two positions places %d", len(m.Points))
			}
		}
		if m, err := e.Matrix(ctx, &engine.MatrixRequest{Costing: auto, Sources: []engine.Location{a, b}, Targets: []engine.Location{b}}); err == nil && (len(m.Cells) != 2 || len(m.Cells[0]) != 1) {
			t.Errorf("a matrix of two by one has the cells %v", m.Cells)
		}
		if n, err := e.Nearest(ctx, &engine.NearestRequest{Costing: auto, Location: a, Number: 3}); err == nil && (len(n.Roads) == 0 || len(n.Roads) > 3) {
			t.Errorf("of up to three roads there are %d", len(n.Roads))
		}
		_, _ = e.Isochrone(ctx, &engine.IsochroneRequest{Costing: auto, Location: a, Contours: []engine.Contour{{Minutes: 5}}})
	})
}
