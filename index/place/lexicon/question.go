package lexicon

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/waygate/waygate/index/category"
	"github.com/waygate/waygate/index/place"
	"github.com/waygate/waygate/index/place/fold"
)

// Token is a part of a question that is looked for as one.
type Token struct {
	From, To int    // in the question
	Text     string // folded
	Whole    string // before it was abbreviated
	unfolded string // with the letters e that folding took from it, "" where there are none
	Alts     []alt
	Others   []alt // terms that are the word in other letters
	Exact    bool  // the index has the word as it is
	Weight   float64
	Cost     int // names to look at

	IsHouse bool
	House   fold.HouseNumber
	longer  [mostParts]string // letters of the house number with one, two and more of the following tokens as part of it, "" for what cannot be

	part bool // it may be part of a house number before it
	Unit bool // it names a part of a building, and weighs nothing
	Mute bool // it says that a number follows, and weighs nothing

	IsCode         bool
	CodeLo, CodeHi uint32        // postcodes that it is, or is the beginning of
	WideLo, WideHi uint32        // those of its district
	nearLo, nearHi uint32        // those of its sector
	Outward        int           // letters of the district, 0 where the code has none
	inward         int           // of the rest of a whole code
	begun          bool          // of the outward part more may come
	only           bool          // it is a postcode and no word
	Unfinished     bool          // the last, of which more may come
	Opened         bool          // it stands for the words that begin with it too
	dotted         bool          // a full stop follows it
	Skips          float32       // quality at which it stands for a longer word that it abbreviates, 0 for none
	Kind           AnyOf         // the kind of places that it names, alone or with its neighbours
	Guess          bool          // the words of the kind are begun, and may be others
	Role           category.Role // what it says beside a kind
}

// Weights of what is no word.
const (
	codeWeight       = 7
	foreignCode      = 3 // of a postcode whose district has none here
	houseWeight      = 2.5
	partWeight       = 1
	unknownWeight    = 5
	unknownIdeograph = 1 // which is a part of a word
	fillerShare      = 0.25
)

// Question cuts a typed text into tokens.
func (x *Reader) Question(q *place.Query) []Token {
	words := fold.Split(q.Text)
	words = words[:min(len(words), mostWords)]
	var list []Token
	for i := 0; i < len(words); {
		t, n := x.tokenAt(q.Text, words[i:], q.Typing)
		list = append(list, t)
		i += n
	}
	if q.Typing && len(list) > 0 && !endsWithSpace(q.Text) {
		list[len(list)-1].Unfinished = true
	}
	list = x.readScripts(q.Text, x.shorten(list))
	x.findKinds(list, q.Typing)
	list = x.together(q.Text, list)
	muteNumberWords(list)
	markUnits(q.Text, list)
	lengthen(list)
	for i := range list {
		if t := &list[i]; t.Whole != "" {
			if raw := strings.ToLower(q.Text[t.From:t.To]); raw != t.Whole && fold.Umlauts(raw) == t.Whole {
				t.unfolded = raw
			}
		}
		x.readWord(&list[i])
		if t := &list[i]; q.Typing && !t.Exact {
			x.AddBegun(t)
		}
	}
	return list
}

// Bounds of a question.
const (
	mostWords  = 64 // of which those are looked at that may say most
	MostTokens = 24 // as many as an address in ideographs has, which are tokens each
)

// shorten leaves out tokens of a question that has too many: first those that the index does not
// have, then those that say little, and then the last.
func (x *Lexicon) shorten(list []Token) []Token {
	tooMany := len(list) - MostTokens
	drop := func(little func(t *Token) bool) {
		list = slices.DeleteFunc(list, func(t Token) bool {
			if tooMany <= 0 || t.IsHouse || t.IsCode || t.Unfinished || !little(&t) {
				return false
			}
			tooMany--
			return true
		})
	}
	drop(func(t *Token) bool { _, known := x.FindTerm(t.Text); return !known })
	drop(func(t *Token) bool { return fold.Fillers[t.Text] })
	return list[:min(len(list), MostTokens)]
}

func endsWithSpace(s string) bool { return strings.HasSuffix(s, " ") || strings.HasSuffix(s, ",") }

// tokenAt reads the token at the beginning of words, which is of one or more.
func (x *Lexicon) tokenAt(text string, words []fold.Word, typing bool) (Token, int) {
	for n := min(3, len(words)); n > 0; n-- {
		from, to := words[0].From, words[n-1].To
		if t, ok := x.code(text[from:to], n, typing && n == len(words)); ok {
			t.From, t.To, t.only = from, to, n > 1
			if n == 1 {
				t.Text, t.Whole = words[0].Text, words[0].Whole
				t.House, t.IsHouse = houseOf(written(text[from:to], words[0].Whole))
			}
			return t, n
		}
	}
	if t, n, ok := x.blockAt(text, words); ok {
		return t, n
	}
	if len(words) > 1 {
		from, to := words[0].From, words[1].To
		if _, ok := fold.CutUnit(text[from:to] + " "); ok && !Parted(text, words[0].To, words[1].From) {
			if h, ok := fold.ParseHouse(text[from:to]); ok && to-from <= 20 && len(h.Letters) <= 2 {
				return Token{From: from, To: to, IsHouse: true, House: h, only: true}, 2
			}
		}
		if dashed(text[words[0].To:words[1].From]) {
			from, to := words[0].From, words[1].To
			if h, ok := fold.ParseHouse(text[from:to]); ok && h.To > h.From {
				return Token{From: from, To: to, Text: words[0].Text, IsHouse: true, House: h}, 2
			}
			if h, ok := houseOf(words[0].Text + words[1].Text); ok && fold.LettersBefore(words[0].Text+words[1].Text) == len(words[0].Text) {
				return Token{From: from, To: to, Text: words[0].Text + words[1].Text, IsHouse: true, House: h}, 2
			}
		}
	}
	t := Token{From: words[0].From, To: words[0].To, Text: words[0].Text, Whole: words[0].Whole}
	t.dotted = strings.HasPrefix(text[t.To:], ".")
	t.House, t.IsHouse = houseOf(written(text[t.From:t.To], t.Whole))
	return t, 1
}

// written returns a word as it may be a house number: as it was typed where it has a fraction, which
// folding joins to the number before it.
func written(typed, folded string) string {
	if strings.ContainsAny(typed, "¼½¾") {
		return typed
	}
	return folded
}

func houseOf(s string) (fold.HouseNumber, bool) {
	h, ok := fold.ParseHouse(s)
	longest := 4
	if fold.LettersBefore(s) > 0 {
		longest = 10
	}
	return h, ok && utf8.RuneCountInString(s) <= 10 && utf8.RuneCountInString(h.Letters) <= longest && !ordinals[h.Letters]
}

// ordinals are the letters after numbers that count streets and floors, not houses.
var ordinals = map[string]bool{"st": true, "nd": true, "rd": true, "th": true}

// mostParts is how many words may follow a house number and be part of it.
const mostParts = 4

// lengthen reads house numbers on over the words that follow: "38 e", "17 к. 1", "5 bis".
// The houses of the street decide between the readings.
func lengthen(list []Token) {
	for i := range list {
		t := &list[i]
		if !t.IsHouse || t.only || t.House.To > t.House.From {
			continue
		}
		rest := t.House.Letters
		for k := 0; k < mostParts && i+1+k < len(list); k++ {
			next := &list[i+1+k]
			if next.only || next.Whole == "" || utf8.RuneCountInString(next.Whole) > 8 {
				break
			}
			next.part = true
			rest += " " + next.Whole
			t.longer[k] = fold.LettersOf(rest)
		}
	}
}

// code reads a postcode of n words.
func (x *Lexicon) code(written string, n int, typing bool) (t Token, ok bool) {
	if len(written) > 2*fold.CodeLength || !strings.ContainsAny(written, "0123456789") {
		return t, false
	}
	packed, length, ok := fold.PackCode(written)
	if !ok || length < 2 {
		return t, false
	}
	out, in, isBritish := fold.British(written)
	partial := false
	if !isBritish && n == 2 {
		// The beginning of an inward part: "NP20 1".
		first, second, _ := strings.Cut(strings.TrimSpace(written), " ")
		if o, i, ok := fold.British(first); ok && i == "" && len(second) <= 2 && second != "" && second[0] >= '0' && second[0] <= '9' && (len(second) == 1 || second[1] > '9') {
			out, isBritish, partial = o, true, true
		}
	}
	if isBritish && n > 1 && in == "" && !partial {
		return t, false
	}
	t.CodeLo, t.CodeHi = x.CodeRange(packed, length)
	exact := t.CodeLo < t.CodeHi && x.CodeKey[t.CodeLo] == packed
	if isBritish && n > 1 && !exact && !partial && !strings.HasSuffix(written, " "+written[len(written)-fold.Inward:]) {
		return t, false // "W 42nd" has the letters of W4 2ND, and its space elsewhere
	}
	within := ""
	if !isBritish && !exact && !x.endsInWord(written) {
		within = fold.District(written)
	}
	if within != "" {
		p, n, _ := fold.PackCode(within)
		t.WideLo, t.WideHi = x.CodeRange(p, n)
		t.Outward, t.inward = n, length-n
	}
	known := t.WideLo < t.WideHi // its district is, so that it may be a code
	if !isBritish && !exact && !known && !(typing && n == 1 && length >= 3 && t.CodeLo < t.CodeHi) {
		return t, false
	}
	if exact && !isBritish && (length < 4 || n > 1 && length < 5) {
		return t, false
	}
	if exact && (!isBritish || in != "") {
		t.CodeHi = t.CodeLo + 1
	}
	if isBritish {
		if p, n, ok := fold.PackCode(out); ok {
			t.WideLo, t.WideHi = x.CodeRange(p, n)
		}
		if in != "" {
			p, n, _ := fold.PackCode(out + in[:1])
			t.nearLo, t.nearHi = x.CodeRange(p, n)
		}
		t.Outward, t.inward, t.begun = len(out), fold.Inward, typing && in == "" && !partial
	}
	t.IsCode = true
	return t, true
}

// endsInWord reports whether the second of two words is one of a name: "2400 NW" has the letters of
// a Dutch postcode.
func (x *Lexicon) endsInWord(written string) bool {
	_, second, ok := strings.Cut(written, " ")
	if !ok {
		return false
	}
	n, known := x.FindTerm(fold.Canonical(strings.ToLower(second)))
	return known && x.PostFrom[n+1] > x.PostFrom[n]
}

// Qualities of postcodes that are not the one asked for.
const (
	SectorQuality   = 0.6
	districtQuality = 0.45
	HoldingQuality  = 0.7 // of the district itself
)

// MeetsCode returns how well a postcode is one that was asked for: 1 where it is that or begins
// with it, less where it is of the same sector or district, and 0 for all others.
func (x *Lexicon) MeetsCode(t *Token, code uint32) float32 {
	if !t.IsCode {
		return 0
	}
	same := code >= t.CodeLo && code < t.CodeHi
	if t.Outward == 0 {
		if same {
			return 1
		}
		return 0
	}
	// "NP2" begins the codes of "NP20" too, between its own: an inward part has three letters.
	n := fold.LettersOfCode(x.CodeKey[code])
	of := n == t.Outward || n == t.Outward+t.inward
	switch {
	case same && (of || t.begun):
		return 1
	case !of || code < t.WideLo || code >= t.WideHi:
		return 0
	case n == t.Outward:
		return HoldingQuality
	case code >= t.nearLo && code < t.nearHi:
		return SectorQuality
	}
	return districtQuality
}

// together joins neighbouring words that the index has as one, and parts one
// that it has as two, where they are unknown as they are.
func (x *Lexicon) together(text string, list []Token) []Token {
	var out []Token
	for i := 0; i < len(list); i++ {
		t := list[i]
		if t.IsCode || t.IsHouse || t.Unfinished || t.only || t.Kind != nil && !t.Guess || t.Role != 0 {
			out = append(out, t)
			continue
		}
		_, known := x.FindTerm(t.Text)
		known = known || len(t.Others) > 0
		if i+1 < len(list) && !list[i+1].IsCode && !list[i+1].IsHouse && !list[i+1].Unfinished && (list[i+1].Kind == nil || list[i+1].Guess) && list[i+1].Role == 0 {
			if _, next := x.FindTerm(list[i+1].Text); !known || !next {
				joined := fold.Canonical(t.Text + list[i+1].Text)
				if n, ok := x.FindTerm(joined); ok && x.PostFrom[n+1] > x.PostFrom[n] {
					out = append(out, Token{From: t.From, To: list[i+1].To, Text: joined})
					i++
					continue
				}
				if list[i+1].From == t.To+1 && text[t.To] == ' ' {
					if first, second, ok := x.respaced(text, &t, &list[i+1]); ok {
						out = append(out, first, second)
						i++
						continue
					}
				}
			}
		}
		if !known && len(t.Text) >= 4 {
			if a, b, ok := x.apart(text, t); ok && len(out)+len(list)-i < MostTokens {
				out = append(out, a, b)
				continue
			}
		}
		out = append(out, t)
	}
	return out
}

// Of a word that is cut in two.
const (
	leastPart  = 3  // letters of either, where no capital letter begins the second
	commonPart = 20 // names that have more often been run together with others
)

// mostNames is how many names of a word are looked at for another word.
const mostNames = 2000

// sideBySide reports whether one of the most important names with the rarer of two terms has the
// other too.
func (x *Lexicon) sideBySide(first, second uint32) bool {
	few, many := x.Posts[x.PostFrom[first]:x.PostFrom[first+1]], x.Posts[x.PostFrom[second]:x.PostFrom[second+1]]
	if len(few) > len(many) {
		few, many = many, few
	}
	return slices.ContainsFunc(few[:min(len(few), mostNames)], func(name uint32) bool {
		_, ok := slices.BinarySearch(many, name)
		return ok
	})
}

// respaced gives two words whose space stands one letter too early or too late, "Sto wHill", as a
// name has them.
func (x *Lexicon) respaced(text string, a, b *Token) (first, second Token, ok bool) {
	left, right := text[a.From:a.To], text[b.From:b.To]
	_, last := utf8.DecodeLastRuneInString(left)
	_, next := utf8.DecodeRuneInString(right)
	for _, pair := range [...][2]string{{left + right[:next], right[next:]}, {left[:len(left)-last], left[len(left)-last:] + right}} {
		words := append(fold.Split(pair[0]), fold.Split(pair[1])...)
		if len(words) != 2 {
			continue
		}
		n, here := x.FindTerm(words[0].Text)
		m, also := x.FindTerm(words[1].Text)
		if here && also && x.sideBySide(n, m) {
			return Token{From: a.From, To: a.To, Text: words[0].Text, Whole: words[0].Whole}, Token{From: b.From, To: b.To, Text: words[1].Text, Whole: words[1].Whole}, true
		}
	}
	return first, second, false
}

func noQuality(int) float32 { return 0 }

// apart cuts a word in two that the index has: before a capital letter, as in "RueJonas", or
// else where one of them is common, as in "Dockstreet".
func (x *Lexicon) apart(text string, t Token) (a, b Token, ok bool) {
	cut := func(first, second string) (posts uint32, ok bool) {
		n, here := x.FindTerm(first)
		m, also := x.FindTerm(second)
		if !here || !also || !x.sideBySide(n, m) {
			return 0, false
		}
		return max(x.PostFrom[n+1]-x.PostFrom[n], x.PostFrom[m+1]-x.PostFrom[m]), true
	}
	last := ' '
	for i, r := range text[t.From:t.To] {
		if unicode.IsUpper(r) && unicode.IsLower(last) {
			if words := append(fold.Split(text[t.From:t.From+i]), fold.Split(text[t.From+i:t.To])...); len(words) == 2 {
				if _, ok := cut(words[0].Text, words[1].Text); ok {
					return Token{From: t.From, To: t.From + i, Text: words[0].Text, Whole: words[0].Whole}, Token{From: t.From + i, To: t.To, Text: words[1].Text, Whole: words[1].Whole}, true
				}
			}
		}
		last = r
	}
	for i := leastPart; i <= len(t.Text)-leastPart; i++ {
		first, second := fold.Canonical(t.Text[:i]), fold.Canonical(t.Text[i:])
		if posts, ok := cut(first, second); ok && posts > commonPart {
			if len(x.typos(t.Text, 1, false, noQuality)) > 0 {
				return a, b, false // a letter that is wrong is likelier than a space that is missing
			}
			return Token{From: t.From, To: t.To, Text: first}, Token{From: t.From, To: t.To, Text: second}, true
		}
	}
	return a, b, false
}
