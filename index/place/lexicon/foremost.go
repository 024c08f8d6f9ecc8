package lexicon

import (
	"container/heap"
	"math"
)

// leastOf makes a tree of the least of numbers: those of n numbers are at n and
// above, each of the others is the lesser of those at twice its place and after.
func leastOf(numbers []uint32) []uint32 {
	n := len(numbers)
	tree := append(make([]uint32, n, 2*n), numbers...)
	for i := n - 1; i > 0; i-- {
		tree[i] = min(tree[2*i], tree[2*i+1])
	}
	return tree
}

// noPosts stands for terms without names.
const noPosts = math.MaxUint32

// firsts returns the most important names of all terms, which are first of theirs.
func (x *Lexicon) firsts() []uint32 {
	list := make([]uint32, x.TermCount())
	for i := range list {
		list[i] = noPosts
		if x.PostFrom[i] < x.PostFrom[i+1] {
			list[i] = x.Posts[x.PostFrom[i]]
		}
	}
	return list
}

// Foremost returns those terms of a range that have the most important names, at
// most mostPrefixes, the most important first. It looks at some of the range
// alone, however many terms begin alike.
func (x *Lexicon) Foremost(a alt) []uint32 {
	n := uint32(len(x.foremostOf) / 2)
	h := branches{tree: x.foremostOf}
	for lo, hi := a.Lo+n, a.Hi+n; lo < hi; lo, hi = lo/2, hi/2 {
		if lo%2 == 1 {
			h.at = append(h.at, lo)
			lo++
		}
		if hi%2 == 1 {
			hi--
			h.at = append(h.at, hi)
		}
	}
	heap.Init(&h)
	var out []uint32
	for len(h.at) > 0 && len(out) < mostPrefixes {
		i := h.at[0]
		switch {
		case h.tree[i] == noPosts:
			return out
		case i >= n:
			out = append(out, i-n)
			heap.Pop(&h)
		default:
			h.at[0] = 2 * i
			heap.Fix(&h, 0)
			heap.Push(&h, 2*i+1)
		}
	}
	return out
}

// branches is a heap of places in a tree of the least, by what is there.
type branches struct {
	tree []uint32
	at   []uint32
}

func (b *branches) Len() int { return len(b.at) }

func (b *branches) Less(i, j int) bool {
	p, q := b.tree[b.at[i]], b.tree[b.at[j]]
	return p < q || p == q && b.at[i] < b.at[j]
}

func (b *branches) Swap(i, j int) { b.at[i], b.at[j] = b.at[j], b.at[i] }

func (b *branches) Push(v any) {
	if i, ok := v.(uint32); ok {
		b.at = append(b.at, i)
	}
}

func (b *branches) Pop() any {
	last := b.at[len(b.at)-1]
	b.at = b.at[:len(b.at)-1]
	return last
}

// mostPrefixes is how many terms an unfinished word may bring up, the most important first.
const mostPrefixes = 400
