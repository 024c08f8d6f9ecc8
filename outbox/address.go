package outbox

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/waygate/waygate/idn"
	"github.com/waygate/waygate/internet"
)

// longestURL is the longest address of a webhook, in bytes.
const longestURL = 2048

// refusedAddress is the error of a webhook to an address that is not allowed.
type refusedAddress struct{}

func (*refusedAddress) Error() string {
	return "the host's address is private or reserved, where webhooks do not go"
}

// control checks the address that a connection is about to be made to. All names are
// resolved by then, so a name cannot be pointed elsewhere after the check.
func control(_, address string, _ syscall.RawConn) error {
	to, err := netip.ParseAddrPort(address)
	if err != nil || !internet.Public(to.Addr()) {
		return &refusedAddress{}
	}
	return nil
}

// newClient makes the client of webhooks: without proxy, redirects, cookies and kept
// connections, and with a dialer that checks addresses.
func newClient(private bool, roots *x509.CertPool, limit time.Duration) (*net.Dialer, *http.Client) {
	dialer := &net.Dialer{Timeout: limit}
	if !private {
		dialer.Control = control
	}
	return dialer, &http.Client{
		Timeout:       limit,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			DialContext:            dialer.DialContext,
			TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: roots},
			TLSHandshakeTimeout:    limit,
			ResponseHeaderTimeout:  limit,
			ExpectContinueTimeout:  time.Second,
			MaxResponseHeaderBytes: 64 << 10,
			DisableKeepAlives:      true,
			DisableCompression:     true,
		},
	}
}

// Permits returns an error where a webhook may not go to an address, as far as that can be
// seen without resolving its host: it must be https (http too, with Options.Private),
// without user and fragment, at most 2,048 bytes, and name a public host in full. A host
// that resolves to a private address is refused when it is called. The text of the error
// says what the address must be or has: "must not have a fragment".
func (o *Outbox) Permits(address string) error {
	u, err := url.Parse(address)
	scheme := err == nil && (u.Scheme == "https" || o.options.Private && u.Scheme == "http")
	switch {
	case len(address) > longestURL:
		return fmt.Errorf("has %d bytes, the limit is %d", len(address), longestURL)
	case !scheme || unprintable(address) || strings.ContainsAny(address, " \\") || u.Opaque != "" || u.Hostname() == "":
		return errors.New("must be an absolute https address")
	case u.User != nil:
		return errors.New("must not have a user name or password in it")
	case u.Fragment != "" || strings.HasSuffix(address, "#"):
		return errors.New("must not have a fragment")
	}
	if port := u.Port(); port != "" {
		if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
			return errors.New("has no valid port")
		}
	}
	if o.options.Private {
		return nil
	}
	return permitsHost(strings.TrimSuffix(u.Hostname(), "."))
}

// privateNames are the endings of host names that are not public: RFC 6761, 6762, 8375 and
// 9476, and common names of private networks.
var privateNames = [...]string{".localhost", ".local", ".internal", ".lan", ".home.arpa", ".intranet", ".corp", ".home", ".private", ".alt", ".onion"}

func permitsHost(host string) error {
	if ip, err := netip.ParseAddr(host); err == nil {
		if !internet.Public(ip) {
			return errors.New("must not be a private address")
		}
		return nil
	}
	name, ok := idn.ASCII(host)
	// A name that ends in a number may be read as an IPv4 address in an unusual form.
	if !ok || !strings.Contains(name, ".") || oddNumber(name[strings.LastIndexByte(name, '.')+1:]) {
		return errors.New("must have the full name of a public host")
	}
	for _, private := range privateNames {
		if strings.HasSuffix(name, private) {
			return errors.New("must not be a private host")
		}
	}
	return nil
}

// oddNumber reports whether a label is a number to readers of addresses: decimal, or 0x and
// hexadecimal.
func oddNumber(label string) bool {
	rest, hex := strings.CutPrefix(label, "0x")
	if hex {
		return strings.Trim(rest, "0123456789abcdef") == ""
	}
	return strings.Trim(rest, "0123456789") == ""
}
