package enginetest

import (
	"testing"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/upstream/upstreamtest"
)

// Reply is an answer of a remote engine's server to a request for a route.
type Reply struct {
	Name, Body string
	Status     int // 0 is 200
	Code       int // of the refusal that it is; 0 is a failure of the server
	Right      bool
	Format     engine.Format // of the request
}

// RunReplies has a server answer a request with each reply: a right one is taken, and all
// others are refused, of which none is passed on.
func RunReplies(t *testing.T, at func(url string) engine.Engine, r engine.RouteRequest, replies []Reply) {
	t.Helper()
	for _, c := range replies {
		r.Format = c.Format
		a, err := at(upstreamtest.Reply(t, c.Status, c.Body)).Route(t.Context(), &r)
		switch {
		case c.Right && err != nil:
			t.Errorf("%s in format %d: %v", c.Name, c.Format, err)
		case !c.Right && (a != nil || !fault.Is(err, fault.Upstream) || engine.Code(err) != c.Code):
			t.Errorf("%s in format %d: %v, want a failure of the server or the code %d", c.Name, c.Format, err, c.Code)
		}
	}
}
