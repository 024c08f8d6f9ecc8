// Package translit compares words of other scripts with words in Latin letters: Greek, Cyrillic,
// Armenian, Georgian, Hebrew, Arabic, Devanagari, Thai and Hangul, in any of the usual
// transcriptions, with typos. It needs no index of transcriptions: a word is compared letter by
// letter with what may stand in a list of words, so that whole branches of the list are left out.
package translit

import (
	"slices"
	"strings"
)

// Costs of a comparison. Small ones add up to less than a typo.
const (
	Typo    = 16
	unusual = 2
	doubled = 1 // a letter that is there once or twice
	article = 2
	tooMuch = 200
)

// MaxLetters is the most letters of a word that is compared; of longer ones none is like another.
const MaxLetters = 32

// Of reports whether a letter is of a script that has a table, where words are folded.
func Of(r rune) bool { return letters[r] != nil }

// First and Last are the letters between which all scripts with a table lie, in the order of
// Unicode and of UTF-8.
const (
	First = '\u0370'
	Last  = '\u11ff'
)

// Matcher compares one word with others that are given letter by letter. It is not safe for
// concurrent use.
type Matcher struct {
	want    []rune
	foreign bool // the word is of another script, and the others are Latin
	read    []*letter
	script  *script
	term    [MaxLetters + 1]rune
	rows    [MaxLetters + 1][MaxLetters + 1]uint8 // cost by letters of the other word and of this one
	least   [MaxLetters + 1]uint8                 // of a row
	found   map[*[]spelling][]match
}

// New makes a matcher for a folded word. It fails on words that are too long, empty, or of
// scripts without a table.
func New(word string) (*Matcher, bool) {
	m := &Matcher{want: []rune(word), found: map[*[]spelling][]match{}}
	if len(m.want) == 0 || len(m.want) > MaxLetters {
		return nil, false
	}
	for _, r := range m.want {
		l := letters[r]
		m.read = append(m.read, l)
		switch {
		case l != nil && m.script == nil:
			m.script, m.foreign = l.script, true
		case l == nil && (r < 'a' || r > 'z') && (r < '0' || r > '9'):
			return nil, false
		}
	}
	m.begin()
	return m, true
}

// Foreign reports whether the word itself is of another script, so that it is compared with Latin
// words.
func (m *Matcher) Foreign() bool { return m.foreign }

// Like returns the cost of a whole word beside the matcher's; where it is above most, it is any
// number above.
func (m *Matcher) Like(word string, most int) int {
	depth := 0
	for _, r := range word {
		depth++
		if depth > MaxLetters || m.Put(depth, r) > most {
			return tooMuch
		}
	}
	return m.Cost(depth)
}

// Cost returns that of the first letters, so many, of the other word beside all of this one. Where
// a script leaves out vowels, short words have no typos: too many others are like them.
func (m *Matcher) Cost(depth int) int {
	cost := int(m.rows[depth][len(m.want)])
	if m.script != nil && m.script.unsaid > 0 {
		letters := depth
		if m.foreign {
			letters = len(m.want)
		}
		if cost/Typo > letters/lettersForTypo {
			return tooMuch
		}
	}
	return cost
}

// lettersForTypo is how many letters a word without vowels has for each typo in it.
const lettersForTypo = 5

// Letters returns how many letters the word has.
func (m *Matcher) Letters() int { return len(m.want) }

// CostOf is Cost beside the first letters of this word, so many.
func (m *Matcher) CostOf(depth, letters int) int { return int(m.rows[depth][letters]) }

// Put takes the letter of the other word at depth, from 1 to MaxLetters, after those that were
// put at lesser depths. It gives the least cost that the word may come to with more letters.
func (m *Matcher) Put(depth int, r rune) int {
	m.term[depth] = r
	if m.foreign {
		return m.putLatin(depth, r)
	}
	return m.putForeign(depth, r)
}

func add(a, b uint8) uint8 { return min(a+b, tooMuch) }

// begin fills the row of no letters.
func (m *Matcher) begin() {
	row := &m.rows[0]
	row[0], m.least[0] = 0, 0
	for j := range m.want {
		row[j+1] = add(row[j], Typo)
		if !m.foreign {
			continue
		}
		for _, s := range m.spelt(j) {
			if len(s.latin) == 0 && !s.after {
				row[j+1] = min(row[j+1], add(row[j], s.cost))
			}
		}
	}
}

func (m *Matcher) spelt(j int) []spelling {
	if m.read[j] == nil {
		return nil
	}
	return m.read[j].spellings
}

// putForeign compares a Latin word with the next letter of another script.
func (m *Matcher) putForeign(d int, r rune) int {
	row, above := &m.rows[d], &m.rows[d-1]
	l := letters[r]
	if d == 1 {
		m.begin()
		m.script = nil
		if l != nil {
			m.script = l.script
		}
		if m.script != nil && m.script.article {
			if n := articleOf(m.want); n > 0 {
				m.rows[0][n] = article
			}
		}
	}
	double := d > 1 && m.term[d-1] == r
	least, dropped := uint8(tooMuch), uint8(Typo)
	if m.script != nil && m.script.mute > 0 {
		dropped = m.script.mute
	}
	if double {
		dropped = doubled
	}
	for j := range len(m.want) + 1 {
		row[j] = tooMuch
	}
	take := func(of *[]spelling, before *[MaxLetters + 1]uint8) {
		for _, f := range m.matches(of) {
			row[f.to] = min(row[f.to], add(before[f.from], f.cost))
		}
	}
	if l != nil {
		take(&l.spellings, above)
		for i := range l.pairs {
			if p := &l.pairs[i]; d > 1 && p.first == m.term[d-1] {
				take(&p.spellings, &m.rows[d-2])
			}
		}
	}
	for j := range len(m.want) + 1 {
		v := min(row[j], add(above[j], dropped))
		if j > 0 {
			v = min(v, add(row[j-1], m.more(m.want, j)), add(above[j-1], Typo))
			if m.want[j-1] == r {
				v = min(v, above[j-1])
			}
		}
		if l != nil && d > 1 && j > 1 && says(l, m.want[j-2]) && says(letters[m.term[d-1]], m.want[j-1]) {
			v = min(v, add(m.rows[d-2][j-2], Typo))
		}
		row[j] = v
		least = min(least, v)
	}
	m.least[d] = least
	if l != nil && l.begins {
		least = min(least, m.least[d-1])
	}
	return int(least)
}

// match is letters of the word, from one place to another, that a letter of the other script may
// be, alone or with the one before it.
type match struct{ from, to, cost uint8 }

// matches finds where in the word spellings stand.
func (m *Matcher) matches(of *[]spelling) []match {
	list, ok := m.found[of]
	if ok {
		return list
	}
	for i := range *of {
		s := &(*of)[i]
		for from := range len(m.want) - len(s.latin) + 1 {
			if slices.Equal(m.want[from:from+len(s.latin)], s.latin) && (!s.after || from > 0 && swallows(m.want[from-1])) {
				list = append(list, match{uint8(from), uint8(from + len(s.latin)), s.cost})
			}
		}
	}
	m.found[of] = list
	return list
}

// putLatin compares a word of another script with the next Latin letter.
func (m *Matcher) putLatin(d int, r rune) int {
	row, above := &m.rows[d], &m.rows[d-1]
	least := uint8(tooMuch)
	latin := m.term[1 : d+1]
	row[0] = add(above[0], m.more(latin, d))
	if n := articleOf(latin); m.script.article && n == d {
		row[0] = min(row[0], article)
	}
	for j := range len(m.want) + 1 {
		if j == 0 {
			least = min(least, row[0])
			continue
		}
		dropped := uint8(Typo)
		if m.script.mute > 0 {
			dropped = m.script.mute
		}
		if j > 1 && m.want[j-1] == m.want[j-2] {
			dropped = doubled
		}
		v := min(add(above[j], m.more(latin, d)), add(row[j-1], dropped), add(above[j-1], Typo))
		if m.want[j-1] == r {
			v = min(v, above[j-1])
		}
		w, pending := m.writing(m.spelt(j-1), d, j-1)
		v, least = min(v, w), min(least, pending)
		if l := m.read[j-1]; l != nil && j > 1 {
			for i := range l.pairs {
				if p := &l.pairs[i]; p.first == m.want[j-2] {
					w, pending := m.writing(p.spellings, d, j-2)
					v, least = min(v, w), min(least, pending)
				}
			}
			if d > 1 && says(l, latin[d-2]) && says(m.read[j-2], r) {
				v = min(v, add(m.rows[d-2][j-2], Typo))
			}
		}
		row[j] = v
		least = min(least, v)
	}
	return int(least)
}

// writing returns the least cost where the Latin letters end with one of some spellings and the
// first j letters of the word stand before it; pending is that where they end with its beginning.
func (m *Matcher) writing(list []spelling, d, j int) (best, pending uint8) {
	best, pending = tooMuch, tooMuch
	for i := range list {
		s := &list[i]
		for n := 0; n <= len(s.latin) && n <= d; n++ {
			if s.after && (d == n || !swallows(m.term[d-n])) || n < len(s.latin) && n == 0 {
				continue
			}
			same := n == 0 || s.latin[n-1] == m.term[d]
			for k := range n - 1 {
				same = same && m.term[d-n+1+k] == s.latin[k]
			}
			switch cost := add(m.rows[d-n][j], s.cost); {
			case !same:
			case n == len(s.latin):
				best = min(best, cost)
			default:
				pending = min(pending, cost)
			}
		}
	}
	return best, pending
}

// more returns the cost of the Latin letter before a place, where nothing of the other script is
// for it.
func (m *Matcher) more(latin []rune, at int) uint8 {
	c := latin[at-1]
	cost := uint8(Typo)
	if at > 1 && latin[at-2] == c {
		cost = doubled
	}
	if m.script != nil && strings.ContainsRune(m.script.unread, c) {
		cost = min(cost, m.script.unsaid)
	}
	return cost
}

// says reports whether a Latin letter is a spelling of a letter.
func says(l *letter, c rune) bool {
	if l == nil {
		return false
	}
	for i := range l.spellings {
		if s := &l.spellings[i]; len(s.latin) == 1 && s.latin[0] == c {
			return true
		}
	}
	return false
}

// swallows reports whether folding takes away an e after a letter.
func swallows(c rune) bool { return c == 'a' || c == 'o' || c == 'u' }

// articleOf returns the length of the Arabic article that a Latin word begins with, 0 for none:
// "al", "el", or with the letter that it is said like, as in "arrashid".
func articleOf(word []rune) int {
	if len(word) < 2 || !strings.ContainsRune("aeiu", word[0]) || !strings.ContainsRune("lrsntdz", word[1]) {
		return 0
	}
	return 2
}
