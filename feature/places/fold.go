package places

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// longFolded are letters that folding makes several of.
var longFolded = strings.NewReplacer("ß", "ss", "æ", "ae", "œ", "oe", "ø", "o", "ð", "d", "þ", "th", "ł", "l", "đ", "d", "ı", "i")

// words returns the words of a text without case, accents and punctuation, at most
// so many. An apostrophe joins what is around it.
func words(text string, most int) []string {
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
	all := strings.Fields(longFolded.Replace(b.String()))
	return all[:min(len(all), most)]
}

// likeness returns how well a word of a query meets a word of a place, 0 to 1.
// open is that the word may be the beginning of one.
func likeness(query, word string, open bool) float64 {
	switch {
	case query == word:
		return 1
	case open && strings.HasPrefix(word, query):
		return 0.9
	case len(query) >= shortestTypo && oneEdit(query, word):
		return 0.7
	case open && len(query) > shortestTypo && len(word) > len(query) && oneEdit(query, start(word, len(query))):
		return 0.6
	}
	return 0
}

// shortestTypo is the length in bytes from which a word may have one letter wrong;
// the beginning of one must be longer.
const shortestTypo = 4

// start returns a word's first n bytes, or a little more to end with a letter.
func start(word string, n int) string {
	for n < len(word) && word[n]&0xc0 == 0x80 {
		n++
	}
	return word[:min(n, len(word))]
}

// oneEdit reports whether two words differ by one letter: another, one more, one
// less, or two that changed places.
func oneEdit(a, b string) bool {
	const most = 2 * utf8.UTFMax // bytes that two letters take
	if d := len(a) - len(b); d > utf8.UTFMax || d < -utf8.UTFMax {
		return false
	}
	for i := 0; i < len(a) && i < len(b); {
		_, n := utf8.DecodeRuneInString(a[i:])
		if !strings.HasPrefix(b[i:], a[i:i+n]) {
			a, b = a[i:], b[i:]
			break
		}
		if i += n; i >= len(a) || i >= len(b) {
			a, b = a[i:], b[i:]
		}
	}
	for a != "" && b != "" {
		_, n := utf8.DecodeLastRuneInString(a)
		if !strings.HasSuffix(b, a[len(a)-n:]) {
			break
		}
		a, b = a[:len(a)-n], b[:len(b)-n]
	}
	if len(a) > most || len(b) > most {
		return false
	}
	x, y := utf8.RuneCountInString(a), utf8.RuneCountInString(b)
	if x <= 1 && y <= 1 {
		return true
	}
	_, n := utf8.DecodeRuneInString(a)
	return x == 2 && y == 2 && b == a[n:]+a[:n]
}
