// Package meter admits and charges calls: it finds the key of a call, checks scope,
// origin, rate, quota and credit, and settles the cost.
//
// Records of keys are cached and counters kept in memory, which are flushed to the
// database in batches. Only the first call of a key waits for the database, and a call
// that needs more credit than is held here.
package meter

import (
	"context"
	"log/slog"
	"net/netip"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"github.com/waygate/waygate/account/ledger"
	"github.com/waygate/waygate/account/origin"
	"github.com/waygate/waygate/account/rate"
	"github.com/waygate/waygate/account/signed"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/store"
)

// Class is the price class of a call.
type Class string

// The classes, and the units of one call.
const (
	Standard Class = "standard"
	Premium  Class = "premium" // a truck costing or an ADR object

	StandardUnits = 1
	PremiumUnits  = 20
)

// Options configure a Gate. DB and Ledger are required.
type Options struct {
	DB        *store.DB
	Ledger    *ledger.Ledger
	Keys      rate.Limiter // calls a minute of a key; nil counts in this process
	Demo      rate.Limiter // of the demo lane; nil counts in this process
	DemoRPM   int          // keyless calls a minute for one client network; 0 closes the lane
	UnitPrice int64        // millipence for a unit beyond the quota; 0 sells none
	Upgrade   string       // address where credit is bought, for the 402; "" where none is sold
	Flush     time.Duration
	Wait      time.Duration // how long a call waits for the database; 0 is 1 s
	// Crossed, if not nil, is called after a flush when an identity's month has newly
	// reached a percentage of its quota: the highest of 50, 80 and 100, perhaps more
	// than once.
	Crossed func(ctx context.Context, identityID, month string, percent int)
	Log     *slog.Logger
	Now     func() time.Time
}

// Gate admits calls. Its methods are safe for concurrent use.
type Gate struct {
	options Options
	log     *slog.Logger
	now     func() time.Time
	replica string // begins the ids of this process's holds and batches
	dates   atomic.Pointer[date]

	records *records
	pools   *pools
	demo    *demoLane
	active  *activeUsers
	serial  atomic.Int64 // of batches and holds
	flusher *flusher
}

// New returns a gate.
func New(o Options) *Gate {
	g := &Gate{options: o, log: o.Log, now: o.Now, replica: uuid.NewString()}
	if g.log == nil {
		g.log = slog.New(slog.DiscardHandler)
	}
	if g.now == nil {
		g.now = time.Now
	}
	if g.options.Flush <= 0 {
		g.options.Flush = 500 * time.Millisecond
	}
	if g.options.Wait <= 0 {
		g.options.Wait = dbTimeout
	}
	if g.options.Keys == nil {
		g.options.Keys = rate.NewOn(g.now)
	}
	if g.options.Demo == nil {
		g.options.Demo = rate.NewOn(g.now)
	}
	g.pools = &pools{all: map[string]*pool{}}
	g.records = newRecords(g)
	g.demo = newDemoLane(g.now())
	g.flusher = &flusher{gate: g, salts: map[string]string{}}
	g.active = &activeUsers{months: map[identityMonth]*activeMonth{}}
	return g
}

// Call describes a call before it runs.
type Call struct {
	Secret   string          // "" for a call without a key
	Address  *signed.Address // the call came by, in place of the secret; nil is none
	Endpoint string          // the label of the row: GET /tiles/{territory}/{z}/{x}/{y}.mvt
	Maps     bool            // the endpoint is open to a key of scope maps
	Free     bool            // the endpoint costs nothing and has no rate
	Origin   string          // the headers as sent
	Referer  string
	Client   netip.Addr
}

// Admit admits a call or refuses it: unauthorized, scope-insufficient,
// origin-not-allowed, rate-limited, in this order (an
// address that is not valid is unauthorized, one of another origin origin-not-allowed); upstream-unavailable if the key is
// not cached and the database does not answer. A call without a key takes the demo
// lane, except to a Free endpoint, which needs a key. Nothing is reserved yet.
func (g *Gate) Admit(ctx context.Context, c Call) (*Admission, error) {
	now := g.now()
	r, err := g.recordOf(ctx, c, now)
	if err != nil {
		return nil, err
	}
	if r == nil {
		return g.admitDemo(ctx, c)
	}
	if err := r.refuse(c, now); err != nil {
		return nil, err
	}
	if !c.Free {
		if err := g.limit(ctx, g.options.Keys, r.key.ID, r.rate, "this key"); err != nil {
			return nil, err
		}
	}
	return &Admission{gate: g, lane: keyed, record: r, address: c.Address, endpoint: c.Endpoint, client: c.Client, use: unset}, nil
}

// recordOf returns the record of a call's key: of its secret, or of the key for which the
// address was signed by which it came. It is nil for a call with neither.
func (g *Gate) recordOf(ctx context.Context, c Call, now time.Time) (*record, error) {
	if c.Address == nil {
		if c.Secret == "" {
			return nil, nil
		}
		return g.records.find(ctx, c.Secret, now)
	}
	r, err := g.records.findSigner(ctx, c.Address.ID, now)
	switch {
	case fault.Is(err, fault.Unauthorized):
		return nil, signed.Mismatch()
	case err != nil:
		return nil, err
	}
	if err := c.Address.Check(r.signer, now); err != nil {
		return nil, err
	}
	if only := c.Address.Grant.Origin; only != "" {
		if from := origin.Of(c.Origin, c.Referer); !origin.Allowed([]string{only}, from) {
			return nil, fromElsewhere("this signed address", from, c.Origin)
		}
	}
	return r, nil
}

// Upgrade returns the address where credit and plans are bought; "" if there is none.
func (g *Gate) Upgrade() string { return g.options.Upgrade }

// Paid admits a call that pays for itself. Its use is counted under the feature x402 of
// the demo lane's figures, and charged to nobody here.
func (g *Gate) Paid(c Call) *Admission {
	return &Admission{gate: g, lane: paid, endpoint: c.Endpoint, client: c.Client, use: unset}
}

// limit takes one call out of a rate. If the limiter fails, the call passes: it is
// better to serve too much for a while than to serve nothing.
func (g *Gate) limit(ctx context.Context, l rate.Limiter, who string, perMinute int64, whose string) error {
	wait, ok, err := l.Allow(ctx, who, perMinute)
	if err != nil {
		if ctx.Err() == nil {
			g.log.ErrorContext(ctx, "the rate of calls is not limited", "error", err)
		}
		return nil
	}
	if ok {
		return nil
	}
	seconds := max(1, int64((wait+time.Second-1)/time.Second))
	return fault.New(fault.RateLimited, "%s may make %d calls a minute; try again in %d seconds", whose, perMinute, seconds).
		With("retry_after", seconds).With("limit_per_min", perMinute)
}

// Invalidate drops what is cached of a key or an identity (by id), so that a change takes
// effect in this process at once. Other replicas see it within Fresh.
func (g *Gate) Invalidate(id string) {
	g.records.forget(id)
	g.pools.forget(id)
}

// Fresh is how long the cached record of a key is used while the database answers.
const Fresh = 5 * time.Second

// date is a UTC day in the formats of rows, so that calls need not format it.
type date struct {
	day, month string // 2026-11-21, 2026-11
	from, to   int64  // unix seconds; to is the next day's first
}

// dateOf returns the day of now.
func (g *Gate) dateOf(now time.Time) *date {
	at := now.Unix()
	if d := g.dates.Load(); d != nil && d.from <= at && at < d.to {
		return d
	}
	u := now.UTC()
	first := time.Date(u.Year(), u.Month(), u.Day(), 0, 0, 0, 0, time.UTC)
	d := &date{day: u.Format(time.DateOnly), month: u.Format("2006-01"), from: first.Unix(), to: first.AddDate(0, 0, 1).Unix()}
	g.dates.Store(d)
	return d
}
