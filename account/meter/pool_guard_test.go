package meter

import (
	"testing"
	"time"
)

// TestPoolsAreDropped has what keeps a pool from being dropped, each by itself.
func TestPoolsAreDropped(t *testing.T) {
	begin := time.Unix(1_000_000, 0)
	for name, c := range map[string]struct {
		change  func(p *pool)
		later   time.Duration
		dropped bool
	}{
		"unused for long":            {func(*pool) {}, idle, true},
		"unused for longer":          {func(*pool) {}, 10 * idle, true},
		"used a little ago":          {func(*pool) {}, idle - 1, false},
		"used just now":              {func(*pool) {}, 0, false},
		"a clock that was set back":  {func(*pool) {}, -idle, true},
		"a clock a little back":      {func(*pool) {}, 1 - idle, false},
		"calls to write":             {func(p *pool) { p.counts = map[count]callCounts{{}: {}} }, idle, false},
		"units that are booked":      {func(p *pool) { p.booked = make([]bookedUnits, 1) }, idle, false},
		"units promised":             {func(p *pool) { p.period("2026-11").reserved = 1 }, idle, false},
		"units being written":        {func(p *pool) { p.period("2026-11").inBatch = 1 }, idle, false},
		"units in the database":      {func(p *pool) { p.period("2026-11").base = 1 }, idle, true},
		"one of two months in a row": {func(p *pool) { p.period("2026-10"); p.period("2026-11").reserved = 1 }, idle, false},
	} {
		ps := &pools{all: map[string]*pool{}}
		r := &record{pool: "p"}
		p := ps.lock(r, begin)
		c.change(p)
		p.mu.Unlock()
		ps.sweep(begin.Add(c.later), "2026-11-30")
		if got := len(ps.list()) == 0; got != c.dropped || p.removed != c.dropped {
			t.Errorf("%s: dropped %v (removed %v), want %v", name, got, p.removed, c.dropped)
		}
		again := ps.lock(r, begin.Add(c.later))
		again.mu.Unlock()
		if (again == p) == c.dropped {
			t.Errorf("%s: the next call has the same pool: %v", name, again == p)
		}
	}
}

// TestAllowancesOfPastDaysAreDropped keeps those of today, those with something to write and all
// other periods.
func TestAllowancesOfPastDaysAreDropped(t *testing.T) {
	const today, before = "2026-11-30", "2026-11-29"
	for name, c := range map[string]struct {
		period string
		of     period
		kept   bool
	}{
		"of today":                {allowancePeriod("suggest", today), period{}, true},
		"of yesterday":            {allowancePeriod("suggest", before), period{base: 5}, false},
		"with units to write":     {allowancePeriod("suggest", before), period{pending: 1}, true},
		"with units in a batch":   {allowancePeriod("suggest", before), period{inBatch: 1}, true},
		"with units promised":     {allowancePeriod("suggest", before), period{reserved: 1}, true},
		"a month":                 {"2026-10", period{}, true},
		"a month beside its name": {"2026-11", period{base: 7}, true},
	} {
		ps := &pools{all: map[string]*pool{}}
		now := time.Unix(1_000_000, 0)
		p := ps.lock(&record{pool: "p"}, now)
		of := c.of
		p.periods[c.period] = &of
		p.mu.Unlock()
		ps.sweep(now, today)
		if _, kept := p.periods[c.period]; kept != c.kept {
			t.Errorf("%s: kept %v", name, kept)
		}
	}
}

// TestFiguresOfRecords applies records to a pool: figures that were settled since, or are being
// settled, stay.
func TestFiguresOfRecords(t *testing.T) {
	for name, c := range map[string]struct {
		of   period
		asOf uint64
		want int64
	}{
		"nothing known":        {period{}, 0, 40},
		"less than is known":   {period{base: 50}, 0, 50},
		"settled since":        {period{base: 10, acked: 3}, 2, 10},
		"settled at that time": {period{base: 10, acked: 3}, 3, 40},
		"being settled":        {period{base: 10, inBatch: 1}, 9, 10},
	} {
		p := &pool{periods: map[string]*period{}}
		of := c.of
		p.periods["2026-11"] = &of
		p.learn(&record{month: "2026-11", used: 40, asOf: c.asOf})
		if of.base != c.want {
			t.Errorf("%s: %d, want %d", name, of.base, c.want)
		}
	}
	if got := (&record{month: "2026-11", period: "life"}).periodOf(); got != "life" {
		t.Errorf("the figures are of %s", got)
	}
}
