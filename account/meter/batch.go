package meter

import (
	"maps"
	"net/netip"
	"time"
)

// batch is written to the database at once. It does not change until it is
// known to be written; its id makes it count once however often it is tried.
type batch struct {
	id       string
	at       time.Time
	usage    map[count]callCounts
	periods  map[poolPeriod]*periodUse
	demo     map[demoCount]callCounts
	features map[featureCount]callCounts
	clients  map[identityMonth][]netip.Addr
	firsts   map[string]time.Time
	spends   []*spend
}

type poolPeriod struct{ pool, period string }

// periodUse is the usage of a pool's period.
type periodUse struct {
	pool  *pool
	units int64
	total int64 // in the database, when it is written
}

// spend is the change of a hold.
type spend struct {
	pool           *pool
	hold           *hold
	spent, release int64
	booked         int64 // when it is written
}

func (b *batch) empty() bool {
	return len(b.usage) == 0 && len(b.periods) == 0 && len(b.demo) == 0 && len(b.features) == 0 &&
		len(b.clients) == 0 && len(b.firsts) == 0 && len(b.spends) == 0
}

// gather moves all counts into a new batch. With last, holds are released even if they
// were spent from a moment ago.
func (f *flusher) gather(now time.Time, last bool) *batch {
	b := &batch{id: f.gate.uniqueID("batch"), at: now, usage: map[count]callCounts{}, periods: map[poolPeriod]*periodUse{}, firsts: map[string]time.Time{}}
	for _, p := range f.gate.pools.list() {
		p.gather(b, last)
	}
	b.demo, b.features = f.gate.demo.take()
	var dropped int64
	if b.clients, dropped = f.gate.active.take(); dropped > 0 {
		f.gate.log.Warn("active users were not counted for lack of room", "calls", dropped)
	}
	return b
}

func (p *pool) gather(b *batch, last bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for name, in := range p.periods {
		if in.pending == 0 {
			continue
		}
		b.periods[poolPeriod{p.id, name}] = &periodUse{pool: p, units: in.pending}
		in.inBatch, in.pending = in.pending, 0
	}
	for c, t := range p.counts {
		// A key that was verified just now has counts in two pools.
		b.usage[c] = callCounts{b.usage[c].calls + t.calls, b.usage[c].units + t.units}
	}
	p.counts = nil
	maps.Copy(b.firsts, p.firsts)
	p.firsts = nil
	for i := range p.booked {
		p.booked[i].seen = true // every later read includes it
	}
	p.credit.gather(p, b, last)
}

// gather collects what holds have spent, renews them, and releases those that nobody
// spends from.
func (c *credit) gather(p *pool, b *batch, last bool) {
	if h := c.usable(b.at); h != nil && c.loading == nil && h.reserved == 0 && (last || b.at.Sub(h.last).Abs() > holdIdle) {
		c.retire()
	}
	left := c.retired[:0]
	for _, h := range c.retired {
		release := int64(0)
		if h.reserved == 0 {
			release = h.free()
		}
		h.into(p, b, release)
		if h.reserved > 0 || h.settling {
			left = append(left, h)
		}
	}
	clear(c.retired[len(left):])
	c.retired = left
	if c.hold != nil {
		c.hold.into(p, b, 0)
	}
}

// into adds a hold to a batch, if it has changed or must be renewed.
func (h *hold) into(p *pool, b *batch, release int64) {
	if h.spent == 0 && release == 0 && b.at.Sub(h.renewed).Abs() < renewal {
		return
	}
	b.spends = append(b.spends, &spend{pool: p, hold: h, spent: h.spent, release: release})
	h.inBatch, h.spent, h.settling = h.spent, 0, true
	h.held -= release
}

// batchWritten applies that the database has a batch. began is the start of the attempt
// that wrote it.
func (f *flusher) batchWritten(b *batch, began time.Time) {
	settlement := f.gate.pools.settlements.Add(1)
	for k, d := range b.periods {
		d.pool.mu.Lock()
		in := d.pool.period(k.period)
		in.inBatch, in.acked = 0, settlement
		in.read(d.total)
		d.pool.mu.Unlock()
	}
	for _, s := range b.spends {
		s.pool.mu.Lock()
		s.pool.credit.batchWritten(s, began, settlement)
		s.pool.mu.Unlock()
		if lost := s.spent - s.booked; lost > 0 {
			f.gate.log.Error("credit was spent that is no longer there", "identity", s.pool.identity, "lost_millipence", lost)
		}
	}
}

func (c *credit) batchWritten(s *spend, began time.Time, settlement uint64) {
	h := s.hold
	h.held -= h.inBatch
	h.inBatch, h.settling, h.renewed = 0, false, began
	c.balance -= s.booked
	if c.free += s.release; s.release > 0 {
		c.exhausted = time.Time{}
	}
	c.acked = settlement
	if s.booked < s.spent && c.hold == h {
		c.retire()
	}
	if h.reserved == 0 && h.spent == 0 && h.free() <= 0 {
		c.retired = drop(c.retired, h)
	}
}

func drop(holds []*hold, h *hold) []*hold {
	left := holds[:0]
	for _, other := range holds {
		if other != h {
			left = append(left, other)
		}
	}
	clear(holds[len(left):])
	return left
}
