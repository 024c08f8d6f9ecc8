package osrm

import (
	"fmt"
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
		_, _ = fmt.Fprintf(w, `{"code":"Ok","routes":[],"waypoints":[{"hint":%q}]}`, r.URL.Path) // a client that hangs up fails by itself
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
