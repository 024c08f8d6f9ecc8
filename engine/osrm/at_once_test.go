package osrm

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
)

// TestRoutesAtOnce has four callers ask one engine, whose connections they share: each
// gets the answers to its own questions.
func TestRoutesAtOnce(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, routeFor(r.URL.Path)) // a client that hangs up fails by itself
	}))
	defer server.Close()
	e := New(map[costing.Costing]string{costing.Auto: server.URL}, server.Client())
	var all sync.WaitGroup
	for k := range 4 {
		all.Go(func() {
			for i := range 50 {
				from, to := at(float64(1+k), float64(1+i)), at(1, 1)
				a, err := e.Route(t.Context(), &engine.RouteRequest{Costing: costing.Auto, Output: engine.Output{Format: engine.OSRM}, Locations: []engine.Location{from, to}})
				if err != nil {
					t.Error(err)
					return
				}
				if want := fmt.Sprintf("/%d,%d;1,1", 1+k, 1+i); !strings.Contains(string(a.Raw), want) {
					t.Errorf("%s, want %s", a.Raw, want)
				}
			}
		})
	}
	all.Wait()
}

// routeFor returns the answer of a server that has a road at every place: the path stands in its
// first waypoint.
func routeFor(path string) string {
	places := strings.Split(path[strings.LastIndex(path, "/")+1:], ";")
	var waypoints []string
	for _, p := range places {
		waypoints = append(waypoints, fmt.Sprintf(`{"hint":%q,"location":[%s],"distance":0,"name":"x"}`, path, p))
	}
	return fmt.Sprintf(`{"code":"Ok","routes":[{"distance":1,"duration":1,"legs":[%s]}],"waypoints":[%s]}`, strings.Repeat(`{},`, len(places)-2)+`{}`, strings.Join(waypoints, ","))
}
