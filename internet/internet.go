// Package internet distinguishes public addresses from private and reserved ones, for
// calls to where a stranger says.
package internet

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"syscall"
)

// closed are the networks that are no part of it, by the special-purpose
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

// Public reports whether an address is on the internet, and not on this machine or
// in its networks.
func Public(a netip.Addr) bool {
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

// Only is a net.Dialer's Control that refuses to connect to an address that is not
// public, after all names are resolved, so that no name can lead elsewhere in
// between.
func Only(_, address string, _ syscall.RawConn) error {
	to, err := netip.ParseAddrPort(address)
	if err != nil {
		return err
	}
	if !Public(to.Addr()) {
		return &PrivateError{to.Addr()}
	}
	return nil
}

// PrivateError is of an address that is not public.
type PrivateError struct{ Address netip.Addr }

func (e *PrivateError) Error() string { return fmt.Sprintf("%s is no public address", e.Address) }
