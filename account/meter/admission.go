package meter

import (
	"context"
	"net/http"
	"net/netip"
	"slices"
	"sync"

	"github.com/waygate/waygate/account"
	"github.com/waygate/waygate/account/signed"
	"github.com/waygate/waygate/fault"
)

// lane is how a call was admitted.
type lane int

const (
	keyed lane = iota
	demo
	paid
)

// unset is the value of Admission.use before Use is called.
const unset = -1

// Admission is one admitted call. Settle must be called once, when the call is
// answered. Its methods are safe for concurrent use: a handler that continues after its
// answer was given up cannot reserve any more.
type Admission struct {
	gate     *Gate
	lane     lane
	record   *record         // of a keyed call
	address  *signed.Address // by which a keyed call came; nil otherwise
	endpoint string
	client   netip.Addr

	mu        sync.Mutex
	settled   bool
	owed      bool
	metered   bool
	class     Class
	features  []string
	date      *date // of the first reservation; what is used counts there
	reserved  int64 // units
	use       int64 // units, or unset
	purchases []purchase
	allowance string // the period of the daily allowance that the call draws from; "" is none
	booked    bool   // its cost is in the database already: see ChargeIn
}

// Key returns the record of the key, which must not be changed; nil for a call of the
// demo lane or a paid one.
func (p *Admission) Key() *account.Key {
	if p.record == nil {
		return nil
	}
	return &p.record.key
}

// SignedPrefix returns how an address begins that opens what lies below a path, which ends with a
// slash, to whom the call's own address is open: for the same key and origin, until the same
// time. It is "" for a call that did not come by a signed address.
func (p *Admission) SignedPrefix(path string) string {
	if p.address == nil {
		return ""
	}
	return p.record.signer.Sign(path, "", p.address.Grant)
}

// Demo reports whether the call is in the demo lane.
func (p *Admission) Demo() bool { return p.lane == demo }

// Reserve takes units of the class out of the quota, and the rest out of credit, before
// the call runs. Called again it raises the reservation to units and forgets an earlier
// Use; fewer units change nothing. It refuses with quota-exceeded (a key without an
// identity's ledger, or a deployment that sells nothing), payment-required, or
// upstream-unavailable if the database would have to be asked for credit and does not
// answer. features name what made a call Premium (truck, adr), for the figures of the
// demo lane.
func (p *Admission) Reserve(ctx context.Context, class Class, units int64, features ...string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.settled {
		return fault.New(fault.Internal, "this call is settled")
	}
	if p.date == nil {
		p.date = p.gate.dateOf(p.gate.now())
	}
	if more := units - p.reserved; more > 0 {
		if p.lane == keyed {
			if err := p.take(ctx, more); err != nil {
				return err
			}
		}
		p.reserved, p.use = units, unset
	}
	p.metered, p.class = true, class
	for _, f := range features {
		if !slices.Contains(p.features, f) {
			p.features = append(p.features, f)
		}
	}
	return nil
}

// ReserveWithin takes a standard call out of a daily allowance, which all keys of an
// identity share, or, if that is used up, out of the quota; free reports which. A call
// without a key has no allowance. As with quotas, replicas see each other's use within
// about two flushes.
func (p *Admission) ReserveWithin(ctx context.Context, allowance string, perDay int64) (free bool, err error) {
	if p.lane == keyed && p.draw(allowance, perDay) {
		return true, nil
	}
	return false, p.Reserve(ctx, Standard, StandardUnits)
}

// draw takes one call out of an allowance, if any is left.
func (p *Admission) draw(allowance string, perDay int64) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.settled || p.reserved > 0 || p.allowance != "" {
		return false
	}
	g := p.gate
	if p.date == nil {
		p.date = g.dateOf(g.now())
	}
	pool := g.pools.lock(p.record, g.now())
	defer pool.mu.Unlock()
	in := pool.period(allowancePeriod(allowance, p.date.day))
	if in.used()+in.reserved >= perDay {
		return false
	}
	in.reserved++
	p.metered, p.class, p.allowance = true, Standard, allowancePeriod(allowance, p.date.day)
	return true
}

// take reserves more units: from the quota as far as possible, the rest from credit.
func (p *Admission) take(ctx context.Context, more int64) error {
	g, r := p.gate, p.record
	for {
		now := g.now()
		pool := g.pools.lock(r, now)
		in := pool.period(r.periodOn(p.date))
		short := more - min(more, max(0, r.quota-in.used()-in.reserved))
		if short > 0 {
			if r.sold == "" || g.options.UnitPrice <= 0 {
				used := in.used()
				pool.mu.Unlock()
				return quotaExceeded(r, used)
			}
			bought, again, err := g.buy(ctx, pool, short)
			if again {
				continue
			}
			if err != nil {
				return err
			}
			p.purchases = append(p.purchases, *bought)
		}
		in.reserved += more
		pool.mu.Unlock()
		return nil
	}
}

func quotaExceeded(r *record, used int64) error {
	when := "this month"
	if r.period == life {
		when = "the key's provisional life; verify its e-mail address for more"
	}
	return fault.New(fault.QuotaExceeded, "%d of the %d units are used in %s", used, r.quota, when).
		With("quota", r.quota).With("used", used)
}

// Use lowers the charge to units, at most those reserved.
func (p *Admission) Use(units int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.use = min(max(0, units), p.reserved)
}

// Charged returns the units that Settle will charge for a call that succeeds.
func (p *Admission) Charged() int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.charged()
}

func (p *Admission) charged() int64 {
	if p.use == unset {
		return p.reserved
	}
	return p.use
}

// Owe makes Settle charge the call though it failed.
func (p *Admission) Owe() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.owed = true
}

// Settle charges the call if status is below 400 or Owe was called, and otherwise
// returns all that was reserved. Credit is returned first. A second Settle does
// nothing.
func (p *Admission) Settle(status int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.settled {
		return
	}
	p.settled = true
	if !p.metered {
		return
	}
	success := status < http.StatusBadRequest || p.owed
	var charged int64
	if success {
		charged = p.charged()
	}
	switch p.lane {
	case keyed:
		p.settleKeyed(success, charged, status)
	case demo:
		if success {
			p.gate.demo.count(p, charged, p.gate.now())
		}
	case paid:
		if success {
			p.gate.demo.countPaid(p, charged)
		}
	}
}

func (p *Admission) settleKeyed(success bool, charged int64, status int) {
	g, r := p.gate, p.record
	now := g.now()
	pool := g.pools.lock(r, now)
	defer pool.mu.Unlock()
	in := pool.period(r.periodOn(p.date))
	if p.booked {
		p.settleBooked(pool, in, now)
		return
	}
	in.reserved -= p.reserved
	p.refund(charged)
	if p.allowance != "" {
		drawn := pool.period(p.allowance)
		drawn.reserved--
		if success {
			drawn.pending++
		}
	}
	if !success {
		return
	}
	in.pending += charged
	if pool.counts == nil {
		pool.counts = map[count]callCounts{}
	}
	c := count{r.key.ID, p.date.day, p.endpoint, p.class}
	pool.counts[c] = pool.counts[c].plus(charged)
	if status/100 == 2 {
		pool.succeeded(r, now)
	}
	if r.users != "" {
		g.active.seen(r.users, p.date.month, account.Network(p.client))
	}
}

// refund returns what a call reserved and did not use, credit first, and spends the
// rest of its credit.
func (p *Admission) refund(charged int64) {
	back := p.reserved - charged
	for _, b := range slices.Backward(p.purchases) {
		n := min(back, b.units)
		back -= n
		b.hold.reserved -= b.units * b.price
		b.hold.spent += (b.units - n) * b.price
	}
}
