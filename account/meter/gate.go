// Package meter is admission: it finds the key a call comes with, decides
// scope, origin, rate, quota and credit, and settles what the call cost.
//
// Records of keys are cached and counters kept in memory; they are flushed to
// the database in batches. Nothing waits for the database but the first call
// of a key, and a call that needs more credit than is held here.
package meter

import (
	"context"
	"errors"
	"log/slog"
	"net/netip"
	"time"

	"github.com/waygate/waygate/account"
	"github.com/waygate/waygate/account/ledger"
	"github.com/waygate/waygate/account/rate"
	"github.com/waygate/waygate/store"
)

// Class is what a call costs.
type Class string

// The classes, and the units of one call.
const (
	Standard Class = "standard"
	Premium  Class = "premium" // a truck costing or an ADR object

	StandardUnits = 1
	PremiumUnits  = 20
)

// Options make a Gate. DB and Ledger are required.
type Options struct {
	DB        *store.DB
	Ledger    *ledger.Ledger
	Keys      rate.Limiter // calls a minute of a key; nil counts in this process
	Demo      rate.Limiter // of the demo lane; nil counts in this process
	DemoRPM   int          // keyless calls a minute for one client network; 0 closes the lane
	UnitPrice int64        // millipence for a unit beyond the quota; 0 sells none
	Upgrade   string       // address where credit is bought, for the 402
	Flush     time.Duration
	// Crossed, where it is not nil, hears after a flush that an identity's
	// month has reached a percentage of its quota (50, 80, 100), perhaps more
	// than once.
	Crossed func(ctx context.Context, identityID, month string, percent int)
	Log     *slog.Logger
	Now     func() time.Time
}

// Gate admits calls. Its methods are safe for concurrent use.
type Gate struct{ options Options }

// New makes a gate.
func New(o Options) *Gate { return &Gate{o} }

// Run flushes counters every Options.Flush (500 ms where 0) and once more when
// ctx ends; it then returns.
func (g *Gate) Run(ctx context.Context) { <-ctx.Done() }

// Visit is what is known of a call before it runs.
type Visit struct {
	Secret   string // "" for a call without a key
	Endpoint string // the label of the row: GET /tiles/{territory}/{z}/{x}/{y}.mvt
	Maps     bool   // the endpoint is open to a key of scope maps
	Free     bool   // the endpoint costs nothing and has no rate
	Origin   string // the headers as sent
	Referer  string
	Client   netip.Addr
}

// Admit lets a call in or refuses it: unauthorized, origin-not-allowed,
// scope-insufficient, rate-limited. A call without a key takes the demo lane,
// except to a Free endpoint, which needs one. Nothing is reserved yet.
func (g *Gate) Admit(ctx context.Context, v Visit) (*Pass, error) {
	return nil, errors.ErrUnsupported
}

// Paid lets in a call that pays for itself; what it used is counted nowhere
// but in the endpoint's figures.
func (g *Gate) Paid(v Visit) *Pass { return nil }

// Forget drops what is cached of a key or an identity (by id), so that a change
// takes effect here at once. Other replicas see it within Fresh.
func (g *Gate) Forget(id string) {}

// Fresh is how long a cached record of a key is taken as it is.
const Fresh = 5 * time.Second

// Pass is one admitted call. Settle must be called once, when it is answered.
type Pass struct{}

// Key is the record of the key; nil in the demo lane and for a paid call.
func (p *Pass) Key() *account.Key { return nil }

// Demo reports whether the call takes the demo lane.
func (p *Pass) Demo() bool { return false }

// Reserve takes units of the class out of the quota, and what it lacks out of
// credit, before the call runs. Called again it raises what is reserved to
// units. It refuses with quota-exceeded (a key without an identity's ledger,
// or a deployment that sells nothing) or payment-required. features name what
// made a call Premium (truck, adr), for the demo lane's figures.
func (p *Pass) Reserve(ctx context.Context, class Class, units int64, features ...string) error {
	return errors.ErrUnsupported
}

// Use lowers what will be charged to units, at most what is reserved.
func (p *Pass) Use(units int64) {}

// Charged is what Settle will charge for a call that succeeds.
func (p *Pass) Charged() int64 { return 0 }

// Settle charges the call if status is below 400, else gives all back.
func (p *Pass) Settle(status int) {}

// Standing is what GET /v1/keys/self tells.
type Standing struct {
	Key               account.Key
	MonthlyQuota      int64
	Used, Remaining   int64 // units of the period
	Millipence        int64 // credit left
	IdentityKeys      int64 // neither revoked nor expired
	DownloadMiB       int64 // allowance a month
	DownloadUsedMiB   int64 // rounded up
	MAU, MAUIncluded  int64
	MAUOverdrawn      bool
	Period            string // 2026-11, or life
	WebhookConfigured bool
}

// Standing tells how the key of a pass stands. It reads memory only.
func (g *Gate) Standing(p *Pass) (*Standing, error) { return nil, errors.ErrUnsupported }

// Client is a caller of the demo lane as this process saw it.
type Client struct {
	Address netip.Addr // of the network
	Calls   int64
	Units   int64
	Last    time.Time
}

// DemoClients is what this process remembers of the demo lane's callers.
type DemoClients struct {
	Since    time.Time
	Tracked  int
	Capacity int
	Evicted  int64
	Top      []Client // by calls, at most 20
}

// DemoClients tells who calls without a key; it is kept in memory only.
func (g *Gate) DemoClients() DemoClients { return DemoClients{} }

// Flush writes what has been counted to the database now.
func (g *Gate) Flush(ctx context.Context) error { return errors.ErrUnsupported }
