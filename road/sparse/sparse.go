// Package sparse keeps the values of a search at the edges that it comes to. Neighbours on
// the map have near numbers, so values lie in pages, taken when one of their numbers first
// comes up: the memory is that of the part reached, whatever the size of the network.
package sparse

import "unsafe"

const (
	pageSize = 128
	// keptBytes is about how much memory a table keeps from one search to the next.
	keptBytes = 1 << 20
)

// Table has a value for every number, the zero value at first. The zero table is
// ready for use. It is scratch for one goroutine at a time.
type Table[T any] struct {
	pages   []*[pageSize]T
	numbers []uint32 // of the pages in use, which are the first ones
	slots   []uint32 // by hash: the place in pages, plus 1; 0 where there is none
	number  uint32   // of the page asked for last, and the page; nil at first
	page    *[pageSize]T
}

// At returns the place of a number's value.
func (t *Table[T]) At(i uint32) *T {
	if n := i / pageSize; n != t.number || t.page == nil {
		t.turn(n)
	}
	return &t.page[i%pageSize]
}

// Get returns the value of a number.
func (t *Table[T]) Get(i uint32) (x T) {
	n := i / pageSize
	if n != t.number || t.page == nil {
		p := t.find(n)
		if p == nil {
			return x
		}
		t.number, t.page = n, p
	}
	return t.page[i%pageSize]
}

// Reset gives every number the zero value.
func (t *Table[T]) Reset() {
	for _, p := range t.pages[:len(t.numbers)] {
		clear(p[:])
	}
	kept := min(len(t.pages), max(1, keptBytes/int(unsafe.Sizeof([pageSize]T{}))))
	clear(t.pages[kept:])
	t.pages = t.pages[:kept]
	if len(t.slots) > 8*kept {
		t.slots = nil
	} else {
		clear(t.slots)
	}
	t.numbers, t.page = t.numbers[:0], nil
}

// All yields numbers with their values, all that At was asked for and others near
// them, in no order.
func (t *Table[T]) All(yield func(i uint32, x *T) bool) {
	for k, n := range t.numbers {
		for j := range t.pages[k] {
			if !yield(n*pageSize+uint32(j), &t.pages[k][j]) {
				return
			}
		}
	}
}

// Bytes returns the memory of the table.
func (t *Table[T]) Bytes() int {
	return len(t.pages)*int(unsafe.Sizeof([pageSize]T{})+unsafe.Sizeof(t.page)) + 4*(cap(t.numbers)+len(t.slots))
}

// turn makes a page the one asked for last.
func (t *Table[T]) turn(n uint32) {
	t.number = n
	if t.page = t.find(n); t.page != nil {
		return
	}
	if 2*len(t.numbers) >= len(t.slots) {
		t.slots = make([]uint32, max(16, 4*len(t.numbers)))
		for k, n := range t.numbers {
			t.slots[t.free(n)] = uint32(k) + 1
		}
	}
	k := len(t.numbers)
	if k == len(t.pages) {
		t.pages = append(t.pages, new([pageSize]T))
	}
	t.page = t.pages[k]
	t.numbers = append(t.numbers, n)
	t.slots[t.free(n)] = uint32(k) + 1
}

func (t *Table[T]) find(n uint32) *[pageSize]T {
	if len(t.slots) == 0 {
		return nil
	}
	mask := uint32(len(t.slots) - 1)
	for s := hash(n) & mask; ; s = (s + 1) & mask {
		k := t.slots[s]
		if k == 0 {
			return nil
		}
		if t.numbers[k-1] == n {
			return t.pages[k-1]
		}
	}
}

// free returns the slot for a page that has none.
func (t *Table[T]) free(n uint32) uint32 {
	mask := uint32(len(t.slots) - 1)
	s := hash(n) & mask
	for t.slots[s] != 0 {
		s = (s + 1) & mask
	}
	return s
}

// hash spreads numbers over the lower bits.
func hash(n uint32) uint32 {
	n *= 0x9E3779B1
	return n ^ n>>16
}
