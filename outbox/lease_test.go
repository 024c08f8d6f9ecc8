package outbox

import (
	"errors"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"github.com/waygate/waygate/store"
	"github.com/waygate/waygate/store/storetest"

	"github.com/waygate/waygate/outbox/outboxtest"
)

// A replica that dies leaves its row to another when its lease ends, whatever
// it had done with it; what it still writes down later changes nothing.
func TestCrash(t *testing.T) {
	for _, c := range []struct {
		name  string
		sent  bool // the mail was out when it died
		mails int
	}{{"before sending", false, 1}, {"between sending and writing it down", true, 2}} {
		t.Run(c.name, func(t *testing.T) {
			storetest.Each(t, func(t *testing.T, address string) {
				ctx, relay := t.Context(), outboxtest.SMTP(t)
				var passed atomic.Int64
				replica := func() *Outbox {
					box, err := New(ctx, Options{
						DB: storetest.Open(t, address), SMTP: relay.URL(), From: "a@example.com", Log: slog.New(slog.DiscardHandler),
						Now: func() time.Time { return time.Unix(1_795_000_000+passed.Load(), 0) },
					})
					if err != nil {
						t.Fatal(err)
					}
					return box
				}
				dying, other := replica(), replica()
				m := Mail{To: "ann@example.org", Subject: "s", Text: "t"}
				if err := other.options.DB.Tx(ctx, func(tx *store.Tx) error { return other.Mail(ctx, tx, m) }); err != nil {
					t.Fatal(err)
				}
				d, err := dying.rows.claim(ctx, dying.queues[0])
				if err != nil || d == nil {
					t.Fatal(d, err)
				}
				if c.sent {
					if err := dying.send(ctx, d); err != nil {
						t.Fatal(err)
					}
				}
				deliver := func() {
					t.Helper()
					if err := other.Deliver(ctx); err != nil {
						t.Fatal(err)
					}
				}
				before := relay.Tried()
				deliver()
				if relay.Tried() != before {
					t.Fatal("sent within another's lease")
				}
				passed.Store(int64(leaseTime/time.Second) + 1)
				deliver()
				if err := dying.options.DB.Tx(ctx, func(tx *store.Tx) error {
					return errors.Join(dying.rows.postpone(ctx, tx, d, dying.options.Now(), "late"), dying.rows.abandon(ctx, tx, d, "late"))
				}); err != nil {
					t.Fatal(err)
				}
				deliver()
				mails := relay.Mails()
				if len(mails) != c.mails {
					t.Fatalf("%d mails", len(mails))
				}
				for _, got := range mails {
					if id := got.Message(t).Header.Get("Message-ID"); id != "<"+d.id+"@example.com>" {
						t.Errorf("Message-ID %s", id)
					}
				}
				if waiting, failed, err := other.Backlog(ctx); waiting+failed != 0 || err != nil {
					t.Errorf("%d waiting, %d failed, %v", waiting, failed, err)
				}
			})
		})
	}
}

// Of many that want one row, one has it.
func TestWinAtOnce(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		ctx := t.Context()
		var boxes []*Outbox
		for range 4 {
			box, err := New(ctx, Options{DB: storetest.Open(t, address), Log: slog.New(slog.DiscardHandler)})
			if err != nil {
				t.Fatal(err)
			}
			boxes = append(boxes, box)
		}
		for range 10 {
			if err := boxes[0].options.DB.Tx(ctx, func(tx *store.Tx) error {
				return boxes[0].Mail(ctx, tx, Mail{To: "a@example.org", Subject: "s", Text: "t"})
			}); err != nil {
				t.Fatal(err)
			}
			due, err := boxes[0].rows.due(ctx, boxes[0].queues[0])
			if err != nil || len(due) != 1 {
				t.Fatal(due, err)
			}
			won := make(chan bool, len(boxes))
			for _, b := range boxes {
				go func() {
					d, err := b.rows.lease(ctx, b.queues[0], due[0])
					if err != nil {
						t.Error(err)
					}
					won <- d != nil
				}()
			}
			n := 0
			for range boxes {
				if <-won {
					n++
				}
			}
			if n != 1 {
				t.Fatalf("%d have it", n)
			}
		}
	})
}

func TestBackoff(t *testing.T) {
	for n, least := range delays {
		for range 50 {
			if d := Backoff(n + 1); d < least || d > least*6/5 {
				t.Errorf("after attempt %d: %s", n+1, d)
			}
		}
	}
	if d := Backoff(1000); d < 12*time.Hour || d > 15*time.Hour {
		t.Errorf("at last %s", d)
	}
}
