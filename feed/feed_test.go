package feed

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/waygate/waygate/waittest"
)

// reading returns a kind whose records are numbers: {"at": …, "values": […]}; those
// below zero are rejected.
func reading() Kind[[]int] {
	return Kind[[]int]{StaleAfter: time.Hour, Read: func(ctx context.Context, in *Input, _ []int) ([]int, int, error) {
		var all []int
		next := ""
		err := EachJSON(in, Walk{
			Lists: []string{"values", "data"},
			Each: func(raw json.RawMessage) error {
				v, err := strconv.Atoi(string(raw))
				switch {
				case err != nil:
					in.Report.Reject("no number", "%s", raw)
				case v == -99:
					panic("boo")
				case v < 0:
					in.Report.Reject("below zero", "%d", v)
				default:
					all = append(all, v)
				}
				return nil
			},
			Other: func(name string, raw json.RawMessage) error {
				switch name {
				case "at":
					var t time.Time
					if err := json.Unmarshal(raw, &t); err != nil {
						return err
					}
					in.Report.Published(t)
				case "next":
					return json.Unmarshal(raw, &next)
				}
				return nil
			},
		})
		if err == nil && next != "" {
			var more *Input
			if more, err = in.Open(ctx, next); err == nil {
				defer func() { _ = more.Close() }()
				var rest []int
				rest, _, err = reading().Read(ctx, more, nil)
				all = append(all, rest...)
			}
		}
		return all, len(all), err
	}}
}

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

type bench struct {
	*Feed[[]int]
	clock  time.Time
	server *httptest.Server
	asked  atomic.Int64
	answer http.HandlerFunc
}

// polled starts a server and a feed of it.
func polled(t *testing.T, dir string, answer http.HandlerFunc) *bench {
	t.Helper()
	b := &bench{clock: noon, answer: answer}
	b.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b.asked.Add(1)
		b.answer(w, r)
	}))
	t.Cleanup(b.server.Close)
	b.again(t, dir)
	return b
}

func (b *bench) again(t *testing.T, dir string) {
	t.Helper()
	var err error
	b.Feed, err = New(Options{Dir: dir, Log: slog.New(slog.DiscardHandler), Now: func() time.Time { return b.clock }},
		Source{ID: "numbers", Kind: "number", URL: b.server.URL + "/feed?key=secret", MaxBytes: 1 << 20, Headers: map[string]string{"X-Key": "k"}, Timeout: Duration(waittest.Patience)}, reading())
	if err != nil {
		t.Fatal(err)
	}
}

func says(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(text)) }
}

func packed(data []byte) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write(data)
	_ = z.Close()
	return b.Bytes()
}

func TestPollKeepsTheLastGood(t *testing.T) {
	good := `{"at":"2026-03-01T11:59:00Z","values":[1,2,-3],"new":{"x":[1]}}`
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		says   string
	}{
		"down": {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(503) }, "503"},
		"half a body": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100")
			_, _ = w.Write([]byte(good[:20]))
		}, "broke off"},
		"half a document":  {says(good[:40]), "broke off"},
		"a page":           {says("<!DOCTYPE html><html>down for maintenance</html>"), "web page"},
		"garbage":          {says("\x00\x01\x02garbage"), "no JSON"},
		"empty":            {says(""), "empty"},
		"no record":        {says(`{"values":[]}`), "no record"},
		"no list":          {says(`{"other":1}`), "no list"},
		"all rejected":     {says(`{"values":[-1,-2]}`), "below zero"},
		"clock backwards":  {says(`{"at":"2026-03-01T11:58:00Z","values":[9]}`), "before the one in force"},
		"a panic":          {says(`{"values":[-99]}`), "boo"},
		"a bomb":           {func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(packed(bytes.Repeat([]byte(" "), 5<<20))) }, "unpacks to more"},
		"a bomb in a bomb": {func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(packed(packed(packed([]byte(good))))) }, "more than twice"},
		"too long":         {says(good + strings.Repeat(" ", 1<<20)), "max_bytes"},
		"something after":  {says(good + `{}`), "goes on"},
		"a next page lost": {func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/two" {
				w.WriteHeader(404)
				return
			}
			_, _ = w.Write([]byte(`{"values":[1],"next":"/two"}`))
		}, "404"},
		"round in circles": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/feed?key=secret", http.StatusFound)
		}, "redirects"},
		"to a file": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "file:///etc/passwd", http.StatusFound)
		}, "http"},
	} {
		t.Run(name, func(t *testing.T) {
			b := polled(t, t.TempDir(), says(good))
			if err := b.Poll(t.Context()); err != nil {
				t.Fatal(err)
			}
			if s := b.Status(); s.State != OK || s.Records != 2 || s.Rejected != 1 || *s.AgeS != 60 || strings.Contains(s.Source, "secret") {
				t.Fatalf("%+v", s)
			}
			held := b.Latest()
			b.answer = c.answer
			err := b.Poll(t.Context())
			if err == nil || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "secret") {
				t.Fatalf("%v, want %q", err, c.says)
			}
			if s := b.Status(); s.State != Failing || s.Failures != 1 || s.Error == "" || b.Latest() != held {
				t.Errorf("%+v", s)
			}
			b.clock = noon.Add(2 * time.Hour)
			if s := b.Status(); s.State != Stale {
				t.Errorf("%+v", s)
			}
			b.answer = says(`{"at":"2026-03-01T13:59:00Z","values":[7]}`)
			if err := b.Poll(t.Context()); err != nil || b.Latest().Value[0] != 7 || b.Status().State != OK || b.Status().Failures != 0 {
				t.Errorf("%v, %+v", err, b.Status())
			}
		})
	}
}

func TestFirstFailure(t *testing.T) {
	b := polled(t, "", says("no"))
	if s := b.Status(); s.State != Waiting {
		t.Errorf("%+v", s)
	}
	if err := b.Poll(t.Context()); err == nil || b.Status().State != Down || b.Latest() != nil {
		t.Errorf("%v, %+v", err, b.Status())
	}
}

func TestLateServer(t *testing.T) {
	b := polled(t, "", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	b.Feed.source.Timeout = Duration(50 * time.Millisecond)
	if err := b.Poll(t.Context()); err == nil || !strings.Contains(err.Error(), "not answered within 50ms") {
		t.Error(err)
	}
}

func TestUnchanged(t *testing.T) {
	text := `{"values":[1]}`
	b := polled(t, "", func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Key") != "k" {
			w.WriteHeader(401)
			return
		}
		w.Header().Set("ETag", `"a"`)
		w.Header().Set("Cache-Control", "public, max-age=600")
		if r.Header.Get("If-None-Match") == `"a"` {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		_, _ = w.Write(packed([]byte("\xef\xbb\xbf" + text)))
	})
	for range 2 {
		if err := b.Poll(t.Context()); err != nil {
			t.Fatal(err)
		}
		b.clock = b.clock.Add(30 * time.Minute)
	}
	// It holds no time of its own: the source has said that it holds still.
	if s := b.Status(); s.State != OK || *s.AgeS != 1800 || s.Next.Sub(noon.Add(30*time.Minute)) < 9*time.Minute {
		t.Errorf("%+v, next %v", s, s.Next)
	}
}

func TestRestart(t *testing.T) {
	dir := t.TempDir()
	b := polled(t, dir, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/two" {
			_, _ = w.Write([]byte(`[2]`))
			return
		}
		w.Header().Set("ETag", `"a"`)
		if r.Header.Get("If-None-Match") != "" {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		_, _ = w.Write([]byte(`{"values":[1],"next":"/two"}`))
	})
	if err := b.Poll(t.Context()); err != nil {
		t.Fatal(err)
	}
	b.answer = func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) }
	if err := b.Poll(t.Context()); err == nil {
		t.Fatal("no failure")
	}
	b.clock = noon.Add(10 * time.Minute)
	b.again(t, dir)
	b.Restore(t.Context())
	if s := b.Latest(); s == nil || fmt.Sprint(s.Value) != "[1 2]" || *b.Status().AgeS != 600 {
		t.Fatalf("%+v", s)
	}
	b.answer = func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("If-None-Match") != `"a"` {
			t.Error("it was fetched again")
		}
		w.WriteHeader(http.StatusNotModified)
	}
	if err := b.Poll(t.Context()); err != nil || *b.Status().AgeS != 0 {
		t.Error(err, *b.Status().AgeS)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "numbers", "poll-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	// A spool that cannot be read counts as none.
	if err := os.WriteFile(filepath.Join(dir, "numbers", "good", "0"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	b.again(t, dir)
	if b.Restore(t.Context()); b.Latest() != nil {
		t.Error("garbage was restored")
	}
}

func TestFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "numbers.json")
	write := func(text string, at time.Time) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	f, err := New(Options{Now: func() time.Time { return noon }}, Source{ID: "file", Kind: "number", URL: path}, reading())
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Poll(t.Context()); err == nil || strings.Contains(err.Error(), path) {
		t.Error(err)
	}
	write(`[1]`, noon)
	swaps := 0
	f.kind.Swapped = func(*Snapshot[[]int]) { swaps++ }
	for range 2 {
		if err := f.Poll(t.Context()); err != nil || swaps != 1 {
			t.Error(err, swaps)
		}
	}
	write(`[2]`, noon.Add(time.Second))
	if err := f.Poll(t.Context()); err != nil || f.Latest().Value[0] != 2 || swaps != 2 {
		t.Error(err, swaps)
	}
}

func TestOAuth(t *testing.T) {
	issued := 0
	b := polled(t, "", func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/token" {
			issued++
			if r.FormValue("grant_type") != "client_credentials" || r.FormValue("client_secret") != "s" {
				w.WriteHeader(400)
				return
			}
			_, _ = fmt.Fprintf(w, `{"access_token":"t%d","expires_in":3600}`, issued)
			return
		}
		if r.Header.Get("Authorization") != fmt.Sprintf("Bearer t%d", issued) {
			w.WriteHeader(401)
			return
		}
		_, _ = w.Write([]byte(`[1]`))
	})
	b.Feed.source.OAuth = &OAuth{TokenURL: b.server.URL + "/token", ClientID: "c", ClientSecret: "s"}
	for range 2 {
		if err := b.Poll(t.Context()); err != nil || issued != 1 {
			t.Fatal(err, issued)
		}
	}
	b.clock = noon.Add(time.Hour)
	if err := b.Poll(t.Context()); err != nil || issued != 2 {
		t.Error(err, issued)
	}
}

func TestBackoff(t *testing.T) {
	last := time.Duration(0)
	for n := 1; n < 100; n++ {
		wait := backoff(time.Minute, n)
		if wait < last || wait > longestWait {
			t.Errorf("after %d failures %s", n, wait)
		}
		last = wait
		for range 100 {
			if j := jitter(wait); j < wait*9/10 || j > wait*11/10+1 {
				t.Errorf("%s became %s", wait, j)
			}
		}
	}
	if backoff(24*time.Hour, 5) != 24*time.Hour {
		t.Error("a slow feed is asked more often when it fails")
	}
}

func TestRunAndReadAtOnce(t *testing.T) {
	b := polled(t, "", says(`[1]`))
	var set Set
	set.Add(b.Feed)
	ctx, end := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { set.Run(ctx, nil); close(ended) }()
	for b.Latest() == nil {
		time.Sleep(time.Millisecond)
	}
	end()
	<-ended
	if s := set.Status(); len(s) != 1 || s[0].State != OK {
		t.Errorf("%+v", s)
	}
}
