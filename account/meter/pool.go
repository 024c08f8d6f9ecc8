package meter

import (
	"maps"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// pool is shared by all verified keys of an identity, or is of one provisional key: the
// counters of its periods, what is not in the database yet, and the credit held here.
type pool struct {
	id       string
	identity string // whose credit pays beyond the quota; "" for none

	mu       sync.Mutex
	removed  bool // no longer in pools.all
	touched  time.Time
	quota    int64 // in force, as of the last call
	periods  map[string]*period
	counts   map[count]callCounts
	firsts   map[string]time.Time // first success by key
	notified notice
	credit   credit
	booked   []bookedUnits // in the database, and not known to be in what was read of it
}

// period counts the units of a month, or of a key's life. The usage is the sum of base,
// pending and inBatch.
type period struct {
	base     int64  // in the database
	known    bool   // base was read from there
	pending  int64  // counted here since
	inBatch  int64  // in the batch that is being written
	reserved int64  // promised to calls that run
	acked    uint64 // settlement with the database that it took part in last
}

func (p *period) used() int64 { return p.base + p.pending + p.inBatch }

// grow applies the total of a record, which may have been read some time ago. It must
// not be called while it is uncertain whether the database has the batch.
func (p *period) grow(total int64) { p.base, p.known = max(p.base, total), true }

// read applies the total that the database has now, which is lower than before if a
// charge was refunded.
func (p *period) read(total int64) { p.base, p.known = total, true }

// allowanceMark begins the names of periods that count the calls of a day's
// allowance: allowance:suggest:2026-11-22.
const allowanceMark = "allowance:"

func allowancePeriod(allowance, day string) string { return allowanceMark + allowance + ":" + day }

// over reports whether a period is of an allowance that no call draws from any more,
// with nothing left to write.
func (p *period) over(name, day string) bool {
	return strings.HasPrefix(name, allowanceMark) && !strings.HasSuffix(name, day) && p.pending == 0 && p.inBatch == 0 && p.reserved == 0
}

// count is the key that calls are counted by.
type count struct {
	key, day, endpoint string
	class              Class
}

type callCounts struct{ calls, units int64 }

// plus adds one call.
func (t callCounts) plus(units int64) callCounts { return callCounts{t.calls + 1, t.units + units} }

// notice is the highest percentage with which Crossed was called, in a month.
type notice struct {
	month   string
	percent int
}

func (p *pool) period(name string) *period {
	in, ok := p.periods[name]
	if !ok {
		in = &period{}
		p.periods[name] = in
	}
	return in
}

// learn applies the figures of a record, except those that were settled with the
// database since the record was read or are being settled: it is uncertain whether the
// record has them.
func (p *pool) learn(r *record) {
	if in := p.period(r.periodOf()); in.inBatch == 0 && in.acked <= r.asOf {
		in.grow(r.used)
	}
	p.credit.some = r.millipence > 0
	if !p.credit.inBatch() && p.credit.acked <= r.asOf {
		p.credit.balance, p.credit.free = r.millipence, r.millipence-r.held
	}
}

// succeeded notes the first success of a key.
func (p *pool) succeeded(r *record, now time.Time) {
	if r.success.Load() != nil || !r.success.CompareAndSwap(nil, &now) {
		return
	}
	if p.firsts == nil {
		p.firsts = map[string]time.Time{}
	}
	p.firsts[r.key.ID] = now
}

// periodOf returns the period of a record's figures.
func (r *record) periodOf() string {
	if r.period != "" {
		return r.period
	}
	return r.month
}

// pools are the pools in use. pools.mu is locked before a pool's lock, and never two
// pools at once.
type pools struct {
	mu          sync.RWMutex
	all         map[string]*pool
	settlements atomic.Uint64 // of counters with the database
}

// lock returns the pool of a record, locked.
func (ps *pools) lock(r *record, now time.Time) *pool {
	for {
		p := ps.of(r)
		p.mu.Lock()
		if !p.removed {
			p.touched, p.quota = now, r.quota
			return p
		}
		p.mu.Unlock()
	}
}

func (ps *pools) of(r *record) *pool {
	ps.mu.RLock()
	p, ok := ps.all[r.pool]
	ps.mu.RUnlock()
	if ok {
		return p
	}
	ps.mu.Lock()
	defer ps.mu.Unlock()
	if p, ok := ps.all[r.pool]; ok {
		return p
	}
	p = &pool{id: r.pool, identity: r.sold, periods: map[string]*period{}}
	p.learn(r)
	ps.all[r.pool] = p
	return p
}

// learn applies a record to its pool.
func (ps *pools) learn(r *record, now time.Time) {
	p := ps.lock(r, now)
	defer p.mu.Unlock()
	p.learn(r)
}

// forget makes the next call that lacks credit ask for it.
func (ps *pools) forget(id string) {
	ps.mu.RLock()
	p, ok := ps.all[id]
	ps.mu.RUnlock()
	if ok {
		p.mu.Lock()
		p.credit.exhausted, p.credit.some = time.Time{}, true
		p.mu.Unlock()
	}
}

// list returns all pools.
func (ps *pools) list() []*pool {
	ps.mu.RLock()
	defer ps.mu.RUnlock()
	all := make([]*pool, 0, len(ps.all))
	for _, p := range ps.all {
		all = append(all, p)
	}
	return all
}

// idle is how long an unused pool is kept.
const idle = 10 * time.Minute

// sweep drops idle pools, and allowances of past days.
func (ps *pools) sweep(now time.Time, day string) {
	for _, p := range ps.list() {
		ps.mu.Lock()
		p.mu.Lock()
		maps.DeleteFunc(p.periods, func(name string, in *period) bool { return in.over(name, day) })
		if p.idle(now) {
			p.removed = true
			delete(ps.all, p.id)
		}
		p.mu.Unlock()
		ps.mu.Unlock()
	}
}

// idle reports whether a pool may be dropped: unused for long (the clock may have been
// set back), and with nothing left to write.
func (p *pool) idle(now time.Time) bool {
	if len(p.counts) > 0 || len(p.booked) > 0 || p.credit.open() || now.Sub(p.touched).Abs() < idle {
		return false
	}
	for _, in := range p.periods {
		if in.reserved != 0 || in.inBatch != 0 {
			return false
		}
	}
	return true
}
