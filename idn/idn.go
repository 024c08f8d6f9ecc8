// Package idn turns internationalised domain names into the ASCII form in
// which they are looked up (IDNA 2008 as in UTS 46, not transitional).
//
// It is stricter than what browsers take: a name must be written as it is
// registered but for capitals, with no characters that only look like others to
// be mapped (full-width letters, ligatures) and no invisible ones.
package idn

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"
	"golang.org/x/text/unicode/norm"
)

// Longest bounds a name in bytes (RFC 1035, without the root's dot).
const Longest = 253

// ASCII returns a domain name in lower case and ASCII, or false for what is none:
// labels of 1 to 63 letters, digits and hyphens, not at their ends, 253 bytes
// in all, without a dot at the end. A name of one label is a name, and so is
// an IPv4 address.
func ASCII(name string) (string, bool) {
	if len(name) > 4*Longest || !utf8.ValidString(name) || strings.ContainsFunc(name, foldsToASCII) || strings.HasSuffix(name, ".") {
		return "", false
	}
	// The profile of registrars maps nothing and refuses what would be mapped.
	name, err := idna.Registration.ToASCII(norm.NFC.String(strings.ToLower(name)))
	return name, err == nil && len(name) <= Longest
}

// foldsToASCII reports whether a character is none of ASCII but would be in
// small, as the Kelvin sign: such a name is a trick.
func foldsToASCII(r rune) bool { return r >= utf8.RuneSelf && unicode.ToLower(r) < utf8.RuneSelf }
