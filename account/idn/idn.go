// Package idn turns internationalised domain names into the ASCII form in
// which they are looked up (IDNA 2008, RFC 5890 to 5893).
//
// It is stricter than what browsers take: a name must be written as it is
// registered, with no characters that only look like others to be mapped
// (full-width letters, ligatures) and no invisible ones.
package idn

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/secure/bidirule"
	"golang.org/x/text/unicode/bidi"
	"golang.org/x/text/unicode/norm"
)

// Longest bounds a name in bytes (RFC 1035, without the root's dot).
const Longest = 253

// longestLabel bounds a label in bytes.
const longestLabel = 63

// ASCII gives a domain name in lower case and ASCII, or false for what is none:
// labels of 1 to 63 letters, digits and hyphens, not at their ends, 253 bytes
// in all, without a dot at the end. A name of one label is a name, and so is
// an IPv4 address.
func ASCII(name string) (string, bool) {
	if len(name) > 4*Longest || !utf8.ValidString(name) || strings.ContainsFunc(name, foldsToASCII) {
		return "", false
	}
	name = norm.NFC.String(strings.ToLower(name))
	rightToLeft := bidirule.DirectionString(name) == bidi.RightToLeft
	labels := strings.Split(name, ".")
	for i, label := range labels {
		if rightToLeft && !bidirule.ValidString(label) {
			return "", false
		}
		var ok bool
		if labels[i], ok = asciiLabel(label); !ok {
			return "", false
		}
	}
	name = strings.Join(labels, ".")
	return name, len(name) <= Longest
}

// foldsToASCII reports whether a character is none of ASCII but would be in
// small, as the Kelvin sign: such a name is a trick.
func foldsToASCII(r rune) bool { return r >= utf8.RuneSelf && unicode.ToLower(r) < utf8.RuneSelf }

func asciiLabel(label string) (string, bool) {
	if label == "" || label[0] == '-' || label[len(label)-1] == '-' {
		return "", false
	}
	ascii := true
	for i, r := range label {
		switch {
		case r == '-', '0' <= r && r <= '9', 'a' <= r && r <= 'z':
		case r < utf8.RuneSelf, !registrable(r), i == 0 && unicode.IsMark(r):
			return "", false
		default:
			ascii = false
		}
	}
	if len(label) >= 4 && label[2:4] == "--" && !(ascii && label[:2] == "xn") {
		return "", false // reserved
	}
	if !ascii {
		if norm.NFKC.String(label) != label {
			return "", false
		}
		label = "xn--" + punycode(label)
	}
	return label, len(label) <= longestLabel
}

// registrable follows RFC 5892, A: letters, marks and digits. Letters that
// exist in capitals have been made small; the few that are disallowed one by
// one (2.6) are left out, and what depends on its neighbours is not taken.
func registrable(r rune) bool {
	switch r {
	case 0x0640, 0x07FA, 0x302E, 0x302F, 0x3031, 0x3032, 0x3033, 0x3034, 0x3035, 0x303B:
		return false
	}
	return unicode.In(r, unicode.Ll, unicode.Lo, unicode.Lm, unicode.Mn, unicode.Mc, unicode.Nd) && !unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) && !unicode.Is(unicode.Variation_Selector, r)
}
