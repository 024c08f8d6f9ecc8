package upstream

import (
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// TestWhatGoesDirectly has the requests that another goroutine must send, and whose text
// http.Transport checks or translates, go by it.
func TestWhatGoesDirectly(t *testing.T) {
	client := NewClient()
	client.proxy = func(*http.Request) (*url.URL, error) { return nil, nil } //nolint:nilnil // as http.Transport has it
	for _, c := range []struct {
		method, address string
		length          int64 // of the body
		want            bool
	}{
		{"POST", "http://127.0.0.1:80/x", 5, true},
		{"GET", "http://[::1]:80/x", 0, true},
		{"POST", "http://[fe80::1%25eth0]/", 5, true},
		{"POST", "http://127.0.0.1/", -1, false}, // of any length
		{"POST", "http://127.0.0.1/", mostShort + 1, false},
		{"GET /y HTTP/1.1\r\nX:", "http://127.0.0.1/", 0, false},
		{"CONNECT", "http://127.0.0.1/", 0, false},
		{"GET", "http://bücher.example/", 0, false},
		{"GET", "https://127.0.0.1/", 0, false},
	} {
		at, err := url.Parse(c.address)
		if err != nil {
			t.Fatal(err)
		}
		r := &http.Request{Method: c.method, URL: at, Header: http.Header{}, ContentLength: c.length}
		if c.length != 0 {
			r.Body = io.NopCloser(strings.NewReader("12345"))
		}
		if got := client.direct(r); got != (c.want && peeks) {
			t.Errorf("%q %s of %d bytes goes directly: %v", c.method, c.address, c.length, got)
		}
	}
}

// TestBodiesAfterTheirEnd reads on after a body broke off, was closed or ended: what was not read
// to its end never seems to have been.
func TestBodiesAfterTheirEnd(t *testing.T) {
	for name, c := range map[string]struct {
		answer string
		close  bool
		want   error
	}{
		"whole":     {fine, false, io.EOF},
		"broke off": {"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{}", false, io.ErrUnexpectedEOF},
		"closed":    {fine, true, http.ErrBodyReadAfterClose},
	} {
		s := talking(t, func(_ int64, k *talk) {
			k.hear()
			k.say(c.answer)
		})
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.url, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		res, err := NewClient().Do(r)
		if err != nil {
			t.Fatal(err)
		}
		if c.close {
			_ = res.Body.Close()
		}
		_, _ = io.ReadAll(res.Body)
		for range 2 {
			if n, err := res.Body.Read(make([]byte, 1)); n != 0 || !errors.Is(err, c.want) {
				t.Errorf("%s: %d bytes and %v, want %v", name, n, err, c.want)
			}
		}
		_ = res.Body.Close()
	}
}

func BenchmarkQuiet(b *testing.B) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	c, err := promptly((&net.Dialer{}).DialContext)(b.Context(), "tcp", l.Addr().String())
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	b.ReportAllocs()
	for b.Loop() {
		if !quiet(c) {
			b.Fatal("something came")
		}
	}
}
