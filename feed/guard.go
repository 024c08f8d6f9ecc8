package feed

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/waygate/waygate/internet"
)

// Bounds of a connection.
const (
	dialTime   = 10 * time.Second
	headerTime = 30 * time.Second
	maxHeader  = 64 << 10 // bytes
	maxHops    = 5
)

// newClient makes a client for one source. Wherever a redirect or a link of a
// document leads, only the host that the operator named may be at an address that
// is not public, unless that host is at such an address itself.
func newClient(s *Source) *http.Client {
	home := s.remote()
	g := &guard{dialer: newDialer(), proxy: http.ProxyFromEnvironment}
	if u := home; u != nil {
		g.named = append(g.named, u.Hostname())
		if proxy, err := http.ProxyFromEnvironment(&http.Request{URL: u}); err == nil && proxy != nil {
			g.named = append(g.named, proxy.Hostname())
		}
	}
	if s.OAuth != nil {
		if u, err := url.Parse(s.OAuth.TokenURL); err == nil {
			g.named = append(g.named, u.Hostname())
		}
	}
	t := &http.Transport{
		DialContext: g.dial, TLSHandshakeTimeout: dialTime, ResponseHeaderTimeout: headerTime, MaxResponseHeaderBytes: maxHeader,
		MaxIdleConnsPerHost: 2, IdleConnTimeout: time.Minute, ForceAttemptHTTP2: true,
		DisableCompression: true, // packed documents are unpacked within bounds
		Proxy:              g.through,
	}
	return &http.Client{Transport: t, CheckRedirect: func(r *http.Request, via []*http.Request) error {
		if len(via) > maxHops {
			return fmt.Errorf("more than %d redirects", maxHops)
		}
		if r.URL.Scheme != "http" && r.URL.Scheme != "https" {
			return errors.New("a redirect leads to no http or https address")
		}
		if via[0].URL.Scheme == "https" && r.URL.Scheme == "http" {
			return errors.New("a redirect leads from https to http")
		}
		if r.Body != nil && !sameServer(via[0].URL, r.URL) {
			return errors.New("a redirect leads to another server, which is not told the secret of oauth")
		}
		r.Header.Del("Referer") // the address before, whose query may hold a key
		if home == nil || !sameServer(home, r.URL) {
			for name := range s.Headers { // secrets of the operator's for one server
				r.Header.Del(name)
			}
			r.Header.Del("Authorization")
		}
		return nil
	}}
}

// sameServer reports whether secrets for one address may be sent to another: host and port
// are the same, as for curl (CVE-2022-27774), or http has become https on the usual ports.
func sameServer(one, other *url.URL) bool {
	port := func(u *url.URL) string {
		return cmp.Or(u.Port(), map[string]string{"http": "80", "https": "443"}[u.Scheme])
	}
	from, to := port(one), port(other)
	return strings.EqualFold(one.Hostname(), other.Hostname()) && (from == to || from == "80" && to == "443" && other.Scheme == "https")
}

// guard decides which addresses are connected to.
type guard struct {
	named  []string // hosts that an operator named, that of the feed first
	dialer *net.Dialer
	proxy  func(*http.Request) (*url.URL, error) // that a request goes through; a nil address is none
}

// through returns the proxy of a request. The guard connects to the proxy alone and does
// not see where that connects to, so it judges the request's host before: by its
// address, or by those that its name has here. A name that is known to the proxy only
// is the proxy's to judge.
func (g *guard) through(r *http.Request) (*url.URL, error) {
	to, err := g.proxy(r)
	if err != nil || to == nil {
		return to, err
	}
	host := r.URL.Hostname()
	if g.isNamed(host) || g.private(r.Context()) {
		return to, nil
	}
	list, err := net.DefaultResolver.LookupNetIP(r.Context(), "ip", host)
	if err == nil && slices.ContainsFunc(list, func(at netip.Addr) bool { return !internet.Public(at) }) {
		return nil, notPublic(host)
	}
	return to, nil
}

func (g *guard) isNamed(host string) bool {
	return slices.ContainsFunc(g.named, func(n string) bool { return strings.EqualFold(n, host) })
}

func notPublic(host string) error {
	return fmt.Errorf("%s is no public address, and the feed's own is one", host)
}

func (g *guard) dial(ctx context.Context, network, address string) (net.Conn, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	if g.isNamed(host) || g.private(ctx) {
		return g.dialer.DialContext(ctx, network, address)
	}
	d := *g.dialer
	d.Control = func(_, address string, _ syscall.RawConn) error {
		at, err := netip.ParseAddrPort(address)
		if err == nil && !internet.Public(at.Addr()) {
			err = notPublic(host)
		}
		return err
	}
	return d.DialContext(ctx, network, address)
}

// private reports whether the operator's own host is at an address that is not
// public: then the feed is one of his network.
func (g *guard) private(ctx context.Context) bool {
	if len(g.named) == 0 {
		return false
	}
	list, err := net.DefaultResolver.LookupNetIP(ctx, "ip", g.named[0])
	return err == nil && len(list) > 0 && !slices.ContainsFunc(list, internet.Public)
}

func newDialer() *net.Dialer { return &net.Dialer{Timeout: dialTime} }
