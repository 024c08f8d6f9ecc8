package stripe_test

import (
	"bytes"
	"flag"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"slices"
	"sync"
	"testing"

	"github.com/waygate/waygate/account/ledger"
	"github.com/waygate/waygate/account/schema"
	"github.com/waygate/waygate/account/stripe"
	"github.com/waygate/waygate/account/stripe/stripetest"
	"github.com/waygate/waygate/store"
	"github.com/waygate/waygate/store/storetest"
)

func TestMain(m *testing.M) {
	// Every step waits for a disk; go test -rapid.checks=1000 looks longer.
	if err := flag.Set("rapid.checks", "25"); err != nil {
		panic(err)
	}
	os.Exit(storetest.Main(m))
}

const secret = "whsec_of_the_tests"

var plans = []stripe.Plan{
	{Name: "starter", Price: "price_starter", MonthlyQuota: 200_000, RatePerMin: 300, MonthlyPence: 1_900},
	{Name: "fleet", Price: "price_fleet", MonthlyQuota: 2_000_000, RatePerMin: 1_200, MonthlyPence: 9_900},
}

// counter is Billing with what it works on.
type counter struct {
	*stripe.Billing
	db     *store.DB
	ledger *ledger.Ledger
	log    *lockedBuffer

	mu      sync.Mutex
	changes []string
}

// lockedBuffer is a log that several goroutines write.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// set opens Billing on a database of two identities, i and j.
func set(t testing.TB, address, api string, change ...func(*stripe.Options)) *counter {
	t.Helper()
	db := storetest.Open(t, address, schema.Apply)
	for _, id := range []string{"i", "j"} {
		_, err := db.Exec(t.Context(), "INSERT INTO identities (id, email, created_at, tos_accepted_at) VALUES ($1, $2, 1, 1) ON CONFLICT (id) DO NOTHING", id, id+"@example.org")
		if err != nil {
			t.Fatal(err)
		}
	}
	c := &counter{db: db, ledger: ledger.New(db, nil), log: &lockedBuffer{}}
	o := stripe.Options{
		DB: db, Ledger: c.ledger, Key: stripetest.Key, WebhookSecret: secret, API: api, WebsiteURL: "https://maps.example.org", Plans: plans,
		Log: slog.New(slog.NewTextHandler(c.log, nil)),
		Changed: func(id string) {
			c.mu.Lock()
			defer c.mu.Unlock()
			c.changes = append(c.changes, id)
		},
	}
	for _, change := range change {
		change(&o)
	}
	c.Billing = stripe.New(o)
	return c
}

// record has the columns of an identity that Billing writes.
type record struct {
	plan                   string
	quota, rate            int64 // 0 for NULL
	customer, subscription string
}

func (c *counter) record(t testing.TB, id string) record {
	t.Helper()
	var r record
	err := c.db.QueryRow(t.Context(), `SELECT plan, COALESCE(plan_quota, 0), COALESCE(plan_rate, 0), COALESCE(stripe_customer_id, ''), COALESCE(stripe_subscription_id, '')
		FROM identities WHERE id = $1`, id).Scan(&r.plan, &r.quota, &r.rate, &r.customer, &r.subscription)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// exec changes rows behind Billing's back.
func (c *counter) exec(t testing.TB, query string, args ...any) {
	t.Helper()
	if _, err := c.db.Exec(t.Context(), query, args...); err != nil {
		t.Fatal(err)
	}
}

// drain returns the identities that Billing reported as changed since the last call, sorted.
func (c *counter) drain() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	reported := c.changes
	c.changes = nil
	slices.Sort(reported)
	return slices.Compact(reported)
}

// call is a request that reached Stripe.
type call struct {
	path string
	form url.Values
	key  string // Idempotency-Key
}

// wire stands between Billing and stripe-mock: it records the requests, and may answer in
// stripe-mock's place as Stripe does when something is wrong.
type wire struct {
	*httptest.Server
	mu     sync.Mutex
	calls  []call
	answer func(w http.ResponseWriter, c call) bool // reports whether it did; may be nil
}

func tap(t testing.TB, mock string) *wire {
	t.Helper()
	to, err := url.Parse(mock)
	if err != nil {
		t.Fatal(err)
	}
	w := &wire{}
	onward := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(to) }}
	w.Server = httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		form, err := url.ParseQuery(string(body))
		if err != nil {
			t.Error(err)
		}
		c := call{r.URL.Path, form, r.Header.Get("Idempotency-Key")}
		w.mu.Lock()
		w.calls = append(w.calls, c)
		answer := w.answer
		w.mu.Unlock()
		if answer != nil && answer(rw, c) {
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		onward.ServeHTTP(rw, r)
	}))
	t.Cleanup(w.Close)
	return w
}

// answers has the wire answer in Stripe's place from now on.
func (w *wire) answers(answer func(http.ResponseWriter, call) bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.answer = answer
}

// taken returns the calls since the last time.
func (w *wire) taken() []call {
	w.mu.Lock()
	defer w.mu.Unlock()
	taken := w.calls
	w.calls = nil
	return taken
}
