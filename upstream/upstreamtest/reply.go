package upstreamtest

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

// Reply starts a server that answers the same to all, until the test ends, and returns its
// address. Status 0 is 200.
func Reply(t testing.TB, status int, body string) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if status != 0 {
			w.WriteHeader(status)
		}
		_, _ = w.Write([]byte(body)) // a client that hangs up fails by itself
	}))
	t.Cleanup(server.Close)
	return server.URL
}
