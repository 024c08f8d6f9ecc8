package jobs_test

import (
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/waygate/waygate/account"
	"github.com/waygate/waygate/account/jobs"
	"github.com/waygate/waygate/account/ledger"
	"github.com/waygate/waygate/account/meter"
	"github.com/waygate/waygate/account/rate"
	"github.com/waygate/waygate/account/schema"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/outbox"
	"github.com/waygate/waygate/store"
	"github.com/waygate/waygate/store/storetest"
)

func TestMain(m *testing.M) { os.Exit(storetest.Main(m)) }

var noon = time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)

// price of a unit beyond the quota, in millipence.
const price = 10

// fixture is a database with a verified key of 30 units, and a receiver of its webhooks.
type fixture struct {
	testing.TB
	*jobs.Jobs
	accounts *account.Accounts
	gate     *meter.Gate
	private  outbox.Options // of an outbox that delivers to the receiver
	identity string
	key      account.Key
	secret   string // of the key
	receiver *httptest.Server
	heard    []string // webhooks that its secret signed
	signed   string   // the secret that webhooks must be signed with
}

func start(t *testing.T, address string) *fixture {
	t.Helper()
	f := &fixture{TB: t}
	db, quiet, now := storetest.Open(t, address, schema.Apply), slog.New(slog.DiscardHandler), func() time.Time { return noon }
	f.private = outbox.Options{DB: db, Log: quiet, Now: now, Private: true}
	f.Jobs = &jobs.Jobs{DB: db, Ledger: ledger.New(db, now), Outbox: f.outbox(f.private), Log: quiet}
	f.accounts = account.New(account.Options{DB: db, Ledger: f.Ledger, Outbox: f.Outbox, Now: now})
	f.gate = meter.New(meter.Options{DB: db, Ledger: f.Ledger, UnitPrice: price, Now: now, Keys: rate.New()})
	made, err := f.accounts.Mint(t.Context(), account.Minting{Name: "test", MonthlyQuota: 30, RatePerMin: 1000})
	if err != nil {
		t.Fatal(err)
	}
	f.key, f.secret, f.identity = made.Key, made.Secret, uuid.NewString()
	f.exec("INSERT INTO identities (id, email, created_at, tos_accepted_at, monthly_quota) VALUES ($1, 'a@example.org', 0, 0, 30)", f.identity)
	f.exec("UPDATE keys SET identity_id = $1, state = $2 WHERE id = $3", f.identity, string(account.Verified), f.key.ID)
	if _, err := f.Ledger.Credit(t.Context(), f.identity, 1000, "r", "admin"); err != nil {
		t.Fatal(err)
	}
	f.receiver = httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err == nil {
			err = outbox.Verify(f.signed, r.Header, body, noon)
		}
		if err != nil {
			t.Errorf("A webhook came that cannot be trusted: %v", err)
		}
		f.heard = append(f.heard, string(body))
	}))
	t.Cleanup(f.receiver.Close)
	return f
}

func (f *fixture) outbox(o outbox.Options) *outbox.Outbox {
	f.Helper()
	box, err := outbox.New(f.Context(), o)
	if err != nil {
		f.Fatal(err)
	}
	return box
}

func (f *fixture) exec(query string, args ...any) {
	f.Helper()
	if _, err := f.DB.Exec(f.Context(), query, args...); err != nil {
		f.Fatal(err)
	}
}

// equal compares what the key has used, and what credit is left, with what they should be.
func (f *fixture) equal(when string, units, millipence int64) {
	f.Helper()
	var used, left int64
	if err := f.DB.QueryRow(f.Context(), "SELECT COALESCE(SUM(units), 0) FROM usage_periods WHERE pool = $1", f.identity).Scan(&used); err != nil {
		f.Fatal(err)
	}
	if err := f.DB.QueryRow(f.Context(), "SELECT millipence FROM balances WHERE identity_id = $1", f.identity).Scan(&left); err != nil {
		f.Fatal(err)
	}
	if used != units || left != millipence {
		f.Errorf("%s the key has used %d units and has %d millipence left, want %d and %d", when, used, left, units, millipence)
	}
}

// secretive makes a signing secret for the key.
func (f *fixture) secretive() {
	f.Helper()
	var err error
	if f.signed, err = f.accounts.WebhookSecret(f.Context(), f.key.ID, ""); err != nil {
		f.Fatal(err)
	}
}

// A job is charged and refunded in the transaction that begins or ends it, to quota and to
// credit, and stands or falls with that.
func TestChargeAndRefund(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		f := start(t, address)
		admission, err := f.gate.Admit(t.Context(), meter.Call{Secret: f.secret, Endpoint: "POST /v1/jobs/x"})
		if err == nil {
			err = admission.Reserve(t.Context(), meter.Premium, 40)
		}
		if err != nil {
			t.Fatal(err)
		}
		lost := errors.New("the transaction is lost")
		charge := ""
		run := func(end error, do func(tx *store.Tx) error) {
			t.Helper()
			if err := f.DB.Tx(t.Context(), func(tx *store.Tx) error { return errors.Join(do(tx), end) }); !errors.Is(err, end) {
				t.Fatal(err)
			}
		}
		charging := func(tx *store.Tx) (err error) {
			charge, err = f.Charge(t.Context(), tx, admission)
			return err
		}
		refunding := func(tx *store.Tx) error { return f.Refund(t.Context(), tx, charge) }
		run(lost, charging)
		f.equal("After a charge that was lost", 0, 1000)
		run(nil, charging)
		admission.Booked()
		f.equal("After the charge", 40, 1000-10*price)
		if n := jobs.Units(charge); n != 40 {
			t.Errorf("The charge has %d units: %s", n, charge)
		}
		run(lost, refunding)
		f.equal("After a refund that was lost", 40, 1000-10*price)
		run(nil, refunding)
		f.equal("After the refund", 0, 1000)
		admission.Settle(http.StatusAccepted)
	})
}

// A job without a charge has nothing to give back, and a charge that cannot be read is an
// error and not a gift.
func TestRefundOfNothing(t *testing.T) {
	f := start(t, storetest.SQLite(t))
	for charge, ok := range map[string]bool{"": true, "{}": true, `{"units":`: false, `"x"`: false} {
		err := f.DB.Tx(t.Context(), func(tx *store.Tx) error { return f.Refund(t.Context(), tx, charge) })
		if (err == nil) != ok {
			t.Errorf("The refund of %q ends with %v", charge, err)
		}
		if n := jobs.Units(charge); n != 0 {
			t.Errorf("%q comes to %d units", charge, n)
		}
	}
	f.equal("After refunds of nothing", 0, 1000)
}

// A job's webhook is refused at once where it could never be sent, and the refusal names
// the member.
func TestHook(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		f := start(t, address)
		f.Outbox = f.outbox(outbox.Options{DB: f.DB, Log: f.private.Log, Now: f.private.Now})
		refused := func(when, address string) {
			t.Helper()
			err := f.Hook(t.Context(), f.key.ID, "webhook_url", address)
			var bad *fault.Error
			if !errors.As(err, &bad) || bad.Slug != fault.BadRequest || bad.Fields["errors"].([]fault.Violation)[0].Location != "webhook_url" {
				t.Errorf("%s the address %s is answered with %v", when, address, err)
			}
		}
		const good = "https://hooks.example.org/x"
		refused("Without a secret", good)
		f.secretive()
		if err := f.Hook(t.Context(), f.key.ID, "webhook_url", good); err != nil {
			t.Error(err)
		}
		for _, address := range []string{"http://hooks.example.org/x", "https://127.0.0.1/x", "https://a:b@hooks.example.org/", ""} {
			refused("With a secret", address)
		}
		if _, err := f.accounts.Revoke(t.Context(), f.key.ID); err != nil {
			t.Fatal(err)
		}
		refused("After the key was revoked", good)
		if err := f.DB.Close(); err != nil {
			t.Fatal(err)
		}
		if err := f.Hook(t.Context(), f.key.ID, "webhook_url", good); !fault.Is(err, fault.UpstreamUnavailable) {
			t.Errorf("Without a database the answer is %v", err)
		}
	})
}

// Notify queues the webhook of a job's end in the transaction that ends the job, signed with the
// secret that the key has at that moment. A key that has no secret any more does not keep the
// job from ending.
func TestTell(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		f := start(t, address)
		ended := 0
		notify := func(to string, end error) {
			t.Helper()
			err := f.DB.Tx(t.Context(), func(tx *store.Tx) error {
				if err := f.Notify(t.Context(), tx, f.key.ID, outbox.Webhook{URL: to, Type: "job.succeeded", Data: map[string]int{"n": ended}}); err != nil {
					t.Errorf("The job cannot end: %v", err)
				}
				ended++
				return end
			})
			if !errors.Is(err, end) {
				t.Fatal(err)
			}
			if err := f.outbox(f.private).Deliver(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		hears := func(when string, n int) {
			t.Helper()
			if len(f.heard) != n {
				t.Errorf("%s %d webhooks have come, want %d: %q", when, len(f.heard), n, f.heard)
			}
		}
		notify(f.receiver.URL, nil)
		hears("Without a secret", 0)
		f.secretive()
		notify(f.receiver.URL, errors.New("the transaction is lost"))
		hears("Of a job that did not end", 0)
		notify(f.receiver.URL, nil)
		hears("With a secret", 1)
		f.secretive()
		notify(f.receiver.URL, nil)
		hears("With another secret", 2)
		notify("ftp://example.org/", nil)
		hears("Of an address that is not permitted", 2)
		if _, err := f.accounts.Revoke(t.Context(), f.key.ID); err != nil {
			t.Fatal(err)
		}
		notify(f.receiver.URL, nil)
		hears("After the key was revoked", 2)
		for _, text := range f.heard {
			if !strings.Contains(text, `"type":"job.succeeded"`) || !strings.Contains(text, `"n":`) {
				t.Errorf("A webhook says %s", text)
			}
		}
		var owner string
		if err := f.DB.QueryRow(t.Context(), "SELECT MIN(owner) FROM deliveries").Scan(&owner); err != nil || owner != f.key.ID {
			t.Errorf("The webhooks are of %q and not of the key: %v", owner, err)
		}
	})
}

// A job does not end if its webhook cannot be queued.
func TestTellFailsWithItsTransaction(t *testing.T) {
	f := start(t, storetest.SQLite(t))
	f.secretive()
	f.exec("DROP TABLE deliveries")
	if err := f.DB.Tx(t.Context(), func(tx *store.Tx) error {
		return f.Notify(t.Context(), tx, f.key.ID, outbox.Webhook{URL: f.receiver.URL, Type: "job.succeeded"})
	}); err == nil {
		t.Error("Notify succeeds though the webhook was not written: the job would end without it.")
	}
}
