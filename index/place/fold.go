package place

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// How much of a text is looked at: what is longer is no name and no question.
const (
	maxText  = 512 // bytes
	maxWords = 24
	maxWord  = 48 // bytes of a folded word
)

// word is a word of a text, folded so that writings of the same word are equal,
// and where it stands in the text.
type word struct {
	text     string
	whole    string // before it was abbreviated
	from, to int
}

// letters are folded to others that no decomposition gives.
var letters = map[rune]string{
	'ß': "ss", 'æ': "a", 'œ': "o", 'ø': "o", 'đ': "d", 'ł': "l", 'ı': "i", 'ð': "d", 'þ': "th", 'ħ': "h", 'ŋ': "n",
	'ə': "e", 'ґ': "г", 'ё': "е", 'ς': "σ", 'ى': "ي", 'ة': "ه", 'ـ': "",
}

// elisions are the articles that are written before an apostrophe; what stands
// before one otherwise belongs to the word.
var elisions = map[string]bool{
	"l": true, "d": true, "dell": true, "all": true, "nell": true, "sull": true, "dall": true, "un": true, "qu": true, "s": true, "t": true, "n": true,
}

// split cuts a text into folded words: without case, accents, width and
// punctuation, each common abbreviation the same as the word it stands for.
// Ideographs are words of their own. Of a long text the beginning counts.
func split(text string) []word {
	if len(text) > maxText {
		text = text[:maxText]
	}
	var (
		words []word
		b     []byte
		from  int
	)
	end := func(at int) {
		if len(b) > 0 && len(words) < maxWords {
			whole := umlauts(string(b))
			words = append(words, word{canonical(whole), whole, from, at})
		}
		b = b[:0]
	}
	for i, r := range text {
		switch {
		case r < utf8.RuneSelf && (r >= 'a' && r <= 'z' || r >= '0' && r <= '9'):
		case r >= 'A' && r <= 'Z':
			r += 'a' - 'A'
		case r == '\'' || r == '’' || r == '`' || r == 'ʼ':
			if elisions[string(b)] {
				end(i)
			}
			continue
		case r < utf8.RuneSelf:
			end(i)
			continue
		case ideograph(r):
			end(i)
			from = i
			b = utf8.AppendRune(b, r)
			end(i + utf8.RuneLen(r))
			continue
		}
		if len(b) == 0 {
			from = i
		}
		if r < utf8.RuneSelf {
			if len(b) < maxWord {
				b = append(b, byte(r))
			}
			continue
		}
		before := len(b)
		separates := true
		for _, part := range norm.NFKD.String(string(r)) {
			part = unicode.ToLower(part)
			if s, ok := letters[part]; ok {
				b = append(b, s...)
				separates = false
				continue
			}
			switch {
			case unicode.Is(unicode.Mn, part), unicode.Is(unicode.Cf, part):
				separates = false
			case part >= utf8.RuneSelf && unicode.Is(unicode.Nd, part):
				b = append(b, byte(plainDigit(part)))
				separates = false
			case unicode.IsLetter(part), unicode.IsDigit(part), unicode.Is(unicode.Mc, part):
				b = utf8.AppendRune(b, part)
				separates = false
			}
		}
		if len(b) > maxWord {
			b = b[:before]
		}
		if separates {
			end(i)
		}
	}
	end(len(text))
	return words
}

func ideograph(r rune) bool {
	return r >= 0x2e80 && (unicode.Is(unicode.Han, r) || unicode.Is(unicode.Hiragana, r) || unicode.Is(unicode.Katakana, r))
}

// umlauts folds the German way to write them without dots, so that "Mueller" is
// "Müller".
func umlauts(s string) string {
	for i := 1; i < len(s); i++ {
		if s[i] == 'e' && (s[i-1] == 'a' || s[i-1] == 'o' || s[i-1] == 'u') {
			return plainUmlauts.Replace(s)
		}
	}
	return s
}

var plainUmlauts = strings.NewReplacer("ae", "a", "oe", "o", "ue", "u")

// key is the folded words of a text in one string: texts that are written
// differently and mean the same have the same.
func key(text string) string {
	words := split(text)
	if len(words) == 1 {
		return words[0].text
	}
	var b strings.Builder
	for i, w := range words {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(w.text)
	}
	return b.String()
}
