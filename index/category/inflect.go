package category

import "strings"

// endings are the endings of words of a language in the plural, or with an article that
// is written in one word: what the singular has there, and what stands in its place. Words are
// folded: without accents, "Bahnhöfe" is bahnhofe.
var endings = map[string]map[[2]string]bool{
	"en": pairs("um:a :s :es y:ies f:ves fe:ves"),
	"de": pairs(":e :en :n :er :s :nen um:en :ern us:en"),
	"fr": pairs(":s :x al:aux l:ux"),
	"es": pairs(":s :es z:ces"),
	"it": pairs("o:i a:e e:i io:i co:chi go:ghi ca:che ga:ghe cia:ce gia:ge a:he o:hi"),
	"nl": pairs("um:a :en :s :n :es f:ven s:zen"),
	"pl": pairs("um:a a:y a:i a:e a:o :y :i :e :ow :u ia:ie y:e y:ych y:i ek:ki a: o:a e:a e:i e: k:ki :ch"),
	"pt": pairs(":s :es m:ns l:is ao:oes ao:aes r:res"),
	"sv": pairs("um:er :er :ar :or a:or :en :et :n :t :na :erna :arna a:orna e:ar :ren"),
	"cy": pairs(":au :iau :oedd :ion :s"),
}

func pairs(list string) map[[2]string]bool {
	all := map[[2]string]bool{}
	for pair := range strings.FieldsSeq(list) {
		from, to, _ := strings.Cut(pair, ":")
		all[[2]string{from, to}] = true
	}
	return all
}

// leastStem is how many bytes of a word must stay as they are where its end is another.
const leastStem = 3

// Inflects reports whether a word is a form of another of a language: its plural, or the word
// with an article at its end. Both are folded.
func Inflects(lang, word, form string) bool {
	if word == form {
		return true
	}
	n := 0
	for n < len(word) && n < len(form) && word[n] == form[n] {
		n++
	}
	// The stem may be shorter than what both have: "station" and "stationen", "meglio" and "megli".
	for ; n >= leastStem; n-- {
		from, to := word[n:], form[n:]
		if len(from) > longestEnding || len(to) > longestEnding {
			return false
		}
		if endings[lang][[2]string{from, to}] || lang == "nl" && dutch(word, form) {
			return true
		}
	}
	return false
}

// longestEnding is the most bytes of an ending.
const longestEnding = 4

// dutch reports whether a word is the plural of another whose last vowel loses its double or
// whose last consonant doubles: laadpaal and laadpalen, bus and bussen.
func dutch(word, form string) bool {
	stem, ok := strings.CutSuffix(form, "en")
	if !ok {
		return false
	}
	last := word[len(word)-1]
	if stem == word+string(last) {
		return true
	}
	at := len(word) - 2
	return at > 0 && word[at] == word[at-1] && stem == word[:at]+string(last)
}
