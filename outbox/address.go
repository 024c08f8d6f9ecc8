package outbox

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"syscall"
	"time"
)

// longestURL is the longest address of a webhook, in bytes.
const longestURL = 2048

// closed are the networks that webhooks never go to, by the special-purpose
// registries of IANA (RFC 6890), and what clouds answer their machines from.
// Of IPv6 only 2000::/3 is open at all, which leaves out loopback, link-local,
// unique local, site-local, multicast and mapped forms.
var closed = func() []netip.Prefix {
	var all []netip.Prefix
	for text := range strings.FieldsSeq(`
		0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12
		192.0.0.0/24 192.0.2.0/24 192.31.196.0/24 192.52.193.0/24 192.88.99.0/24
		192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24
		224.0.0.0/4 240.0.0.0/4 168.63.129.16/32
		2001::/23 2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20`) {
		all = append(all, netip.MustParsePrefix(text))
	}
	return all
}()

var (
	globalIPv6 = netip.MustParsePrefix("2000::/3")
	// nat64 leads to the IPv4 address in its last four bytes (RFC 6052); hosts
	// with IPv6 only reach all of IPv4 through it.
	nat64 = netip.MustParsePrefix("64:ff9b::/96")
)

// public reports whether an address may be called by a caller's webhook.
func public(a netip.Addr) bool {
	if a.Zone() != "" {
		return false
	}
	a = a.Unmap()
	if nat64.Contains(a) {
		b := a.As16()
		a = netip.AddrFrom4([4]byte(b[12:]))
	}
	if a.Is6() && !globalIPv6.Contains(a) {
		return false
	}
	return a.IsValid() && !slices.ContainsFunc(closed, func(p netip.Prefix) bool { return p.Contains(a) })
}

// refusedAddress is a webhook that would have gone where none may go.
type refusedAddress struct{}

func (*refusedAddress) Error() string {
	return "the host's address is private or reserved, where webhooks do not go"
}

// control decides about the address that is about to be connected to, after
// all names are resolved, so that no name can lead elsewhere in between.
func control(_, address string, _ syscall.RawConn) error {
	to, err := netip.ParseAddrPort(address)
	if err != nil || !public(to.Addr()) {
		return &refusedAddress{}
	}
	return nil
}

// newClient makes the client of webhooks: no proxy, no redirects, no cookies,
// no connection kept, and the dialer decides where it may go.
func newClient(private bool, roots *x509.CertPool) (*net.Dialer, *http.Client) {
	dialer := &net.Dialer{Timeout: callLimit}
	if !private {
		dialer.Control = control
	}
	return dialer, &http.Client{
		Timeout:       callLimit,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			DialContext:            dialer.DialContext,
			TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: roots},
			TLSHandshakeTimeout:    callLimit,
			ResponseHeaderTimeout:  callLimit,
			ExpectContinueTimeout:  time.Second,
			MaxResponseHeaderBytes: 64 << 10,
			DisableKeepAlives:      true,
			DisableCompression:     true,
		},
	}
}

// Permits tells why a webhook may not go to an address, as far as it can be
// seen without looking its host up: it must be https (http too, with
// Options.Private), without user and fragment, at most 2,048 bytes, and no
// private address. A host that resolves to one is refused when it is called.
func (o *Outbox) Permits(address string) error {
	u, err := url.Parse(address)
	if err != nil || len(address) > longestURL || unprintable(address) || u.Hostname() == "" || u.Opaque != "" {
		return errors.New("a webhook's address must be an https:// URL of at most 2048 bytes")
	}
	if u.Scheme != "https" && (u.Scheme != "http" || !o.options.Private) {
		return errors.New("a webhook's address must start with https://")
	}
	if u.User != nil || u.Fragment != "" {
		return errors.New("a webhook's address must have no user, password or fragment")
	}
	if o.options.Private {
		return nil
	}
	host := strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
	if a, err := netip.ParseAddr(host); err == nil && !public(a) || host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return errors.New("a webhook's address must be public: " + (&refusedAddress{}).Error())
	}
	return nil
}
