package embedded

import "testing"

// drawnMemory keeps travellers that took so many bytes and were asked for at
// these times.
func drawnMemory(limit int64, list ...kept) (*memory, []*kept) {
	m := &memory{limit: limit, kept: map[traveller]*kept{}}
	var all []*kept
	for i := range list {
		k := &list[i]
		k.who.options.TopSpeed = float64(i)
		m.kept[k.who] = k
		m.taken += k.bytes
		m.clock = max(m.clock, k.used)
		all = append(all, k)
	}
	return m, all
}

func TestClaim(t *testing.T) {
	for _, c := range []struct {
		name   string
		others []kept
		before int64 // when the claimant was asked for the time before
		bytes  int64
		ok     bool
		gone   []int
		taken  int64
	}{
		{"there is room", []kept{{bytes: 40, used: 1}}, 0, 60, true, nil, 100},
		{"more than all", []kept{{bytes: 40, used: 1}}, 5, 101, false, nil, 40},
		{"the oldest goes", []kept{{bytes: 50, used: 2}, {bytes: 50, used: 1}}, 5, 50, true, []int{1}, 100},
		{"no more than must", []kept{{bytes: 10, used: 1}, {bytes: 30, used: 2}, {bytes: 60, used: 3}}, 5, 40, true, []int{0, 1}, 100},
		{"used since", []kept{{bytes: 50, used: 6}, {bytes: 50, used: 7}}, 5, 50, false, nil, 100},
		{"one used since, and not enough without", []kept{{bytes: 50, used: 1}, {bytes: 50, used: 7}}, 5, 60, false, nil, 100},
		{"in the making", []kept{{bytes: 50, used: 1, busy: 1}, {bytes: 50, used: 2}}, 5, 50, true, []int{1}, 100},
		{"nothing to gain", []kept{{used: 1}, {bytes: 100, used: 2}}, 5, 50, true, []int{1}, 50},
	} {
		m, all := drawnMemory(100, append(c.others, kept{used: 9, before: c.before})...)
		k := all[len(all)-1]
		if ok := m.claim(k, c.bytes); ok != c.ok || m.taken != c.taken {
			t.Errorf("%s: %v with %d bytes taken, want %v with %d", c.name, ok, m.taken, c.ok, c.taken)
		}
		if c.ok && (k.bytes != c.bytes || k.busy != 1) {
			t.Errorf("%s: the claimant has %d bytes", c.name, k.bytes)
		}
		gone := map[int]bool{}
		for _, i := range c.gone {
			gone[i] = true
		}
		for i, x := range all {
			if _, there := m.kept[x.who]; there == gone[i] || x.gone != gone[i] {
				t.Errorf("%s: traveller %d is kept: %v", c.name, i, there)
			}
		}
	}
}

// What was claimed gives way to what is taken; a limit lowered meanwhile holds
// from then on.
func TestSettle(t *testing.T) {
	m, all := drawnMemory(100, kept{bytes: 20, used: 1}, kept{used: 2})
	if !m.claim(all[1], 80) {
		t.Fatal("no room")
	}
	m.settle(all[1], 80, 50)
	if m.taken != 70 || all[1].bytes != 50 || all[1].busy != 0 {
		t.Errorf("%d taken, %d of it by the second", m.taken, all[1].bytes)
	}
	if !m.claim(all[1], 30) {
		t.Fatal("no room for more")
	}
	m.limit = 60
	m.shrink()
	if m.taken != 80 || !all[0].gone || all[1].gone {
		t.Errorf("%d taken while one is in the making", m.taken)
	}
	m.settle(all[1], 30, 30)
	if m.taken != 0 || !all[1].gone {
		t.Errorf("%d taken above a limit of 60", m.taken)
	}
	m, all = drawnMemory(100, kept{bytes: 40, used: 1}, kept{bytes: 40, used: 3}, kept{used: 2})
	if !m.claim(all[2], 20) {
		t.Fatal("no room for 20")
	}
	if m.settle(all[2], 20, 30); m.taken != 70 || !all[0].gone {
		t.Errorf("%d taken after more was made than claimed", m.taken)
	}
}

// Travellers who come once are forgotten; those with a metric are not.
func TestForgotten(t *testing.T) {
	m, all := drawnMemory(100, kept{bytes: 100, used: 1})
	for i := range 10 * mostRemembered {
		k := &kept{who: traveller{open: true}}
		k.who.options.TopSpeed = float64(i)
		m.touch(k)
		m.add(k)
		if m.kept[k.who] != k {
			t.Fatalf("%d is forgotten at once", i)
		}
		if len(m.kept) > mostRemembered+1 {
			t.Fatalf("%d are remembered", len(m.kept))
		}
	}
	if all[0].gone || m.taken != 100 {
		t.Error("a metric went for travellers without")
	}
}
