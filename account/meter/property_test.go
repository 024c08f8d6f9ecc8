package meter_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/waygate/waygate/account"
	"github.com/waygate/waygate/account/meter"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/store/storetest"
)

// TestProperties checks that the database has exactly what was used, however calls end, gates
// are flushed, killed and joined by others, and the clock jumps.
func TestProperties(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		w := newWorld(t, address)
		rapid.Check(t, func(r *rapid.T) {
			m := newModel(r, w)
			r.Repeat(map[string]func(*rapid.T){
				"":             m.check,
				"call":         m.call,
				"use":          m.use,
				"use again":    m.use,
				"raise":        m.raise,
				"settle":       m.settle,
				"flush":        m.flush,
				"flush fails":  m.flushFails,
				"kill":         m.kill,
				"credit":       m.credit,
				"verify":       m.verify,
				"wait":         m.wait,
				"jump":         m.jump,
				"reap":         m.reap,
				"stand":        m.stand,
				"settle again": m.settle,
			})
			m.end(r)
		})
	})
}

// model keeps every call that was ever settled and adds them up when asked.
type model struct {
	on       *fixture
	identity string
	quota    int64 // of every pool
	keys     []*modelKey
	gates    []*meter.Gate
	open     []*modelCall
	settled  []*modelCall
	credited int64
	killed   bool // credit may be held by one that is gone
	kills    bool // whether gates are
	jumps    bool // whether the clock does
	jumped   bool // a hold may have expired
	touched  bool // the database was, perhaps
	failed   bool // a flush did, so that the balance may not be up to date
}

type modelKey struct {
	key
	pool   string
	life   bool
	pooled bool // has the identity's credit
}

// modelCall is one call; quota and credit are what it has taken of each, known
// only where there is one gate.
type modelCall struct {
	gate          int
	key           *modelKey
	pool, period  string
	admission     *meter.Admission
	day           string
	sold          bool
	reserved      int64 // units
	credit        int64 // of these, paid from credit
	charged       int64
	written, lost bool
}

func newModel(r *rapid.T, w *fixture) *model {
	w.clock.set(start)
	w.exec("DELETE FROM usage_batches")
	m := &model{
		on: w, quota: rapid.SampledFrom([]int64{0, 10, 60, 200}).Draw(r, "quota"),
		kills: rapid.Bool().Draw(r, "kills"), jumps: rapid.Bool().Draw(r, "jumps"),
	}
	id, first := w.verified(m.quota)
	m.identity = id
	m.keys = []*modelKey{
		{key: first, pool: id, pooled: true},
		{key: w.key(account.Key{State: account.Verified, IdentityID: id}), pool: id, pooled: true},
	}
	fresh := w.key(account.Key{State: account.Provisional, IdentityID: id, MonthlyQuota: m.quota})
	admin := w.key(account.Key{State: account.Admin, MonthlyQuota: m.quota})
	m.keys = append(m.keys, &modelKey{key: fresh, pool: fresh.id, life: true}, &modelKey{key: admin, pool: admin.id})
	if n := rapid.Int64Range(0, 100).Draw(r, "credit"); n > 0 {
		w.credit(id, n*price)
		m.credited = n * price
	}
	for range rapid.IntRange(1, 2).Draw(r, "gates") {
		m.gates = append(m.gates, w.open())
	}
	return m
}

// alone reports whether the model has all the facts that the gate has.
func (m *model) alone() bool { return len(m.gates) == 1 && !m.jumped }

// quotaLeft returns the units of a period that are neither used nor reserved.
func (m *model) quotaLeft(pool, period string) int64 {
	left := m.quota
	for _, c := range m.settled {
		if c.pool == pool && c.period == period && !c.lost {
			left -= c.charged
		}
	}
	for _, c := range m.open {
		if c.pool == pool && c.period == period {
			left -= c.reserved
		}
	}
	return max(0, left)
}

// creditLeft returns the credit that is neither spent nor reserved.
func (m *model) creditLeft() int64 {
	left := m.credited
	for _, c := range slices.Concat(m.open, m.settled) {
		if !c.lost {
			left -= c.credit * price
		}
	}
	return left
}

func (m *model) call(r *rapid.T) {
	k := rapid.SampledFrom(m.keys).Draw(r, "key")
	c := &modelCall{gate: rapid.IntRange(0, len(m.gates)-1).Draw(r, "gate"), key: k, pool: k.pool, period: "life", sold: k.pooled}
	now := m.on.clock.now()
	if c.day = now.Format(time.DateOnly); !k.life {
		c.period = now.Format("2006-01")
	}
	admission, err := m.gates[c.gate].Admit(context.Background(), meter.Call{Secret: k.secret, Endpoint: endpoint, Client: client})
	if err != nil {
		r.Fatal(err)
	}
	c.admission = admission
	m.open = append(m.open, c)
	m.reserve(r, c)
}

// use makes a call that succeeds at once.
func (m *model) use(r *rapid.T) {
	m.call(r)
	last := len(m.open) - 1
	c := m.open[last]
	m.open = m.open[:last]
	c.charged = c.reserved
	c.admission.Settle(200)
	m.settled = append(m.settled, c)
}

func (m *model) raise(r *rapid.T) {
	if len(m.open) == 0 {
		r.Skip()
	}
	m.reserve(r, rapid.SampledFrom(m.open).Draw(r, "open"))
}

func (m *model) reserve(r *rapid.T, c *modelCall) {
	units := rapid.Int64Range(0, 30).Draw(r, "units")
	more := max(0, units-c.reserved)
	fromCredit := max(0, more-m.quotaLeft(c.pool, c.period))
	affordable := fromCredit == 0 || c.sold && fromCredit*price <= m.creditLeft()
	before := m.batches(r)
	err := c.admission.Reserve(context.Background(), meter.Standard, units)
	if slices.ContainsFunc(m.batches(r), func(id string) bool { return !slices.Contains(before, id) }) {
		m.write(c.gate) // which gave credit back, to ask for it anew
	}
	switch {
	case err == nil && m.alone() && !affordable:
		r.Fatalf("%d units were reserved, %d more than the quota has, with %d millipence left", units, fromCredit, m.creditLeft())
	case err != nil && m.alone() && !m.killed && affordable:
		r.Fatalf("%d units were refused, %d more than the quota has, with %d millipence left: %v", units, fromCredit, m.creditLeft(), err)
	case err == nil:
		m.touched = m.touched || fromCredit > 0 || !m.alone()
		c.reserved += more
		c.credit += fromCredit
	case !fault.Is(err, fault.PaymentRequired) && !fault.Is(err, fault.QuotaExceeded):
		r.Fatal(err)
	}
}

func (m *model) settle(r *rapid.T) {
	if len(m.open) == 0 {
		r.Skip()
	}
	i := rapid.IntRange(0, len(m.open)-1).Draw(r, "open")
	c := m.open[i]
	m.open = slices.Delete(m.open, i, i+1)
	c.charged = c.reserved
	if rapid.Bool().Draw(r, "uses less") {
		c.charged = rapid.Int64Range(0, c.reserved).Draw(r, "used")
		c.admission.Use(c.charged)
	}
	status := rapid.SampledFrom([]int{200, 200, 304, 404, 500}).Draw(r, "status")
	if c.admission.Charged() != c.charged {
		r.Fatalf("%d will be charged, want %d", c.admission.Charged(), c.charged)
	}
	c.admission.Settle(status)
	if status >= 400 {
		return
	}
	c.credit = max(0, c.credit-(c.reserved-c.charged))
	m.settled = append(m.settled, c)
}

func (m *model) flush(r *rapid.T) { m.flushOne(r, rapid.IntRange(0, len(m.gates)-1).Draw(r, "gate")) }

func (m *model) flushOne(r *rapid.T, gate int) {
	if err := m.gates[gate].Flush(context.Background()); err != nil {
		r.Fatal(err)
	}
	m.write(gate)
	if m.failed {
		m.failed = false
		m.forget(m.identity)
	}
}

// write takes what a gate has settled to be in the database.
func (m *model) write(gate int) {
	m.touched = true
	for _, c := range m.settled {
		if c.gate == gate && !c.lost {
			c.written = true
		}
	}
}

// batches returns those in the database.
func (m *model) batches(r *rapid.T) []string {
	ids, err := m.on.db.Texts(context.Background(), "SELECT id FROM usage_batches")
	if err != nil {
		r.Fatal(err)
	}
	return ids
}

func (m *model) flushAll(r *rapid.T) {
	for gate := range m.gates {
		m.flushOne(r, gate)
	}
}

// flushFails has a flush meet a database that does not answer.
func (m *model) flushFails(r *rapid.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	m.failed, m.touched = true, true
	if err := rapid.SampledFrom(m.gates).Draw(r, "gate").Flush(ctx); err != nil && !fault.Is(err, fault.UpstreamUnavailable) {
		r.Fatal(err)
	}
}

// kill loses what a gate has not written, with the calls that run in it.
func (m *model) kill(r *rapid.T) {
	if !m.kills {
		r.Skip()
	}
	gate := rapid.IntRange(0, len(m.gates)-1).Draw(r, "gate")
	m.gates[gate] = m.on.open()
	m.killed = true
	m.open = slices.DeleteFunc(m.open, func(c *modelCall) bool { return c.gate == gate })
	for _, c := range m.settled {
		if c.gate == gate && !c.written {
			c.lost = true
		}
	}
}

func (m *model) credit(r *rapid.T) {
	millipence := rapid.Int64Range(1, 40*price).Draw(r, "millipence")
	m.on.credit(m.identity, millipence)
	m.credited += millipence
	m.touched = true
	m.forget(m.identity)
}

func (m *model) forget(id string) {
	for _, g := range m.gates {
		g.Invalidate(id)
	}
}

// verify has the provisional key join the pool.
func (m *model) verify(r *rapid.T) {
	k := m.keys[2]
	if k.pooled || rapid.IntRange(0, 3).Draw(r, "verify") > 0 {
		r.Skip()
	}
	m.on.exec("UPDATE keys SET state = 'verified' WHERE id = $1", k.id)
	k.pool, k.life, k.pooled = m.identity, false, true
	m.forget(k.id)
}

// wait lets some seconds pass; gates are flushed in time to keep their holds.
func (m *model) wait(r *rapid.T) {
	m.on.clock.add(time.Duration(rapid.IntRange(1, 6000).Draw(r, "milliseconds")) * time.Millisecond)
	m.flushAll(r)
}

// jump moves the clock by up to months, forwards or back.
func (m *model) jump(r *rapid.T) {
	if !m.jumps {
		r.Skip()
	}
	m.on.clock.set(rapid.SampledFrom([]time.Time{
		start, start.Add(time.Minute), start.Add(24 * time.Hour),
		time.Date(2026, 11, 30, 23, 59, 59, 999e6, time.UTC), time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC),
		start.AddDate(0, 2, 0), start.AddDate(0, -1, 0),
	}).Draw(r, "to"))
	m.jumped = true
}

func (m *model) reap(r *rapid.T) {
	m.touched = true
	if _, err := m.on.ledger.ReleaseExpired(context.Background()); err != nil {
		r.Fatal(err)
	}
}

// stand compares what a key reads of its own use, where one gate has all of it.
func (m *model) stand(r *rapid.T) {
	if !m.alone() {
		r.Skip()
	}
	k := rapid.SampledFrom(m.keys).Draw(r, "key")
	s := m.on.standing(m.gates[0], k.key)
	used, millipence := int64(0), int64(0)
	for _, c := range m.settled {
		if c.pool == k.pool && c.period == s.Period && !c.lost {
			used += c.charged
		}
	}
	if k.pooled {
		millipence = m.credited
		for _, c := range m.settled {
			if !c.lost {
				millipence -= c.credit * price
			}
		}
	}
	if s.Used != used || s.Remaining != m.quotaLeft(k.pool, s.Period) || s.Millipence != millipence && !m.failed {
		r.Fatalf("answered %d used, %d left, %d millipence; want %d, %d, %d", s.Used, s.Remaining, s.Millipence, used, m.quotaLeft(k.pool, s.Period), millipence)
	}
}

// check compares the database with what was written.
func (m *model) check(r *rapid.T) {
	if !m.touched {
		return
	}
	m.touched = false
	days, periods := map[string]int64{}, map[string]int64{}
	var sold int64
	for _, c := range m.settled {
		if c.written {
			days[fmt.Sprint(c.key.id, " ", c.day)] += c.charged
			periods[fmt.Sprint(c.pool, " ", c.period)] += c.charged
			sold += c.credit * price
		}
	}
	ids := []any{m.identity}
	for _, k := range m.keys {
		ids = append(ids, k.id)
	}
	m.sums(r, "SELECT key_id, day, units FROM usage_days WHERE key_id IN ($1, $2, $3, $4, $5)", ids, days)
	m.sums(r, "SELECT pool, period, units FROM usage_periods WHERE pool IN ($1, $2, $3, $4, $5)", ids, periods)
	var balance, held, booked, holds int64
	err := m.on.db.QueryRow(context.Background(), `SELECT
		(SELECT COALESCE(SUM(millipence), 0) FROM balances WHERE identity_id = $1), (SELECT COALESCE(SUM(held), 0) FROM balances WHERE identity_id = $1),
		(SELECT COALESCE(SUM(millipence), 0) FROM entries WHERE identity_id = $1), (SELECT COALESCE(SUM(millipence), 0) FROM holds WHERE identity_id = $1)`,
		m.identity).Scan(&balance, &held, &booked, &holds)
	if err != nil {
		r.Fatal(err)
	}
	switch {
	case balance < 0 || held < 0 || held > balance:
		r.Fatalf("the balance is %d, held %d", balance, held)
	case booked != balance:
		r.Fatalf("the balance is %d, the entries say %d", balance, booked)
	case holds != held:
		r.Fatalf("%d are held, the holds say %d", held, holds)
	case m.alone() && m.credited-balance != sold:
		r.Fatalf("%d were taken from credit, %d were sold", m.credited-balance, sold)
	}
}

func (m *model) sums(r *rapid.T, query string, ids []any, want map[string]int64) {
	rows, err := m.on.db.Query(context.Background(), query, ids...)
	if err != nil {
		r.Fatal(err)
	}
	defer rows.Close() //nolint:errcheck // rows.Err reports it
	got := map[string]int64{}
	for rows.Next() {
		var who, when string
		var units int64
		if err := rows.Scan(&who, &when, &units); err != nil {
			r.Fatal(err)
		}
		got[who+" "+when] += units
	}
	if err := rows.Err(); err != nil {
		r.Fatal(err)
	}
	for k, n := range got {
		if want[k] != n {
			r.Fatalf("%s: %d units in the database, want %d", k, n, want[k])
		}
		delete(want, k)
	}
	for k, n := range want {
		if n != 0 {
			r.Fatalf("%s: nothing in the database, want %d units", k, n)
		}
	}
}

// end closes all calls and writes all: a minute later no credit is held.
func (m *model) end(r *rapid.T) {
	for len(m.open) > 0 {
		m.settle(r)
	}
	m.flushAll(r)
	m.on.clock.add(4 * time.Second)
	m.flushAll(r)
	m.check(r)
	m.on.clock.set(start.AddDate(1, 0, 0))
	m.reap(r)
	if held := m.on.queryInt("SELECT COALESCE(SUM(held), 0) FROM balances WHERE identity_id = $1", m.identity); held != 0 {
		r.Fatalf("%d millipence are still held", held)
	}
}
