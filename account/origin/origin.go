// Package origin checks from which web pages a browser key may be used.
//
// An origin is http or https, a host and, if it is not the scheme's own, a port.
// Schemes of packaged applications (capacitor://localhost) are refused: every
// application made with the same tool shares one, so a key restricted to it would be
// restricted to nobody.
package origin

import (
	"fmt"
	"strings"

	"github.com/waygate/waygate/fault"
	"golang.org/x/net/publicsuffix"
)

// maxAllowed bounds the allowed origins of a key.
const maxAllowed = 20

// Canonical returns allowed origins in canonical form: scheme and host in lower case,
// default ports dropped, names in ASCII (IDNA), duplicates dropped, order kept. Each is
// scheme://host with an optional port and no path, query or user information, or has a
// wildcard for one label: https://*.example.com. It refuses more than 20, and names
// each that is wrong (allowed_origins[2]). A wildcard directly below a public suffix
// (*.com, *.co.uk, *.github.io) would admit pages of anybody and is refused.
func Canonical(all []string) ([]string, error) {
	if len(all) > maxAllowed {
		return nil, fault.Invalid(fault.Violation{Location: "allowed_origins", Value: len(all), Message: fmt.Sprintf("%d origins, at most %d are allowed", len(all), maxAllowed)})
	}
	seen := make(map[string]bool, len(all))
	canonical := make([]string, 0, len(all))
	var wrong []fault.Violation
	for i, one := range all {
		c, problem := entry(one)
		if problem != "" {
			wrong = append(wrong, fault.Violation{Location: fmt.Sprintf("allowed_origins[%d]", i), Value: one, Message: problem})
			continue
		}
		if !seen[c] {
			seen[c] = true
			canonical = append(canonical, c)
		}
	}
	if wrong != nil {
		return nil, fault.Invalid(wrong...)
	}
	return canonical, nil
}

// entry returns an allowed origin in canonical form, or what is wrong with it.
func entry(s string) (canonical, problem string) {
	if !strings.Contains(s, "*") {
		return single(s, names)
	}
	at := strings.Index(s, "://*.")
	if at < 0 || strings.Count(s, "*") > 1 {
		return "", "a wildcard must be the whole first label: https://*.example.com"
	}
	below, problem := single(s[:at+3]+s[at+5:], names)
	if problem != "" {
		return "", problem
	}
	p, _ := split(below)
	if !strings.Contains(p.host, ".") {
		return "", "a wildcard must stand before a name of two labels or more: https://*.example.com"
	}
	if strings.HasPrefix(p.host, "[") || numeric(p.host) {
		return "", "a wildcard cannot stand before an IP address"
	}
	if suffix, _ := publicsuffix.PublicSuffix(p.host); suffix == p.host {
		return "", "a wildcard directly below the public suffix " + suffix + " would let in pages of anybody; name a domain of your own"
	}
	if len(p.host) > maxHost-2 {
		return "", tooLong
	}
	return p.scheme + "://*." + below[len(p.scheme)+3:], ""
}

// Of returns the origin of a request in canonical form: from the Origin header or,
// without one, from the Referer. It is "" if there is none, or one that is null or
// invalid; a null Origin never falls back to the Referer.
func Of(origin, referer string) string {
	if origin == "" {
		origin = beforePath(referer)
	}
	canonical, problem := single(origin, asSent)
	if problem != "" {
		return ""
	}
	return canonical
}

// beforePath cuts an address before its path, query or fragment.
func beforePath(address string) string {
	at := strings.Index(address, "://")
	if at < 0 {
		return ""
	}
	if end := strings.IndexAny(address[at+3:], "/?#"); end >= 0 {
		return address[:at+3+end]
	}
	return address
}

// Allowed reports whether an origin, as Of returns it, is among the allowed, as
// Canonical returns them. A wildcard stands for exactly one label. An empty list allows
// nothing: the caller decides that a key without allowed origins is unrestricted.
func Allowed(allowed []string, origin string) bool {
	if origin == "" {
		return false
	}
	for _, a := range allowed {
		at := strings.IndexByte(a, '*')
		if at < 0 {
			if a == origin {
				return true
			}
			continue
		}
		before, after := a[:at], a[at+1:]
		if len(origin) > len(before)+len(after) && strings.HasPrefix(origin, before) && strings.HasSuffix(origin, after) &&
			isLabel(origin[len(before):len(origin)-len(after)]) {
			return true
		}
	}
	return false
}
