package account

import (
	"context"
	"log/slog"
	"net/netip"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/waygate/waygate/account/ledger"
	"github.com/waygate/waygate/account/schema"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/outbox"
	"github.com/waygate/waygate/store"
	"github.com/waygate/waygate/store/storetest"
	"github.com/waygate/waygate/waittest"
)

func TestMain(m *testing.M) { os.Exit(storetest.Main(m)) }

// fixture is accounts on a real database with a clock that tests set.
type fixture struct {
	*Accounts
	t  *testing.T
	db *store.DB

	mu      sync.Mutex
	time    time.Time
	mails   []outbox.Mail
	changes []string
	clients int
}

// start is a morning in the middle of a month.
var start = time.Date(2026, 11, 21, 9, 30, 0, 0, time.UTC)

// open makes a fixture. The mails it queues are delivered to it.
func open(t *testing.T, address string, set ...func(*Options)) *fixture {
	t.Helper()
	d := &fixture{t: t, db: storetest.Open(t, address, schema.Apply), time: start}
	quiet := slog.New(slog.DiscardHandler)
	box, err := outbox.New(t.Context(), outbox.Options{DB: d.db, Log: quiet, Now: d.clock, Poll: 20 * time.Millisecond, Show: func(m outbox.Mail) {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.mails = append(d.mails, m)
	}})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { box.Run(ctx) })
	t.Cleanup(func() { stop(); running.Wait() })
	o := Options{
		DB: d.db, Ledger: ledger.New(d.db, d.clock), Outbox: box, BaseURL: "https://api.example.org", WebsiteURL: "https://www.example.org",
		Now: d.clock, Log: quiet,
		Changed: func(id string) {
			d.mu.Lock()
			defer d.mu.Unlock()
			d.changes = append(d.changes, id)
		},
	}
	for _, s := range set {
		s(&o)
	}
	d.Accounts = New(o)
	return d
}

func (d *fixture) clock() time.Time {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.time
}

func (d *fixture) advance(by time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.time = d.time.Add(by)
}

// client returns an address that no other call has had.
func (d *fixture) client() netip.Addr {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.clients++
	return netip.AddrFrom4([4]byte{10, byte(d.clients >> 16), byte(d.clients >> 8), byte(d.clients)})
}

// heard returns the records that changed since its last call.
func (d *fixture) heard() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	all := d.changes
	d.changes = nil
	return all
}

func (d *fixture) application(email string) Application {
	return Application{Email: email, AcceptTOS: true, Label: "my app", Client: d.client(), UserAgent: "curl/8.5", Source: "docs"}
}

func (d *fixture) issue(email string) *Issued {
	d.t.Helper()
	i, err := d.Issue(d.t.Context(), d.application(email))
	if err != nil {
		d.t.Fatal(err)
	}
	return i
}

// mail waits for the next e-mail to an address and takes it.
func (d *fixture) mail(to string) outbox.Mail {
	d.t.Helper()
	var got outbox.Mail
	waittest.Until(d.t, "an e-mail to "+to, func() bool {
		d.mu.Lock()
		defer d.mu.Unlock()
		for i, m := range d.mails {
			if m.To == to {
				got = m
				d.mails = append(d.mails[:i], d.mails[i+1:]...)
				return true
			}
		}
		return false
	})
	return got
}

var inLink = regexp.MustCompile(`(?:token=|#signin=)([A-Za-z0-9_-]+)`)

// token waits for an e-mail and gives the token in its link.
func (d *fixture) token(to string) string {
	d.t.Helper()
	m := inLink.FindStringSubmatch(d.mail(to).Text)
	if m == nil {
		d.t.Fatal("the e-mail has no link")
	}
	return m[1]
}

// verified issues a key and confirms it.
func (d *fixture) verified(email string) *Issued {
	d.t.Helper()
	i := d.issue(email)
	if _, err := d.Verify(d.t.Context(), d.token(email)); err != nil {
		d.t.Fatal(err)
	}
	return i
}

// identity returns the id behind an address.
func (d *fixture) identity(email string) string {
	d.t.Helper()
	i, ok, err := identityBy(d.t.Context(), d.db, "email", email)
	if err != nil || !ok {
		d.t.Fatal(ok, err)
	}
	return i.ID
}

func (d *fixture) exec(query string, args ...any) {
	d.t.Helper()
	if _, err := d.db.Exec(d.t.Context(), query, args...); err != nil {
		d.t.Fatal(err)
	}
}

func (d *fixture) count(query string, args ...any) int64 {
	d.t.Helper()
	var n int64
	if err := d.db.QueryRow(d.t.Context(), query, args...).Scan(&n); err != nil {
		d.t.Fatal(err)
	}
	return n
}

// wants fails unless err is of the kind; "" is none.
func wants(t *testing.T, err error, slug fault.Slug) {
	t.Helper()
	if slug == "" && err != nil || slug != "" && !fault.Is(err, slug) {
		t.Errorf("got %v, want %q", err, slug)
	}
}

// locations returns the fields that an error complains of.
func locations(err error) string {
	var all []string
	if f, ok := err.(*fault.Error); ok {
		if wrong, ok := f.Fields["errors"].([]fault.Violation); ok {
			for _, v := range wrong {
				all = append(all, v.Location)
			}
		}
	}
	return strings.Join(all, " ")
}
