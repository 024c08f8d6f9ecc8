package lexicon

import (
	"math/rand/v2"
	"slices"
	"testing"
	"unicode/utf8"

	"github.com/waygate/waygate/index/place"
)

// distance returns the number of typos between a term and a word, by the whole table (optimal
// string alignment). In a longer word an e after a, o or u of the term is none.
func distance(a, b string) int {
	p, q := []rune(a), []rune(b)
	rows := make([][]int, len(p)+1)
	for i := range rows {
		rows[i] = make([]int, len(q)+1)
		rows[i][0] = i
	}
	for j := range q {
		rows[0][j+1] = j + 1
	}
	for i := 1; i <= len(p); i++ {
		for j := 1; j <= len(q); j++ {
			cost := 1
			if p[i-1] == q[j-1] {
				cost = 0
			}
			rows[i][j] = min(rows[i-1][j-1]+cost, rows[i-1][j]+1, rows[i][j-1]+1)
			if i > 1 && j > 1 && p[i-1] == q[j-2] && p[i-2] == q[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
			if len(q) >= leastUndotted && j > 1 && q[j-1] == 'e' && q[j-2] != 'e' && swallows(p[i-1]) {
				rows[i][j] = min(rows[i][j], rows[i][j-1])
			}
		}
	}
	return rows[len(p)][len(q)]
}

// TestTypos compares the walk over the terms with a look at each.
func TestTypos(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	letters := []rune("abceé中")
	word := func(most int) string {
		w := make([]rune, 1+r.IntN(most))
		for i := range w {
			w[i] = letters[r.IntN(len(letters))]
		}
		return string(w)
	}
	var terms []string
	for range 600 {
		terms = append(terms, word(7))
	}
	slices.Sort(terms)
	terms = slices.Compact(terms)
	x := &Lexicon{Index: &place.Index{TermTable: place.TermTable{TermFrom: []uint32{0}, PostFrom: make([]uint32, len(terms)+1)}}}
	for _, w := range terms {
		x.Terms = append(x.Terms, w...)
		x.TermFrom = append(x.TermFrom, uint32(len(x.Terms)))
	}
	for range 400 {
		q := word(8)
		for most := 1; most <= 2; most++ {
			got := map[uint32]bool{}
			for _, a := range x.typos(q, most, false, func(int) float32 { return 1 }) {
				got[a.Lo] = true
			}
			begins := map[uint32]bool{}
			for _, a := range x.typos(q, most, true, func(int) float32 { return 1 }) {
				for i := a.Lo; i < a.Hi; i++ {
					begins[i] = true
				}
			}
			if len(got) >= mostTypos || len(begins) >= mostTypos {
				continue
			}
			for i, w := range terms {
				if want := distance(w, q) <= most; got[uint32(i)] != want {
					t.Errorf("%q within %d of %q: %v, want %v", w, most, q, !want, want)
				}
				want := false
				for n := 0; n <= len(w); n++ {
					if utf8.ValidString(w[:n]) {
						want = want || n > 0 && distance(w[:n], q) <= most
					}
				}
				if begins[uint32(i)] != want {
					t.Errorf("%q begins within %d of %q: %v, want %v", w, most, q, !want, want)
				}
			}
		}
	}
}
