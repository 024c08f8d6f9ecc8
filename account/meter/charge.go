package meter

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/waygate/waygate/account"
	"github.com/waygate/waygate/account/ledger"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/store"
)

// Charge records the charge of a call in a transaction of the caller's, for a later
// refund. It is stored as JSON.
type Charge struct {
	Key        string `json:"key"`
	Pool       string `json:"pool"`
	Period     string `json:"period"`
	Day        string `json:"day"`
	Endpoint   string `json:"endpoint"`
	Class      Class  `json:"class"`
	Units      int64  `json:"units"`
	Identity   string `json:"identity,omitempty"` // whose credit paid a part
	Millipence int64  `json:"millipence,omitempty"`
}

// ChargeIn charges a keyed call what it has reserved, in a transaction of the caller's,
// so that the charge is committed with the work that it is for. Booked must be called
// once the transaction is committed; Settle then charges nothing more.
func (p *Admission) ChargeIn(ctx context.Context, tx *store.Tx) (*Charge, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.settled || !p.metered || p.lane != keyed {
		return nil, fault.New(fault.Internal, "there is nothing to charge")
	}
	g, r := p.gate, p.record
	c := &Charge{Key: r.key.ID, Pool: r.pool, Period: r.periodOn(p.date), Day: p.date.day, Endpoint: p.endpoint, Class: p.class, Units: p.reserved}
	if err := c.write(ctx, tx, 1, c.Units); err != nil {
		return nil, err
	}
	for _, b := range p.purchases {
		cost := b.units * b.price
		spent, err := g.options.Ledger.SpendIn(ctx, tx, r.sold, b.hold.id, cost, 0, g.now())
		if err != nil {
			return nil, fmt.Errorf("book spent credit: %w", err)
		}
		if spent < cost {
			return nil, fault.New(fault.UpstreamUnavailable, "the credit that pays for this call was not renewed in time; try again").With("retry_after", 1)
		}
		c.Identity, c.Millipence = r.sold, c.Millipence+spent
	}
	return c, nil
}

// write adds to the figures of a key, or subtracts from them.
func (c *Charge) write(ctx context.Context, tx *store.Tx, calls, units int64) error {
	_, err := tx.Exec(ctx, `INSERT INTO usage_days (key_id, day, endpoint, class, calls, units) VALUES ($1, $2, $3, $4, $5, $6)
		ON CONFLICT (key_id, day, endpoint, class) DO UPDATE SET calls = usage_days.calls + excluded.calls, units = usage_days.units + excluded.units`,
		c.Key, c.Day, c.Endpoint, string(c.Class), calls, units)
	if err != nil {
		return fmt.Errorf("write usage: %w", err)
	}
	_, err = tx.Exec(ctx, `INSERT INTO usage_periods (pool, period, units) VALUES ($1, $2, $3)
		ON CONFLICT (pool, period) DO UPDATE SET units = usage_periods.units + excluded.units`, c.Pool, c.Period, units)
	if err != nil {
		return fmt.Errorf("write a period's usage: %w", err)
	}
	return nil
}

// RefundIn returns what a call was charged: units to the quota of their period, credit
// to the balance. The call itself stays counted. The caller must call it only once.
// Gates learn of it at their next flush.
func (c *Charge) RefundIn(ctx context.Context, tx *store.Tx, l *ledger.Ledger) error {
	if c.Units == 0 {
		return nil
	}
	if err := c.write(ctx, tx, 0, -c.Units); err != nil {
		return err
	}
	if c.Millipence == 0 {
		return nil
	}
	return l.UnspendIn(ctx, tx, c.Identity, c.Day, c.Millipence)
}

// Booked notes that the transaction of ChargeIn was committed.
func (p *Admission) Booked() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.booked = true
}

// bookedUnits are units that stay reserved until the gate has read them from the
// database.
type bookedUnits struct {
	period string
	units  int64
	seen   bool // the flush that reads began after they were booked
}

// settleBooked ends a call that was charged by ChargeIn. The pool is locked.
func (p *Admission) settleBooked(pool *pool, in *period, now time.Time) {
	for _, b := range p.purchases {
		cost := b.units * b.price
		b.hold.reserved -= cost
		b.hold.held -= cost
		pool.credit.balance -= cost
	}
	if p.reserved > 0 {
		pool.booked = append(pool.booked, bookedUnits{period: p.record.periodOn(p.date), units: p.reserved})
	}
	in.known = false // so that the next flush reads it
	r := p.record
	pool.succeeded(r, now)
	if r.users != "" {
		p.gate.active.seen(r.users, p.date.month, account.Network(p.client))
	}
}

// forgetBooked drops the booked units that a flush has read.
func (f *flusher) forgetBooked() {
	for _, p := range f.gate.pools.list() {
		p.mu.Lock()
		p.booked = slices.DeleteFunc(p.booked, func(b bookedUnits) bool {
			if b.seen {
				p.period(b.period).reserved -= b.units
			}
			return b.seen
		})
		p.mu.Unlock()
	}
}
