package lexicon

import (
	"cmp"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/waygate/waygate/index/place/fold"
)

// readWord finds the terms that a token may be, and what it weighs.
func (x *Lexicon) readWord(t *Token) {
	defer func() {
		if t.IsCode {
			t.Weight = codeWeight
			if t.CodeLo == t.CodeHi && t.WideLo == t.WideHi {
				t.Weight = foreignCode
			}
		}
		if fold.Fillers[t.Text] {
			t.Weight *= fillerShare
		}
	}()
	t.Weight = unknownWeight
	if r, _ := utf8.DecodeRuneInString(t.Text); fold.Ideograph(r) {
		t.Weight = unknownIdeograph
	}
	switch {
	case t.Unit || t.Mute:
		t.Weight = 0
	case t.only && t.IsHouse:
		t.Weight = houseWeight
	}
	if t.only || t.Text == "" {
		return
	}
	if n, ok := x.FindTerm(t.Text); ok {
		t.Exact = true
		t.Alts = append(t.Alts, alt{n, n + 1, 1})
		t.Weight = float64(x.Weights[n])
	}
	x.readOthers(t)
	if r, _ := utf8.DecodeRuneInString(t.Text); !t.Exact && unicode.In(r, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar) && utf8.RuneCountInString(t.Text) >= leastUnspaced {
		if lo, hi := x.BegunBy(t.Text); hi > lo {
			t.Alts = append(t.Alts, alt{lo, hi, begunQuality})
		}
	}
	switch n := utf8.RuneCountInString(t.Whole); {
	case t.IsHouse || t.IsCode || t.Unfinished:
	case t.dotted:
		t.Skips = fold.DottedQuality
		if n >= fold.LeastBegun && !t.Exact {
			if lo, hi := x.BegunBy(t.Text); hi > lo {
				t.Alts = append(t.Alts, alt{lo, hi, fold.DottedQuality})
			}
		}
	case fold.Fillers[t.Text]:
	case n >= fold.LeastSkipped && n <= fold.LongestSkipped && (!t.Exact || !strings.ContainsAny(t.Text, "aeiouy")):
		t.Skips = fold.SkippedQuality
	}
	if t.Unfinished {
		if lo, hi := x.BegunBy(t.Whole); hi > lo {
			t.Alts = append(t.Alts, alt{lo, hi, unfinishedQuality})
		}
		for _, s := range fold.Completions(t.Whole) {
			if n, ok := x.FindTerm(s); ok {
				t.Alts = append(t.Alts, alt{n, n + 1, unfinishedQuality})
			}
		}
		if !t.Exact && len(t.Alts) > 0 {
			t.Weight = 3
		}
	}
	if t.part && !t.Exact && utf8.RuneCountInString(t.Whole) <= 3 {
		t.Weight = partWeight
	}
	if t.IsHouse && (!t.Exact || t.Weight > houseWeight && fold.LettersBefore(t.Text) == 0) {
		t.Weight = houseWeight
	}
	t.count(x)
}

// leastUnspaced is how many letters a word of a script without spaces has at least that stands
// for names that begin with it.
const leastUnspaced = 4

// AddBegun lets a token stand for the terms that begin with it: people type the first letters of
// each word, not of the last alone.
func (x *Lexicon) AddBegun(t *Token) {
	if t.only || t.Unfinished || t.IsHouse || t.IsCode || t.Opened || utf8.RuneCountInString(t.Whole) < LeastTyped {
		return
	}
	t.Opened = true
	if lo, hi := x.BegunBy(t.Whole); hi > lo {
		t.Alts = append(t.Alts, alt{lo, hi, begunQuality})
	}
	for _, s := range fold.Completions(t.Whole) {
		if n, ok := x.FindTerm(s); ok {
			t.Alts = append(t.Alts, alt{n, n + 1, begunQuality})
		}
	}
	if !t.Exact && len(t.Alts) > 0 {
		t.Weight = 3
	}
	t.count(x)
}

// LeastTyped is how many letters of a word are typed at least that stand for the whole of it.
const LeastTyped = 2

// begunQuality is that of a word, not the last, whose beginning was typed.
const begunQuality = 0.93

// unfinishedQuality is that of a word whose beginning was typed: a little less
// than of a whole one, so little that typing on does not turn the order round.
const unfinishedQuality = 0.99

func (t *Token) count(x *Lexicon) {
	t.Cost = 0
	for _, a := range t.Alts {
		t.Cost += int(x.PostFrom[a.Hi] - x.PostFrom[a.Lo])
	}
}

// weight returns how much a term counts: rare ones count more.
func (x *Lexicon) weight(term uint32) float64 {
	return max(0.5, min(8, math.Log(float64(1+len(x.NameText))/float64(2+x.PostFrom[term+1]-x.PostFrom[term]))))
}

// AddTypos lets a token stand for terms that are written like it, and where it may be a kind, for
// the kind whose word is: before Court or Street it is rather a name.
func (x *Reader) AddTypos(t *Token, mayBeKind bool) {
	n := len([]rune(t.Text))
	most := 0
	switch {
	case t.only || t.Text == "" || t.IsHouse || t.IsCode && t.Exact:
	case n >= 8:
		most = 2
	case n >= 3:
		most = 1
	}
	if most == 0 {
		return
	}
	quality := func(typos int) float32 { return [...]float32{1, 0.8, 0.62}[typos] }
	found := x.typos(t.Text, 1, t.Unfinished, quality)
	if t.unfolded != "" && !t.Exact { // two letters that changed places look like an umlaut: "Wtaer"
		found = append(found, x.typos(t.unfolded, 1, t.Unfinished, quality)...)
	}
	if most > 1 && !t.Exact && len(found) == 0 {
		found = x.typos(t.Text, most, t.Unfinished, quality)
	}
	for typos := 1; typos <= most && (typos == 1 || len(found) == 0); typos++ {
		found = append(found, x.otherScripts(cmp.Or(t.Whole, t.Text), typos, t.Unfinished)...)
	}
	if mayBeKind && t.Kind == nil && n >= leastKindTypo {
		t.Kind = x.kindLike(t.Text)
	}
	// Of words that are abbreviated the index has not the letters.
	typed := fold.SpellingOf(t.Text)
	for i := range fold.LongWords {
		if long := &fold.LongWords[i]; len(long.Text) >= 4 && typed.OneTypo(long) {
			if n, ok := x.FindTerm(fold.Abbreviations[long.Text]); ok {
				found = append(found, alt{n, n + 1, quality(1)})
			}
		}
	}
	for _, s := range fold.Suffixes {
		for n := len(s.Long) - 1; n <= len(s.Long)+1; n++ {
			if stem := len(t.Text) - n; stem >= fold.LeastStem && fold.OneTypo(t.Text[stem:], s.Long) {
				if n, ok := x.FindTerm(t.Text[:stem] + s.Short); ok {
					found = append(found, alt{n, n + 1, quality(1)})
				}
			}
		}
	}
	t.Alts = append(t.Alts, found...)
	if !t.Exact {
		// An unknown token may be worth as much as the word that it is like.
		for _, a := range found {
			t.Weight = max(1, min(t.Weight, float64(x.Weights[a.Lo])+1))
		}
	}
	t.count(x.Lexicon)
}

// Quality returns how well a token stands for a term, 0 where it does not.
func (t *Token) Quality(term uint32) float32 {
	best := float32(0)
	for _, a := range t.Alts {
		if term >= a.Lo && term < a.Hi && a.Quality > best {
			best = a.Quality
		}
	}
	return best
}
