package outbox_test

import (
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/waygate/waygate/outbox"
	"github.com/waygate/waygate/store"
	"github.com/waygate/waygate/store/storetest"
	"github.com/waygate/waygate/waittest"
)

// open makes an outbox of a test.
func open(t *testing.T, db *store.DB, o outbox.Options) *outbox.Outbox {
	t.Helper()
	o.DB = db
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	box, err := outbox.New(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return box
}

func queueMail(t *testing.T, db *store.DB, box *outbox.Outbox, m outbox.Mail) {
	t.Helper()
	if err := db.Tx(t.Context(), func(tx *store.Tx) error { return box.Mail(t.Context(), tx, m) }); err != nil {
		t.Fatal(err)
	}
}

func backlog(t *testing.T, box *outbox.Outbox) (waiting, failed int64) {
	t.Helper()
	waiting, failed, err := box.Backlog(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return waiting, failed
}

var hello = outbox.Mail{To: "ann@example.org", Subject: "Your key", Text: "Confirm: https://example.org/keys/verify?token=s3cret\n"}

// Without a relay a mail is shown, once, after its transaction.
func TestShow(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		db := storetest.Open(t, address)
		var shown []outbox.Mail
		box := open(t, db, outbox.Options{Show: func(m outbox.Mail) { shown = append(shown, m) }})
		undone := errors.New("undone")
		err := db.Tx(t.Context(), func(tx *store.Tx) error {
			if err := box.Mail(t.Context(), tx, hello); err != nil {
				return err
			}
			return undone
		})
		if !errors.Is(err, undone) {
			t.Fatal(err)
		}
		queueMail(t, db, box, hello)
		if waiting, failed := backlog(t, box); waiting != 1 || failed != 0 {
			t.Errorf("%d waiting, %d failed", waiting, failed)
		}
		for range 2 {
			if err := box.Deliver(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if len(shown) != 1 || shown[0].To != hello.To || shown[0].Text != hello.Text || shown[0].Subject != hello.Subject {
			t.Errorf("shown: %+v", shown)
		}
		if all := storetest.Dump(t, db, "deliveries"); strings.Contains(all, "s3cret") || !strings.Contains(all, "state=delivered") {
			t.Errorf("kept:\n%s", all)
		}
	})
}

// Run finds by itself what another replica queued, and at once what Wake announces.
func TestRun(t *testing.T) {
	db := storetest.Open(t, storetest.SQLite(t))
	shown := make(chan outbox.Mail, 1)
	box := open(t, db, outbox.Options{Poll: time.Hour, Show: func(m outbox.Mail) { shown <- m }})
	other := open(t, db, outbox.Options{Poll: 5 * time.Millisecond, Show: func(m outbox.Mail) { shown <- m }})
	for _, c := range []struct {
		name string
		box  *outbox.Outbox
		wake bool
	}{{"woken", box, true}, {"polling", other, false}} {
		t.Run(c.name, func(t *testing.T) {
			start(t, c.box)
			// The first may be there when it looks at its start.
			for range 3 {
				queueMail(t, db, c.box, hello)
				if c.wake {
					c.box.Wake()
				}
				select {
				case <-shown:
				case <-time.After(waittest.Patience):
					t.Fatal("nothing came")
				}
				waittest.Until(t, "it is written down", func() bool { waiting, _ := backlog(t, c.box); return waiting == 0 })
			}
		})
	}
}

func TestMailRefusals(t *testing.T) {
	db := storetest.Open(t, storetest.SQLite(t))
	box := open(t, db, outbox.Options{})
	for name, m := range map[string]outbox.Mail{
		"header in the subject":   {To: "a@example.org", Subject: "x\r\nBcc: b@example.org", Text: "t"},
		"bare line feed":          {To: "a@example.org", Subject: "x\ny", Text: "t"},
		"line separator":          {To: "a@example.org", Subject: "x\u2028y", Text: "t"},
		"no subject":              {To: "a@example.org", Text: "t"},
		"no text":                 {To: "a@example.org", Subject: "x", HTML: "<p>t</p>"},
		"header in the recipient": {To: "a@example.org\r\nRCPT TO:<b@example.org>", Subject: "x", Text: "t"},
		"two recipients":          {To: "a@example.org, b@example.org", Subject: "x", Text: "t"},
		"recipient with a name":   {To: "A <a@example.org>", Subject: "x", Text: "t"},
		"no recipient":            {Subject: "x", Text: "t"},
		"no domain":               {To: "a", Subject: "x", Text: "t"},
		"endless":                 {To: strings.Repeat("a", 300) + "@example.org", Subject: "x", Text: "t"},
	} {
		if err := db.Tx(t.Context(), func(tx *store.Tx) error { return box.Mail(t.Context(), tx, m) }); !errors.Is(err, outbox.ErrRefused) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if waiting, _ := backlog(t, box); waiting != 0 {
		t.Errorf("%d waiting", waiting)
	}
}
