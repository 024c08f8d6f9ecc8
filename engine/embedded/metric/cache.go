package metric

import (
	"slices"
	"sync"
	"time"

	"github.com/waygate/waygate/road/profile"
)

const (
	// defaultMemory is how many bytes are kept without a setting.
	defaultMemory = 256 << 20
	// maxIdleEntries is how many travellers are remembered of whom nothing has
	// been worked out: a few hundred bytes each.
	maxIdleEntries = 256
)

// metricCache has the metrics that were worked out for travellers, no more than limit bytes
// of it: what is in the making counts with what it should come to. What a
// request under way still reads when it is let go of stays valid, and is the
// collector's afterwards.
type metricCache struct {
	mu      sync.Mutex
	entries map[Traveller]*cacheEntry
	clock   int64
	limit   int64
	used    int64 // never above limit
}

// cacheEntry has the metrics and counts of a traveller.
type cacheEntry struct {
	who        Traveller
	weights    Weights
	measured   *measuresOnce   // nil where they were not asked for, or not kept
	requests   int             // times that something worked out would have helped
	settled    int64           // edges, by searches without
	making     *making         // the weights; nil where they are not
	unmakable  bool            // making them panicked
	users      int             // what is in the making: it is not let go of meanwhile
	bytes      int64           // taken by what was worked out for it, or claimed
	kept       int64           // of these, what is not claimed any more
	lastUsed   int64           // when it was asked for
	usedBefore int64           // when it was the time before, 0 where never
	evicted    bool            // let go of
	asked      time.Time       // when it was last asked for what is live
	turns      *profile.Metric // without what is live, for the next to be made with
}

// touch notes that a traveller was asked for.
func (m *metricCache) touch(k *cacheEntry) {
	m.clock++
	k.usedBefore, k.lastUsed = k.lastUsed, m.clock
}

// add remembers a traveller. Of too many without anything worked out, those
// asked for longest ago are forgotten.
func (m *metricCache) add(k *cacheEntry) {
	m.entries[k.who] = k
	idle := 0
	for _, x := range m.entries {
		if x.bytes == 0 && x.users == 0 {
			idle++
		}
	}
	if idle <= maxIdleEntries {
		return
	}
	// Half of them at a time, so that this is seldom.
	for _, x := range m.leastRecent() {
		if x.bytes == 0 && idle > maxIdleEntries/2 {
			m.evict(x)
			idle--
		}
	}
}

// leastRecent lists what may be let go of, that asked for longest ago first.
func (m *metricCache) leastRecent() []*cacheEntry {
	list := make([]*cacheEntry, 0, len(m.entries))
	for _, k := range m.entries {
		if k.users == 0 {
			list = append(list, k)
		}
	}
	slices.SortFunc(list, func(a, b *cacheEntry) int { return int(a.lastUsed - b.lastUsed) })
	return list
}

func (m *metricCache) evict(k *cacheEntry) {
	delete(m.entries, k.who)
	m.used -= k.bytes
	k.bytes, k.kept, k.evicted = 0, 0, true
}

// reserve takes memory for something in the making for a traveller; false where
// there is none. Those asked for longest ago make room, as far as this one has
// been asked for twice since: where more travellers come in turn than there is
// memory for, some have their metrics for good rather than all for a moment.
func (m *metricCache) reserve(k *cacheEntry, bytes int64) bool {
	short := m.used + bytes - m.limit
	if short > 0 {
		var out []*cacheEntry
		for _, x := range m.leastRecent() {
			if short <= 0 || x.lastUsed >= k.usedBefore {
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
			m.evict(x)
		}
	}
	m.used += bytes
	k.bytes += bytes
	k.users++
	return true
}

// commit puts what something made takes in place of what was claimed for it, or
// nothing where the traveller's weights were replaced meanwhile: it is not kept then.
// Where that is more than there is, something goes at once.
func (m *metricCache) commit(k *cacheEntry, claimed, taken int64) {
	if k.evicted {
		taken = 0
	}
	m.used += taken - claimed
	k.kept += taken
	k.bytes += taken - claimed
	k.users--
	m.evictOverLimit()
}

// evictOverLimit lets go of what is beyond the limit, which may have been lowered.
func (m *metricCache) evictOverLimit() {
	if m.used <= m.limit {
		return
	}
	for _, x := range m.leastRecent() {
		if m.used > m.limit && x.bytes > 0 {
			m.evict(x)
		}
	}
}

// SetMemory sets how many bytes are taken at most.
func (m *metricCache) SetMemory(bytes int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.limit = bytes
	m.evictOverLimit()
}

// Memory returns how many bytes are taken.
func (m *metricCache) Memory() int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.used
}
