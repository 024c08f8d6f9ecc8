package valhalla

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/waygate/waygate/geo"
)

// TestRoutesAtOnce has four callers ask one engine, whose connections they share: each
// gets the answers to its own questions.
func TestRoutesAtOnce(t *testing.T) {
	e := New(listen(t, func(c net.Conn) {
		for r := bufio.NewReader(c); ; {
			req, err := http.ReadRequest(r)
			if err != nil {
				return // the client has hung up
			}
			asked, err := io.ReadAll(req.Body)
			if err != nil {
				return
			}
			_, _ = io.WriteString(c, response(200, tripFor(asked)))
		}
	}), nil)
	var all sync.WaitGroup
	for k := range 4 {
		all.Go(func() {
			for i := range 50 {
				r := someRequest()
				r.Locations[0].Point = geo.Point{Lon: float64(1 + k), Lat: float64(1 + i)}
				a, err := e.Route(t.Context(), r)
				if err != nil {
					t.Error(err)
					return
				}
				if want := fmt.Sprintf(`"lat":%d,"lon":%d`, 1+i, 1+k); !strings.Contains(string(a.Raw), want) {
					t.Errorf("%s, want %s", a.Raw, want)
				}
			}
		})
	}
	all.Wait()
}
