package meter

import (
	"sync/atomic"
	"time"
)

// bounded is a map of at most max entries. When it is full, the entry unused for
// longest among a few is evicted. The owner locks it; get needs a read lock only.
type bounded[K comparable, V any] struct {
	max     int
	entries map[K]*slot[V]
	evicted int64
	onEvict func(V) // called with what was evicted; may be nil
}

type slot[V any] struct {
	value V
	used  atomic.Int64 // unix milliseconds
}

// evictionSample is how many entries are compared to find one to evict. Go iterates
// maps from a random position.
const evictionSample = 8

func newBounded[K comparable, V any](limit int) *bounded[K, V] {
	return &bounded[K, V]{max: limit, entries: map[K]*slot[V]{}}
}

func (b *bounded[K, V]) get(k K, now time.Time) (v V, ok bool) {
	s, ok := b.entries[k]
	if !ok {
		return v, false
	}
	if at := now.UnixMilli(); s.used.Load() != at {
		s.used.Store(at)
	}
	return s.value, true
}

func (b *bounded[K, V]) put(k K, v V, now time.Time) {
	s, ok := b.entries[k]
	if !ok {
		if len(b.entries) >= b.max {
			b.evict()
		}
		s = &slot[V]{}
		b.entries[k] = s
	}
	s.value = v
	s.used.Store(now.UnixMilli())
}

func (b *bounded[K, V]) evict() {
	var oldest K
	var found *slot[V]
	n := 0
	for k, s := range b.entries {
		if found == nil || s.used.Load() < found.used.Load() {
			oldest, found = k, s
		}
		if n++; n == evictionSample {
			break
		}
	}
	delete(b.entries, oldest)
	b.evicted++
	if b.onEvict != nil {
		b.onEvict(found.value)
	}
}
