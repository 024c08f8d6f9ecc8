package valhalla

import (
	"testing"
	"time"

	"github.com/waygate/waygate/fault"
)

// TestStatusOfAServer has answers to a request of the status: a time of the tiles that is not
// stated is none, and what is no status is a fault of the server.
func TestStatusOfAServer(t *testing.T) {
	for body, want := range map[string]int64{
		`{"version":"3.5.1","tileset_last_modified":1700000000}`: 1_700_000_000, `{"version":"3.5.1","tileset_last_modified":1}`: 1,
		`{"version":"3.5.1","tileset_last_modified":0}`: 0, `{"version":"3.5.1","tileset_last_modified":-1}`: 0, `{"version":"3.5.1"}`: 0,
	} {
		s, err := replying(t, 200, body).Status(t.Context())
		if err != nil || s.Version != "3.5.1" {
			t.Errorf("%s: %+v %v", body, s, err)
			continue
		}
		if (s.GraphDate == nil) != (want == 0) || s.GraphDate != nil && !s.GraphDate.Equal(time.Unix(want, 0)) {
			t.Errorf("%s: the graph is of %v", body, s.GraphDate)
		}
	}
	for status, body := range map[int]string{200: `{"version":7}`, 201: `[]`, 202: ``, 500: `{"version":"3.5.1"}`} {
		if status < 300 {
			status = 200
		}
		if s, err := replying(t, status, body).Status(t.Context()); err == nil || fault.Is(err, fault.Internal) {
			t.Errorf("%d %s: %+v %v", status, body, s, err)
		}
	}
}
