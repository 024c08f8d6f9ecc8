package speech

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/guidance/narrate"
	"github.com/waygate/waygate/voice/audio"
	"github.com/waygate/waygate/waittest"
)

func TestChoose(t *testing.T) {
	voices, err := ReadVoices([]string{"en-US=us", " en-GB=gb", "en-GB=other", "de-AT=austria", "pt-BR=brazil", "*=any", "sv=sweden"})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ language, id, want string }{
		{"en-GB", "", "gb"},
		{"en-GB", "other", "other"},
		{"en-US", "", "us"},
		{"de", "", "austria"},
		{"pt-PT", "", "brazil"},
		{"sv", "", "sweden"},
		{"fr", "", "any"},
		{"sv", "any", "any"},
		{"fr", "gb", ""},
		{"fr", "absent", ""},
	} {
		got, ok := Choose(voices, c.language, c.id)
		if got.ID != c.want || ok != (c.want != "") {
			t.Errorf("%s %q: %+v, %v; want %q", c.language, c.id, got, ok, c.want)
		}
	}
	if got := Languages(voices); !slices.Equal(got, narrate.Languages()) {
		t.Errorf("with a voice for all, %v have one", got)
	}
	if got := Languages(voices[:1]); fmt.Sprint(got) != "[en-GB en-US]" {
		t.Errorf("an American voice speaks %v", got)
	}
	for _, bad := range []string{"", "en-GB", "en-GB=", "=x", "en GB=x", "en-GB=../x", "en-GB=.", "*=a b", "en=" + strings.Repeat("x", 65)} {
		if v, err := ReadVoices([]string{bad}); err == nil {
			t.Errorf("%q is read as %v", bad, v)
		}
	}
}

// espeak returns the real program.
func espeak(t *testing.T) *ESpeak {
	t.Helper()
	e, err := FindESpeak(t.Context(), "")
	if errors.Is(err, exec.ErrNotFound) {
		t.Skip("espeak-ng is not installed")
	}
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestESpeak(t *testing.T) {
	e := espeak(t)
	if !strings.Contains(e.Version(), "eSpeak NG") {
		t.Errorf("the version is %q", e.Version())
	}
	if got := Languages(e.Voices()); !slices.Equal(got, narrate.Languages()) {
		t.Errorf("only %v have a voice", got)
	}
	said := map[string]string{}
	for _, v := range e.Voices() {
		s := spoken(t, e, Request{Text: "Taxi, 250 Hotel.", Language: v.Language, Voice: v.ID, Rate: 1})
		if other := said[string(s.WAV())]; other != "" {
			t.Errorf("%s sounds as %s", v.ID, other)
		}
		said[string(s.WAV())] = v.ID
	}
	slow := spoken(t, e, Request{Text: "Turn right into Mill Lane.", Language: "en-GB", Rate: 0.5}).Duration()
	fast := spoken(t, e, Request{Text: "Turn right into Mill Lane.", Language: "en-GB", Rate: 2}).Duration()
	if r := slow.Seconds() / fast.Seconds(); r < 2 || r > 6 {
		t.Errorf("at rate 0.5 it lasts %v, at 2 %v", slow, fast)
	}
}

func spoken(t *testing.T, e Engine, r Request) audio.Sound {
	t.Helper()
	b, err := e.Speak(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	s, err := audio.ReadWAV(b)
	if err != nil {
		t.Fatal(err)
	}
	if s = s.Trimmed(); s.Duration() < 200*time.Millisecond {
		t.Fatalf("%+v lasts %v", r, s.Duration())
	}
	return s
}

// A text that looks like a command, an option or a path is spoken, and does nothing.
func TestESpeakRunsNothing(t *testing.T) {
	e := espeak(t)
	dir := t.TempDir()
	t.Chdir(dir)
	for _, text := range []string{"$(touch x)", "`touch x`", "x; touch x", "-w x", "--help", "-f /etc/passwd", "| touch x", "> x", "\n--version\n"} {
		spoken(t, e, Request{Text: "Say " + text, Language: "en-GB", Rate: 1})
		if b, err := e.Speak(t.Context(), Request{Text: text, Language: "en-GB", Rate: 1}); err != nil || !bytes.HasPrefix(b, []byte("RIFF")) {
			t.Errorf("%q: %.20q, %v", text, b, err)
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("%v, %v", left, err)
	}
	if _, err := e.Speak(t.Context(), Request{Text: "x", Language: "en-GB", Voice: "-w", Rate: 1}); err == nil {
		t.Error("an option passes for a voice")
	}
}

func TestESpeakThatFails(t *testing.T) {
	program := filepath.Join(t.TempDir(), "espeak")
	script := func(text string) *ESpeak {
		if err := os.WriteFile(program, []byte("#!/bin/sh\n"+text), 0o700); err != nil { //nolint:gosec // to be run
			t.Fatal(err)
		}
		return &ESpeak{path: program}
	}
	r := Request{Text: "x", Language: "en-GB", Rate: 1}
	if _, err := script("echo no data at /secret >&2; exit 3").Speak(t.Context(), r); !fault.Is(err, fault.Upstream) || !strings.Contains(err.Error(), "/secret") {
		t.Errorf("%v", err)
	} else if f := new(fault.Error); !errors.As(err, &f) || strings.Contains(f.Detail, "secret") {
		t.Errorf("the caller reads %q", f.Detail)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := script("exec sleep 600").Speak(ctx, r); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a program that hangs: %v", err)
	}
	if _, err := script("exec cat /dev/zero").Speak(t.Context(), r); !fault.Is(err, fault.Upstream) {
		t.Errorf("a program without an end: %v", err)
	}
	if _, err := FindESpeak(t.Context(), filepath.Join(t.TempDir(), "absent")); err == nil {
		t.Error("a program that is not there is found")
	}
}

// server answers as the handler does, and counts.
func server(t *testing.T, h http.HandlerFunc) (*Server, *atomic.Int32) {
	t.Helper()
	count := new(atomic.Int32)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { count.Add(1); h(w, r) }))
	t.Cleanup(s.Close)
	return NewServer(ServerOptions{URL: s.URL, Key: "secret", Model: "kokoro", Voices: []Voice{{ID: "alba", Language: "en-GB"}}}), count
}

func TestServer(t *testing.T) {
	var got map[string]any
	s, count := server(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if r.Method != http.MethodPost || r.URL.Path != "/v1/audio/speech" || r.Header.Get("Authorization") != "Bearer secret" || json.Unmarshal(body, &got) != nil {
			http.Error(w, "no", http.StatusBadRequest)
			return
		}
		_, _ = w.Write(make(audio.Sound, 100).WAV())
	})
	b, err := s.Speak(t.Context(), Request{Text: `He said "turn"`, Language: "en-GB", Voice: "alba", Rate: 1.25})
	if err != nil || !bytes.HasPrefix(b, []byte("RIFF")) || count.Load() != 1 {
		t.Fatalf("%.20q, %v", b, err)
	}
	if fmt.Sprint(got) != fmt.Sprint(map[string]any{"input": `He said "turn"`, "model": "kokoro", "response_format": "wav", "speed": 1.25, "voice": "alba"}) {
		t.Errorf("%v", got)
	}
	for url, want := range map[string]string{
		"http://a": "http://a/v1/audio/speech", "http://a/": "http://a/v1/audio/speech", "http://a/v1": "http://a/v1/audio/speech", "http://a/x/v1/audio/speech": "http://a/x/v1/audio/speech",
	} {
		if got := NewServer(ServerOptions{URL: url}).address; got != want {
			t.Errorf("%s: %s", url, got)
		}
	}
}

func TestServerThatFails(t *testing.T) {
	given := make(chan struct{})
	late, up := waittest.Timed(t.Context())
	for name, c := range map[string]struct {
		h     http.HandlerFunc
		want  fault.Slug
		tries int32
	}{
		"busy for good": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "0.01")
			w.WriteHeader(http.StatusTooManyRequests)
		}, fault.UpstreamUnavailable, mostTries},
		"no such voice": {func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "alba of secret", http.StatusBadRequest) }, fault.Upstream, 1},
		"half a file": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "1000")
			_, _ = w.Write([]byte("RIFF"))
		}, fault.Upstream, 1},
		"without an end": {func(w http.ResponseWriter, _ *http.Request) {
			for range mostSound/(1<<20) + 2 {
				if _, err := w.Write(make([]byte, 1<<20)); err != nil {
					return
				}
			}
		}, fault.Upstream, 1},
		"hangs": {func(http.ResponseWriter, *http.Request) { up(); <-given }, fault.UpstreamTimeout, 1},
	} {
		s, count := server(t, c.h)
		ctx := t.Context()
		if c.want == fault.UpstreamTimeout {
			ctx = late
		}
		b, err := s.Speak(ctx, Request{Text: "x", Voice: "alba", Rate: 1})
		if b != nil || !fault.Is(err, c.want) || count.Load() != c.tries {
			t.Errorf("%s: %v after %d tries", name, err, count.Load())
		}
		if f := new(fault.Error); errors.As(err, &f) && (strings.Contains(f.Detail, "127.0.0.1") || strings.Contains(f.Detail, "secret")) {
			t.Errorf("%s: the caller reads %q", name, f.Detail)
		}
	}
	close(given)
	away := httptest.NewServer(nil)
	away.Close()
	if _, err := NewServer(ServerOptions{URL: away.URL}).Speak(t.Context(), Request{Text: "x"}); !fault.Is(err, fault.UpstreamUnavailable) {
		t.Errorf("nobody there: %v", err)
	}
}

// A server that is busy once is tried again.
func TestServerThatWasBusy(t *testing.T) {
	busy := true
	s, count := server(t, func(w http.ResponseWriter, _ *http.Request) {
		if busy {
			busy = false
			w.Header().Set("Retry-After", "0.01")
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		_, _ = w.Write([]byte("RIFF"))
	})
	if b, err := s.Speak(t.Context(), Request{Text: "x", Rate: 1}); err != nil || string(b) != "RIFF" || count.Load() != 2 {
		t.Errorf("%q, %v after %d", b, err, count.Load())
	}
}

// A server without WAV gets a request for MP3; one that refuses for another reason is not.
func TestServerWithoutWAV(t *testing.T) {
	s, count := server(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if !bytes.Contains(body, []byte(`"response_format":"mp3"`)) {
			http.Error(w, `{"detail":[{"loc":["body","response_format"],"msg":"Input should be 'mp3'"}]}`, http.StatusUnprocessableEntity)
			return
		}
		_, _ = w.Write([]byte("ID3"))
	})
	if b, err := s.Speak(t.Context(), Request{Text: "x", Rate: 1}); err != nil || string(b) != "ID3" || count.Load() != 2 {
		t.Errorf("%q, %v after %d", b, err, count.Load())
	}
	s, count = server(t, func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no such format", http.StatusBadRequest) })
	if _, err := s.Speak(t.Context(), Request{Text: "x", Rate: 1}); !fault.Is(err, fault.Upstream) || count.Load() != 2 {
		t.Errorf("%v after %d", err, count.Load())
	}
}
