package match

import "github.com/waygate/waygate/road/graph"

// table maps edges to numbers, by open addressing. Entries from before the last clear are
// recognised by their stamp.
type table struct {
	key   []graph.Edge
	value []int32
	stamp []uint32
	round uint32
	count int
	shift uint
}

const smallest = 8 // bits

func (t *table) clear() {
	t.count = 0
	if t.round++; t.round == 0 {
		clear(t.stamp)
		t.round = 1
	}
	if t.key == nil {
		t.room(smallest)
	}
}

func (t *table) room(bits uint) {
	n := 1 << bits
	t.key, t.value, t.stamp = make([]graph.Edge, n), make([]int32, n), make([]uint32, n)
	t.shift = 32 - bits
}

// slot returns the slot that a key has or would have, valid until the next put.
func (t *table) slot(key graph.Edge) (at int, there bool) {
	mask := len(t.key) - 1
	at = int(key * 0x9e3779b1 >> t.shift)
	for t.stamp[at] == t.round {
		if t.key[at] == key {
			return at, true
		}
		at = (at + 1) & mask
	}
	return at, false
}

// put fills the slot that slot returned for a key that is not there.
func (t *table) put(at int, key graph.Edge, value int32) {
	t.key[at], t.value[at], t.stamp[at] = key, value, t.round
	if t.count++; 2*t.count > len(t.key) {
		t.grow()
	}
}

func (t *table) grow() {
	old := *t
	t.room(32 - old.shift + 1)
	for i, s := range old.stamp {
		if s == old.round {
			at, _ := t.slot(old.key[i])
			t.key[at], t.value[at], t.stamp[at] = old.key[i], old.value[i], t.round
		}
	}
}
