package embedded

import (
	"slices"
	"sync"
)

const (
	// usualMemory is how many bytes are kept where nobody says how many.
	usualMemory = 256 << 20
	// mostRemembered is how many travellers are remembered of whom nothing has
	// been worked out: a few hundred bytes each.
	mostRemembered = 256
)

// memory is what has been worked out for travellers, no more than limit bytes
// of it: what is in the making counts with what it should come to. What a
// request under way still reads when it is let go of stays valid, and is the
// collector's afterwards.
type memory struct {
	mu    sync.Mutex
	kept  map[traveller]*kept
	clock int64
	limit int64
	taken int64 // never above limit
}

// kept is what is known of a traveller.
type kept struct {
	who      traveller
	weights  weights
	measured *measured // nil where they were not asked for, or not kept
	asked    int       // times that something worked out would have helped
	making   bool      // the weights
	busy     int       // what is in the making: it is not let go of meanwhile
	bytes    int64     // taken by what was worked out for it, or claimed
	used     int64     // when it was asked for
	before   int64     // when it was the time before, 0 where never
	gone     bool      // let go of
}

// touch notes that a traveller was asked for.
func (m *memory) touch(k *kept) {
	m.clock++
	k.before, k.used = k.used, m.clock
}

// add remembers a traveller. Of too many without anything worked out, those
// asked for longest ago are forgotten.
func (m *memory) add(k *kept) {
	m.kept[k.who] = k
	idle := 0
	for _, x := range m.kept {
		if x.bytes == 0 && x.busy == 0 {
			idle++
		}
	}
	if idle <= mostRemembered {
		return
	}
	// Half of them at a time, so that this is seldom.
	for _, x := range m.oldest() {
		if x.bytes == 0 && idle > mostRemembered/2 {
			m.drop(x)
			idle--
		}
	}
}

// oldest lists what may be let go of, that asked for longest ago first.
func (m *memory) oldest() []*kept {
	list := make([]*kept, 0, len(m.kept))
	for _, k := range m.kept {
		if k.busy == 0 {
			list = append(list, k)
		}
	}
	slices.SortFunc(list, func(a, b *kept) int { return int(a.used - b.used) })
	return list
}

func (m *memory) drop(k *kept) {
	delete(m.kept, k.who)
	m.taken -= k.bytes
	k.bytes, k.gone = 0, true
}

// claim takes memory for something in the making for a traveller; false where
// there is none. Those asked for longest ago make room, as far as this one has
// been asked for twice since: where more travellers come in turn than there is
// memory for, some have their metrics for good rather than all for a moment.
func (m *memory) claim(k *kept, bytes int64) bool {
	short := m.taken + bytes - m.limit
	if short > 0 {
		var out []*kept
		for _, x := range m.oldest() {
			if short <= 0 || x.used >= k.before {
				break
			}
			if x != k && x.bytes > 0 {
				out, short = append(out, x), short-x.bytes
			}
		}
		if short > 0 {
			return false
		}
		for _, x := range out {
			m.drop(x)
		}
	}
	m.taken += bytes
	k.bytes += bytes
	k.busy++
	return true
}

// settle puts what something made takes in place of what was claimed for it.
// Where that is more than there is, something goes at once.
func (m *memory) settle(k *kept, claimed, taken int64) {
	m.taken += taken - claimed
	k.bytes += taken - claimed
	k.busy--
	m.shrink()
}

// shrink lets go of what is beyond the limit, which may have been lowered.
func (m *memory) shrink() {
	if m.taken <= m.limit {
		return
	}
	for _, x := range m.oldest() {
		if m.taken > m.limit && x.bytes > 0 {
			m.drop(x)
		}
	}
}

// SetMetricMemory sets how many bytes are taken by metrics of travellers other
// than the usual, by what else is derived for matrices, isochrones and
// alternatives, and by what a matrix works out for itself alone, as long as it
// lasts: 256 MiB where it is not called, 0 keeps nothing. What is beyond
// is let go of, but not before it has been made where it is in the making.
// Working one out takes some 240 bytes for each directed edge besides, in the
// meantime.
func (e *Engine) SetMetricMemory(bytes int64) {
	m := &e.metrics.memory
	m.mu.Lock()
	defer m.mu.Unlock()
	m.limit = bytes
	m.shrink()
}

// Memory is how many bytes are taken of what SetMetricMemory allows.
func (e *Engine) Memory() int64 {
	m := &e.metrics.memory
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.taken
}
