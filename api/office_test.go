package api_test

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/waygate/waygate/account"
	"github.com/waygate/waygate/account/ledger"
	"github.com/waygate/waygate/account/meter"
	"github.com/waygate/waygate/account/notice"
	"github.com/waygate/waygate/account/overview"
	"github.com/waygate/waygate/account/schema"
	"github.com/waygate/waygate/account/stripe"
	"github.com/waygate/waygate/account/x402"
	"github.com/waygate/waygate/api"
	"github.com/waygate/waygate/feature/feedback"
	"github.com/waygate/waygate/outbox"
	"github.com/waygate/waygate/store"
	"github.com/waygate/waygate/store/storetest"
)

// adminToken opens the operator's endpoints of the tests.
const adminToken = "operator-0123456789abcdef"

// website is where the pages of the tests lie.
const website = "https://maps.example.com"

// staff is who works behind the edge under test, on a real database.
type staff struct {
	db       *store.DB
	ledger   *ledger.Ledger
	accounts *account.Accounts
	gate     *meter.Gate
	box      *outbox.Outbox

	mu    sync.Mutex
	mails []outbox.Mail
}

// tables is a database file with every room's tables, made once: to make them
// takes longer than most tests.
var tables struct {
	sync.Mutex
	file []byte
}

// migrated gives the address of a fresh database that has its tables.
func migrated(t testing.TB) string {
	t.Helper()
	tables.Lock()
	defer tables.Unlock()
	address := storetest.SQLite(t)
	path := strings.TrimPrefix(address, "sqlite:")
	if tables.file != nil {
		if err := os.WriteFile(path, tables.file, 0o600); err != nil {
			t.Fatal(err)
		}
		return address
	}
	db, err := store.Open(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	quiet := slog.New(slog.DiscardHandler)
	_, err = outbox.New(t.Context(), outbox.Options{DB: db, Log: quiet})
	_, err2 := feedback.New(t.Context(), db, nil, quiet)
	if err := errors.Join(err, err2, schema.Apply(t.Context(), db, quiet), db.Close()); err != nil {
		t.Fatal(err)
	}
	if tables.file, err = os.ReadFile(path); err != nil {
		t.Fatal(err)
	}
	return address
}

// employ makes the staff for options whose clock, price and lane are set.
func employ(t testing.TB, o *api.Options, payments x402.Options) *staff {
	t.Helper()
	s := &staff{db: storetest.Open(t, migrated(t))}
	quiet := slog.New(slog.DiscardHandler)
	if o.Now == nil {
		o.Now = time.Now
	}
	var err error
	s.box, err = outbox.New(t.Context(), outbox.Options{DB: s.db, Now: o.Now, Log: quiet, Poll: time.Hour, Show: func(m outbox.Mail) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.mails = append(s.mails, m)
	}})
	if err != nil {
		t.Fatal(err)
	}
	s.ledger = ledger.New(s.db, o.Now)
	s.gate = meter.New(meter.Options{
		DB: s.db, Ledger: s.ledger, DemoRPM: o.DemoRPM, UnitPrice: o.UnitPrice, Upgrade: website + "/console", Flush: time.Hour, Log: quiet, Now: o.Now,
	})
	s.accounts = account.New(account.Options{
		DB: s.db, Ledger: s.ledger, Outbox: s.box, BaseURL: "https://api.example.com", WebsiteURL: website, Changed: s.gate.Forget, Log: quiet, Now: o.Now,
	})
	reports, err := feedback.New(t.Context(), s.db, o.Now, quiet)
	if err != nil {
		t.Fatal(err)
	}
	o.WebsiteURL, o.Backlog = website, s.box.Backlog
	o.Gate, o.Accounts, o.Feedback, o.Payments = s.gate, s.accounts, reports, x402.New(payments)
	o.Overview = overview.New(overview.Options{DB: s.db, UnitPrice: o.UnitPrice, DemoRPM: o.DemoRPM, Now: o.Now})
	o.Notices = notice.New(notice.Options{DB: s.db, Outbox: s.box, WebsiteURL: website, UnitPrice: o.UnitPrice, Log: quiet, Now: o.Now})
	o.Billing = stripe.New(stripe.Options{DB: s.db, Ledger: s.ledger, WebsiteURL: website, Changed: s.gate.Forget, Log: quiet, Now: o.Now})
	ctx, stop := context.WithCancel(context.Background())
	var work sync.WaitGroup
	work.Go(func() { s.gate.Run(ctx) })
	work.Go(func() { s.box.Run(ctx) })
	t.Cleanup(func() { stop(); work.Wait() })
	return s
}

// mail waits for the n-th mail to an address, from 0, and gives its text.
func (s *staff) mail(t testing.TB, to string, n int) string {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); time.Sleep(2 * time.Millisecond) {
		s.mu.Lock()
		seen := n
		for _, m := range s.mails {
			if m.To == to {
				if seen == 0 {
					defer s.mu.Unlock()
					return m.Text
				}
				seen--
			}
		}
		s.mu.Unlock()
	}
	t.Fatalf("no mail %d to %s", n, to)
	return ""
}

// link finds the token of a link in a mail.
var link = regexp.MustCompile(`(?:[?&#](?:token|signin)=)([A-Za-z0-9_-]{20,})`)

func (s *staff) token(t testing.TB, to string, n int) string {
	t.Helper()
	text := s.mail(t, to, n)
	found := link.FindStringSubmatch(text)
	if found == nil {
		t.Fatalf("no link in %q", text)
	}
	return found[1]
}

// minted makes a key of an operator.
func (s *staff) minted(t testing.TB, m account.Minting) *account.Issued {
	t.Helper()
	if m.Name == "" {
		m.Name = "test"
	}
	if m.MonthlyQuota == 0 {
		m.MonthlyQuota = 1_000_000
	}
	if m.RatePerMin == 0 {
		m.RatePerMin = 1_000_000
	}
	k, err := s.accounts.Mint(t.Context(), m)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// units flushes and gives what the usage rows of a key come to.
func (s *staff) units(t testing.TB, keyID string) (calls, units int64) {
	t.Helper()
	if err := s.gate.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	u, err := s.accounts.Usage(t.Context(), account.UsageOf{KeyID: keyID}, "", "")
	if err != nil {
		t.Fatal(err)
	}
	return u.Calls, u.Units
}

// signUp gets a verified key through the endpoints.
func (g *gateway) signUp(email string) (secret, keyID string) {
	g.t.Helper()
	r := g.send("POST", "/v1/keys", body(object{"email": email, "accept_tos": true, "label": "app"}))
	if r.status != 201 {
		g.t.Fatalf("issue: %d %s", r.status, r.body)
	}
	if v := g.send("POST", "/v1/keys/verify", body(object{"token": g.token(g.t, email, 0)})); v.status != 200 {
		g.t.Fatalf("verify: %d %s", v.status, v.body)
	}
	return r.at(g.t, "key").(string), r.at(g.t, "key_id").(string)
}

// signIn gets a session through the endpoints; n counts the mails to the
// address before.
func (g *gateway) signIn(email string, n int) string {
	g.t.Helper()
	if r := g.send("POST", "/v1/console/signin", body(object{"email": email})); r.status != 202 {
		g.t.Fatalf("sign in: %d %s", r.status, r.body)
	}
	r := g.send("POST", "/v1/console/session", body(object{"token": g.token(g.t, email, n)}))
	if r.status != 201 {
		g.t.Fatalf("session: %d %s", r.status, r.body)
	}
	return r.at(g.t, "session").(string)
}

type object = map[string]any

func body(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// bearer gives the header of a token.
func bearer(token string) []string { return []string{"Authorization", "Bearer " + token} }

// members gives the names in an object, sorted, for comparison.
func (r reply) members(t *testing.T, path ...string) string {
	t.Helper()
	v := r.at(t, path...)
	m, ok := v.(object)
	if !ok {
		t.Fatalf("%s is no object in %s", strings.Join(path, "."), r.body)
	}
	return names(m)
}

func names(m object) string { return strings.Join(slices.Sorted(maps.Keys(m)), " ") }
