package blob

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/waygate/waygate/internet"
)

func TestWeb(t *testing.T) {
	content := []byte(strings.Repeat("0123456789", 100))
	tag := `"one"`
	mux := http.NewServeMux()
	mux.HandleFunc("/file.pmtiles", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", tag)
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(content))
	})
	mux.HandleFunc("/whole", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(content) })
	mux.HandleFunc("/lies", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Range", "bytes 0-9/1000")
		w.WriteHeader(http.StatusPartialContent)
		_, _ = w.Write(content[:10])
	})
	mux.HandleFunc("/nothing", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Range", "bytes 0-0/0")
		w.WriteHeader(http.StatusPartialContent)
	})
	mux.HandleFunc("/moved", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/file.pmtiles", http.StatusFound)
	})
	mux.HandleFunc("/round", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/round", http.StatusFound) })
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	ctx := t.Context()
	for _, path := range []string{"/file.pmtiles?token=a%2Bb", "/moved"} {
		from, name, err := OpenFile(s.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		info, err := from.Stat(ctx, name)
		if err != nil || info != (Info{1000, "one"}) {
			t.Fatalf("%s: %+v, %v", path, info, err)
		}
		if got := part(t, from, name, Span{995, 5, "one"}); got != "56789" {
			t.Errorf("%s: %q", path, got)
		}
		if err := read(from, t, name, Span{0, 5, "two"}); !errors.Is(err, ErrChanged) {
			t.Errorf("%s with another tag: %v", path, err)
		}
		if err := read(from, t, name, Span{2000, 5, "one"}); !errors.Is(err, ErrChanged) {
			t.Errorf("%s behind its end: %v", path, err)
		}
	}
	for path, want := range map[string]error{"/absent": ErrNotFound, "/whole": ErrNoRanges, "/nothing": ErrNoRanges, "/round": nil} {
		from, name, err := OpenFile(s.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := from.Stat(ctx, name); err == nil || want != nil && !errors.Is(err, want) {
			t.Errorf("%s: %v", path, err)
		}
	}
	lies, name, err := OpenFile(s.URL + "/lies")
	if err != nil {
		t.Fatal(err)
	}
	if err := read(lies, t, name, Span{100, 10, ""}); err == nil {
		t.Error("a part other than the one asked for is taken")
	}
	for _, place := range []string{"http://", "https://host", "https://host/", "https://host/a/#b", "s3://bucket", "s3:///key"} {
		if _, _, err := OpenFile(place); err == nil {
			t.Errorf("%s names a file", place)
		}
	}
}

// TestRedirects has a server lead on to an address of this machine: where its own is
// a public one nobody follows.
func TestRedirects(t *testing.T) {
	inside := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.ServeContent(w, r, "", time.Time{}, strings.NewReader("secret"))
	}))
	t.Cleanup(inside.Close)
	outside := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, inside.URL, http.StatusFound)
	}))
	t.Cleanup(outside.Close)
	own := func(ctx context.Context, network, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, outside.Listener.Addr().String())
	}
	for host, follows := range map[string]bool{"8.8.8.8": false, "tiles.invalid": false, "127.0.0.9": true, "10.0.0.1": true} {
		w := newWeb(&url.URL{Scheme: "http", Host: host, Path: "/x"}, own)
		r, err := w.Read(t.Context(), "", Span{0, 6, ""})
		if follows {
			if err != nil {
				t.Errorf("%s: %v", host, err)
				continue
			}
			if text, _ := io.ReadAll(r); string(text) != "secret" {
				t.Errorf("%s: %q", host, text)
			}
			_ = r.Close()
			continue
		}
		var private *internet.PrivateError
		if !errors.As(err, &private) {
			t.Errorf("%s: %v", host, err)
		}
	}
}
