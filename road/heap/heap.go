// Package heap is the priority queue of the searches: what has the least key comes
// first.
package heap

// Heap is a min-heap of values by key, with four children to a node; the zero value
// is empty. It has no operation to lower a key: the value is pushed again, and
// the caller that pops the outdated entry skips it.
type Heap[K uint64 | float64, V any] []Item[K, V]

// Item is a value with its key.
type Item[K uint64 | float64, V any] struct {
	Key   K
	Value V
}

// Push adds a value.
func (h *Heap[K, V]) Push(key K, value V) {
	*h = append(*h, Item[K, V]{key, value})
	items, i := *h, len(*h)-1
	for i > 0 {
		parent := (i - 1) / 4
		if items[parent].Key <= key {
			break
		}
		items[i] = items[parent]
		i = parent
	}
	items[i] = Item[K, V]{key, value}
}

// Pop takes out a value of least key; there must be one.
func (h *Heap[K, V]) Pop() Item[K, V] {
	items := *h
	top, last := items[0], items[len(items)-1]
	items = items[:len(items)-1]
	*h = items
	n, i := len(items), 0
	if n == 0 {
		return top
	}
	for {
		child := 4*i + 1
		if child >= n {
			break
		}
		least := child
		for c := child + 1; c < min(child+4, n); c++ {
			if items[c].Key < items[least].Key {
				least = c
			}
		}
		if items[least].Key >= last.Key {
			break
		}
		items[i] = items[least]
		i = least
	}
	items[i] = last
	return top
}
