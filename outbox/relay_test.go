package outbox_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"net/mail"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/waygate/waygate/outbox"
	"github.com/waygate/waygate/outbox/outboxtest"
	"github.com/waygate/waygate/store"
	"github.com/waygate/waygate/store/storetest"
	"github.com/waygate/waygate/waittest"
)

const sender = "Waygate <noreply@example.com>"

// clock is a time that tests turn.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func newClock() *clock { return &clock{now: time.Date(2026, 11, 21, 9, 30, 0, 0, time.UTC)} }

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

func deliver(t *testing.T, box *outbox.Outbox) {
	t.Helper()
	if err := box.Deliver(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// A mail arrives as it was written, with the headers of a machine's mail.
func TestMailArrives(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		db, relay, now := storetest.Open(t, address), outboxtest.SMTP(t), newClock()
		box := open(t, db, outbox.Options{SMTP: relay.URL(), From: sender, Now: now.Now})
		long := "https://example.org/keys/verify?token=" + strings.Repeat("aB-_", 30)
		sent := outbox.Mail{
			To: "ann@example.org", Subject: "Dein Schlüssel für Höfe",
			Text: "Grüße,\n.\nbestätige: " + long + "\n", HTML: "<p>Grüße <a href=\"" + long + "\">hier</a></p>",
		}
		queueMail(t, db, box, sent)
		deliver(t, box)
		got := relay.Next(t)
		if got.From != "noreply@example.com" || !slices.Equal(got.To, []string{"ann@example.org"}) {
			t.Errorf("envelope %q %q", got.From, got.To)
		}
		m := got.Message(t)
		if m.Subject != sent.Subject || m.Text != sent.Text || m.HTML != sent.HTML || m.Link() != long {
			t.Errorf("%q\n%q\n%q", m.Subject, m.Text, m.HTML)
		}
		if date, err := m.Header.Date(); err != nil || !date.Equal(now.Now()) {
			t.Errorf("date %s, %v", date, err)
		}
		from, err := m.Header.AddressList("From")
		if err != nil || len(from) != 1 || *from[0] != (mail.Address{Name: "Waygate", Address: "noreply@example.com"}) {
			t.Errorf("from %v, %v", from, err)
		}
		if m.Header.Get("Auto-Submitted") != "auto-generated" || !strings.HasSuffix(m.Header.Get("Message-ID"), "@example.com>") {
			t.Errorf("headers %v", m.Header)
		}
		if all := storetest.Dump(t, db, "deliveries"); strings.Contains(all, "aB-_") || strings.Contains(all, "ann@") {
			t.Errorf("kept:\n%s", all)
		}
	})
}

// A relay that is busy is tried again, later and later, always with the same Message-ID; a
// mail that it will never take is given up.
func TestRelayFails(t *testing.T) {
	for _, c := range []struct {
		name          string
		codes         []int
		tried, failed int
	}{
		{"busy twice", []int{451, 421}, 3, 0},
		{"never", []int{554}, 1, 1},
		{"busy, then never", []int{450, 550}, 2, 1},
		{"must sign in", []int{530}, 2, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			storetest.Each(t, func(t *testing.T, address string) {
				db, relay, now := storetest.Open(t, address), outboxtest.SMTP(t), newClock()
				box := open(t, db, outbox.Options{SMTP: relay.URL(), From: sender, Now: now.Now})
				relay.Fail(c.codes...)
				queueMail(t, db, box, hello)
				for range 4 {
					deliver(t, box)
					tried := relay.Tried()
					now.pass(4 * time.Second)
					deliver(t, box)
					if relay.Tried() != tried {
						t.Error("asked again at once")
					}
					now.pass(5 * time.Minute)
				}
				waiting, failed := backlog(t, box)
				if relay.Tried() != c.tried || failed != int64(c.failed) || waiting != 0 || len(relay.Mails()) != 1-c.failed {
					t.Errorf("tried %d, failed %d, waiting %d, mails %d", relay.Tried(), failed, waiting, len(relay.Mails()))
				}
				if all := storetest.Dump(t, db, "deliveries"); strings.Contains(all, "s3cret") || strings.Contains(all, "ann@") {
					t.Errorf("kept:\n%s", all)
				}
			})
		})
	}
}

// A mail without use any more is not sent, even where nobody looked for long.
func TestMailExpires(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		db, relay, now := storetest.Open(t, address), outboxtest.SMTP(t), newClock()
		box := open(t, db, outbox.Options{SMTP: relay.URL(), From: sender, Now: now.Now})
		m := hello
		m.Expires = now.Now().Add(15 * time.Minute)
		queueMail(t, db, box, m)
		now.pass(15 * time.Minute)
		deliver(t, box)
		if relay.Tried() != 0 {
			t.Error("sent after its end")
		}
		relay.Fail(451, 451, 451, 451, 451, 451, 451, 451)
		m.Expires = now.Now().Add(20 * time.Minute)
		queueMail(t, db, box, m)
		for range 120 {
			deliver(t, box)
			now.pass(10 * time.Second)
		}
		// At 0 s, 5 s, 35 s, 2 min 35 s and 12 min 35 s, give or take; the next would be too late.
		if n := relay.Tried(); n != 5 {
			t.Errorf("tried %d times", n)
		}
		if waiting, failed := backlog(t, box); waiting != 0 || failed != 2 {
			t.Errorf("waiting %d, failed %d", waiting, failed)
		}
		now.pass(30 * 24 * time.Hour)
		deliver(t, box)
		if all := storetest.Dump(t, db, "deliveries"); all != "" {
			t.Errorf("kept for ever:\n%s", all)
		}
	})
}

// Replicas that look at once send every mail once.
func TestReplicas(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		relay := outboxtest.SMTP(t)
		const mails = 24
		var boxes []*outbox.Outbox
		for range 3 {
			boxes = append(boxes, open(t, storetest.Open(t, address), outbox.Options{SMTP: relay.URL(), From: sender, Poll: 5 * time.Millisecond}))
		}
		db := storetest.Open(t, address)
		err := db.Tx(t.Context(), func(tx *store.Tx) error {
			for n := range mails {
				m := hello
				m.To = fmt.Sprintf("user%d@example.org", n)
				if err := boxes[0].Mail(t.Context(), tx, m); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range boxes {
			start(t, b)
		}
		waittest.Until(t, "all are delivered", func() bool { waiting, _ := backlog(t, boxes[0]); return waiting == 0 })
		seen := map[string]int{}
		for _, m := range relay.Mails() {
			seen[m.To[0]]++
		}
		if len(seen) != mails || relay.Tried() != mails {
			t.Errorf("%d mails, %d offered: %v", len(seen), relay.Tried(), seen)
		}
	})
}

// How the line is encrypted, and what never crosses an open one.
func TestLine(t *testing.T) {
	const user, password = "gate@example.com", "p@ss/word:1"
	for _, c := range []struct {
		name     string
		server   outboxtest.Options
		option   string
		strange  bool // the certificate is not believed
		sent     bool
		wantTLS  bool
		password string // instead of the right one
	}{
		{name: "open", sent: true},
		{name: "STARTTLS where it is offered", server: outboxtest.Options{TLS: outboxtest.StartTLS}, sent: true, wantTLS: true},
		{name: "STARTTLS with a strange certificate", server: outboxtest.Options{TLS: outboxtest.StartTLS}, strange: true, sent: true, wantTLS: true},
		{name: "STARTTLS not wanted", server: outboxtest.Options{TLS: outboxtest.StartTLS}, option: "?tls=none", sent: true},
		{name: "required", server: outboxtest.Options{TLS: outboxtest.StartTLS}, option: "?tls=required", sent: true, wantTLS: true},
		{name: "required with a strange certificate", server: outboxtest.Options{TLS: outboxtest.StartTLS}, option: "?tls=required", strange: true},
		{name: "required and not offered", option: "?tls=required"},
		{name: "implicit", server: outboxtest.Options{TLS: outboxtest.Implicit}, sent: true, wantTLS: true},
		{name: "implicit with a strange certificate", server: outboxtest.Options{TLS: outboxtest.Implicit}, strange: true},
		{name: "password", server: outboxtest.Options{TLS: outboxtest.StartTLS, User: user, Password: password}, sent: true, wantTLS: true},
		{name: "password, implicit", server: outboxtest.Options{TLS: outboxtest.Implicit, User: user, Password: password}, sent: true, wantTLS: true},
		{name: "password to a strange certificate", server: outboxtest.Options{TLS: outboxtest.StartTLS, User: user, Password: password}, strange: true},
		{name: "password in the clear by order", server: outboxtest.Options{User: user, Password: password}, option: "?tls=none", sent: true},
		{name: "wrong password", server: outboxtest.Options{TLS: outboxtest.StartTLS, User: user, Password: password}, password: "wrong-pass"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var said bytes.Buffer
			server := c.server
			if c.password != "" {
				server.Password = c.password
			}
			relay := outboxtest.Start(t, server)
			address := relay.URL() + c.option
			if c.password != "" {
				address = strings.Replace(address, c.password, "other-pass", 1)
			}
			o := outbox.Options{SMTP: address, From: sender, Log: slog.New(slog.NewTextHandler(&said, nil))}
			if !c.strange {
				o.Roots = relay.Roots()
			}
			db := storetest.Open(t, storetest.SQLite(t))
			box := open(t, db, o)
			queueMail(t, db, box, hello)
			deliver(t, box)
			if got := len(relay.Mails()) == 1; got != c.sent {
				t.Fatalf("sent: %v\n%s", got, said.String())
			}
			if c.sent {
				m := relay.Next(t)
				if m.TLS != c.wantTLS || m.User != c.server.User {
					t.Errorf("TLS %v, user %q", m.TLS, m.User)
				}
			} else if waiting, _ := backlog(t, box); waiting != 1 {
				t.Error("a mail is lost to the relay's settings")
			}
			all := said.String() + storetest.Dump(t, db, "deliveries")
			for _, secret := range []string{password, "other-pass", "wrong-pass"} {
				if strings.Contains(all, secret) {
					t.Errorf("the password shows:\n%s", all)
				}
			}
		})
	}
}

func TestRelayAddressRefusals(t *testing.T) {
	db := storetest.Open(t, storetest.SQLite(t))
	for address, from := range map[string]string{
		"http://relay.example":                  sender,
		"relay.example:25":                      sender,
		"smtp://":                               sender,
		"smtp:relay.example":                    sender,
		"smtp://relay.example:0":                sender,
		"smtp://relay.example:70000":            sender,
		"smtp://u:hunter2@relay.example:x":      sender,
		"smtp://u:hunter2/x@relay.example":      sender,
		"smtp://u:hunter2#x@relay.example":      sender,
		"smtp://u@relay.example":                sender,
		"smtp://:hunter2@relay.example":         sender,
		"smtp://u:hunter2%0A@relay.example":     sender,
		"smtp://relay.example/path":             sender,
		"smtp://relay.example?tls=maybe":        sender,
		"smtp://relay.example?tsl=none":         sender,
		"smtps://relay.example?tls=none":        sender,
		"smtp://one.example":                    "",
		"smtp://two.example":                    "Waygate",
		"smtp://three.example":                  "a@example.com\r\nBcc: b@example.com",
		"smtp://u:hunter2%zz@relay.example:587": sender,
	} {
		_, err := outbox.New(t.Context(), outbox.Options{DB: db, SMTP: address, From: from, Log: slog.New(slog.DiscardHandler)})
		if err == nil {
			t.Errorf("%s from %q: accepted", address, from)
		} else if strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: the password shows in %v", address, err)
		}
	}
}
