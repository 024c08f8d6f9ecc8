package inview

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// fold cuts a text into words without case, accents and punctuation.
func fold(text string) []string {
	return strings.FieldsFunc(strings.ToLower(norm.NFKD.String(strings.ReplaceAll(text, "'", ""))), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.Is(unicode.Mn, r)
	})
}

// bare returns a word without its accents.
func bare(word string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, word)
}

// named reports whether a name has all of some folded words.
func named(name string, wanted []string) bool {
	if len(wanted) == 0 {
		return true
	}
	words := fold(name)
	for i := range words {
		words[i] = bare(words[i])
	}
	for _, w := range wanted {
		if !slices.Contains(words, bare(w)) {
			return false
		}
	}
	return true
}

// HasWords reports whether a name can be looked for: whether it has a letter or
// a digit.
func HasWords(name string) bool { return len(fold(name)) > 0 }
