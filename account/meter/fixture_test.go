package meter_test

import (
	"cmp"
	"context"
	"errors"
	"net/netip"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/waygate/waygate/account"
	"github.com/waygate/waygate/account/ledger"
	"github.com/waygate/waygate/account/meter"
	"github.com/waygate/waygate/account/rate"
	"github.com/waygate/waygate/account/schema"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/store"
	"github.com/waygate/waygate/store/storetest"
	"github.com/waygate/waygate/waittest"
)

func TestMain(m *testing.M) { os.Exit(storetest.Main(m)) }

// start is when the clocks of the tests begin: in the middle of a month.
var start = time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)

// clock is a time that a test moves.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) set(t time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = t
}

func (c *clock) add(d time.Duration) { c.set(c.now().Add(d)) }

// fixture is a database with a gate before it.
type fixture struct {
	testing.TB
	db     *store.DB
	ledger *ledger.Ledger
	clock  *clock
	gate   *meter.Gate
}

// price of a unit beyond the quota, in millipence.
const price = 10

func newWorld(t testing.TB, address string, change ...func(*meter.Options)) *fixture {
	t.Helper()
	w := &fixture{TB: t, db: storetest.Open(t, address, schema.Apply), clock: &clock{at: start}}
	w.ledger = ledger.New(w.db, w.clock.now)
	w.gate = w.open(change...)
	return w
}

// open makes another gate on the same database.
func (w *fixture) open(change ...func(*meter.Options)) *meter.Gate {
	o := meter.Options{
		DB: w.db, Ledger: w.ledger, DemoRPM: 30, UnitPrice: price, Upgrade: "https://example.org/console", Now: w.clock.now,
		Wait: waittest.Patience,
		Keys: rate.New(), // which would not like the jumps of this clock
	}
	for _, c := range change {
		c(&o)
	}
	return meter.New(o)
}

func (w *fixture) exec(query string, args ...any) {
	w.Helper()
	if _, err := w.db.Exec(w.Context(), query, args...); err != nil {
		w.Fatal(err)
	}
}

// queryInt reads one figure.
func (w *fixture) queryInt(query string, args ...any) (n int64) {
	w.Helper()
	if err := w.db.QueryRow(w.Context(), query, args...).Scan(&n); err != nil {
		w.Fatal(err)
	}
	return n
}

// identity makes one.
func (w *fixture) identity() string {
	w.Helper()
	id := uuid.NewString()
	w.exec("INSERT INTO identities (id, email, created_at, tos_accepted_at) VALUES ($1, $2, $3, $3)", id, id+"@example.org", start.UnixMilli())
	return id
}

// credit gives an identity credit in millipence.
func (w *fixture) credit(identity string, millipence int64) {
	w.Helper()
	if _, err := w.ledger.Credit(w.Context(), identity, millipence, uuid.NewString(), "admin"); err != nil {
		w.Fatal(err)
	}
}

// key is one of a test.
type key struct{ id, secret string }

// key makes a key; the zero values of k are of an unrestricted one that calls
// 1,000,000 times a minute.
func (w *fixture) key(k account.Key) key {
	w.Helper()
	made, err := account.New(account.Options{DB: w.db, Now: w.clock.now}).Mint(w.Context(), account.Minting{
		Name: "test", MonthlyQuota: max(1, k.MonthlyQuota), RatePerMin: cmp.Or(k.RatePerMin, 1_000_000), AllowedOrigins: k.AllowedOrigins, Scope: k.Scope,
	})
	if err != nil {
		w.Fatal(err)
	}
	w.exec("UPDATE keys SET identity_id = $2, state = $3, expires_at = $4, revoked_at = $5, monthly_quota = $6 WHERE id = $1",
		made.Key.ID, null(k.IdentityID), string(k.State), ms(k.ExpiresAt), ms(k.RevokedAt), k.MonthlyQuota)
	return key{made.Key.ID, made.Secret}
}

// verified makes an identity with a quota and a key.
func (w *fixture) verified(quota int64) (string, key) {
	w.Helper()
	id := w.identity()
	w.exec("UPDATE identities SET monthly_quota = $2 WHERE id = $1", id, quota)
	return id, w.key(account.Key{State: account.Verified, IdentityID: id})
}

func null(s string) any {
	if s == "" {
		return nil
	}
	return s
}

func ms(t *time.Time) any {
	if t == nil {
		return nil
	}
	return t.UnixMilli()
}

const endpoint = "POST /route"

var client = netip.MustParseAddr("192.0.2.7")

// admit lets a call of a key in.
func (w *fixture) admit(g *meter.Gate, k key) *meter.Admission {
	w.Helper()
	p, err := g.Admit(w.Context(), meter.Call{Secret: k.secret, Endpoint: endpoint, Client: client})
	if err != nil {
		w.Fatal(err)
	}
	return p
}

// running lets a call of a key in that has reserved some units and is not answered yet.
func (w *fixture) running(k key, units int64) *meter.Admission {
	w.Helper()
	p := w.admit(w.gate, k)
	if err := p.Reserve(w.Context(), meter.Standard, units); err != nil {
		w.Fatal(err)
	}
	return p
}

// call makes a call of some units that succeeds, if it is let in.
func (w *fixture) call(g *meter.Gate, k key, units int64) error {
	p, err := g.Admit(w.Context(), meter.Call{Secret: k.secret, Endpoint: endpoint, Client: client})
	if err != nil {
		return err
	}
	if err := p.Reserve(w.Context(), meter.Standard, units); err != nil {
		p.Settle(429)
		return err
	}
	p.Settle(200)
	return nil
}

// must makes a call that is to succeed.
func (w *fixture) must(k key, units int64) {
	w.Helper()
	if err := w.call(w.gate, k, units); err != nil {
		w.Fatal(err)
	}
}

func (w *fixture) flush(g *meter.Gate) {
	w.Helper()
	if err := g.Flush(w.Context()); err != nil {
		w.Fatal(err)
	}
}

func (w *fixture) standing(g *meter.Gate, k key) *meter.KeyStatus {
	w.Helper()
	p, err := g.Admit(w.Context(), meter.Call{Secret: k.secret, Endpoint: "GET /v1/keys/self", Maps: true, Free: true})
	if err != nil {
		w.Fatal(err)
	}
	s, err := g.KeyStatus(p)
	if err != nil {
		w.Fatal(err)
	}
	return s
}

// refusal has the part of a refusal that a caller may read.
type refusal struct {
	Detail string
	Fields map[string]any
}

// refused checks that err is of a kind and gives what it says.
func refused(t testing.TB, err error, slug fault.Slug) refusal {
	t.Helper()
	var f *fault.Error
	if !errors.As(err, &f) || f.Slug != slug {
		t.Fatalf("got %v, want %s", err, slug)
	}
	return refusal{f.Detail, f.Fields}
}

var background = context.Background()
