package lexicon

import (
	"strings"
	"unicode/utf8"

	"github.com/waygate/waygate/index/place"
)

// alt is a range of terms that a word may stand for, and how well.
type alt struct {
	Lo, Hi  uint32
	Quality float32
}

// Bounds of looking for words with typos.
const (
	mostSteps = 60_000 // terms that are looked at for one word
	mostTypos = 300    // ranges that are taken
)

// leastUndotted is how many letters a word has at least that may still have an e which folding has
// taken from a term.
const leastUndotted = 4

// swallows reports whether folding takes away an e after a letter, as in "Mueller".
func swallows(r rune) bool { return r == 'a' || r == 'o' || r == 'u' }

// typos returns the terms within so many typos (a letter more, less, another, or
// two in each other's place) of a word; with prefix, those that begin with
// something that is so near. An e after a, o or u is no typo: the terms have lost theirs, and a
// typo between the two letters keeps that of the word.
func (x *Lexicon) typos(text string, most int, prefix bool, quality func(typos int) float32) []alt {
	want := []rune(text)
	m := len(want)
	var (
		all   []alt
		rows  [place.MaxTerm + 2][place.MaxTerm + 2]uint8 // by letters of the term, by letters of the word
		runes [place.MaxTerm + 1]rune
		ends  [place.MaxTerm + 2]int // where the first so many letters of the term end
		last  []byte
		depth int // letters of last that rows hold
	)
	if m == 0 || m > place.MaxTerm {
		return nil
	}
	far := uint8(most + 1)
	undotted := 0
	if m >= leastUndotted {
		undotted = strings.Count(text, "e")
	}
	for j := range m + 1 {
		rows[0][j] = min(uint8(j), far)
	}
	for i, steps := uint32(0), 0; int(i) < x.TermCount() && steps < mostSteps && len(all) < mostTypos; steps++ {
		t := x.Term(i)
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
			depth++
			ends[depth], runes[depth-1] = at, r
			row, above := &rows[depth], &rows[depth-1]
			// A cell further off the diagonal has too many typos already.
			first, end := max(1, depth-most), min(m, depth+most+undotted)
			if row[first-1] = far; first == 1 {
				row[0] = uint8(min(depth, int(far)))
			}
			least := row[first-1]
			row[m] = far
			for j := first; j <= end; j++ {
				cost := uint8(1)
				if want[j-1] == r {
					cost = 0
				}
				v := min(above[j-1]+cost, above[j]+1, row[j-1]+1)
				if depth > 1 && j > 1 && want[j-1] == runes[depth-2] && want[j-2] == r {
					v = min(v, rows[depth-2][j-2]+1)
				}
				if undotted > 0 && j > 1 && want[j-1] == 'e' && want[j-2] != 'e' && swallows(r) {
					v = min(v, row[j-1])
				}
				row[j] = v
				least = min(least, v)
			}
			if end < m {
				row[end+1] = far
			}
			if prefix && int(row[m]) <= most {
				next = x.After(t[:at], i)
				all = append(all, alt{i, next, quality(int(row[m]))})
				last = t[:at]
				break
			}
			if int(least) > most {
				next = x.After(t[:at], i)
				last = t[:at]
				break
			}
			if at == len(t) && int(row[m]) <= most {
				all = append(all, alt{i, i + 1, quality(int(row[m]))})
			}
		}
		i = next
	}
	return all
}

// Span is some terms that stand for the same tokens, which are bits.
type Span struct {
	Lo, Hi uint32
	Tokens uint32
}
