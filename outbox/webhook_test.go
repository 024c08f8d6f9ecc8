package outbox_test

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/waygate/waygate/outbox"
	"github.com/waygate/waygate/store"
	"github.com/waygate/waygate/store/storetest"
)

// visit is one call that a receiver had.
type visit struct {
	header http.Header
	body   string
}

// receiver is a server that answers with codes, one each, and then 204.
type receiver struct {
	*httptest.Server
	mu     sync.Mutex
	codes  []int
	header http.Header // of its answers
	visits []visit
}

func receive(t *testing.T, codes ...int) *receiver {
	t.Helper()
	r := &receiver{codes: codes, header: http.Header{}}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		body, err := io.ReadAll(q.Body)
		if err != nil || q.Method != http.MethodPost {
			t.Errorf("%s %v", q.Method, err)
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		r.visits = append(r.visits, visit{q.Header, string(body)})
		code := http.StatusNoContent
		if len(r.codes) > 0 {
			code, r.codes = r.codes[0], r.codes[1:]
		}
		for name, values := range r.header {
			w.Header()[name] = values
		}
		w.WriteHeader(code)
	}))
	t.Cleanup(r.Close)
	return r
}

func (r *receiver) seen() []visit {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]visit(nil), r.visits...)
}

func queueWebhook(t *testing.T, db *store.DB, box *outbox.Outbox, w outbox.Webhook) {
	t.Helper()
	if err := db.Tx(t.Context(), func(tx *store.Tx) error { return box.Webhook(t.Context(), tx, w) }); err != nil {
		t.Fatal(err)
	}
}

// A webhook that fails comes again, the same but for the time of the attempt
// and the signature over it.
func TestWebhook(t *testing.T) {
	storetest.Each(t, func(t *testing.T, address string) {
		db, now, to := storetest.Open(t, address), newClock(), receive(t, 500, 404, 302, 200)
		box := open(t, db, outbox.Options{Private: true, Now: now.Now})
		secret, event := outbox.NewSecret(), now.Now()
		queueWebhook(t, db, box, outbox.Webhook{URL: to.URL + "/in?tag=t0ken", Secret: secret, Type: "quota.threshold", Data: map[string]any{"percent": 80, "name": "<Höfe & Co>"}})
		var attempts []time.Time
		for range 6 {
			if n := len(to.seen()); n < 4 {
				attempts = append(attempts, now.Now())
			}
			deliver(t, box)
			now.pass(3 * time.Minute)
		}
		seen := to.seen()
		if len(seen) != 4 {
			t.Fatalf("%d calls", len(seen))
		}
		for n, v := range seen {
			id, stamp := v.header.Get("webhook-id"), v.header.Get("webhook-timestamp")
			if id == "" || id != seen[0].header.Get("webhook-id") || strings.Contains(id, ".") || v.body != seen[0].body {
				t.Errorf("call %d: id %q, body %s", n, id, v.body)
			}
			if stamp != strconv.FormatInt(attempts[n].Unix(), 10) {
				t.Errorf("call %d: timestamp %s at %s", n, stamp, attempts[n])
			}
			if v.header.Get("webhook-signature") != byHand(t, secret, id, attempts[n].Unix(), v.body) {
				t.Errorf("call %d: signature %s", n, v.header.Get("webhook-signature"))
			}
			if err := outbox.Verify(secret, v.header, []byte(v.body), attempts[n]); err != nil {
				t.Errorf("call %d: %v", n, err)
			}
			if v.header.Get("Content-Type") != "application/json" {
				t.Errorf("call %d: %v", n, v.header)
			}
		}
		var body struct {
			Type      string
			Timestamp time.Time
			Data      struct {
				Percent int
				Name    string
			}
		}
		if err := json.Unmarshal([]byte(seen[0].body), &body); err != nil || body.Type != "quota.threshold" || !body.Timestamp.Equal(event) || body.Data.Percent != 80 || body.Data.Name != "<Höfe & Co>" {
			t.Errorf("%+v %v", body, err)
		}
		if all := storetest.Dump(t, db, "deliveries"); strings.Contains(all, "whsec_") || strings.Contains(all, "t0ken") || !strings.Contains(all, "state=delivered") {
			t.Errorf("kept:\n%s", all)
		}
	})
}

// Gone is for ever; another failure is tried for three days, and no longer.
func TestWebhookEnds(t *testing.T) {
	failing := make([]int, 100)
	for n := range failing {
		failing[n] = 400 + n%100
		if failing[n] == 410 {
			failing[n] = 503
		}
	}
	for _, c := range []struct {
		name        string
		codes       []int
		least, most int
		lastAfter   time.Duration
	}{
		{"gone", []int{410}, 1, 1, 0},
		{"failing", failing, 10, 16, 60 * time.Hour},
	} {
		t.Run(c.name, func(t *testing.T) {
			db, now, to := storetest.Open(t, storetest.SQLite(t)), newClock(), receive(t, c.codes...)
			box := open(t, db, outbox.Options{Private: true, Now: now.Now})
			queueWebhook(t, db, box, outbox.Webhook{URL: to.URL, Secret: outbox.NewSecret(), Type: "job.failed"})
			begin, last := now.Now(), now.Now()
			for n := 0; now.Now().Before(begin.Add(80 * time.Hour)); now.pass(30 * time.Minute) {
				deliver(t, box)
				if m := len(to.seen()); m != n {
					n, last = m, now.Now()
				}
			}
			if n := len(to.seen()); n < c.least || n > c.most || last.Sub(begin) < c.lastAfter {
				t.Errorf("%d calls, the last after %s", n, last.Sub(begin))
			}
			if waiting, failed := backlog(t, box); waiting != 0 || failed != 1 {
				t.Errorf("%d waiting, %d failed", waiting, failed)
			}
			if all := storetest.Dump(t, db, "deliveries"); strings.Contains(all, "whsec_") || strings.Contains(all, to.URL) {
				t.Errorf("kept:\n%s", all)
			}
		})
	}
}

// A receiver that asks for time has it.
func TestRetryAfter(t *testing.T) {
	db, now, to := storetest.Open(t, storetest.SQLite(t)), newClock(), receive(t, 429)
	to.header.Set("Retry-After", "600")
	box := open(t, db, outbox.Options{Private: true, Now: now.Now})
	queueWebhook(t, db, box, outbox.Webhook{URL: to.URL, Secret: outbox.NewSecret(), Type: "job.failed"})
	deliver(t, box)
	now.pass(9 * time.Minute)
	deliver(t, box)
	if n := len(to.seen()); n != 1 {
		t.Errorf("%d calls within the time asked for", n)
	}
	now.pass(2 * time.Minute)
	deliver(t, box)
	if n := len(to.seen()); n != 2 {
		t.Errorf("%d calls after it", n)
	}
}

// Where a receiver sends us, we do not go.
func TestRedirect(t *testing.T) {
	db, now := storetest.Open(t, storetest.SQLite(t)), newClock()
	inner := receive(t)
	outer := receive(t, 302, 307, 308, 301)
	outer.header.Set("Location", inner.URL)
	box := open(t, db, outbox.Options{Private: true, Now: now.Now})
	queueWebhook(t, db, box, outbox.Webhook{URL: outer.URL, Secret: outbox.NewSecret(), Type: "job.failed"})
	for range 4 {
		deliver(t, box)
		now.pass(15 * time.Minute)
	}
	if len(outer.seen()) != 4 || len(inner.seen()) != 0 {
		t.Errorf("%d calls, %d where the redirects lead", len(outer.seen()), len(inner.seen()))
	}
}

// An answer without end ends, and does not make a delivery fail.
func TestEndlessAnswer(t *testing.T) {
	db := storetest.Open(t, storetest.SQLite(t))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		for q.Context().Err() == nil {
			if _, err := w.Write(make([]byte, 4096)); err != nil {
				return
			}
		}
	}))
	t.Cleanup(server.Close)
	box := open(t, db, outbox.Options{Private: true})
	queueWebhook(t, db, box, outbox.Webhook{URL: server.URL, Secret: outbox.NewSecret(), Type: "job.failed"})
	deliver(t, box)
	if waiting, failed := backlog(t, box); waiting+failed != 0 {
		t.Errorf("%d waiting, %d failed", waiting, failed)
	}
}

func TestWebhookRefusals(t *testing.T) {
	db := storetest.Open(t, storetest.SQLite(t))
	box := open(t, db, outbox.Options{})
	right := outbox.Webhook{URL: "https://hooks.example.org/in?a=b", Secret: outbox.NewSecret(), Type: "job.failed", Data: 1}
	queueWebhook(t, db, box, right)
	for name, change := range map[string]func(*outbox.Webhook){
		"no TLS":        func(w *outbox.Webhook) { w.URL = "http://hooks.example.org/" },
		"other scheme":  func(w *outbox.Webhook) { w.URL = "file:///etc/passwd" },
		"no host":       func(w *outbox.Webhook) { w.URL = "https:///x" },
		"a user":        func(w *outbox.Webhook) { w.URL = "https://a:b@hooks.example.org/" },
		"a fragment":    func(w *outbox.Webhook) { w.URL = "https://hooks.example.org/#a" },
		"a line break":  func(w *outbox.Webhook) { w.URL = "https://hooks.example.org/\r\nX: y" },
		"too long":      func(w *outbox.Webhook) { w.URL = "https://hooks.example.org/" + strings.Repeat("a", 2048) },
		"no address":    func(w *outbox.Webhook) { w.URL = "" },
		"loopback":      func(w *outbox.Webhook) { w.URL = "https://127.0.0.1/" },
		"no secret":     func(w *outbox.Webhook) { w.Secret = "" },
		"short secret":  func(w *outbox.Webhook) { w.Secret = "whsec_AAAA" },
		"type of words": func(w *outbox.Webhook) { w.Type = "job failed" },
		"no type":       func(w *outbox.Webhook) { w.Type = "" },
		"no JSON":       func(w *outbox.Webhook) { w.Data = func() {} },
	} {
		w := right
		change(&w)
		if err := db.Tx(t.Context(), func(tx *store.Tx) error { return box.Webhook(t.Context(), tx, w) }); !errors.Is(err, outbox.ErrRefused) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if waiting, _ := backlog(t, box); waiting != 1 {
		t.Errorf("%d waiting", waiting)
	}
}
