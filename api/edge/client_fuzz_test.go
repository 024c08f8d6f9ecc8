package edge

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"testing"
)

// FuzzForwarded: the address of a caller is that of a peer or one that a trusted
// peer names; a peer that is not trusted names none, and no text makes one up.
func FuzzForwarded(f *testing.F) {
	for _, header := range []string{"", "203.0.113.9", "1.2.3.4, 10.0.0.7", "::ffff:10.0.0.1, fe80::1%eth0", ",,10.0.0.1,", "10.0.0.1:80", "256.1.1.1", strings.Repeat("10.0.0.1,", 50)} {
		f.Add("10.0.0.1:4711", header, "")
		f.Add("198.51.100.1:1", "203.0.113.9", header)
	}
	f.Add("[::1]:80", "2001:db8::1", "")
	f.Add("", "203.0.113.9", "")
	e := &Edge{}
	e.options.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("::1/128")}
	f.Fuzz(func(t *testing.T, peerText, first, second string) {
		r := httptest.NewRequest(http.MethodGet, "/", http.NoBody)
		r.RemoteAddr = peerText
		r.Header["X-Forwarded-For"] = []string{first, second}
		from, got := peer(r), e.Client(r)
		if got == from {
			return
		}
		if !e.trusted(from) {
			t.Fatalf("%q is believed to speak for %v", peerText, got)
		}
		if got.Zone() != "" || got.Is4In6() {
			t.Errorf("the address %v has a zone, or two forms", got)
		}
		if !slices.ContainsFunc(strings.Split(first+","+second, ","), func(hop string) bool {
			addr, err := netip.ParseAddr(strings.TrimSpace(hop))
			return err == nil && addr.Unmap().WithZone("") == got
		}) {
			t.Errorf("%v is in none of %q and %q", got, first, second)
		}
	})
}
