package e2e

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"sync/atomic"
	"testing"
)

// balancer stands before replicas and gives each the next call in turn.
type balancer struct {
	*gateway // the deployment as callers see it
	behind   atomic.Pointer[[]*httputil.ReverseProxy]
	turn     atomic.Uint64
}

// balance starts a balancer, which needs its address before there are
// replicas to send calls to.
func balance(t *testing.T) *balancer {
	b := &balancer{}
	server := httptest.NewServer(b)
	t.Cleanup(server.Close)
	b.gateway = &gateway{url: server.URL}
	return b
}

// between has the balancer call these replicas.
func (b *balancer) between(t *testing.T, replicas []*gateway) {
	t.Helper()
	var all []*httputil.ReverseProxy
	for _, g := range replicas {
		target, err := url.Parse(g.url)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(target)
			r.SetXForwarded()
		}})
	}
	b.behind.Store(&all)
}

func (b *balancer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	all := *b.behind.Load()
	all[b.turn.Add(1)%uint64(len(all))].ServeHTTP(w, r)
}
