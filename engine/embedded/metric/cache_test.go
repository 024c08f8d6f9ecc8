package metric

import (
	"sync"
	"testing"
)

// drawnMemory keeps travellers that took so many bytes and were asked for at
// these times.
func drawnMemory(limit int64, list ...cacheEntry) (*metricCache, []*cacheEntry) {
	m := &metricCache{limit: limit, entries: map[Traveller]*cacheEntry{}}
	var all []*cacheEntry
	for i := range list {
		k := &list[i]
		k.who.Options.TopSpeed = float64(i)
		m.entries[k.who] = k
		m.used += k.bytes
		m.clock = max(m.clock, k.lastUsed)
		all = append(all, k)
	}
	return m, all
}

func TestClaim(t *testing.T) {
	for _, c := range []struct {
		name   string
		others []cacheEntry
		before int64 // when the claimant was asked for the time before
		bytes  int64
		ok     bool
		gone   []int
		taken  int64
	}{
		{"there is room", []cacheEntry{{bytes: 40, lastUsed: 1}}, 0, 60, true, nil, 100},
		{"more than all", []cacheEntry{{bytes: 40, lastUsed: 1}}, 5, 101, false, nil, 40},
		{"the oldest goes", []cacheEntry{{bytes: 50, lastUsed: 2}, {bytes: 50, lastUsed: 1}}, 5, 50, true, []int{1}, 100},
		{"no more than must", []cacheEntry{{bytes: 10, lastUsed: 1}, {bytes: 30, lastUsed: 2}, {bytes: 60, lastUsed: 3}}, 5, 40, true, []int{0, 1}, 100},
		{"used since", []cacheEntry{{bytes: 50, lastUsed: 6}, {bytes: 50, lastUsed: 7}}, 5, 50, false, nil, 100},
		{"one used since, and not enough without", []cacheEntry{{bytes: 50, lastUsed: 1}, {bytes: 50, lastUsed: 7}}, 5, 60, false, nil, 100},
		{"in the making", []cacheEntry{{bytes: 50, lastUsed: 1, users: 1}, {bytes: 50, lastUsed: 2}}, 5, 50, true, []int{1}, 100},
		{"nothing to gain", []cacheEntry{{lastUsed: 1}, {bytes: 100, lastUsed: 2}}, 5, 50, true, []int{1}, 50},
	} {
		m, all := drawnMemory(100, append(c.others, cacheEntry{lastUsed: 9, usedBefore: c.before})...)
		k := all[len(all)-1]
		if ok := m.reserve(k, c.bytes); ok != c.ok || m.used != c.taken {
			t.Errorf("%s: %v with %d bytes taken, want %v with %d", c.name, ok, m.used, c.ok, c.taken)
		}
		if c.ok && (k.bytes != c.bytes || k.users != 1) {
			t.Errorf("%s: the claimant has %d bytes", c.name, k.bytes)
		}
		gone := map[int]bool{}
		for _, i := range c.gone {
			gone[i] = true
		}
		for i, x := range all {
			if _, there := m.entries[x.who]; there == gone[i] || x.evicted != gone[i] {
				t.Errorf("%s: traveller %d is kept: %v", c.name, i, there)
			}
		}
	}
}

// Metrics that were only claimed give way to those in use; a limit lowered meanwhile counts
// from then on.
func TestSettle(t *testing.T) {
	m, all := drawnMemory(100, cacheEntry{bytes: 20, lastUsed: 1}, cacheEntry{lastUsed: 2})
	if !m.reserve(all[1], 80) {
		t.Fatal("no room")
	}
	m.commit(all[1], 80, 50)
	if m.used != 70 || all[1].bytes != 50 || all[1].users != 0 {
		t.Errorf("%d taken, %d of it by the second", m.used, all[1].bytes)
	}
	if !m.reserve(all[1], 30) {
		t.Fatal("no room for more")
	}
	m.limit = 60
	m.evictOverLimit()
	if m.used != 80 || !all[0].evicted || all[1].evicted {
		t.Errorf("%d taken while one is in the making", m.used)
	}
	m.commit(all[1], 30, 30)
	if m.used != 0 || !all[1].evicted {
		t.Errorf("%d taken above a limit of 60", m.used)
	}
	m, all = drawnMemory(100, cacheEntry{bytes: 40, lastUsed: 1}, cacheEntry{bytes: 40, lastUsed: 3}, cacheEntry{lastUsed: 2})
	if !m.reserve(all[2], 20) {
		t.Fatal("no room for 20")
	}
	if m.commit(all[2], 20, 30); m.used != 70 || !all[0].evicted {
		t.Errorf("%d taken after more was made than claimed", m.used)
	}
}

// Travellers who come once are forgotten; those with a metric are not.
func TestForgotten(t *testing.T) {
	m, all := drawnMemory(100, cacheEntry{bytes: 100, lastUsed: 1})
	for i := range 10 * maxIdleEntries {
		k := &cacheEntry{who: Traveller{Open: true}}
		k.who.Options.TopSpeed = float64(i)
		m.touch(k)
		m.add(k)
		if m.entries[k.who] != k {
			t.Fatalf("%d is forgotten at once", i)
		}
		if len(m.entries) > maxIdleEntries+1 {
			t.Fatalf("%d are remembered", len(m.entries))
		}
	}
	if all[0].evicted || m.used != 100 {
		t.Error("a metric went for travellers without")
	}
}

// A metric that a request works out for itself, or that is in the making, counts until it is
// given back, though meanwhile the live data have changed and the traveller's weights with
// them.
func TestReplaceWhileLent(t *testing.T) {
	c, all := drawnMemory(1000, cacheEntry{bytes: 50, kept: 50, lastUsed: 1})
	m, k := &Store{metricCache: metricCache{limit: c.limit, used: c.used, entries: c.entries}}, all[0]
	lent := m.reserveFor(k, 30) // for a matrix
	if lent == nil || !m.reserve(k, 20) || !m.reserve(k, 40) {
		t.Fatal("no room")
	}
	measures, renewed := int64(20), int64(40)
	m.replace(k, Weights{}, renewed, 60)
	if m.used != 60+30+measures {
		t.Errorf("%d count, want the new weights' 60, 30 that are lent and %d in the making", m.used, measures)
	}
	lent.resize(35)
	if m.used != 60+35+measures {
		t.Errorf("%d count with 35 lent", m.used)
	}
	lent.Release()
	m.commit(k, measures, 25) // of weights that nobody keeps
	next := m.entries[k.who]
	if m.used != 60 || k.bytes != 0 || next == k || next.bytes != 60 {
		t.Errorf("%d count when only the new weights are left, %d of them the old ones'", m.used, k.bytes)
	}
}

// TestReservedAtOnce has many requests take memory and give it back: none of it is lost, and
// never more is taken than there is.
func TestReservedAtOnce(t *testing.T) {
	m, all := drawnMemory(100, cacheEntry{lastUsed: 1}, cacheEntry{lastUsed: 2}, cacheEntry{lastUsed: 3})
	var workers sync.WaitGroup
	for worker := range 6 {
		workers.Go(func() {
			for range 200 {
				lent := m.reserveFor(all[worker%3], 40)
				if used := m.Memory(); used > 100 {
					t.Errorf("%d of 100 are taken", used)
				}
				if lent != nil {
					lent.Release()
				}
			}
		})
	}
	workers.Wait()
	if used := m.Memory(); used != 0 {
		t.Errorf("%d are taken when all is given back", used)
	}
}
