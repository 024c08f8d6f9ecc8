package find

import (
	"cmp"
	"slices"

	"github.com/waygate/waygate/index/place/lexicon"
)

// kept has a value for each of some numbers, out of however many there may
// be: it takes room for what a search meets, not for the index. A new round
// forgets all at once.
type kept[V any] struct {
	round uint32
	slots []slot[V]
	taken int
}

type slot[V any] struct {
	round uint32 // in which it was taken
	key   uint32
	value V
}

// leastSlots is a power of two.
const leastSlots = 1 << 10

// forget begins a new round.
func (k *kept[V]) forget() {
	k.round++
	k.taken = 0
	if k.round == 0 {
		clear(k.slots)
		k.round = 1
	}
}

// of returns the value of a number, and whether it is new in this round: a zero
// value. It holds until the next call.
func (k *kept[V]) of(key uint32) (v *V, fresh bool) {
	if 2*k.taken >= len(k.slots) {
		k.grow()
	}
	s := k.slot(key)
	if s.round == k.round {
		return &s.value, false
	}
	*s = slot[V]{round: k.round, key: key}
	k.taken++
	return &s.value, true
}

// slot returns where a number is, or may be put.
func (k *kept[V]) slot(key uint32) *slot[V] {
	mask := len(k.slots) - 1
	for at := int(uint64(key)*0x9e3779b97f4a7c15>>32) & mask; ; at = (at + 1) & mask {
		if s := &k.slots[at]; s.round != k.round || s.key == key {
			return s
		}
	}
}

func (k *kept[V]) grow() {
	old := k.slots
	k.slots = make([]slot[V], max(leastSlots, 2*len(old)))
	for i := range old {
		if old[i].round == k.round {
			*k.slot(old[i].key) = old[i]
		}
	}
}

// standing keeps which tokens a term stands for. Blocks are as many terms each
// as makes 4,096 of all; most have none that stands for any, so that a look at
// a bit answers most questions.
type standing struct {
	spans  []lexicon.Span // in order
	ends   []uint32
	every  []lexicon.Span
	shift  uint
	blocks [64]uint64
}

// set takes the tokens of a question and the number of all terms.
func (s *standing) set(tokens []lexicon.Token, terms int) {
	s.every, s.ends, s.spans = s.every[:0], s.ends[:0], s.spans[:0]
	for i := range tokens {
		for _, a := range tokens[i].Alts {
			if a.Lo < a.Hi {
				s.every = append(s.every, lexicon.Span{Lo: a.Lo, Hi: a.Hi, Tokens: 1 << i})
				s.ends = append(s.ends, a.Lo, a.Hi)
			}
		}
	}
	slices.Sort(s.ends)
	s.ends = slices.Compact(s.ends)
	for i := 1; i < len(s.ends); i++ {
		s.spans = append(s.spans, lexicon.Span{Lo: s.ends[i-1], Hi: s.ends[i]})
	}
	for _, e := range s.every {
		at, _ := slices.BinarySearchFunc(s.spans, e.Lo, func(o lexicon.Span, lo uint32) int { return cmp.Compare(o.Lo, lo) })
		for ; at < len(s.spans) && s.spans[at].Lo < e.Hi; at++ {
			s.spans[at].Tokens |= e.Tokens
		}
	}
	s.spans = slices.DeleteFunc(s.spans, func(o lexicon.Span) bool { return o.Tokens == 0 })
	s.blocks = [64]uint64{}
	for s.shift = 0; terms>>s.shift > 64*len(s.blocks)-1; s.shift++ {
	}
	for _, o := range s.spans {
		for b := o.Lo >> s.shift; b <= (o.Hi-1)>>s.shift; b++ {
			s.blocks[b>>6] |= 1 << (b & 63)
		}
	}
}

// of returns the tokens that a term stands for.
func (s *standing) of(term uint32) uint32 {
	if b := term >> s.shift; s.blocks[b>>6]>>(b&63)&1 == 0 {
		return 0
	}
	lo, hi := 0, len(s.spans)
	for lo < hi {
		if m := int(uint(lo+hi) >> 1); s.spans[m].Hi <= term {
			lo = m + 1
		} else {
			hi = m
		}
	}
	if lo == len(s.spans) || s.spans[lo].Lo > term {
		return 0
	}
	return s.spans[lo].Tokens
}
