package outbox

import (
	"context"
	"net"
	"testing"

	"github.com/waygate/waygate/store"
	"github.com/waygate/waygate/waittest"
)

// A relay that says nothing is left when the server has to stop, and not only when its time
// is up, which is long here; and the mail waits for the next.
func TestSilentRelay(t *testing.T) {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	box := openHere(t, Options{SMTP: "smtp://" + l.Addr().String(), From: "a@example.com", Timeout: 2 * waittest.Patience})
	box.relay.limit = 2 * waittest.Patience
	m := Mail{To: "ann@example.org", Subject: "s", Text: "t"}
	if err := box.options.DB.Tx(t.Context(), func(tx *store.Tx) error { return box.Mail(t.Context(), tx, m) }); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		c, err := l.Accept()
		if err != nil {
			t.Error(err)
			return
		}
		cancel()
		// This ends when the other side hangs up.
		_, _ = c.Read(make([]byte, 1))
		_ = c.Close()
	}()
	left := make(chan struct{})
	go func() { _ = box.Deliver(ctx); close(left) }() // it is stopped in the middle
	waittest.Until(t, "the relay is left", func() bool {
		select {
		case <-left:
			return true
		default:
			return false
		}
	})
	if waiting, failed, err := box.Backlog(t.Context()); waiting != 1 || failed != 0 || err != nil {
		t.Errorf("%d waiting, %d failed, %v", waiting, failed, err)
	}
}
