package place

import (
	"bytes"
	"sort"

	"github.com/waygate/waygate/index/place/fold"
)

// MaxTerm is the most bytes of a term.
const MaxTerm = fold.MaxWord

// TermTable is the terms of an index, in alphabetical order.
type TermTable struct {
	Terms    []byte
	TermFrom []uint32 // where a term begins in terms; one more than there are
	PostFrom []uint32 // where a term's names begin in posts
	Posts    []uint32 // names
}

// Term returns a term by its number.
func (x *TermTable) Term(i uint32) []byte { return x.Terms[x.TermFrom[i]:x.TermFrom[i+1]] }

// FindTerm returns the number of a term.
func (x *TermTable) FindTerm(text string) (uint32, bool) {
	i := x.From(text)
	return i, int(i) < x.TermCount() && string(x.Term(i)) == text
}

// TermCount returns how many terms there are.
func (x *TermTable) TermCount() int { return len(x.PostFrom) - 1 }

// From returns the first term that is not before a text.
func (x *TermTable) From(text string) uint32 {
	return uint32(sort.Search(x.TermCount(), func(i int) bool { return string(x.Term(uint32(i))) >= text }))
}

// After returns the first term after all that begin with a prefix, at lo or later. No term at lo or
// later comes before the prefix.
func (x *TermTable) After(prefix []byte, lo uint32) uint32 {
	n, step := uint32(x.TermCount()), uint32(1)
	past := func(i uint32) bool { return !bytes.HasPrefix(x.Term(i), prefix) }
	// Most ranges are short: look further and further, then in between.
	at := lo
	for at < n && !past(at) {
		lo = at + 1
		at += step
		step *= 2
	}
	return lo + uint32(sort.Search(int(min(at, n)-lo), func(i int) bool { return past(lo + uint32(i)) }))
}

// BegunBy returns the terms that begin with a text.
func (x *TermTable) BegunBy(text string) (lo, hi uint32) {
	lo = x.From(text)
	return lo, x.After([]byte(text), lo)
}
