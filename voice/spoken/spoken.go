// Package spoken writes texts out as they are spoken. Decimals, road numbers, units and
// abbreviations are in words, and nothing is left that a speech engine could take for markup.
package spoken

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Version changes with what Text answers for any text.
const Version = "2"

// Speaker writes texts of one language out. It is immutable.
type Speaker struct {
	words
	short map[string]string // abbreviations by their small letters, without a dot
}

// words has the abbreviations and number words of a language.
type words struct {
	Point   string // between a number and its decimals
	And     string
	Comma   bool // decimals follow a comma, and dots part thousands
	Digits  bool // decimals and road numbers are read digit by digit, and road numbers of four digits in pairs
	Plural  func(whole string, decimals bool) int
	Units   map[string]forms
	Short   string   // abbreviations: pairs of short=long, separated by spaces; _ stands for a space
	Endings []ending // of words
	Before  []ending // abbreviations that mean another thing before a name
	Roads   []ending // words of road numbers in small letters: St 2054
}

// forms are of a noun after 1, after other whole numbers, after few (Polish), and after a
// number with decimals. An empty one is the second.
type forms [4]string

// ending is the end of a word, or a word, and what it stands for.
type ending struct{ abbreviation, full string }

// Find returns the speaker of a BCP 47 tag of a narration language or of any other of the
// same language; the one that only takes markup away for a language that is not known.
func Find(tag string) *Speaker {
	tag = strings.ToLower(strings.ReplaceAll(tag, "_", "-"))
	for {
		if s := speakers[tag]; s != nil {
			return s
		}
		at := strings.LastIndexByte(tag, '-')
		if at < 0 {
			return plain
		}
		tag = tag[:at]
	}
}

var plain = newSpeaker(words{Comma: true, Plural: oneOther})

func newSpeaker(w words) *Speaker {
	s := &Speaker{w, map[string]string{}}
	for pair := range strings.FieldsSeq(w.Short) {
		short, long, _ := strings.Cut(pair, "=")
		s.short[strings.ToLower(short)] = strings.ReplaceAll(long, "_", " ")
	}
	return s
}

// beforeNumber writes a word out where a road's number follows it: St 2054, St2054.
func (e ending) beforeNumber(text string) string {
	var out strings.Builder
	for {
		at := strings.Index(text, e.abbreviation)
		if at < 0 {
			return out.String() + text
		}
		before, _ := utf8.DecodeLastRuneInString(text[:at])
		rest := text[at+len(e.abbreviation):]
		numberPattern := strings.TrimPrefix(rest, " ")
		out.WriteString(text[:at])
		if partOfWord(before) || numberPattern == "" || numberPattern[0] < '1' || numberPattern[0] > '9' {
			out.WriteString(e.abbreviation)
		} else {
			out.WriteString(e.full + " ")
			rest = numberPattern
		}
		text = rest
	}
}

var (
	// A4042, A 8, M-30, SS12, A1(M), E 45
	roadNumber = regexp.MustCompile(`(\p{Lu}{1,3})[ -]?(\d{1,5})(\(\p{Lu}\)|\p{Lu})?`)
	// a number with its marks, and what follows: 1,200.5 km
	numberPattern = regexp.MustCompile(`\d+(?:[.,'’\x{00A0}\x{202F}]\d+)*`)
	// 24A
	suffixed = regexp.MustCompile(`(\d)(\p{Lu})($|[^\pL\pN])`)
	unit     = regexp.MustCompile(`^[ \x{00A0}\x{202F}]?(km/h|kph|mph|km|mi|min|m|ft|yd|kg|t|h|%)($|[^\pL\pN/])`)
	word     = regexp.MustCompile(`[\pL\pM][\pL\pM\pN'’]*(?:[:.]\pL[\pL\pM]*)*[.º]?/?`)
	spaces   = regexp.MustCompile(`\s+`)
	marks    = regexp.MustCompile(`\s+([.,;:!?])`)
	doubled  = regexp.MustCompile(`([,;:])(?:\s*[,;:])+`)
)

// Text writes a text out. What comes back has letters, marks, digits, spaces and the
// punctuation . , ; : ! ? ' - alone.
func (s *Speaker) Text(text string) string {
	text = norm.NFC.String(strings.ToValidUTF8(text, " "))
	for _, e := range s.Roads {
		text = e.beforeNumber(text)
	}
	text = s.roads(text)
	text = s.numbers(text)
	text = suffixed.ReplaceAllString(text, "$1 $2$3")
	if len(s.short) > 0 || len(s.Endings) > 0 {
		text = s.abbreviations(text)
	}
	return s.tidy(text)
}

// roads writes road numbers out: those that stand by themselves, and begin no number with decimals.
func (s *Speaker) roads(text string) string {
	var out strings.Builder
	at := 0
	for at < len(text) {
		m := roadNumber.FindStringSubmatchIndex(text[at:])
		if m == nil {
			break
		}
		from, to := at+m[0], at+m[1]
		before, _ := utf8.DecodeLastRuneInString(text[:from])
		after, size := utf8.DecodeRuneInString(text[to:])
		next, _ := utf8.DecodeRuneInString(text[to+size:])
		if partOfWord(before) || partOfWord(after) || (after == '.' || after == ',') && unicode.IsDigit(next) {
			_, first := utf8.DecodeRuneInString(text[from:])
			out.WriteString(text[at : from+first])
			at = from + first
			continue
		}
		out.WriteString(text[at:from] + spelled(text[at+m[2]:at+m[3]]) + " " + s.roadDigits(text[at+m[4]:at+m[5]]))
		if m[6] >= 0 {
			out.WriteString(" " + strings.Trim(text[at+m[6]:at+m[7]], "()"))
		}
		at = to
	}
	return out.String() + text[at:]
}

// partOfWord reports whether a letter or digit beside others makes one word with them.
func partOfWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsNumber(r) }

// spelled puts spaces between letters.
func spelled(letters string) string { return strings.Join(strings.Split(letters, ""), " ") }

// roadDigits reads the number of a road: in English 4042 is forty forty-two, 470 is four seven
// zero, and 500 and 48 are numbers. Others read a number.
func (s *Speaker) roadDigits(n string) string {
	n = strings.TrimLeft(n[:len(n)-1], "0") + n[len(n)-1:]
	switch {
	case !s.Digits || len(n) < 3 || strings.HasSuffix(n, "00"):
		return n
	case len(n) == 4 && n[2] != '0':
		return n[:2] + " " + n[2:]
	}
	return spelled(n)
}

// numbers writes the decimals and the units of numbers out.
func (s *Speaker) numbers(text string) string {
	var out strings.Builder
	for {
		at := numberPattern.FindStringIndex(text)
		if at == nil {
			out.WriteString(text)
			return out.String()
		}
		out.WriteString(text[:at[0]])
		whole, decimals, rest := s.parts(text[at[0]:at[1]])
		text = text[at[1]:]
		out.WriteString(whole)
		if decimals != "" {
			out.WriteString(" " + s.point() + " " + s.decimals(decimals))
		}
		for _, more := range rest {
			out.WriteString(" " + more)
		}
		if m := unit.FindStringSubmatch(text); m != nil {
			if f, ok := s.Units[m[1]]; ok {
				out.WriteString(" " + f.of(s.Plural(whole, decimals != "")))
				text = text[len(m[0])-len(m[2]):]
			}
		}
	}
}

func (s *Speaker) point() string {
	if s.Point == "" {
		return ","
	}
	return s.Point
}

// decimals reads those of a number: digit by digit, or as a number where no zero leads.
func (s *Speaker) decimals(d string) string {
	if s.Digits || d[0] == '0' {
		return spelled(d)
	}
	return d
}

func (f forms) of(i int) string {
	if f[i] == "" {
		return f[1]
	}
	return f[i]
}

// parts takes a number apart. A mark before exactly three digits parts thousands, unless it is
// the language's mark of decimals; any other one begins the decimals. rest are the numbers of a list of
// more than two, such as 1.2.3.
func (s *Speaker) parts(n string) (whole, decimals string, rest []string) {
	groups := strings.FieldsFunc(n, func(r rune) bool { return r < '0' || r > '9' })
	at, last := len(groups[0]), byte(0)
	whole = groups[0]
	for i, g := range groups[1:] {
		mark := n[at]
		for at++; n[at] < '0' || n[at] > '9'; at++ {
		}
		at += len(g)
		point := mark == '.' && !s.Comma || mark == ',' && s.Comma
		switch {
		case !point && len(g) == 3 && len(groups[0]) < 4 && groups[0][0] != '0' && (last == 0 || last == mark):
			whole += g
			last = mark
		case i == len(groups)-2 && (mark == '.' || mark == ','):
			decimals = g
		default:
			return groups[0], "", groups[1:]
		}
	}
	return whole, decimals, nil
}

// abbreviations writes words out that are short for others.
func (s *Speaker) abbreviations(text string) string {
	found := word.FindAllStringIndex(text, -1)
	var out strings.Builder
	at := 0
	for i, f := range found {
		w := text[f[0]:f[1]]
		long, rest := s.expand(w, i > 0 && adjoins(text[found[i-1][1]:f[0]]), i+1 < len(found) && adjoins(text[f[1]:found[i+1][0]]) && capital(text[found[i+1][0]:]), strings.TrimSpace(text[f[1]:]) == "")
		out.WriteString(text[at:f[0]])
		out.WriteString(long + rest)
		if rest == "" && strings.HasSuffix(w, "/") {
			out.WriteByte(' ')
		}
		at = f[1]
	}
	return out.String() + text[at:]
}

// adjoins reports whether what is between two words leaves them in one name.
func adjoins(between string) bool { return strings.Trim(between, " ") == "" }

func capital(text string) bool {
	for _, r := range text {
		return unicode.IsUpper(r)
	}
	return false
}

// expand returns the text that a word stands for, and the rest that stays: the full stop of a sentence.
func (s *Speaker) expand(w string, after, before, last bool) (expand, rest string) {
	bare := strings.TrimRight(w, "./")
	dotted := bare != w || strings.ContainsAny(w, ".:")
	if !dotted && utf8.RuneCountInString(bare) == 1 {
		return w, "" // a letter of a road number: C-58
	}
	stop := ""
	if last && strings.HasSuffix(w, ".") {
		stop = "."
	}
	if !capital(w) && !dotted {
		return w, ""
	}
	for _, e := range s.Before {
		if bare == e.abbreviation && before {
			return e.full, ""
		}
	}
	if to, ok := s.short[strings.ToLower(bare)]; ok && (dotted || after) && (dotted && !last || capital(w) || after) {
		if !capital(w) && capital(to) {
			to = strings.ToLower(to[:1]) + to[1:]
		}
		return to, stop
	}
	for _, e := range s.Endings {
		if head, ok := strings.CutSuffix(bare, strings.TrimSuffix(e.abbreviation, ".")); ok && dotted && head != "" && (len(e.abbreviation) > 2 || !last) {
			return head + e.full, stop
		}
	}
	return w, ""
}

// tidy leaves what is spoken or paused at: no markup, no phonemes, no control characters.
func (s *Speaker) tidy(text string) string {
	var out strings.Builder
	for _, r := range text {
		switch {
		case unicode.IsLetter(r), unicode.IsMark(r), unicode.IsNumber(r), strings.ContainsRune(".,;:!?'-", r):
			out.WriteRune(r)
		case r == '’', r == '‘', r == 'ʼ':
			out.WriteByte('\'')
		case r == '&' || r == '+':
			if s.And != "" {
				out.WriteString(" " + s.And + " ")
			} else {
				out.WriteByte(' ')
			}
		case r == '/', r == '(', r == ')', r == '–', r == '—', r == '·', r == '•', r == '→':
			out.WriteString(", ")
		case r == '‐', r == '‑':
			out.WriteByte('-')
		default:
			out.WriteByte(' ')
		}
	}
	text = spaces.ReplaceAllString(out.String(), " ")
	text = marks.ReplaceAllString(text, "$1")
	text = doubled.ReplaceAllString(text, "$1")
	text = strings.NewReplacer(",.", ".", ",?", "?", ",!", "!").Replace(text)
	return strings.Trim(text, " ,;:")
}
