package outbox_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"github.com/waygate/waygate/outbox"
	"github.com/waygate/waygate/outbox/outboxtest"
	"github.com/waygate/waygate/store"
	"github.com/waygate/waygate/store/storetest"
	"github.com/waygate/waygate/waittest"
)

// ample is how long a receiver has to answer where none is to run out of time.
const ample = 2 * waittest.Patience

// swallow reads a request to its end: before that a server does not see its caller
// hang up.
func swallow(r *http.Request) { _, _ = io.Copy(io.Discard, r.Body) }

// hanging is servers that answer nothing until the test ends, or release is called.
type hanging struct {
	addresses []string
	release   func()
	hangUp    atomic.Bool // at once

	mu    sync.Mutex
	tried []string // addresses, in the order of the calls
}

func hang(t *testing.T, servers int) *hanging {
	t.Helper()
	ended := make(chan struct{})
	h := &hanging{release: sync.OnceFunc(func() { close(ended) })}
	for range servers {
		server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			swallow(r)
			h.mu.Lock()
			h.tried = append(h.tried, "http://"+r.Host)
			h.mu.Unlock()
			select {
			case <-ended:
				return
			default:
			}
			if h.hangUp.Load() {
				panic(http.ErrAbortHandler)
			}
			select {
			case <-ended:
			case <-r.Context().Done():
			}
		}))
		h.addresses = append(h.addresses, server.URL)
		t.Cleanup(server.Close)
	}
	t.Cleanup(h.release)
	return h
}

func (h *hanging) attempts() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.tried)
}

// queueMany puts a webhook of an owner to each of many addresses into one transaction.
func queueMany(t *testing.T, db *store.DB, box *outbox.Outbox, owner string, addresses ...string) {
	t.Helper()
	secret := outbox.NewSecret()
	if err := db.Tx(t.Context(), func(tx *store.Tx) error {
		for _, address := range addresses {
			if err := box.Webhook(t.Context(), tx, outbox.Webhook{Owner: owner, URL: address, Secret: secret, Type: "job.failed"}); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}

// Beside 400 receivers of one owner that hang, the webhook of another goes out at once:
// the hanging ones hold half of the places, and time brings them no other, for none of
// them ends.
func TestHangingReceivers(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		db, dead := storetest.Open(t, address), hang(t, 400)
		box := open(t, db, outbox.Options{Private: true, Timeout: ample, Poll: time.Hour})
		queueMany(t, db, box, "greedy", dead.addresses...)
		start(t, box)
		waittest.Until(t, "half of the places are taken", func() bool { return len(dead.attempts()) == 8 })
		for i := range 3 {
			to := receive(t)
			queueMany(t, db, box, fmt.Sprint("modest", i), to.URL)
			box.Wake()
			waittest.Until(t, "the webhook of another", func() bool { return len(to.seen()) == 1 })
		}
		if n := len(dead.attempts()); n != 8 {
			t.Errorf("%d attempts of the owner whose receivers hang", n)
		}
	})
}

// One host holds no more than a quarter of the places, whoever's webhooks it receives.
func TestHangingHost(t *testing.T) {
	db, dead := storetest.Open(t, storetest.SQLite(t)), hang(t, 1)
	box := open(t, db, outbox.Options{Private: true, Timeout: ample, Poll: time.Hour})
	for i := range 20 {
		queueMany(t, db, box, fmt.Sprint("owner", i), dead.addresses[0]+"/a", dead.addresses[0]+"/b")
	}
	start(t, box)
	waittest.Until(t, "a quarter of the places are taken", func() bool { return len(dead.attempts()) == 4 })
	to := receive(t)
	queueMany(t, db, box, "owner0", to.URL)
	box.Wake()
	waittest.Until(t, "a webhook to another host", func() bool { return len(to.seen()) == 1 })
	if n := len(dead.attempts()); n != 4 {
		t.Errorf("%d attempts to the host that hangs", n)
	}
}

// A host that gives no answer is let alone with all that waits for it, longer each time,
// and then tried once, by one replica. It is remembered for its owner alone. Once it
// answers all that waits goes out.
func TestSilentHostAtOnce(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		now := newClock()
		var silent atomic.Bool
		var mu sync.Mutex
		var paths []string
		silent.Store(true)
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			swallow(r)
			mu.Lock()
			paths = append(paths, r.URL.Path)
			mu.Unlock()
			if silent.Load() && !strings.HasPrefix(r.URL.Path, "/other") {
				panic(http.ErrAbortHandler) // hangs up
			}
			w.WriteHeader(http.StatusNoContent)
		}))
		t.Cleanup(server.Close)
		tried := func() (list []string) {
			mu.Lock()
			defer mu.Unlock()
			list, paths = paths, nil
			return list
		}
		var boxes []*outbox.Outbox
		for range 2 {
			boxes = append(boxes, open(t, storetest.Open(t, address), outbox.Options{Private: true, Now: now.Now, Timeout: ample}))
		}
		db := storetest.Open(t, address)
		round := func() {
			t.Helper()
			var both sync.WaitGroup
			for _, box := range boxes {
				both.Go(func() { deliver(t, box) })
			}
			both.Wait()
		}
		for i := range 20 {
			queueMany(t, db, boxes[0], "a", fmt.Sprintf("%s/%d", server.URL, i))
		}
		round()
		if got := tried(); len(got) == 0 || len(got) > 2 { // one of each replica at the same time
			t.Fatalf("%v", got)
		}
		for range 3 {
			now.pass(11 * time.Second) // the first failure's pause
		}
		for _, pause := range []time.Duration{20, 40, 80} {
			round()
			if got := tried(); len(got) != 1 {
				t.Fatalf("%v at once, of a host that gives no answer", got)
			}
			now.pass((pause - 1) * time.Second)
			round()
			if got := tried(); len(got) != 0 {
				t.Fatalf("%v within the pause of %d s", got, pause)
			}
			queueMany(t, db, boxes[0], "b", server.URL+"/other")
			round()
			if got := tried(); !slices.Equal(got, []string{"/other"}) {
				t.Fatalf("%v, where another has a webhook to the same host", got)
			}
			now.pass(2 * time.Second)
		}
		silent.Store(false)
		now.pass(15 * time.Minute)
		round()
		round()
		if got := tried(); len(got) != 20 {
			t.Errorf("%d went out of 20 once the host answers: %v", len(got), got)
		}
		if waiting, failed := backlog(t, boxes[0]); waiting+failed != 0 {
			t.Errorf("%d waiting, %d failed", waiting, failed)
		}
	})
}

// Owners take turns, and of an owner its hosts do.
func TestTurns(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		db, now := storetest.Open(t, address), newClock()
		var mu sync.Mutex
		var order []string
		var hosts []string
		for range 2 {
			server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				mu.Lock()
				defer mu.Unlock()
				order = append(order, r.URL.Path[1:2])
			}))
			t.Cleanup(server.Close)
			hosts = append(hosts, server.URL)
		}
		box := open(t, db, outbox.Options{Private: true, Now: now.Now})
		for range 4 {
			queueMany(t, db, box, "a", hosts[0]+"/a")
		}
		queueMany(t, db, box, "a", hosts[1]+"/A")
		now.pass(time.Second)
		queueMany(t, db, box, "b", hosts[0]+"/b", hosts[0]+"/b")
		queueMany(t, db, box, "c", hosts[0]+"/c")
		deliver(t, box)
		got := strings.Join(order, "")
		if folded := strings.ToLower(got); folded != "abcabaaa" {
			t.Errorf("owners went as %s", got)
		}
		if strings.Index(got, "A") > 3 {
			t.Errorf("the hosts of an owner went as %s", got)
		}
	})
}

// Hanging webhooks hold up no mail, and a hanging relay holds up no webhook.
func TestMailBesideWebhooks(t *testing.T) {
	db, dead, relay := storetest.Open(t, storetest.SQLite(t)), hang(t, 30), outboxtest.SMTP(t)
	box := open(t, db, outbox.Options{Private: true, Timeout: ample, Poll: time.Hour, SMTP: relay.URL(), From: "a@example.com"})
	for i, address := range dead.addresses {
		queueMany(t, db, box, fmt.Sprint("owner", i), address)
	}
	start(t, box)
	waittest.Until(t, "all places of webhooks are taken", func() bool { return len(dead.attempts()) == 16 })
	queueMail(t, db, box, hello)
	box.Wake()
	waittest.Until(t, "a mail", func() bool { return len(relay.Mails()) == 1 })

	stuck := make(chan struct{})
	slow, to := storetest.Open(t, storetest.SQLite(t)), receive(t)
	var shown atomic.Int64
	box = open(t, slow, outbox.Options{Private: true, Poll: time.Hour, Show: func(outbox.Mail) { shown.Add(1); <-stuck }})
	for range 8 {
		queueMail(t, slow, box, hello)
	}
	start(t, box)
	t.Cleanup(func() { close(stuck) })
	waittest.Until(t, "a mail hangs", func() bool { return shown.Load() == 1 })
	queueMany(t, slow, box, "a", to.URL)
	box.Wake()
	waittest.Until(t, "a webhook", func() bool { return len(to.seen()) == 1 })
}

// An answer without end holds one place for as long as a receiver has, and is a success; its
// host counts as one that gives no answer.
func TestStalledAnswer(t *testing.T) {
	var calls atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		swallow(r)
		calls.Add(1)
		w.WriteHeader(http.StatusOK)
		if f, ok := w.(http.Flusher); ok {
			f.Flush()
		}
		<-r.Context().Done()
	}))
	t.Cleanup(server.Close)
	waiting, failed := int64(3), int64(0)
	for limit := range waittest.Limits(200 * time.Millisecond) {
		db, now := storetest.Open(t, storetest.SQLite(t)), newClock()
		box := open(t, db, outbox.Options{Private: true, Now: now.Now, Timeout: limit})
		queueMany(t, db, box, "a", server.URL, server.URL, server.URL)
		calls.Store(0)
		deliver(t, box)
		if waiting, failed = backlog(t, box); waiting != 3 {
			break
		}
	}
	if calls.Load() != 1 || waiting != 2 || failed != 0 {
		t.Errorf("%d calls, %d waiting, %d failed", calls.Load(), waiting, failed)
	}
}

// Webhooks from before lines, and those that an older version queues later, go out, and
// what hangs of them has its own line afterwards.
func TestOldRows(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		db, now, to, dead := storetest.Open(t, address), newClock(), receive(t), hang(t, 1)
		first, err := os.ReadFile("migrations/00001_deliveries.sql")
		if err != nil {
			t.Fatal(err)
		}
		if err := db.Migrate(t.Context(), "outbox", fstest.MapFS{"00001_deliveries.sql": {Data: first}}, slog.New(slog.DiscardHandler)); err != nil {
			t.Fatal(err)
		}
		old := func(name, url string) {
			t.Helper()
			content := fmt.Sprintf(`{"url":%q,"secret":%q,"body":"{}"}`, url, outbox.NewSecret())
			if _, err := db.Exec(t.Context(), "INSERT INTO deliveries (id, kind, state, content, next_at, expires_at, created_at) VALUES ($1, 'webhook', 'waiting', $2, $3, $4, $3)",
				name, content, now.Now().UnixMilli(), now.Now().Add(time.Hour).UnixMilli()); err != nil {
				t.Fatal(err)
			}
		}
		dead.hangUp.Store(true)
		old("msg_1", dead.addresses[0])
		old("msg_2", to.URL)
		box := open(t, db, outbox.Options{Private: true, Now: now.Now, Timeout: ample})
		deliver(t, box)
		if len(to.seen()) != 1 || len(dead.attempts()) != 1 {
			t.Fatalf("%d and %d calls", len(to.seen()), len(dead.attempts()))
		}
		old("msg_3", to.URL)
		if _, err := db.Exec(t.Context(), "DELETE FROM delivery_lines WHERE host = ''"); err != nil {
			t.Fatal(err)
		}
		deliver(t, box) // which makes the line again
		deliver(t, box)
		if len(to.seen()) != 2 {
			t.Errorf("%d calls", len(to.seen()))
		}
		hosts, err := db.Texts(t.Context(), "SELECT host FROM delivery_lines WHERE failures > 0")
		if err != nil || !slices.Equal(hosts, []string{strings.TrimPrefix(dead.addresses[0], "http://")}) {
			t.Errorf("%q %v", hosts, err)
		}
		now.pass(30 * time.Minute)
		dead.release()
		deliver(t, box)
		if waiting, _ := backlog(t, box); waiting != 0 {
			t.Errorf("%d wait", waiting)
		}
	})
}

// Run ends though what it sends does not, and leaves that to its lease.
func TestRunEnds(t *testing.T) {
	db := storetest.Open(t, storetest.SQLite(t))
	stuck, shown := make(chan struct{}), make(chan struct{}, 1)
	t.Cleanup(func() { close(stuck) })
	var said bytes.Buffer
	box := open(t, db, outbox.Options{Poll: time.Hour, Log: slog.New(slog.NewTextHandler(&said, nil)), Show: func(outbox.Mail) { shown <- struct{}{}; <-stuck }})
	queueMail(t, db, box, hello)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { defer close(ended); box.Run(ctx) }()
	<-shown
	cancel()
	select {
	case <-ended:
	case <-time.After(waittest.Patience):
		t.Fatal("Run does not end")
	}
	if !strings.Contains(said.String(), "lease") {
		t.Errorf("the log says %q", said.String())
	}
	if waiting, failed := backlog(t, box); waiting != 1 || failed != 0 {
		t.Errorf("%d waiting, %d failed", waiting, failed)
	}
	if left, err := db.Texts(t.Context(), "SELECT id FROM deliveries WHERE lease_until > 0 AND state = 'waiting'"); err != nil || len(left) != 1 {
		t.Errorf("%v %v", left, err)
	}
}
