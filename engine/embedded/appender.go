package embedded

import (
	"math"
	"strconv"

	"github.com/waygate/waygate/geo"
)

// Answers of the compatible face are long and have few kinds of member, so
// they are written by appending rather than by reflection.

// appendNumber appends a number with at most so many decimals, 0 to 6, and none
// that are zeros at the end.
func appendNumber(dst []byte, v float64, digits int) []byte {
	scale := [...]int64{1, 10, 100, 1e3, 1e4, 1e5, 1e6}[digits]
	n := int64(math.Round(v * float64(scale)))
	if n < 0 {
		dst = append(dst, '-')
		n = -n
	}
	dst = strconv.AppendInt(dst, n/scale, 10)
	rest := n % scale
	if rest == 0 {
		return dst
	}
	dst = append(dst, '.')
	for rest > 0 {
		scale /= 10
		dst = append(dst, byte('0'+rest/scale))
		rest %= scale
	}
	return dst
}

// appendPosition appends [lon,lat].
func appendPosition(dst []byte, p geo.Point) []byte {
	dst = append(dst, '[')
	dst = appendNumber(dst, p.Lon, 6)
	dst = append(dst, ',')
	dst = appendNumber(dst, p.Lat, 6)
	return append(dst, ']')
}

// appendText appends a JSON string.
func appendText(dst []byte, s string) []byte {
	t := text{b: dst}
	t.string(s)
	return t.b
}

// appendEscaped appends the inside of a JSON string.
func appendEscaped(dst []byte, s string) []byte {
	t := text{b: dst}
	t.inside(s)
	return t.b
}

// appendMarkup appends text to stand within XML within a JSON string.
func appendMarkup(dst []byte, s string) []byte {
	from := 0
	for i := range len(s) {
		entity := ""
		switch s[i] {
		case '&':
			entity = "&amp;"
		case '<':
			entity = "&lt;"
		case '>':
			entity = "&gt;"
		default:
			continue
		}
		dst = append(appendEscaped(dst, s[from:i]), entity...)
		from = i + 1
	}
	return appendEscaped(dst, s[from:])
}
