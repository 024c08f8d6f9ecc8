package fold

import (
	"strings"

	"github.com/waygate/waygate/geo"
)

// CodeLength is the most letters and digits of a postcode that is known.
const CodeLength = 12

// base is how many values a place in a code has: none, ten digits, 26 letters.
const base = 37

// PackCode returns a postcode without spaces and hyphens as a number: codes are
// in the same order as their numbers. It fails on what has other letters, no
// digit and no letter, or is too long.
func PackCode(s string) (packed uint64, n int, ok bool) {
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
		if n++; n > CodeLength {
			return 0, 0, false
		}
		packed = packed*base + v
	}
	for range CodeLength - n {
		packed *= base
	}
	return packed, n, n > 0
}

// Inward is how many letters the inward part of a British postcode has.
const Inward = 3

// LettersOfCode returns how many letters a postcode has.
func LettersOfCode(packed uint64) int {
	n := CodeLength
	for ; n > 0 && packed%base == 0; n-- {
		packed /= base
	}
	return n
}

// CodesAfter returns the first number after all codes that begin with a code of n
// letters.
func CodesAfter(packed uint64, n int) uint64 {
	step := uint64(1)
	for range CodeLength - n {
		step *= base
	}
	return packed + step
}

// UnpackCode returns a code's letters; gap is where the writing has a space or, as
// a negative number, a hyphen, 0 for none.
func UnpackCode(packed uint64, gap int8) string {
	var b [CodeLength]byte
	for i := CodeLength - 1; i >= 0; i-- {
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

// gapOf returns where a postcode as it was written has its space or hyphen. British
// ones have theirs before the last three letters whoever wrote them.
func gapOf(written string) int8 {
	if out, in, ok := British(written); ok && in != "" {
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

// British cuts a postcode of the British form in its outward and inward part, as
// much of that as is there. The text may have a space.
func British(s string) (outward, inward string, ok bool) {
	s = strings.ToUpper(strings.ReplaceAll(strings.TrimSpace(s), " ", ""))
	letter := func(i int) bool { return i < len(s) && s[i] >= 'A' && s[i] <= 'Z' }
	digit := func(i int) bool { return i < len(s) && s[i] >= '0' && s[i] <= '9' }
	if n := len(s); n >= 5 && n <= 7 && digit(n-3) && letter(n-2) && letter(n-1) {
		if out, _, ok := British(s[:n-3]); ok && len(out) == n-3 {
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

// District cuts a whole postcode of the countries whose codes begin with that of a district: the
// outward part of a British one, the four digits of a Dutch or Portuguese one, the first three
// letters of an Irish or Canadian one, a ZIP code without its four more digits. It is "" for all
// others, and for what is no whole code.
func District(written string) string {
	if out, in, ok := British(written); ok {
		if in == "" {
			return ""
		}
		return out
	}
	shape := make([]byte, 0, CodeLength+1)
	letters := make([]byte, 0, CodeLength)
	for i := range len(written) {
		switch c := written[i] &^ 0x20; {
		case written[i] >= '0' && written[i] <= '9':
			shape, letters = append(shape, '9'), append(letters, written[i])
		case c >= 'A' && c <= 'Z':
			shape, letters = append(shape, 'A'), append(letters, c)
		case written[i] == '-':
			shape = append(shape, '-')
		case written[i] != ' ':
			return ""
		}
		if len(shape) > CodeLength {
			return ""
		}
	}
	n, known := districtShapes[string(shape)]
	if !known && len(shape) == eircode && shape[0] == 'A' && shape[1] == '9' && (shape[2] == '9' || letters[2] == 'W') {
		n, known = 3, true
	}
	if !known {
		return ""
	}
	return string(letters[:n])
}

// eircode is the letters and digits of an Irish postcode, whose last four may be either.
const eircode = 7

// districtShapes are how many letters the district has of whole codes by their letters and digits.
var districtShapes = map[string]int{
	"9999AA": 4, "9999-999": 4, "A9A9A9": 3, "99999-9999": 5, "99999-999": 5,
}

// Code is a postcode with its point.
type Code struct {
	Packed  uint64
	At      geo.Fixed
	Gap     int8
	Country uint16
}

// CodeOf reads a postcode as it is written.
func CodeOf(written string) (Code, bool) {
	written = strings.TrimSpace(written)
	packed, n, ok := PackCode(written)
	if !ok || n < 3 || !strings.ContainsAny(written, "0123456789") {
		return Code{}, false
	}
	return Code{Packed: packed, Gap: gapOf(written)}, true
}
