package place

import (
	"math"
	"strings"
	"unicode/utf8"
)

// token is a part of a question that is looked for as one.
type token struct {
	from, to int    // in the question
	text     string // folded
	whole    string // before it was abbreviated
	alts     []alt
	exact    bool // the index has the word as it is
	weight   float64
	cost     int // names to look at

	isHouse bool
	house   houseNumber
	longer  [mostParts]string // letters of the house number with one, two and more of the following tokens as part of it, "" for what cannot be

	part bool // it may be part of a house number before it
	unit bool // it names a part of a building, and weighs nothing
	mute bool // it says that a number follows, and weighs nothing

	isCode         bool
	codeLo, codeHi uint32   // postcodes that it is, or is the beginning of
	wideLo, wideHi uint32   // those that begin with its outward part
	outward        int      // letters of that, 0 for what is not British
	begun          bool     // of the outward part more may come
	only           bool     // it is a postcode and no word
	unfinished     bool     // the last, of which more may come
	dotted         bool     // a full stop follows it
	skips          float32  // quality at which it stands for a longer word that it abbreviates, 0 for none
	categories     []uint32 // texts of the categories that it names, alone or with its neighbours
}

// Weights of what is no word.
const (
	codeWeight    = 7
	houseWeight   = 2.5
	partWeight    = 1
	unknownWeight = 5
	fillerShare   = 0.25
)

// question cuts what somebody typed into tokens.
func (x *Index) question(q *Query) []token {
	words := split(q.Text)
	if len(words) > mostTokens {
		words = words[:mostTokens]
	}
	var list []token
	for i := 0; i < len(words); {
		t, n := x.tokenAt(q.Text, words[i:], q.Typing)
		list = append(list, t)
		i += n
	}
	if q.Typing && len(list) > 0 && !endsWithSpace(q.Text) {
		list[len(list)-1].unfinished = true
	}
	list = x.together(list)
	muteNumberWords(list)
	markUnits(q.Text, list)
	lengthen(list)
	for i := range list {
		x.readWord(&list[i])
	}
	x.findKinds(list)
	return list
}

const mostTokens = 16

func endsWithSpace(s string) bool { return strings.HasSuffix(s, " ") || strings.HasSuffix(s, ",") }

// tokenAt reads the token at the beginning of words, which is of one or more.
func (x *Index) tokenAt(text string, words []word, typing bool) (token, int) {
	for n := min(3, len(words)); n > 0; n-- {
		from, to := words[0].from, words[n-1].to
		if t, ok := x.code(text[from:to], n, typing && n == len(words)); ok {
			t.from, t.to, t.only = from, to, n > 1
			if n == 1 {
				t.text, t.whole = words[0].text, words[0].whole
				t.house, t.isHouse = houseOf(words[0].text)
			}
			return t, n
		}
	}
	if len(words) > 1 {
		from, to := words[0].from, words[1].to
		if _, ok := cutUnit(text[from:to] + " "); ok && !parted(text, words[0].to, words[1].from) {
			if h, ok := parseHouse(text[from:to]); ok && to-from <= 20 && len(h.letters) <= 2 {
				return token{from: from, to: to, isHouse: true, house: h, only: true}, 2
			}
		}
		if between := strings.TrimSpace(text[words[0].to:words[1].from]); between == "-" || between == "–" {
			from, to := words[0].from, words[1].to
			if h, ok := parseHouse(text[from:to]); ok && h.to > h.from {
				return token{from: from, to: to, text: words[0].text, isHouse: true, house: h}, 2
			}
			if h, ok := houseOf(words[0].text + words[1].text); ok && lettersBefore(words[0].text+words[1].text) == len(words[0].text) {
				return token{from: from, to: to, text: words[0].text + words[1].text, isHouse: true, house: h}, 2
			}
		}
	}
	t := token{from: words[0].from, to: words[0].to, text: words[0].text, whole: words[0].whole}
	t.dotted = strings.HasPrefix(text[t.to:], ".")
	t.house, t.isHouse = houseOf(t.text)
	return t, 1
}

func houseOf(s string) (houseNumber, bool) {
	h, ok := parseHouse(s)
	longest := 4
	if lettersBefore(s) > 0 {
		longest = 10
	}
	return h, ok && utf8.RuneCountInString(s) <= 10 && utf8.RuneCountInString(h.letters) <= longest && !ordinals[h.letters]
}

// ordinals are the letters after numbers that count streets and floors, not houses.
var ordinals = map[string]bool{"st": true, "nd": true, "rd": true, "th": true}

// mostParts is how many words may follow a house number and be part of it.
const mostParts = 4

// lengthen reads house numbers on over the words that follow: "38 e", "17 к. 1", "5 bis".
// Which of the readings is meant the houses tell that are there.
func lengthen(list []token) {
	for i := range list {
		t := &list[i]
		if !t.isHouse || t.only || t.house.to > t.house.from {
			continue
		}
		rest := t.house.letters
		for k := 0; k < mostParts && i+1+k < len(list); k++ {
			next := &list[i+1+k]
			if next.only || next.whole == "" || utf8.RuneCountInString(next.whole) > 8 {
				break
			}
			next.part = true
			rest += " " + next.whole
			t.longer[k] = lettersOf(rest)
		}
	}
}

// code reads a postcode of n words.
func (x *Index) code(written string, n int, typing bool) (t token, ok bool) {
	if len(written) > 2*codeLength || !strings.ContainsAny(written, "0123456789") {
		return t, false
	}
	packed, length, ok := packCode(written)
	if !ok || length < 2 {
		return t, false
	}
	out, in, isBritish := british(written)
	partial := false
	if !isBritish && n == 2 {
		// The beginning of an inward part: "NP20 1".
		first, second, _ := strings.Cut(strings.TrimSpace(written), " ")
		if o, i, ok := british(first); ok && i == "" && len(second) <= 2 && second != "" && second[0] >= '0' && second[0] <= '9' && (len(second) == 1 || second[1] > '9') {
			out, isBritish, partial = o, true, true
		}
	}
	if isBritish && n > 1 && in == "" && !partial {
		return t, false
	}
	t.codeLo, t.codeHi = x.codeRange(packed, length)
	exact := t.codeLo < t.codeHi && x.codeKey[t.codeLo] == packed
	if isBritish && n > 1 && !exact && !partial && !strings.HasSuffix(written, " "+written[len(written)-inward:]) {
		return t, false // "W 42nd" has the letters of W4 2ND, and its space elsewhere
	}
	if !isBritish && !exact && !(typing && n == 1 && length >= 3 && t.codeLo < t.codeHi) {
		return t, false
	}
	if exact && !isBritish && (length < 4 || n > 1 && length < 5) {
		return t, false
	}
	if exact && (!isBritish || in != "") {
		t.codeHi = t.codeLo + 1
	}
	if isBritish {
		if p, n, ok := packCode(out); ok {
			t.wideLo, t.wideHi = x.codeRange(p, n)
		}
		t.outward, t.begun = len(out), typing && in == "" && !partial
	}
	t.isCode = true
	return t, true
}

// meetsCode tells how a postcode is one that was asked for: it is that or begins with it, or
// it has the same outward part alone.
func (x *Index) meetsCode(t *token, code uint32) (same, wide bool) {
	if !t.isCode {
		return false, false
	}
	same = code >= t.codeLo && code < t.codeHi
	if t.outward == 0 {
		return same, false
	}
	// "NP2" begins the codes of "NP20" too, between its own: an inward part has three letters.
	n := lengthOf(x.codeKey[code])
	of := n == t.outward || n == t.outward+inward
	return same && (of || t.begun), of && code >= t.wideLo && code < t.wideHi
}

func (x *Index) codeRange(packed uint64, n int) (lo, hi uint32) {
	return x.codeFrom(packed), x.codeFrom(codesAfter(packed, n))
}

func (x *Index) codeFrom(packed uint64) uint32 {
	lo, hi := 0, len(x.codeKey)
	for lo < hi {
		if mid := (lo + hi) / 2; x.codeKey[mid] < packed {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return uint32(lo)
}

// together joins neighbouring words that the index has as one, and parts one
// that it has as two, where they are unknown as they are.
func (x *Index) together(list []token) []token {
	var out []token
	for i := 0; i < len(list); i++ {
		t := list[i]
		if t.isCode || t.isHouse || t.unfinished {
			out = append(out, t)
			continue
		}
		_, known := x.find(t.text)
		if i+1 < len(list) && !list[i+1].isCode && !list[i+1].isHouse && !list[i+1].unfinished {
			if _, next := x.find(list[i+1].text); !known || !next {
				joined := canonical(t.text + list[i+1].text)
				if n, ok := x.find(joined); ok && x.postFrom[n+1] > x.postFrom[n] {
					out = append(out, token{from: t.from, to: list[i+1].to, text: joined})
					i++
					continue
				}
			}
		}
		if !known && len(t.text) >= 6 {
			if a, b, ok := x.apart(t); ok && len(out)+len(list)-i < mostTokens {
				out = append(out, a, b)
				continue
			}
		}
		out = append(out, t)
	}
	return out
}

// apart cuts a word in two that the index has.
func (x *Index) apart(t token) (a, b token, ok bool) {
	for i := 3; i <= len(t.text)-3; i++ {
		first, second := canonical(t.text[:i]), canonical(t.text[i:])
		if n, ok := x.find(first); !ok || x.postFrom[n+1] == x.postFrom[n] {
			continue
		}
		if n, ok := x.find(second); ok && x.postFrom[n+1]-x.postFrom[n] > 20 {
			a, b = token{from: t.from, to: t.to, text: first}, token{from: t.from, to: t.to, text: second}
			return a, b, true
		}
	}
	return a, b, false
}

// readWord finds the terms that a token may be, and what it weighs.
func (x *Index) readWord(t *token) {
	defer func() {
		if t.isCode {
			t.weight = codeWeight
		}
		if fillers[t.text] {
			t.weight *= fillerShare
		}
	}()
	t.weight = unknownWeight
	switch {
	case t.unit || t.mute:
		t.weight = 0
	case t.only && t.isHouse:
		t.weight = houseWeight
	}
	if t.only || t.text == "" {
		return
	}
	if n, ok := x.find(t.text); ok {
		t.exact = true
		t.alts = append(t.alts, alt{n, n + 1, 1})
		t.weight = float64(x.weights[n])
	}
	switch n := utf8.RuneCountInString(t.whole); {
	case t.isHouse || t.isCode || t.unfinished:
	case t.dotted:
		t.skips = dottedQuality
		if n >= leastBegun && !t.exact {
			if lo := x.from(t.text); x.after(t.text, lo) > lo {
				t.alts = append(t.alts, alt{lo, x.after(t.text, lo), dottedQuality})
			}
		}
	case n >= leastSkipped && n <= longestSkipped && (!t.exact || !strings.ContainsAny(t.text, "aeiouy")):
		t.skips = skippedQuality
	}
	if t.unfinished {
		lo := x.from(t.whole)
		if hi := x.after(t.whole, lo); hi > lo {
			t.alts = append(t.alts, alt{lo, hi, unfinishedQuality})
		}
		for _, s := range begun(t.whole) {
			if n, ok := x.find(s); ok {
				t.alts = append(t.alts, alt{n, n + 1, unfinishedQuality})
			}
		}
		if !t.exact && len(t.alts) > 0 {
			t.weight = 3
		}
	}
	if t.part && !t.exact && utf8.RuneCountInString(t.whole) <= 3 {
		t.weight = partWeight
	}
	if t.isHouse && (!t.exact || t.weight > houseWeight && lettersBefore(t.text) == 0) {
		t.weight = houseWeight
	}
	t.count(x)
}

// unfinishedQuality is that of a word whose beginning was typed: a little less
// than of a whole one, so little that typing on does not turn the order round.
const unfinishedQuality = 0.99

func (t *token) count(x *Index) {
	t.cost = 0
	for _, a := range t.alts {
		t.cost += int(x.postFrom[a.hi] - x.postFrom[a.lo])
	}
}

// weigh is how much a term tells: rare ones tell more.
func (x *Index) weigh(term uint32) float64 {
	return max(0.5, min(8, math.Log(float64(1+len(x.nameText))/float64(2+x.postFrom[term+1]-x.postFrom[term]))))
}

// addTypos lets a token stand for terms that are written like it.
func (x *Index) addTypos(t *token) {
	n := len([]rune(t.text))
	most := 0
	switch {
	case t.only || t.text == "" || t.isHouse || t.isCode && t.exact:
	case n >= 8:
		most = 2
	case n >= 3:
		most = 1
	}
	if most == 0 {
		return
	}
	quality := func(typos int) float32 { return [...]float32{1, 0.8, 0.62}[typos] }
	found := x.typos(t.text, 1, t.unfinished, quality)
	if most > 1 && !t.exact && len(found) == 0 {
		found = x.typos(t.text, most, t.unfinished, quality)
	}
	if len(t.categories) == 0 && n >= 6 {
		for words, list := range x.categories {
			if oneTypo(t.text, words) {
				t.categories = list
			}
		}
	}
	// Of words that are abbreviated the index has not the letters.
	for long, short := range abbreviations {
		if len(long) >= 4 && oneTypo(t.text, long) {
			if n, ok := x.find(short); ok {
				found = append(found, alt{n, n + 1, quality(1)})
			}
		}
	}
	for _, s := range suffixes {
		for n := len(s.long) - 1; n <= len(s.long)+1; n++ {
			if stem := len(t.text) - n; stem >= leastStem && oneTypo(t.text[stem:], s.long) {
				if n, ok := x.find(t.text[:stem] + s.short); ok {
					found = append(found, alt{n, n + 1, quality(1)})
				}
			}
		}
	}
	t.alts = append(t.alts, found...)
	if !t.exact {
		// What is not known may be worth as much as what it is like.
		for _, a := range found {
			t.weight = max(1, min(t.weight, float64(x.weights[a.lo])+1))
		}
	}
	t.count(x)
}

// oneTypo reports whether two words differ by a letter less, more or another, or
// by two that changed places.
func oneTypo(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(b)-len(a) > 1 || a == b {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	if len(a) < len(b) {
		return a[i:] == b[i+1:]
	}
	return a[i+1:] == b[i+1:] || i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
}

// quality is how well a token stands for a term, 0 where it does not.
func (t *token) quality(term uint32) float32 {
	best := float32(0)
	for _, a := range t.alts {
		if term >= a.lo && term < a.hi && a.quality > best {
			best = a.quality
		}
	}
	return best
}
