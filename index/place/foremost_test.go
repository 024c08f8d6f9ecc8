package place

import (
	"cmp"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// What a look at some of a range finds is what sorting all of it does, but for
// the order of equals.
func TestForemostIsTheSortedBeginning(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := &Index{postFrom: []uint32{0}}
		for range rapid.IntRange(1, 2000).Draw(t, "terms") {
			if name := rapid.Uint32Range(0, 5000).Draw(t, "first name"); name%5 > 0 {
				x.posts = append(x.posts, name)
			}
			x.postFrom = append(x.postFrom, uint32(len(x.posts)))
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
		for _, term := range x.foremost(alt{lo: lo, hi: hi}) {
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
