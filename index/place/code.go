package place

import (
	"strings"
)

// codeLength is the most letters and digits of a postcode that is known.
const codeLength = 12

// base is how many values a place in a code has: none, ten digits, 26 letters.
const base = 37

// packCode gives a postcode without spaces and hyphens as a number: codes are
// in the same order as their numbers. It fails on what has other letters, no
// digit and no letter, or is too long.
func packCode(s string) (packed uint64, n int, ok bool) {
	for i := range len(s) {
		c := s[i]
		var v uint64
		switch {
		case c >= '0' && c <= '9':
			v = uint64(c-'0') + 1
		case c >= 'a' && c <= 'z':
			v = uint64(c-'a') + 11
		case c >= 'A' && c <= 'Z':
			v = uint64(c-'A') + 11
		case c == ' ' || c == '-':
			continue
		default:
			return 0, 0, false
		}
		if n++; n > codeLength {
			return 0, 0, false
		}
		packed = packed*base + v
	}
	for range codeLength - n {
		packed *= base
	}
	return packed, n, n > 0
}

// inward is how many letters the inward part of a British postcode has.
const inward = 3

// lengthOf is how many letters a postcode has.
func lengthOf(packed uint64) int {
	n := codeLength
	for ; n > 0 && packed%base == 0; n-- {
		packed /= base
	}
	return n
}

// codesFrom is the first number after all codes that begin with a code of n
// letters.
func codesAfter(packed uint64, n int) uint64 {
	step := uint64(1)
	for range codeLength - n {
		step *= base
	}
	return packed + step
}

// unpackCode gives a code's letters; gap is where the writing has a space or, as
// a negative number, a hyphen, 0 for none.
func unpackCode(packed uint64, gap int8) string {
	var b [codeLength]byte
	for i := codeLength - 1; i >= 0; i-- {
		v := packed % base
		packed /= base
		switch {
		case v == 0:
			b[i] = ' '
		case v <= 10:
			b[i] = byte(v-1) + '0'
		default:
			b[i] = byte(v-11) + 'A'
		}
	}
	s := strings.TrimRight(string(b[:]), " ")
	switch {
	case gap > 0 && int(gap) < len(s):
		return s[:gap] + " " + s[gap:]
	case gap < 0 && int(-gap) < len(s):
		return s[:-gap] + "-" + s[-gap:]
	}
	return s
}

// gapOf is where a postcode as it was written has its space or hyphen. British
// ones have theirs before the last three letters whoever wrote them.
func gapOf(written string) int8 {
	if out, in, ok := british(written); ok && in != "" {
		return int8(len(out))
	}
	n := int8(0)
	for i := range len(written) {
		switch written[i] {
		case ' ':
			return n
		case '-':
			return -n
		}
		n++
	}
	return 0
}

// british cuts a postcode of the British form in its outward and inward part, as
// much of that as is there. The text may have a space.
func british(s string) (outward, inward string, ok bool) {
	s = strings.ToUpper(strings.ReplaceAll(strings.TrimSpace(s), " ", ""))
	letter := func(i int) bool { return i < len(s) && s[i] >= 'A' && s[i] <= 'Z' }
	digit := func(i int) bool { return i < len(s) && s[i] >= '0' && s[i] <= '9' }
	if n := len(s); n >= 5 && n <= 7 && digit(n-3) && letter(n-2) && letter(n-1) {
		if out, _, ok := british(s[:n-3]); ok && len(out) == n-3 {
			return out, s[n-3:], true
		}
	}
	i := 0
	for i < 2 && letter(i) {
		i++
	}
	if i == 0 || !digit(i) {
		return "", "", false
	}
	i++
	if letter(i) || digit(i) {
		i++
	}
	if i == len(s) {
		return s, "", true
	}
	return "", "", false
}
