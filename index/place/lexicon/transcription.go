package lexicon

import (
	"cmp"
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/waygate/waygate/index/place"
	"github.com/waygate/waygate/index/place/fold"
	"github.com/waygate/waygate/index/translit"
)

// transcribed is the quality of a word in other letters than a term.
const transcribed = 0.97

// Each small difference between a transcription and the usual one takes so much of its quality,
// up to a limit.
const (
	lessUsual = 0.01
	leastLike = 0.9
)

// roads are the words for kinds of streets that people write in their own language: what a name
// has in other scripts where it is written in Latin letters, with the folded words there.
var roads = expandRoads(map[string]string{
	"street st str":              "ул οδ ش خ רח ქ փ ถ 로 길",
	"road rd":                    "ул ш дорога οδ ش خ דרך რ ถ 로 길",
	"avenue ave av prospect":     "пр λεωφ ش بلوار שד გამზ պող 로",
	"boulevard blvd":             "бул λεωφ بلوار שד გამზ",
	"square sq":                  "пл трг πλ ميدان ساحه כיכר მოედანი հրապարակ",
	"lane ln alley":              "пер ซ كوچه",
	"embankment":                 "наб",
	"highway hwy":                "ш шоссе",
	"saint st agios agia agiou ": "αγ св სვ սբ",
})

// foreignRoads are the words of other scripts that a question may have where a name has none of
// their kind, or one in another language.
var foreignRoads = foldedSet("ул οδ ش خ רח ქ փ ถ пр λεωφ بلوار שד გამზ պող бул пл трг πλ ميدان ساحه כיכר მოედანი հրապարակ пер ซ كوچه наб ш шоссе дорога дор حي محله طريق דרך район мкр")

func foldedSet(list string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		set[fold.Key(w)] = true
	}
	return set
}

func expandRoads(table map[string]string) map[string][]string {
	all := map[string][]string{}
	for latin, others := range table {
		for w := range strings.FieldsSeq(latin) {
			for o := range strings.FieldsSeq(others) {
				all[fold.Umlauts(w)] = append(all[fold.Umlauts(w)], fold.Key(o))
			}
		}
	}
	return all
}

// otherRoad is how well a word for a kind of street stands for one in another language.
const otherRoad = 0.93

// longForm is a word that the index has abbreviated alone.
type longForm struct {
	full string
	term uint32
}

// findScripts finds the terms of other scripts that may be asked for by a Latin transcription:
// those of places that have no name in Latin letters.
func (x *Lexicon) findScripts() {
	x.latin = Span{Lo: x.From("a"), Hi: x.From(string(translit.First))}
	for article := range arabicArticles {
		if term, ok := x.FindTerm(article); ok {
			x.Articles = append(x.Articles, term)
		}
	}
	for term, end := x.latin.Hi, x.From(string(translit.Last+1)); term < end; term++ {
		if x.alone(term) {
			x.foreign = append(x.foreign, term)
		}
	}
	x.roads = map[string][]uint32{}
	if len(x.foreign) == 0 {
		return
	}
	for _, ends := range [...][2]rune{{'\u0530', '\u0780'}, {'\u0900', '\u0e80'}, {'\u10a0', '\u1200'}} {
		if list := x.foreign[x.foreignFrom(x.From(string(ends[0]))):x.foreignFrom(x.From(string(ends[1])))]; len(list) > 0 {
			x.unspaced = append(x.unspaced, list)
		}
	}
	for long, short := range fold.Abbreviations {
		if n, ok := x.FindTerm(short); ok && x.foreign[min(x.foreignFrom(n), len(x.foreign)-1)] == n {
			x.longForms = append(x.longForms, longForm{long, n})
		}
	}
	for latin, others := range roads {
		x.roads[latin] = nil
		for _, o := range others {
			if n, ok := x.FindTerm(o); ok {
				x.roads[latin] = append(x.roads[latin], n)
			}
		}
	}
}

// foreignFrom returns the place in foreign of the first that is not before a term.
func (x *Lexicon) foreignFrom(term uint32) int {
	i, _ := slices.BinarySearch(x.foreign, term)
	return i
}

// alone reports whether a place has a term in its name and no name in Latin letters, or whether
// no name has the term.
func (x *Lexicon) alone(term uint32) bool {
	posts := x.Posts[x.PostFrom[term]:x.PostFrom[term+1]]
	for _, name := range posts {
		for _, r := range x.Bearers[x.BearFrom[name]:x.BearFrom[name+1]] {
			latin := x.isLatin(x.Records[r].Name)
			for k, to := place.Rows(x.AliasOf, r); k < to && !latin; k++ {
				latin = x.isLatin(x.AliasName[k])
			}
			if !latin {
				return true
			}
		}
	}
	return len(posts) == 0
}

// isLatin reports whether a name has words in Latin letters and none in others. "III" alone does
// not make it Latin.
func (x *Lexicon) isLatin(name uint32) bool {
	latin := false
	for _, w := range x.Words[x.WordFrom[name]:x.WordFrom[name+1]] {
		if w >= x.latin.Hi {
			return false
		}
		latin = latin || w >= x.latin.Lo
	}
	return latin
}

// Bounds of cutting a word of other letters.
const (
	leastCut   = 2 // letters of a part
	leastLatin = 3 // the same of a Latin word
	leastWord  = 4 // letters of the word
	mostCut    = 3 // cost of its first part
	mostCuts   = 4 // places where it is tried
	mostPieces = 3
)

// pieces cuts a word in two or more, at most, that are terms in other letters, where it is none
// itself: names are written in one word in one script and in several in another.
func (x *Reader) pieces(t *Token, most int) []Token {
	word := cmp.Or(t.Whole, t.Text)
	r, _ := utf8.DecodeRuneInString(word)
	foreign := translit.Of(r)
	if most < 2 || t.Exact || t.only || t.IsCode || t.IsHouse || t.Unfinished || len(t.Others) > 0 || !foreign && len(x.foreign) == 0 {
		return nil
	}
	m, ok := translit.New(word)
	if !ok || m.Letters() < leastWord {
		return nil
	}
	// Thai and Hangul are rather written together than what is Latin.
	among, least := listed(x.foreign[:x.foreignFrom(x.From("\u0e00"))]), leastLatin
	if foreign {
		among, least = ranged(x.latin), leastCut
	}
	first := make([][]alt, m.Letters())
	x.walk(m, among, translit.Typo-1, func(term uint32, depth int, whole bool) bool {
		for n := least; whole && depth >= least && n <= m.Letters()-least; n++ {
			if cost := m.CostOf(depth, n); cost <= mostCut && len(first[n]) < mostTypos {
				first[n] = append(first[n], alt{term, term + 1, likeness(cost)})
			}
		}
		return false
	})
	letters := []rune(word)
	for n, tries := len(first)-1, 0; n > 0 && tries < mostCuts; n-- {
		if len(first[n]) == 0 {
			continue
		}
		tries++
		rest := Token{From: t.From, To: t.To, Text: string(letters[n:])}
		rest.Others = slices.DeleteFunc(x.otherScripts(rest.Text, 0, false), func(a alt) bool { return utf8.RuneCount(x.Term(a.Lo)) < leastCut })
		list := []Token{rest}
		if len(rest.Others) == 0 {
			if list = nil; most > 2 {
				list = x.pieces(&rest, most-1)
			}
		}
		if len(list) > 0 {
			return append([]Token{{From: t.From, To: t.To, Text: string(letters[:n]), Others: first[n]}}, list...)
		}
	}
	return nil
}

// readScripts finds what the tokens of a question are in other letters. It costs next to nothing
// where the index has no such terms.
func (x *Reader) readScripts(text string, list []Token) []Token {
	if len(x.foreign) == 0 && !slices.ContainsFunc(list, func(t Token) bool { return t.Text >= string(translit.First) }) {
		return list
	}
	out := make([]Token, 0, MostTokens)
	for i := 0; i < len(list); i++ {
		t, n := x.spaced(list[i:])
		i += n
		_, t.Exact = x.FindTerm(t.Text)
		if !t.IsCode && !t.IsHouse && !t.only && t.Others == nil {
			t.Others = x.otherScripts(cmp.Or(t.Whole, t.Text), 0, t.Unfinished)
		}
		if k := len(out) - 1; k >= 0 && arabicArticles[out[k].Whole] && len(t.Others) > 0 && x.isArabic(t.Others[0].Lo) && !Parted(text, out[k].To, t.From) {
			out[k] = Token{From: out[k].From, To: out[k].To, only: true, Mute: true}
		}
		if parts := x.pieces(&t, min(mostPieces, MostTokens-len(out)-len(list)+i+1)); len(parts) > 0 {
			out = append(out, parts...)
			continue
		}
		out = append(out, t)
	}
	return out
}

// roadWeight is the weight of a word for a kind of street that names have in other languages alone.
const roadWeight = 1

// readOthers lets a token stand for the terms that it is in other letters, and for words of
// streets in other languages.
func (x *Lexicon) readOthers(t *Token) {
	if !t.Exact && foreignRoads[t.Text] {
		t.Weight = roadWeight
		return
	}
	t.Alts = append(t.Alts, t.Others...)
	if !t.Exact && len(t.Others) > 0 {
		best := slices.MaxFunc(t.Others, func(a, b alt) int { return cmp.Compare(a.Quality, b.Quality) })
		t.Weight = float64(x.Weights[best.Lo])
	}
	if same, ok := x.roads[t.Whole]; ok {
		for _, n := range same {
			t.Alts = append(t.Alts, alt{n, n + 1, otherRoad})
		}
		if !t.Exact {
			t.Weight = roadWeight
		}
	}
}

func (x *Lexicon) isArabic(term uint32) bool { return Arabic(string(x.Term(term))) }

// Arabic reports whether a word is in Arabic letters.
func Arabic(word string) bool {
	r, _ := utf8.DecodeRuneInString(word)
	return unicode.Is(unicode.Arabic, r)
}

// arabicArticles are the ways to write the Arabic article in Latin letters.
var arabicArticles = fold.WordSet("al el ul ar er as es ash esh an en at et ad ed az ez")

// mostSpaced is how many words in Latin letters may be one of a script that has no spaces.
const mostSpaced = 6

// spaced returns the token that list begins with, of it and so many of the next where they are one
// word in a script that writes its words together: "Chiang Mai", "Jongno-gu".
func (x *Reader) spaced(list []Token) (t Token, more int) {
	t = list[0]
	if len(x.unspaced) == 0 {
		return t, 0
	}
	words := ""
	for k := range min(mostSpaced, len(list)) {
		o := &list[k]
		if o.IsCode || o.IsHouse || o.only || o.Text == "" {
			break
		}
		if words += cmp.Or(o.Whole, o.Text); k == 0 {
			continue
		}
		m, ok := translit.New(words)
		if !ok || m.Foreign() {
			break
		}
		for _, s := range x.unspaced {
			if found := x.matching(m, listed(s), translit.Typo-1, o.Unfinished); len(found) > 0 {
				t, more = Token{From: list[0].From, To: o.To, Text: words, Unfinished: o.Unfinished, Others: found}, k
			}
		}
	}
	return t, more
}

// otherScripts returns the terms that a word is in other letters, with so many typos.
func (x *Reader) otherScripts(word string, typos int, prefix bool) []alt {
	r, _ := utf8.DecodeRuneInString(word)
	foreign := translit.Of(r)
	if !foreign && (len(x.foreign) == 0 || len(word) < 2 && !prefix) {
		return nil
	}
	if _, exact := x.FindTerm(word); foreign && (exact && typos == 0 || foreignRoads[word]) {
		return nil // what is there as it was typed is meant
	}
	m, ok := translit.New(word)
	if !ok {
		return nil
	}
	most := typos*translit.Typo + translit.Typo - 1
	if foreign {
		return x.matching(m, ranged(x.latin), most, prefix)
	}
	all := x.matching(m, listed(x.foreign), most, prefix)
	// Of words that are abbreviated the index has not the letters.
	for _, f := range x.longForms {
		if cost := m.Like(f.full, most); cost <= most {
			all = append(all, alt{f.term, f.term + 1, likeness(cost)})
		}
	}
	return all
}

// likeness returns the quality of a term that a comparison has such a cost for.
func likeness(cost int) float32 {
	typos, small := cost/translit.Typo, cost%translit.Typo
	return max(leastLike, transcribed-lessUsual*float32(small)) * [...]float32{1, 0.8, 0.62}[min(typos, 2)]
}

// mostLetters is how many letters of terms a question is compared with in other letters, however
// many there are.
const mostLetters = 200_000

// Reader compares the words of one question with terms in other letters.
type Reader struct {
	*Lexicon
	left int // letters that it may still be compared with
}

// NewReader makes the reader of one question.
func NewReader(x *Lexicon) *Reader { return &Reader{x, mostLetters} }

// listing is some terms in their order.
type listing struct {
	n  int
	at func(i int) uint32
}

func listed(list []uint32) listing {
	return listing{len(list), func(i int) uint32 { return list[i] }}
}

func ranged(s Span) listing {
	return listing{int(s.Hi) - int(s.Lo), func(i int) uint32 { return s.Lo + uint32(i) }}
}

// after returns the place of the first that is not before a term, at i or later.
func (l *listing) after(term uint32, i int) int {
	return i + sort.Search(l.n-i, func(k int) bool { return l.at(i+k) >= term })
}

// matching gives those of some terms that are like a matcher's word, with prefix those that begin
// with something like it.
func (x *Reader) matching(m *translit.Matcher, among listing, most int, prefix bool) []alt {
	var all []alt
	x.walk(m, among, most, func(term uint32, depth int, whole bool) bool {
		if cost := m.Cost(depth); cost <= most && (whole || prefix) && len(all) < mostTypos {
			end := term + 1
			if prefix {
				end = x.After(x.Term(term)[:lettersAt(x.Term(term), depth)], term)
			}
			all = append(all, alt{term, end, likeness(cost)})
			return prefix
		}
		return false
	})
	return all
}

// lettersAt returns where the first letters of a term end, so many.
func lettersAt(term []byte, n int) int {
	at := 0
	for range n {
		_, k := utf8.DecodeRune(term[at:])
		at += k
	}
	return at
}

// walk compares some terms with a matcher's word, letter by letter, and leaves out those that
// begin with something that costs more than most. It calls seen for each beginning of a term, and
// for the whole of it; where that gives true, others that begin so are left out.
func (x *Reader) walk(m *translit.Matcher, among listing, most int, seen func(term uint32, depth int, whole bool) bool) {
	var (
		ends  [translit.MaxLetters + 1]int // where the first so many letters of the last term end
		last  []byte
		depth int
	)
	for i := 0; i < among.n && x.left > 0; {
		term := among.at(i)
		t := x.Term(term)
		common := 0
		for common < len(t) && common < len(last) && t[common] == last[common] {
			common++
		}
		for depth > 0 && ends[depth] > common {
			depth--
		}
		last = t
		next := i + 1
		for at := ends[depth]; at < len(t); {
			r, n := utf8.DecodeRune(t[at:])
			at += n
			out := true
			if depth < translit.MaxLetters {
				depth++
				ends[depth] = at
				x.left--
				out = m.Put(depth, r) > most || seen(term, depth, at == len(t))
			}
			if out {
				next = among.after(x.After(t[:at], term), i)
				last = t[:at]
				break
			}
		}
		i = next
	}
}
