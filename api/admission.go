package api

import (
	"math"
	"net"
	"net/http"
	"net/netip"
	"strings"

	"github.com/waygate/waygate/fault"
)

// sentKey finds an API key: a bearer token or the query parameter api_key.
func sentKey(r *http.Request) (string, bool) {
	if h := r.Header.Get("Authorization"); h != "" {
		scheme, token, _ := strings.Cut(h, " ")
		if strings.EqualFold(scheme, "Bearer") {
			return strings.TrimSpace(token), true
		}
		return h, true
	}
	if strings.Contains(r.URL.RawQuery, "api_key=") {
		// A query with bare semicolons, as lists on the compatible endpoint
		// have, does not parse with net/url: look at the pairs one by one.
		for pair := range strings.SplitSeq(r.URL.RawQuery, "&") {
			if v, ok := strings.CutPrefix(pair, "api_key="); ok {
				return v, true
			}
		}
	}
	return "", false
}

// admitted lets a call of a metered row pass or refuses it.
//
// This build issues no keys. A key that is sent is therefore not valid and
// answers 401 even while the demo lane is open: a caller who believes to be
// known must not silently become a stranger. A call without a key takes the
// demo lane, at SVC_DEMO_RPM calls a minute for each client address.
func (a *API) admitted(r row, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if err := a.admit(req); err != nil {
			refuse(w, req, err, r.fail())
			return
		}
		next.ServeHTTP(w, req)
	})
}

func (a *API) admit(r *http.Request) error {
	_, sent := sentKey(r)
	switch {
	case sent && a.demo != nil:
		return fault.New(fault.Unauthorized, "the API key is not valid here: this deployment issues no keys; leave it out to use the keyless demo lane")
	case sent:
		return fault.New(fault.Unauthorized, "the API key is not valid here")
	case a.demo == nil:
		return fault.New(fault.Unauthorized, "an API key is needed: send Authorization: Bearer <API_KEY> or api_key in the query (the keyless demo lane is closed here)")
	}
	if wait, ok := a.demo.allow(network(a.client(r))); !ok {
		seconds := int(math.Ceil(wait.Seconds()))
		return fault.New(fault.RateLimited, "the keyless demo lane takes %d calls a minute from one address; try again in %d s", a.options.DemoRPM, seconds).
			With("retry_after", seconds).With("limit_per_min", a.options.DemoRPM)
	}
	return nil
}

// network is what the demo lane counts as one client: an IPv4 address, or the
// /64 an IPv6 host usually has to itself.
func network(addr netip.Addr) netip.Addr {
	if addr.Is6() {
		if p, err := addr.Prefix(64); err == nil {
			return p.Addr()
		}
	}
	return addr
}

// client is the address a request comes from: the peer's, or, where the peer
// is a trusted proxy, the last address of X-Forwarded-For that is not one.
func (a *API) client(r *http.Request) netip.Addr {
	addr := peer(r)
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for i := len(hops) - 1; i >= 0 && a.trusted(addr); i-- {
		hop, err := netip.ParseAddr(strings.TrimSpace(hops[i]))
		if err != nil {
			break
		}
		addr = hop.Unmap().WithZone("")
	}
	return addr
}

// peer is the address at the other end of the connection.
func peer(r *http.Request) netip.Addr {
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

func (a *API) trusted(addr netip.Addr) bool {
	for _, p := range a.options.TrustedProxies {
		if p.Contains(addr) {
			return true
		}
	}
	return false
}
