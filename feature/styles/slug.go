package styles

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// longestSlug is how many bytes of a name make an id.
const longestSlug = 60

// Slug makes an id of a name: "Straße nach Süden" is "strasse-nach-suden". A
// name without any letter or digit of the Latin alphabet is "style".
func Slug(name string) string {
	var b strings.Builder
	gap := false
	for _, r := range norm.NFKD.String(strings.ToLower(strings.ReplaceAll(name, "ß", "ss"))) {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			if gap && b.Len() > 0 {
				b.WriteByte('-')
			}
			gap = false
			b.WriteRune(r)
		case !unicode.Is(unicode.Mn, r): // accents fall away, all else parts words
			gap = true
		}
		if b.Len() >= longestSlug {
			break
		}
	}
	if b.Len() == 0 {
		return "style"
	}
	return b.String()
}
