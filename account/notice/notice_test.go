package notice_test

import (
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/waygate/waygate/account/notice"
	"github.com/waygate/waygate/account/schema"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/outbox"
	"github.com/waygate/waygate/outbox/outboxtest"
	"github.com/waygate/waygate/store"
	"github.com/waygate/waygate/store/storetest"
)

func TestMain(m *testing.M) { os.Exit(storetest.Main(m)) }

var now = time.Date(2026, 11, 21, 9, 30, 0, 0, time.UTC)

// call is a webhook that came.
type call struct {
	path   string
	header http.Header
	body   []byte
}

// deployment is a deployment with a mail server and a receiver of webhooks.
type deployment struct {
	db      *store.DB
	notices *notice.Notices
	box     *outbox.Outbox
	relay   *outboxtest.Server
	hooks   string

	meet  chan struct{} // where two webhooks wait for each other; nil lets each pass
	mu    sync.Mutex
	calls []call
}

func newPlace(t *testing.T, address string, unitPrice int64) *deployment {
	t.Helper()
	p := &deployment{db: storetest.Open(t, address, schema.Apply), relay: outboxtest.SMTP(t)}
	heard := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		if p.meet != nil {
			select {
			case p.meet <- struct{}{}:
			case <-p.meet:
			case <-r.Context().Done():
			}
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		p.calls = append(p.calls, call{r.URL.Path, r.Header, body})
	}))
	t.Cleanup(heard.Close)
	p.hooks = heard.URL
	quiet := slog.New(slog.DiscardHandler)
	clock := func() time.Time { return now }
	var err error
	p.box, err = outbox.New(t.Context(), outbox.Options{DB: p.db, SMTP: p.relay.URL(), From: "Waygate <noreply@example.com>", Private: true, Log: quiet, Now: clock})
	if err != nil {
		t.Fatal(err)
	}
	p.notices = notice.New(notice.Options{DB: p.db, Outbox: p.box, WebsiteURL: "https://maps.example.com", UnitPrice: unitPrice, Log: quiet, Now: clock})
	return p
}

func (p *deployment) exec(t *testing.T, query string, args ...any) {
	t.Helper()
	if _, err := p.db.Exec(t.Context(), query, args...); err != nil {
		t.Fatal(err)
	}
}

// identity adds one whose id is its name, with what it has used in November.
func (p *deployment) identity(t *testing.T, name string, used, millipence int64) {
	t.Helper()
	p.exec(t, "INSERT INTO identities (id, email, created_at, tos_accepted_at, verified_at) VALUES ($1, $2, 1, 1, 1)", name, name+"@example.org")
	p.exec(t, "INSERT INTO usage_periods (pool, period, units) VALUES ($1, '2026-11', $2), ($1, '2026-10', 7)", name, used)
	if millipence > 0 {
		p.exec(t, "INSERT INTO balances (identity_id, millipence) VALUES ($1, $2)", name, millipence)
	}
}

// key adds one with a webhook. The fields replace the usual ones.
func (p *deployment) key(t *testing.T, identity, id string, fields map[string]any) {
	t.Helper()
	p.exec(t, `INSERT INTO keys (id, identity_id, name, secret_hash, state, created_at, monthly_quota, rate_per_min, webhook_secret, webhook_url)
		VALUES ($1, $2, $1, $1, 'verified', 1, 50000, 60, $3, $4)`, id, identity, outbox.NewSecret(), p.hooks+"/"+id)
	for name, value := range fields {
		p.exec(t, "UPDATE keys SET "+name+" = $2 WHERE id = $1", id, value)
	}
}

func (p *deployment) cross(t *testing.T, identity, month string, percent int) {
	t.Helper()
	if err := p.notices.Crossed(t.Context(), identity, month, percent); err != nil {
		t.Fatal(err)
	}
}

func (p *deployment) deliver(t *testing.T) {
	t.Helper()
	if err := p.box.Deliver(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func (p *deployment) paths() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	var all []string
	for _, c := range p.calls {
		all = append(all, c.path)
	}
	slices.Sort(all)
	return all
}

// The notice reaches the address and each key that wants it, with the same
// figures, and is what the operator is shown.
func TestCrossed(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		p := newPlace(t, address, 10)
		p.identity(t, "ann", 40_132, 1_234_567)
		p.identity(t, "ben", 49_000, 0)
		past, later := now.Add(-time.Hour).UnixMilli(), now.Add(time.Hour).UnixMilli()
		p.key(t, "ann", "one", nil)
		p.key(t, "ann", "two", map[string]any{"expires_at": later})
		p.key(t, "ann", "stranger", map[string]any{"state": "provisional"})
		p.key(t, "ann", "revoked", map[string]any{"revoked_at": past})
		p.key(t, "ann", "expired", map[string]any{"expires_at": past})
		p.key(t, "ann", "nowhere", map[string]any{"webhook_url": nil})
		p.key(t, "ann", "unsigned", map[string]any{"webhook_secret": nil})
		p.key(t, "ann", "broken", map[string]any{"webhook_url": "ftp://x"})
		p.key(t, "ben", "other", nil)
		shown, err := p.notices.Render(t.Context(), "Ann@Example.org")
		if err != nil {
			t.Fatal(err)
		}
		p.cross(t, "ann", "2026-11", 80)
		p.deliver(t)
		if got := p.paths(); !slices.Equal(got, []string{"/one", "/two"}) {
			t.Fatalf("called %q", got)
		}
		want := notice.Payload{
			IdentityID: "ann", Email: "ann@example.org", Month: "2026-11", Percent: 80, Used: 40_132, MonthlyQuota: 50_000, Remaining: 9_868,
			BalanceMillipence: 1_234_567, ResetsAt: "2026-12-01T00:00:00Z", Upgrade: "https://maps.example.com/console",
		}
		for _, c := range p.calls {
			var secret string
			if err := p.db.QueryRow(t.Context(), "SELECT webhook_secret FROM keys WHERE id = $1", c.path[1:]).Scan(&secret); err != nil {
				t.Fatal(err)
			}
			if err := outbox.Verify(secret, c.header, c.body, now); err != nil {
				t.Errorf("%s: %v", c.path, err)
			}
			var got struct {
				Type string
				Data notice.Payload
			}
			if err := json.Unmarshal(c.body, &got); err != nil || got.Type != "quota.threshold" || got.Data != want {
				t.Errorf("%s: %+v %v", c.path, got, err)
			}
		}
		m := p.relay.Next(t)
		read := m.Message(t)
		if !slices.Equal(m.To, []string{"ann@example.org"}) || read.Link() != want.Upgrade || !strings.Contains(read.HTML, want.Upgrade) {
			t.Errorf("to %q, links to %q", m.To, read.Link())
		}
		for _, figure := range []string{"40,132", "50,000", "9,868", "£12.34", "123,456", "1 December 2026"} {
			if !strings.Contains(read.Text, figure) || !strings.Contains(read.HTML, figure) {
				t.Errorf("%s is missing in\n%s\n%s", figure, read.Text, read.HTML)
			}
		}
		if shown.Payload != want || shown.Subject != read.Subject || shown.Body != read.Text || shown.HTML != read.HTML {
			t.Errorf("the operator was shown %+v", shown)
		}
	})
}

// Every threshold is notified once a month, whichever replica calls how often.
func TestThresholdsAtOnce(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		p, other := newPlace(t, address, 10), newPlace(t, address, 10)
		p.identity(t, "ann", 50_000, 0)
		p.exec(t, "INSERT INTO identities (id, email, created_at, tos_accepted_at) VALUES ('new', 'new@example.org', 1, 1)")
		p.meet = make(chan struct{})
		var hooks []string // of each threshold
		for _, id := range []string{"k1", "k2", "k3", "k4"} {
			p.key(t, "ann", id, nil)
			hooks = append(hooks, "/"+id, "/"+id)
		}
		var askers sync.WaitGroup
		for _, from := range []*deployment{p, other, p, other} {
			askers.Go(func() {
				for _, percent := range []int{0, 50, 80, 81, 100, 120} {
					for _, who := range []string{"ann", "new", "nobody"} {
						if err := from.notices.Crossed(t.Context(), who, "2026-11", percent); err != nil {
							t.Error(err)
						}
					}
				}
			})
		}
		askers.Wait()
		for _, sender := range []*deployment{p, other} {
			askers.Go(func() {
				if err := sender.box.Deliver(t.Context()); err != nil {
					t.Error(err)
				}
			})
		}
		askers.Wait()
		if n := len(p.relay.Mails()) + len(other.relay.Mails()); n != 2 {
			t.Errorf("%d mails for two thresholds", n)
		}
		sent := len(p.relay.Mails())
		p.meet = nil
		if got := p.paths(); !slices.Equal(got, hooks) {
			t.Errorf("the webhooks of two thresholds are %q", got)
		}
		p.cross(t, "ann", "2026-12", 80)
		p.deliver(t)
		if n := len(p.relay.Mails()); n != sent+1 {
			t.Errorf("%d mails with the next month's", n)
		}
		// An address that is confirmed later is notified then.
		p.exec(t, "UPDATE identities SET verified_at = 1 WHERE id = 'new'")
		p.cross(t, "new", "2026-11", 80)
		p.deliver(t)
		if mails := p.relay.Mails(); len(mails) != sent+2 || mails[sent+1].To[0] != "new@example.org" {
			t.Errorf("%d mails with the late one", len(mails))
		}
		if err := p.notices.Crossed(t.Context(), "ann", "November", 80); err == nil {
			t.Error("a month in words is taken")
		}
	})
}

// An operator's quota is above the plan's, and the plan's above the usual one.
func TestQuotaInForce(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		p := newPlace(t, address, 10)
		for name, c := range map[string]struct {
			set, plan   any
			quota       int64
			used        int64
			wantPercent int
		}{
			"usual":       {nil, nil, 50_000, 39_999, 0},
			"at-the-mark": {nil, nil, 50_000, 40_000, 80},
			"beyond":      {nil, nil, 50_000, 70_000, 100},
			"plan":        {nil, 1_000_000, 1_000_000, 799_999, 0},
			"operator":    {100, 1_000_000, 100, 99, 80},
			"odd":         {3, nil, 3, 2, 0},
			"huge":        {int64(1) << 62, nil, 1 << 62, 1 << 61, 0},
			"huge-full":   {int64(1) << 62, nil, 1 << 62, 1 << 62, 100},
		} {
			p.identity(t, name, c.used, 0)
			p.exec(t, "UPDATE identities SET monthly_quota = $2, plan_quota = $3 WHERE id = $1", name, c.set, c.plan)
			o, err := p.notices.Render(t.Context(), name+"@example.org")
			if err != nil {
				t.Fatal(err)
			}
			if o.Payload.MonthlyQuota != c.quota || o.Payload.Percent != c.wantPercent || o.Payload.Used != c.used || o.Payload.Remaining != max(c.quota-c.used, 0) {
				t.Errorf("%s: %+v", name, o.Payload)
			}
		}
	})
}

// TestRender checks that a preview sends and writes nothing, and reports what was sent.
func TestRender(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		p := newPlace(t, address, 0)
		p.identity(t, "ann", 50_001, 0)
		p.key(t, "ann", "one", nil)
		if _, err := p.notices.Render(t.Context(), "nobody@example.org"); !fault.Is(err, fault.NotFound) {
			t.Errorf("unknown: %v", err)
		}
		before := storetest.Dump(t, p.db, "notices", "deliveries", "identities", "keys")
		unsent, err := p.notices.Render(t.Context(), "ann@example.org")
		if err != nil {
			t.Fatal(err)
		}
		if storetest.Dump(t, p.db, "notices", "deliveries", "identities", "keys") != before {
			t.Error("it wrote")
		}
		if unsent.Payload.Percent != 100 || unsent.Subject == "" || unsent.Body == "" || unsent.HTML == "" || strings.Contains(unsent.Body, "credit, £") {
			t.Errorf("%+v", unsent)
		}
		p.cross(t, "ann", "2026-11", 100)
		sent, err := p.notices.Render(t.Context(), "ann@example.org")
		if err != nil {
			t.Fatal(err)
		}
		p.exec(t, "UPDATE identities SET verified_at = NULL WHERE id = 'ann'")
		unverified, err := p.notices.Render(t.Context(), "ann@example.org")
		if err != nil {
			t.Fatal(err)
		}
		if unsent.Message == sent.Message || sent.Message == unverified.Message || !strings.Contains(sent.Message, "21 November 2026") {
			t.Errorf("%q, %q, %q", unsent.Message, sent.Message, unverified.Message)
		}
		if sent.Message = unsent.Message; !reflect.DeepEqual(sent, unsent) {
			t.Error("the notice changed by having been sent")
		}
		p.deliver(t)
		if n := len(p.relay.Mails()); n != 1 {
			t.Errorf("%d mails", n)
		}
	})
}
