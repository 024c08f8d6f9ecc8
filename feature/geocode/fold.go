package geocode

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// folded returns a name in small letters without accents, its words with one space
// between them.
func folded(text string) string {
	var b strings.Builder
	for _, r := range norm.NFKD.String(strings.ToLower(text)) {
		switch {
		case unicode.Is(unicode.Mn, r), r == '\'', r == '’':
		case unicode.IsLetter(r), unicode.IsDigit(r), unicode.Is(unicode.Mc, r):
			b.WriteRune(r)
		default:
			b.WriteByte(' ')
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}
