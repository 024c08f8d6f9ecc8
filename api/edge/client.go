package edge

import (
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// Client returns the address a request comes from: the peer's, or, where the peer
// is a trusted proxy, the last address of X-Forwarded-For that is not one.
func (e *Edge) Client(r *http.Request) netip.Addr {
	if client := traceOf(r.Context()).client; client.IsValid() {
		return client
	}
	return e.clientOf(r)
}

func (e *Edge) clientOf(r *http.Request) netip.Addr {
	addr := peer(r)
	forwarded := r.Header.Values("X-Forwarded-For")
	if len(forwarded) == 0 || !e.trusted(addr) {
		return addr
	}
	hops := strings.Split(strings.Join(forwarded, ","), ",")
	for i := len(hops) - 1; i >= 0 && e.trusted(addr); i-- {
		hop, err := netip.ParseAddr(strings.TrimSpace(hops[i]))
		if err != nil {
			break
		}
		addr = hop.Unmap().WithZone("")
	}
	return addr
}

// peer returns the address at the other end of the connection.
func peer(r *http.Request) netip.Addr {
	if at, err := netip.ParseAddrPort(r.RemoteAddr); err == nil {
		return at.Addr().Unmap().WithZone("")
	}
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		host = r.RemoteAddr
	}
	addr, err := netip.ParseAddr(host)
	if err != nil {
		return netip.Addr{}
	}
	return addr.Unmap().WithZone("")
}

func (e *Edge) trusted(addr netip.Addr) bool {
	for _, p := range e.options.TrustedProxies {
		if p.Contains(addr) {
			return true
		}
	}
	return false
}

// Base returns the address of this server as the caller sees it, without a slash at
// the end: the configured one, or the one the request was sent to.
func (e *Edge) Base(r *http.Request) string {
	if e.options.BaseURL != "" {
		return e.options.BaseURL
	}
	scheme := "http"
	if r.TLS != nil || e.trusted(peer(r)) && r.Header.Get("X-Forwarded-Proto") == "https" {
		scheme = "https"
	}
	return scheme + "://" + r.Host
}
