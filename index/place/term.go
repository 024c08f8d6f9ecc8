package place

import (
	"sort"
	"unicode/utf8"
)

// maxTerm is the most bytes of a term.
const maxTerm = maxWord

// find gives the number of a term.
func (x *Index) find(text string) (uint32, bool) {
	i := x.from(text)
	return i, int(i) < x.termCount() && string(x.term(i)) == text
}

func (x *Index) termCount() int { return len(x.postFrom) - 1 }

// from is the first term that is not before a text.
func (x *Index) from(text string) uint32 {
	return uint32(sort.Search(x.termCount(), func(i int) bool { return string(x.term(uint32(i))) >= text }))
}

// after is the first term after all that begin with a prefix, at lo or later.
func (x *Index) after(prefix string, lo uint32) uint32 {
	n, step := uint32(x.termCount()), uint32(1)
	past := func(i uint32) bool {
		t := x.term(i)
		return string(t) > prefix && (len(t) < len(prefix) || string(t[:len(prefix)]) != prefix)
	}
	// Most ranges are short: look further and further, then in between.
	at := lo
	for at < n && !past(at) {
		lo = at + 1
		at += step
		step *= 2
	}
	return lo + uint32(sort.Search(int(min(at, n)-lo), func(i int) bool { return past(lo + uint32(i)) }))
}

// alt is a range of terms that a word may stand for, and how well.
type alt struct {
	lo, hi  uint32
	quality float32
}

// Bounds of looking for words with typos.
const (
	mostSteps = 60_000 // terms that are looked at for one word
	mostTypos = 300    // ranges that are taken
)

// typos gives the terms within so many typos (a letter more, less, another, or
// two in each other's place) of a word; with prefix, those that begin with
// something that is so near.
func (x *Index) typos(text string, most int, prefix bool, quality func(typos int) float32) []alt {
	want := []rune(text)
	m := len(want)
	var (
		all   []alt
		rows  [maxTerm + 2][maxTerm + 2]uint8 // by letters of the term, by letters of the word
		runes [maxTerm + 1]rune
		ends  [maxTerm + 2]int // where the first so many letters of the term end
		last  []byte
		depth int // letters of last that rows hold
	)
	if m == 0 || m > maxTerm {
		return nil
	}
	for j := range m + 1 {
		rows[0][j] = uint8(j)
	}
	for i, steps := uint32(0), 0; int(i) < x.termCount() && steps < mostSteps && len(all) < mostTypos; steps++ {
		t := x.term(i)
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
			row[0] = uint8(depth)
			least := row[0]
			for j := 1; j <= m; j++ {
				cost := uint8(1)
				if want[j-1] == r {
					cost = 0
				}
				v := min(above[j-1]+cost, above[j]+1, row[j-1]+1)
				if depth > 1 && j > 1 && want[j-1] == runes[depth-2] && want[j-2] == r {
					v = min(v, rows[depth-2][j-2]+1)
				}
				row[j] = v
				least = min(least, v)
			}
			if prefix && int(row[m]) <= most {
				begin := string(t[:at])
				next = x.after(begin, i)
				all = append(all, alt{i, next, quality(int(row[m]))})
				last = t[:at]
				break
			}
			if int(least) > most {
				next = x.after(string(t[:at]), i)
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
