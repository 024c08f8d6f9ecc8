package meter

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/waygate/waygate/account/ledger"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/store"
)

const (
	// chunk is how many units' worth of credit is taken beyond what a call needs, and
	// share the largest part of the free credit that is taken, so that replicas with a
	// small balance leave each other some.
	chunk = 400
	share = 4
	// holdIdle is how long a hold is kept that no call spends from.
	holdIdle = 3 * time.Second
	// renewal is the age at which a hold is renewed though nothing is spent.
	renewal = ledger.HoldLife / 3
	// holdValid is the age up to which a hold is certainly still in the database.
	holdValid = ledger.HoldLife - 10*time.Second
	// exhaustedFor is how long a refusal for lack of credit is repeated without
	// asking.
	exhaustedFor = time.Second
)

// credit is the amount that a pool may spend beyond its quota, in millipence. It is part of a pool
// and under the pool's lock.
type credit struct {
	some    bool   // there was any, when it was last read
	balance int64  // in the database, unspent, held included
	free    int64  // of that, promised to nobody, as far as known
	acked   uint64 // settlement with the database that it took part in last
	hold    *hold  // the one that is spent from; may be nil
	retired []*hold

	loading   chan struct{} // closed when a running request for more ends
	paused    time.Time     // until when a database that failed is not asked
	exhausted time.Time     // until when less than lacking is known to be free
	missing   int64
}

// hold is credit that the database has reserved for this replica.
type hold struct {
	id       string
	held     int64 // promised
	reserved int64 // for calls that run
	spent    int64 // by calls, not in a batch yet
	inBatch  int64 // of what was spent, in the batch that is being written
	settling bool  // is in that batch
	renewed  time.Time
	last     time.Time // something was reserved
}

func (h *hold) free() int64 { return h.held - h.reserved - h.spent - h.inBatch }

// purchase is credit that a call has reserved, at the price of that time.
type purchase struct {
	hold         *hold
	units, price int64
}

// open reports whether a hold still has to be settled with the database.
func (c *credit) open() bool { return c.hold != nil || len(c.retired) > 0 || c.loading != nil }

// usable returns the hold to spend from. A hold that the database may have taken back,
// because it was not renewed in time, is retired.
func (c *credit) usable(now time.Time) *hold {
	if c.hold != nil && now.Sub(c.hold.renewed) > holdValid {
		c.retire()
	}
	return c.hold
}

func (c *credit) retire() {
	if c.hold != nil {
		c.retired = append(c.retired, c.hold)
		c.hold = nil
	}
}

// inBatch reports whether some of it is in the batch that is being written.
func (c *credit) inBatch() bool {
	return c.hold != nil && c.hold.settling || slices.ContainsFunc(c.retired, func(h *hold) bool { return h.settling })
}

// returning reports whether a flush may release credit that is held here.
func (c *credit) returning() bool {
	return slices.ContainsFunc(c.retired, func(h *hold) bool { return h.settling || h.reserved == 0 })
}

// unspent returns the balance less what was spent here and is not booked yet.
func (c *credit) unspent() int64 {
	left := c.balance
	if c.hold != nil {
		left -= c.hold.spent + c.hold.inBatch
	}
	for _, h := range c.retired {
		left -= h.spent + h.inBatch
	}
	return max(0, left)
}

// buy reserves units at the gate's price from the hold of a locked pool. If the hold is
// too small, it unlocks the pool and takes more from the ledger; again then means that
// the caller must look again, because everything may have changed. The pool is unlocked
// whenever bought is nil.
func (g *Gate) buy(ctx context.Context, p *pool, units int64) (bought *purchase, again bool, err error) {
	price := g.options.UnitPrice
	if units > math.MaxInt64/price {
		err := g.paymentRequired(p)
		p.mu.Unlock()
		return nil, false, err
	}
	cost, now := units*price, g.now()
	var free int64
	h := p.credit.usable(now)
	if h != nil {
		free = h.free()
	}
	if free >= cost {
		h.reserved += cost
		h.last = now
		return &purchase{h, units, price}, false, nil
	}
	if asking := p.credit.loading; asking != nil {
		p.mu.Unlock()
		select {
		case <-asking:
			return nil, true, nil
		case <-ctx.Done():
			return nil, false, store.Unavailable(ctx.Err())
		}
	}
	err = g.extendHold(ctx, p, cost-free, now)
	p.mu.Unlock()
	return nil, err == nil, err
}

// extendHold extends the hold in the ledger for a locked pool, which it unlocks
// meanwhile. Without an error at least lacks was added.
func (g *Gate) extendHold(ctx context.Context, p *pool, lacks int64, now time.Time) error {
	c := &p.credit
	returning := c.returning()
	switch {
	case time.Now().Before(c.paused):
		return store.Unavailable(errPaused)
	case lacks >= c.missing && now.Before(c.exhausted) && c.exhausted.Sub(now) <= exhaustedFor && !returning, !c.some:
		return g.paymentRequired(p)
	}
	h, first := c.hold, c.hold == nil
	if first {
		h = &hold{id: g.uniqueID("hold"), last: now}
	}
	want := lacks + max(0, min(chunk*g.options.UnitPrice, (c.free-lacks)/share))
	c.loading = make(chan struct{})
	p.mu.Unlock()
	added, err := g.requestHold(ctx, p.identity, h.id, lacks, want)
	if err == nil && added == 0 && returning {
		if err = g.Flush(context.WithoutCancel(ctx)); err == nil {
			added, err = g.requestHold(ctx, p.identity, h.id, lacks, want)
		}
	}
	p.mu.Lock()
	close(c.loading)
	c.loading = nil
	switch {
	case err != nil:
		// The database may have reserved it all the same. Nothing renews this hold
		// any more, so an unknown reservation expires.
		if c.hold == h {
			c.retire()
		}
		c.paused = time.Now().Add(retryAfter)
		return store.Unavailable(err)
	case added == 0:
		c.exhausted, c.missing = g.now().Add(exhaustedFor), lacks
		return g.paymentRequired(p)
	}
	// A hold that was retired meanwhile stays retired: what was added to it is
	// released, and the caller tries again.
	if first {
		c.hold = h
	}
	h.held += added
	h.renewed = now
	c.free = max(0, c.free-added)
	return nil
}

// requestHold requests a hold from the ledger, whether or not the caller goes on waiting.
func (g *Gate) requestHold(ctx context.Context, identity, id string, least, want int64) (int64, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), g.options.Wait)
	defer cancel()
	return g.options.Ledger.Hold(ctx, identity, id, least, want)
}

// paymentRequired returns the refusal of a call of a locked pool.
func (g *Gate) paymentRequired(p *pool) error {
	balance := p.credit.unspent()
	why := fmt.Sprintf("the quota is used up and %d millipence of credit do not pay for this call", balance)
	if g.options.Upgrade == "" {
		return fault.New(fault.PaymentRequired, "%s; no credit is sold here, so ask the operator for some or for a larger quota", why).
			With("balance_millipence", balance).With("upgrade", nil)
	}
	return fault.New(fault.PaymentRequired, "%s; buy credit or a plan at %s", why, g.options.Upgrade).
		With("balance_millipence", balance).With("upgrade", g.options.Upgrade)
}

// uniqueID returns an id that no other replica makes.
func (g *Gate) uniqueID(kind string) string {
	return fmt.Sprintf("%s-%s-%d", kind, g.replica, g.serial.Add(1))
}
