package apitest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
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
	"github.com/waygate/waygate/account/jobs"
	"github.com/waygate/waygate/account/ledger"
	"github.com/waygate/waygate/account/meter"
	"github.com/waygate/waygate/account/notice"
	"github.com/waygate/waygate/account/overview"
	"github.com/waygate/waygate/account/schema"
	"github.com/waygate/waygate/account/stripe"
	"github.com/waygate/waygate/account/x402"
	"github.com/waygate/waygate/api"
	"github.com/waygate/waygate/api/plan"
	"github.com/waygate/waygate/feature/dispatch"
	"github.com/waygate/waygate/feature/feedback"
	"github.com/waygate/waygate/feature/geocode"
	"github.com/waygate/waygate/feature/optimise"
	"github.com/waygate/waygate/feature/places"
	"github.com/waygate/waygate/feature/styles"
	"github.com/waygate/waygate/job"
	"github.com/waygate/waygate/outbox"
	"github.com/waygate/waygate/store"
	"github.com/waygate/waygate/store/storetest"
	"github.com/waygate/waygate/waittest"
)

// AdminToken opens the operator's endpoints of the tests.
const AdminToken = "operator-0123456789abcdef"

// Website is where the pages of the tests lie.
const Website = "https://maps.example.com"

// Backend has the services behind the edge under test, on a real database.
type Backend struct {
	DB       *store.DB
	ledger   *ledger.Ledger
	accounts *account.Accounts
	gate     *meter.Gate
	box      *outbox.Outbox
	Queue    *job.Queue

	mu    sync.Mutex
	Mails []outbox.Mail
}

// tables is a database file with every room's tables, made once: to make them
// takes longer than most tests.
var tables struct {
	sync.Mutex
	file []byte
}

// migrated returns the address of a fresh database that has its tables.
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
	db, err := store.Open(t.Context(), address, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	quiet := slog.New(slog.DiscardHandler)
	_, err = outbox.New(t.Context(), outbox.Options{DB: db, Log: quiet})
	_, err2 := feedback.New(t.Context(), db, nil, quiet)
	_, err3 := styles.New(t.Context(), db, nil, quiet)
	_, err4 := places.New(t.Context(), db, nil, quiet)
	_, err5 := geocode.NewSelections(t.Context(), db, nil, quiet)
	_, err7 := dispatch.New(t.Context(), db, nil, nil, quiet)
	_, err6 := job.New(t.Context(), job.Options{DB: db, Log: quiet})
	if err := errors.Join(err, err2, err3, err4, err5, err6, err7, schema.Apply(t.Context(), db, quiet), db.Close()); err != nil {
		t.Fatal(err)
	}
	if tables.file, err = os.ReadFile(path); err != nil {
		t.Fatal(err)
	}
	return address
}

// privateHooks is the build of a gateway whose webhooks may go to private addresses.
const privateHooks = "private-hooks"

// PrivateHooks lets the webhooks of a gateway go to this machine.
func PrivateHooks(o *api.Options) { o.Build = privateHooks }

// noSolver is the build of a gateway that makes no plans.
const noSolver = "no-solver"

// NoSolver switches the solver of a gateway off.
func NoSolver(o *api.Options) { o.Build = noSolver }

// NewStaff makes the staff for options whose clock, price and lane are set.
func NewStaff(t testing.TB, o *api.Options, payments x402.Options) *Backend {
	t.Helper()
	s := &Backend{DB: storetest.Open(t, migrated(t))}
	quiet := slog.New(slog.DiscardHandler)
	if o.Now == nil {
		o.Now = time.Now
	}
	var err error
	s.box, err = outbox.New(t.Context(), outbox.Options{DB: s.DB, Now: o.Now, Log: quiet, Poll: time.Hour, Private: o.Build == privateHooks, Show: func(m outbox.Mail) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.Mails = append(s.Mails, m)
	}})
	if err != nil {
		t.Fatal(err)
	}
	s.ledger = ledger.New(s.DB, o.Now)
	s.gate = meter.New(meter.Options{
		DB: s.DB, Ledger: s.ledger, DemoRPM: o.DemoRPM, UnitPrice: o.UnitPrice, Upgrade: Website + "/console", Flush: time.Hour, Log: quiet, Now: o.Now,
	})
	s.accounts = account.New(account.Options{
		DB: s.DB, Ledger: s.ledger, Outbox: s.box, BaseURL: "https://api.example.com", WebsiteURL: Website, Changed: s.gate.Invalidate, Log: quiet, Now: o.Now,
	})
	reports, err := feedback.New(t.Context(), s.DB, o.Now, quiet)
	if err != nil {
		t.Fatal(err)
	}
	if o.Styles, err = styles.New(t.Context(), s.DB, o.Now, quiet); err != nil {
		t.Fatal(err)
	}
	if o.Selections, err = geocode.NewSelections(t.Context(), s.DB, o.Now, quiet); err != nil {
		t.Fatal(err)
	}
	if o.Places, err = places.New(t.Context(), s.DB, o.Now, quiet); err != nil {
		t.Fatal(err)
	}
	if o.Dispatch, err = dispatch.New(t.Context(), s.DB, s.accounts.Ended, o.Now, quiet); err != nil {
		t.Fatal(err)
	}
	o.Jobs = &jobs.Jobs{DB: s.DB, Ledger: s.ledger, Outbox: s.box, Log: quiet}
	if s.Queue, err = plan.OpenQueue(t.Context(), o.Jobs, job.Options{Workers: 1, Poll: 5 * time.Millisecond, Now: o.Now}); err != nil {
		t.Fatal(err)
	}
	o.Queue = s.Queue
	if o.Build != noSolver && o.Solver == nil {
		o.Solver = optimise.Embedded{}
	}
	o.WebsiteURL, o.Backlog = Website, s.box.Backlog
	o.Gate, o.Accounts, o.Feedback, o.Payments = s.gate, s.accounts, reports, x402.New(payments)
	o.Overview = overview.New(overview.Options{DB: s.DB, UnitPrice: o.UnitPrice, DemoRPM: o.DemoRPM, Now: o.Now})
	o.Notices = notice.New(notice.Options{DB: s.DB, Outbox: s.box, WebsiteURL: Website, UnitPrice: o.UnitPrice, Log: quiet, Now: o.Now})
	o.Billing = stripe.New(stripe.Options{DB: s.DB, Ledger: s.ledger, WebsiteURL: Website, Changed: s.gate.Invalidate, Log: quiet, Now: o.Now})
	ctx, stop := context.WithCancel(context.Background())
	var work sync.WaitGroup
	work.Go(func() { s.gate.Run(ctx) })
	work.Go(func() { s.box.Run(ctx) })
	t.Cleanup(func() { stop(); work.Wait() })
	return s
}

// mail waits for the n-th mail to an address, from 0, and gives its text.
func (s *Backend) mail(t testing.TB, to string, n int) string {
	t.Helper()
	text := ""
	waittest.Until(t, fmt.Sprintf("mail %d to %s", n, to), func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		seen := n
		for _, m := range s.Mails {
			if m.To == to {
				if seen == 0 {
					text = m.Text
					return true
				}
				seen--
			}
		}
		return false
	})
	return text
}

// link finds the token of a link in a mail.
var link = regexp.MustCompile(`(?:[?&#](?:token|signin)=)([A-Za-z0-9_-]{20,})`)

// Token finds the token of the link in a mail to an address, the n-th from 0.
func (s *Backend) Token(t testing.TB, to string, n int) string {
	t.Helper()
	text := s.mail(t, to, n)
	found := link.FindStringSubmatch(text)
	if found == nil {
		t.Fatalf("no link in %q", text)
	}
	return found[1]
}

// Minted makes a key of an operator.
func (s *Backend) Minted(t testing.TB, m account.Minting) *account.Issued {
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

// Units flushes and gives what the usage rows of a key come to.
func (s *Backend) Units(t testing.TB, keyID string) (calls, units int64) {
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

// SignUp gets a verified key through the endpoints.
func (g *Gateway) SignUp(email string) (secret, keyID string) {
	g.T.Helper()
	r := g.Send("POST", "/v1/keys", Body(Object{"email": email, "accept_tos": true, "label": "app"}))
	if r.Status != 201 {
		g.T.Fatalf("issue: %d %s", r.Status, r.Body)
	}
	if v := g.Send("POST", "/v1/keys/verify", Body(Object{"token": g.Token(g.T, email, 0)})); v.Status != 200 {
		g.T.Fatalf("verify: %d %s", v.Status, v.Body)
	}
	return r.At(g.T, "key").(string), r.At(g.T, "key_id").(string)
}

// SignIn gets a session through the endpoints; n counts the mails to the
// address before.
func (g *Gateway) SignIn(email string, n int) string {
	g.T.Helper()
	if r := g.Send("POST", "/v1/console/signin", Body(Object{"email": email})); r.Status != 202 {
		g.T.Fatalf("sign in: %d %s", r.Status, r.Body)
	}
	r := g.Send("POST", "/v1/console/session", Body(Object{"token": g.Token(g.T, email, n)}))
	if r.Status != 201 {
		g.T.Fatalf("session: %d %s", r.Status, r.Body)
	}
	return r.At(g.T, "session").(string)
}

// Object is a JSON object.
type Object = map[string]any

// Body writes a value as JSON.
func Body(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// Bearer returns the header of a token.
func Bearer(token string) []string { return []string{"Authorization", "Bearer " + token} }

// Members returns the names in an object, sorted, for comparison.
func (r Reply) Members(t *testing.T, path ...string) string {
	t.Helper()
	v := r.At(t, path...)
	m, ok := v.(Object)
	if !ok {
		t.Fatalf("%s is no object in %s", strings.Join(path, "."), r.Body)
	}
	return Names(m)
}

// Names lists the names in an object, sorted.
func Names(m Object) string { return strings.Join(slices.Sorted(maps.Keys(m)), " ") }
