package outbox

import (
	"net/netip"
	"net/url"
	"strings"
	"testing"
)

// FuzzWebhookAddress: what is taken for a webhook's address is https to a host
// of the public net, which any reader of URLs finds in it.
func FuzzWebhookAddress(f *testing.F) {
	for _, address := range []string{
		"https://example.org/hook?x=1", "https://example.org:8443/", "http://example.org/", "https://user:pw@example.org/", "https://127.0.0.1/", "https://[::1]/",
		"https://[fe80::1%25eth0]/", "https://2130706433/", "https://0x7f.1/", "https://a.localhost/", "https://EXAMPLE.internal./", "https://bücher.example/",
		"https://example.org#f", "https://example.org:0/", "https:///x", "https:example.org", "https://example.org\\@evil/", "https://[::ffff:10.0.0.1]/", "https://ex%61mple.org/",
	} {
		f.Add(address)
	}
	strict, lenient := &Outbox{}, &Outbox{options: Options{Private: true}}
	f.Fuzz(func(t *testing.T, address string) {
		if strict.Permits(address) != nil {
			return
		}
		if lenient.Permits(address) != nil {
			t.Errorf("%q may be called on the public net and not in private", address)
		}
		u, err := url.Parse(address)
		if err != nil || u.Scheme != "https" || u.User != nil || u.Fragment != "" || len(address) > longestURL {
			t.Fatalf("%q is taken for an address", address)
		}
		host := strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
		if ip, err := netip.ParseAddr(host); err == nil && (ip.IsLoopback() || ip.IsPrivate() || ip.IsLinkLocalUnicast() || ip.IsMulticast() || ip.IsUnspecified()) {
			t.Errorf("%q leads to %v", address, ip)
		}
		if host == "localhost" || strings.HasSuffix(host, ".localhost") || strings.HasSuffix(host, ".internal") || strings.ContainsAny(host, " @/\\\x00") {
			t.Errorf("%q leads to the host %q", address, host)
		}
	})
}
