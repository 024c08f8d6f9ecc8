package lexicon

import (
	"cmp"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/waygate/waygate/index/place"
)

// A look at some of a range finds the same as sorting all of it, but for the order of equals.
func TestForemostIsTheSortedBeginning(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := &Lexicon{Index: &place.Index{TermTable: place.TermTable{PostFrom: []uint32{0}}}}
		for range rapid.IntRange(1, 2000).Draw(t, "terms") {
			if name := rapid.Uint32Range(0, 5000).Draw(t, "first name"); name%5 > 0 {
				x.Posts = append(x.Posts, name)
			}
			x.PostFrom = append(x.PostFrom, uint32(len(x.Posts)))
		}
		firsts := x.firsts()
		x.foremostOf = leastOf(firsts)
		lo := rapid.Uint32Range(0, uint32(len(firsts))).Draw(t, "lo")
		hi := rapid.Uint32Range(lo, uint32(len(firsts))).Draw(t, "hi")
		var want []uint32
		for _, first := range firsts[lo:hi] {
			if first != noPosts {
				want = append(want, first)
			}
		}
		slices.SortFunc(want, cmp.Compare[uint32])
		want = want[:min(len(want), mostPrefixes)]
		var got []uint32
		seen := map[uint32]bool{}
		for _, term := range x.Foremost(alt{Lo: lo, Hi: hi}) {
			if term < lo || term >= hi || seen[term] {
				t.Fatalf("term %d of %d to %d", term, lo, hi)
			}
			seen[term] = true
			got = append(got, firsts[term])
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%v, want %v", got, want)
		}
	})
}
