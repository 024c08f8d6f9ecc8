package origin

import (
	"net/netip"
	"strconv"
	"strings"

	"golang.org/x/net/idna"
)

// Limits of DNS, in bytes of the ASCII form.
const (
	maxHost  = 253
	maxLabel = 63
	// maxSent limits the text that is parsed: a host of 253 letters that take three
	// bytes each, with scheme and port.
	maxSent = 3*maxHost + len("https://:65535")
)

// The problems of an origin.
const (
	tooLong    = "a host name has at most 253 characters, 63 between two dots"
	noOrigin   = "must be scheme://host with an optional port, such as https://example.com"
	badScheme  = "the scheme must be http or https"
	hasPath    = "an origin has no path, query or fragment, not even a trailing slash"
	hasUser    = "an origin has no user information"
	badPort    = "the port must be a number from 1 to 65535"
	badHost    = "the host must be a name, an IPv4 address or an IPv6 address in brackets"
	emptyLabel = "the host has an empty label: no leading, trailing or double dot"
	badIPv4    = "the host ends in a number but is no IPv4 address of four decimal parts"
)

// trust is how much of an ASCII name is not checked.
type trust bool

const (
	names  trust = false // punycode labels must decode to a valid name
	asSent trust = true  // labels are compared without decoding
)

// parts of an origin; port is "" where it is the scheme's own.
type parts struct{ scheme, host, port string }

// single returns one origin in canonical form (s itself if it is canonical already), or
// what is wrong with it.
func single(s string, t trust) (canonical, problem string) {
	p, problem := split(s)
	if problem != "" {
		return "", problem
	}
	if p.host, problem = host(p.host, t); problem != "" {
		return "", problem
	}
	if p.is(s) {
		return s, ""
	}
	canonical = p.scheme + "://" + p.host
	if p.port != "" {
		canonical += ":" + p.port
	}
	return canonical, ""
}

// is reports whether s is exactly this origin in canonical form.
func (p parts) is(s string) bool {
	rest, ok := strings.CutPrefix(s, p.scheme)
	if !ok {
		return false
	}
	if rest, ok = strings.CutPrefix(rest, "://"); !ok {
		return false
	}
	if rest, ok = strings.CutPrefix(rest, p.host); !ok {
		return false
	}
	if p.port == "" {
		return rest == ""
	}
	return len(rest) > 1 && rest[0] == ':' && rest[1:] == p.port
}

// split splits an origin; the host stays as it was sent.
func split(s string) (parts, string) {
	if len(s) > maxSent {
		return parts{}, tooLong
	}
	at := strings.Index(s, "://")
	if at < 0 {
		return parts{}, noOrigin
	}
	var p parts
	own := "443"
	switch scheme := s[:at]; {
	case strings.EqualFold(scheme, "https") && len(scheme) == len("https"):
		p.scheme = "https"
	case strings.EqualFold(scheme, "http") && len(scheme) == len("http"):
		p.scheme, own = "http", "80"
	default:
		return parts{}, badScheme
	}
	p.host = s[at+3:]
	for i := range len(p.host) {
		switch c := p.host[i]; {
		case c == '/' || c == '?' || c == '#':
			return parts{}, hasPath
		case c == '@':
			return parts{}, hasUser
		case c <= ' ' || c == 0x7f || c == '\\' || c == '%':
			return parts{}, badHost
		}
	}
	if p.host == "" {
		return parts{}, noOrigin
	}
	end := len(p.host)
	if p.host[0] == '[' {
		if end = strings.IndexByte(p.host, ']') + 1; end == 0 {
			return parts{}, badHost
		}
	} else if colon := strings.IndexByte(p.host, ':'); colon >= 0 {
		end = colon
	}
	if end < len(p.host) {
		port, problem := port(p.host[end:])
		if problem != "" {
			return parts{}, problem
		}
		if port != own {
			p.port = port
		}
		p.host = p.host[:end]
	}
	return p, ""
}

// port reads ":8080", without leading zeros.
func port(s string) (string, string) {
	if s[0] != ':' {
		return "", badHost
	}
	for i := 1; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return "", badPort
		}
	}
	digits := strings.TrimLeft(s[1:], "0")
	if len(digits) > 5 {
		return "", badPort
	}
	if n, err := strconv.Atoi(digits); err != nil || n < 1 || n > 65535 {
		return "", badPort
	}
	return digits, ""
}

// host returns a host in canonical form.
func host(s string, t trust) (string, string) {
	if s == "" {
		return "", noOrigin
	}
	if s[0] == '[' {
		return ipv6(s)
	}
	ascii, upper := true, false
	for i := range len(s) {
		ascii = ascii && s[i] < 0x80
		upper = upper || 'A' <= s[i] && s[i] <= 'Z'
	}
	if upper {
		s = strings.ToLower(s)
	}
	if !ascii || t == names && strings.Contains(s, "xn--") {
		mapped, err := idna.Lookup.ToASCII(s)
		if err != nil {
			return "", badHost
		}
		// Broken UTF-8 is mapped to names that are none themselves.
		if s, err = idna.Lookup.ToASCII(mapped); err != nil || s != mapped {
			return "", badHost
		}
	}
	if len(s) > maxHost {
		return "", tooLong
	}
	for rest, more := s, true; more; {
		var label string
		label, rest, more = strings.Cut(rest, ".")
		if label == "" {
			return "", emptyLabel
		}
		if len(label) > maxLabel {
			return "", tooLong
		}
		if !isLabel(label) {
			return "", badHost
		}
	}
	if numeric(s) {
		if a, err := netip.ParseAddr(s); err != nil || !a.Is4() {
			return "", badIPv4
		}
	}
	return s, ""
}

// isLabel reports whether s is a label in canonical form. Underscores, and hyphens
// anywhere, are not valid host names, but browsers accept them.
func isLabel(s string) bool {
	for i := range len(s) {
		if c := s[i]; (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' && c != '_' {
			return false
		}
	}
	return s != "" && len(s) <= maxLabel
}

// numeric reports whether browsers take a host for an IPv4 address: its last label is a
// number, decimal or 0x (URL Standard, "ends in a number").
func numeric(host string) bool {
	last := host[strings.LastIndexByte(host, '.')+1:]
	digits, hex := strings.CutPrefix(last, "0x")
	for i := range len(digits) {
		if c := digits[i]; (c < '0' || c > '9') && (!hex || c < 'a' || c > 'f') {
			return false
		}
	}
	return digits != "" || hex
}

// ipv6 returns an address in brackets as browsers write it, who use hexadecimal for a
// mapped IPv4 address too.
func ipv6(s string) (string, string) {
	a, err := netip.ParseAddr(s[1 : len(s)-1])
	if err != nil || !a.Is6() || a.Zone() != "" {
		return "", badHost
	}
	var buffer [48]byte
	text := append(buffer[:0], '[')
	if a.Is4In6() {
		b := a.As16()
		text = append(text, "::ffff:"...)
		text = strconv.AppendUint(text, uint64(b[12])<<8|uint64(b[13]), 16)
		text = append(text, ':')
		text = strconv.AppendUint(text, uint64(b[14])<<8|uint64(b[15]), 16)
	} else {
		text = a.AppendTo(text)
	}
	text = append(text, ']')
	if string(text) == s {
		return s, ""
	}
	return string(text), ""
}
