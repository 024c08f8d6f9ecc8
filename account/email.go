package account

import (
	"strings"

	"github.com/waygate/waygate/account/disposable"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/idn"
)

// The bounds of an address in bytes (RFC 5321, 4.5.3.1).
const (
	longestEmail = 254
	longestLocal = 64
)

// address returns an e-mail address in the form that identities are stored by: lower
// case, the domain in ASCII. It accepts one @, a local part of dotted atoms (RFC 5322;
// plus signs included), and a domain name of two labels or more. It refuses
// (invalid-email) display names, comments, quotes, white space, control characters,
// characters beyond ASCII before the @, and numeric addresses of hosts.
func address(s string) (string, error) {
	if len(s) > longestEmail {
		return "", notAddress(s, "has %d bytes, the limit is %d", len(s), longestEmail)
	}
	local, host, ok := strings.Cut(s, "@")
	switch {
	case !ok:
		return "", notAddress(s, "has no @")
	case strings.Contains(host, "@"):
		return "", notAddress(s, "has more than one @")
	case local == "" || len(local) > longestLocal:
		return "", notAddress(s, "needs 1 to %d characters before the @", longestLocal)
	}
	for _, atom := range strings.Split(local, ".") {
		if atom == "" || strings.ContainsFunc(atom, notAtom) {
			return "", notAddress(s, "may have letters, digits and !#$%%&'*+/=?^_`{|}~- before the @, and single dots between them")
		}
	}
	domain, ok := idn.ASCII(host)
	if !ok || !strings.Contains(domain, ".") || numeric(domain[strings.LastIndexByte(domain, '.')+1:]) {
		return "", notAddress(s, "needs a domain name after the @, as example.org")
	}
	whole := strings.ToLower(local) + "@" + domain
	if len(whole) > longestEmail {
		return "", notAddress(s, "has %d bytes with its domain in ASCII, the limit is %d", len(whole), longestEmail)
	}
	return whole, nil
}

// lasting is address for a new identity: it refuses disposable domains too.
func lasting(s string) (string, error) {
	whole, err := address(s)
	if err != nil {
		return "", err
	}
	if _, domain, _ := strings.Cut(whole, "@"); disposable.Has(domain) {
		return "", fault.New(fault.InvalidEmail, "email: %q gives out throw-away addresses; use one that lasts", domain).With("email", whole)
	}
	return whole, nil
}

func notAddress(s, why string, args ...any) error {
	shown := fault.Clip(s)
	return fault.New(fault.InvalidEmail, "email: %q "+why, append([]any{shown}, args...)...).With("email", shown)
}

// notAtom reports what RFC 5322 does not allow in an atom.
func notAtom(r rune) bool {
	return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("!#$%&'*+-/=?^_`{|}~", r))
}

func numeric(label string) bool { return strings.Trim(label, "0123456789") == "" }

// masked returns as much of an address as its holder needs to recognise it. Of a short
// local part it shows less, so that enough is left to guess.
func masked(email string) string {
	local, domain, _ := strings.Cut(email, "@")
	switch n := len(local); {
	case n <= 3:
		local = "***"
	case n <= 6:
		local = local[:1] + "***"
	default:
		local = local[:1] + "***" + local[n-1:]
	}
	return local + "@" + domain
}
