// Package fold reads words, house numbers and postcodes as people write them, so
// that all writings of one are equal: without case, accents and punctuation, with
// abbreviations as the words they stand for.
package fold

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// How much of a text is looked at: what is longer is no name and no question.
const (
	MaxText  = 512 // bytes
	MaxWords = 24
	MaxWord  = 48 // bytes of a folded word
)

// Word is a word of a text, folded so that writings of the same word are equal,
// and where it stands in the text.
type Word struct {
	Text     string
	Whole    string // before it was abbreviated
	From, To int
}

// letters are folded to others that no decomposition gives.
var letters = map[rune]string{
	'ß': "ss", 'æ': "a", 'œ': "o", 'ø': "o", 'đ': "d", 'ł': "l", 'ı': "i", 'ð': "d", 'þ': "th", 'ħ': "h", 'ŋ': "n",
	'ə': "e", 'ʒ': "z", 'ґ': "г", 'ё': "е", 'ς': "σ", 'ى': "ي", 'ة': "ه", 'ـ': "", 'ک': "ك", 'ی': "ي", 'ہ': "ه", 'ۃ': "ه", 'ە': "ه",
	'ך': "כ", 'ם': "מ", 'ן': "נ", 'ף': "פ", 'ץ': "צ", '׳': "", '״': "", 'ʻ': "", 'ʾ': "", 'ʿ': "", 'ʹ': "", 'ʺ': "", 'ー': "",
}

// elisions are the articles that are written before an apostrophe; what stands
// before one otherwise belongs to the word.
var elisions = map[string]bool{
	"l": true, "d": true, "dell": true, "all": true, "nell": true, "sull": true, "dall": true, "un": true, "qu": true, "s": true, "t": true, "n": true,
}

// Split cuts a text into folded words: without case, accents, width and
// punctuation, each common abbreviation the same as the word it stands for.
// Ideographs and kana are words of their own. Of a long text the beginning counts.
func Split(text string) []Word {
	if len(text) > MaxText {
		text = text[:MaxText]
	}
	var (
		words []Word
		b     []byte
		from  int
	)
	put := func(b []byte, from, to int) {
		if len(b) > 0 && len(words) < MaxWords {
			whole := written(string(b))
			words = append(words, Word{Canonical(whole), whole, from, to})
		}
	}
	end := func(at int) {
		if len(b) > 0 {
			if n, of := koreanEnd(text[from:at], b); n > 0 {
				put(b[:len(b)-of], from, at-n)
				b, from = b[len(b)-of:], at-n
			}
			put(b, from, at)
		}
		b = b[:0]
	}
	next := 0 // up to where the text is read
	for i, r := range text {
		if i < next {
			continue
		}
		if len(b) > 0 && unspaced(b, r) {
			end(i)
		}
		switch {
		case r < utf8.RuneSelf && (r >= 'a' && r <= 'z' || r >= '0' && r <= '9'):
		case r >= 'A' && r <= 'Z':
			r += 'a' - 'A'
		case r == '\'' || r == '’' || r == '‘' || r == '`' || r == 'ʼ':
			if elisions[string(b)] {
				end(i)
			}
			continue
		case r < utf8.RuneSelf, r == 'ー' && len(b) > 0 && b[len(b)-1] <= '9':
			end(i)
			continue
		case Ideograph(r):
			end(i)
			from = i
			b, next = foldIdeograph(b, text, i)
			end(next)
			continue
		case len(b) == 0 && thaiLetter(r):
			if n := thaiWord(text[i:]); n > 0 && len(words) < MaxWords {
				words = append(words, Split(text[i:i+n])...)
				words[len(words)-1].From, words[len(words)-1].To = i, i+n
				next = i + n
				continue
			}
		}
		if len(b) == 0 {
			from = i
		}
		if r < utf8.RuneSelf {
			if len(b) < MaxWord {
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
			case unicode.Is(unicode.Mn, part) && !spells(part), unicode.Is(unicode.Cf, part):
				separates = false
			case part >= utf8.RuneSelf && unicode.Is(unicode.Nd, part):
				b = append(b, byte(plainDigit(part)))
				separates = false
			case unicode.IsLetter(part), unicode.IsDigit(part), unicode.Is(unicode.Mc, part), spells(part):
				b = utf8.AppendRune(b, part)
				separates = false
			}
		}
		if len(b) > MaxWord {
			b = b[:before]
		}
		if separates {
			end(i)
		}
	}
	end(len(text))
	return words
}

// Umlauts folds the German way to write them without dots, so that "Mueller" is
// "Müller".
func Umlauts(s string) string {
	for i := 1; i < len(s); i++ {
		if s[i] == 'e' && (s[i-1] == 'a' || s[i-1] == 'o' || s[i-1] == 'u') {
			return plainUmlauts.Replace(s)
		}
	}
	return s
}

var plainUmlauts = strings.NewReplacer("ae", "a", "oe", "o", "ue", "u")

// Key returns the folded words of a text in one string: texts that are written
// differently and mean the same have the same.
func Key(text string) string {
	words := Split(text)
	if len(words) == 1 {
		return words[0].Text
	}
	var b strings.Builder
	for i, w := range words {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(w.Text)
	}
	return b.String()
}
