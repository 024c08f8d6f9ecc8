package upstream

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/waittest"
)

// talker is a server whose connections run a script.
type talker struct {
	url   string
	conns atomic.Int64
	heard atomic.Int64 // requests
}

// talk is one connection of a talker.
type talk struct {
	*net.TCPConn
	of *talker
	in *bufio.Reader
}

// hear reads a request with its body; false where none comes.
func (c *talk) hear() bool {
	r, err := http.ReadRequest(c.in)
	if err != nil {
		return false
	}
	_, _ = io.Copy(io.Discard, r.Body)
	c.of.heard.Add(1)
	return true
}

func (c *talk) say(text string) { _, _ = io.WriteString(c, text) }

const fine = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"

// fineAlways answers until the client goes.
func (c *talk) fineAlways() {
	for c.hear() {
		c.say(fine)
	}
}

// talking serves connections by a script, which gets the number of each.
func talking(t *testing.T, script func(n int64, c *talk)) *talker {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &talker{url: "http://" + l.Addr().String()}
	var all sync.WaitGroup
	var mu sync.Mutex
	var open []net.Conn
	all.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			n := s.conns.Add(1) - 1
			mu.Lock()
			open = append(open, c)
			mu.Unlock()
			all.Go(func() {
				defer func() { _ = c.Close() }()
				script(n, &talk{c.(*net.TCPConn), s, bufio.NewReader(c)})
			})
		}
	})
	t.Cleanup(func() {
		_ = l.Close()
		mu.Lock()
		for _, c := range open {
			_ = c.Close()
		}
		mu.Unlock()
		all.Wait()
	})
	return s
}

// post sends a request that is harmless twice.
func (s *talker) post(t *testing.T, c *Client) (int, string, error) {
	t.Helper()
	status, body, err := Server{"the server", c}.Post(t.Context(), s.url+"/x?y=1", []byte(`{"a":1}`), 1<<20)
	return status, string(body), err
}

// TestConnectionsThatServersSpoil asks twice a server that ends or spoils the connection of the
// first answer in some way: the second request has its own answer, over a new connection.
func TestConnectionsThatServersSpoil(t *testing.T) {
	for name, spoil := range map[string]func(c *talk){
		"closes it while it idles":      func(c *talk) { c.say(fine) },
		"closes its side of it":         func(c *talk) { c.say(fine); _ = c.CloseWrite(); c.hear() },
		"says that it closes it":        func(c *talk) { c.say("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}"); c.hear() },
		"ends the answer by closing it": func(c *talk) { c.say("HTTP/1.1 200 OK\r\n\r\n{}") },
		"speaks HTTP/1.0":               func(c *talk) { c.say("HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\n{}"); c.hear() },
		"closes it on the next request": func(c *talk) { c.say(fine); c.hear() },
		"resets it on the next request": func(c *talk) { c.say(fine); c.hear(); _ = c.SetLinger(0) },
		"says that no request came":     func(c *talk) { c.say(fine + "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n") },
		"says so to the next request": func(c *talk) {
			c.say(fine)
			c.hear()
			c.say("HTTP/1.1 408 Request Timeout\r\nContent-Length: 4\r\nConnection: close\r\n\r\ngone")
		},
		"sends another answer at once": func(c *talk) {
			c.say(fine + "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nothers")
			c.hear()
		},
	} {
		t.Run(name, func(t *testing.T) {
			spoilt := make(chan struct{})
			s := talking(t, func(n int64, c *talk) {
				if n > 0 {
					c.fineAlways()
					return
				}
				c.hear()
				if strings.Contains(name, "next") || strings.Contains(name, "side") || strings.Contains(name, "says that it") || strings.Contains(name, "another") || strings.Contains(name, "1.0") {
					close(spoilt)
					spoil(c)
					return
				}
				spoil(c)
				_ = c.Close()
				close(spoilt)
			})
			client := NewClient()
			for i := range 2 {
				if status, body, err := s.post(t, client); status != http.StatusOK || body != "{}" || err != nil {
					t.Errorf("request %d: %d %q %v", i, status, body, err)
				}
				<-spoilt
			}
			if n := s.conns.Load(); n != 2 {
				t.Errorf("%d connections, want 2", n)
			}
		})
	}
}

// TestConnectionsThatStay asks three times a server whose answers are unusual and in order: all
// come over one connection.
func TestConnectionsThatStay(t *testing.T) {
	for name, answer := range map[string]string{
		"plain":                       fine,
		"early hints before":          "HTTP/1.1 103 Early Hints\r\nLink: </x>; rel=preload\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n" + fine,
		"an interim one with length":  "HTTP/1.1 100 Continue\r\nContent-Length: 168\r\n\r\n" + fine,
		"in chunks, with a trailer":   "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X\r\n\r\n1;e=1\r\n{\r\n1\r\n}\r\n0\r\nX: 1\r\n\r\n",
		"HTTP/1.0 that stays":         "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\n{}",
		"a long header":               "HTTP/1.1 200 OK\r\nX: " + strings.Repeat("x", 40<<10) + "\r\nContent-Length: 2\r\n\r\n{}",
		"lines that end without a CR": "HTTP/1.1 200 OK\nContent-Length: 2\n\n{}",
	} {
		t.Run(name, func(t *testing.T) {
			s := talking(t, func(_ int64, c *talk) {
				for c.hear() {
					c.say(answer)
				}
			})
			client := NewClient()
			for i := range 3 {
				if status, body, err := s.post(t, client); status != http.StatusOK || body != "{}" || err != nil {
					t.Errorf("request %d: %d %q %v", i, status, body, err)
				}
			}
			if n := s.conns.Load(); n != 1 {
				t.Errorf("%d connections, want 1", n)
			}
		})
	}
}

// TestAnswersThatAreNone reads what no answer is, or not a whole one: each is a failure, asked for once.
func TestAnswersThatAreNone(t *testing.T) {
	for name, c := range map[string]struct {
		answer string
		want   fault.Slug
	}{
		"no last chunk":             {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n", fault.Upstream},
		"half a chunk":              {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n{}", fault.Upstream},
		"a chunk of another length": {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{}\r\n0\r\n\r\n", fault.Upstream},
		"half a body":               {"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n{}", fault.Upstream},
		"half a header":             {"HTTP/1.1 200 OK\r\nContent-Le", fault.UpstreamUnavailable},
		"two lengths":               {"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}\n", fault.UpstreamUnavailable},
		"another protocol":          {"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n", fault.UpstreamUnavailable},
		"a header without an end":   {"HTTP/1.1 200 OK\r\n" + strings.Repeat("X: "+strings.Repeat("x", 1000)+"\r\n", 200), fault.UpstreamUnavailable},
		"hints without an end":      {strings.Repeat("HTTP/1.1 103 Early Hints\r\n\r\n", 5000) + fine, fault.UpstreamUnavailable},
		"nothing":                   {"", fault.UpstreamUnavailable},
	} {
		t.Run(name, func(t *testing.T) {
			s := talking(t, func(_ int64, k *talk) {
				k.hear()
				k.say(c.answer)
			})
			if _, body, err := s.post(t, NewClient()); !fault.Is(err, c.want) {
				t.Errorf("%q %v, want %s", body, err, c.want)
			}
			if n := s.heard.Load(); n != 1 {
				t.Errorf("it was asked %d times", n)
			}
		})
	}
}

// TestWhatMayNotBeSentTwice has a kept connection end on a request that may do harm twice: it fails
// and is sent once. One that the server had closed before gets a new connection.
func TestWhatMayNotBeSentTwice(t *testing.T) {
	for _, before := range []bool{false, true} {
		closed := make(chan struct{})
		s := talking(t, func(n int64, c *talk) {
			if n > 0 {
				c.fineAlways()
				return
			}
			c.hear()
			c.say(fine)
			if before {
				_ = c.Close()
			}
			close(closed)
			if !before {
				c.hear()
			}
		})
		client := NewClient()
		if _, _, err := s.post(t, client); err != nil {
			t.Fatal(err)
		}
		<-closed
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.url, strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		res, err := client.Do(r)
		if err == nil {
			_ = res.Body.Close()
		}
		var failed *url.Error
		if before != (err == nil) || !before && (!errors.As(err, &failed) || s.heard.Load() != 2) {
			t.Errorf("closed before: %v; %v after %d requests", before, err, s.heard.Load())
		}
	}
}

// TestHead has answers without a body say how long it would be: the connection goes on.
func TestHead(t *testing.T) {
	s := talking(t, func(_ int64, c *talk) {
		for c.hear() {
			c.say("HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n")
		}
	})
	client := NewClient()
	for range 3 {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodHead, s.url, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		res, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		if body, err := io.ReadAll(res.Body); len(body) > 0 || err != nil {
			t.Errorf("%q %v", body, err)
		}
		_ = res.Body.Close()
	}
	if n := s.conns.Load(); n != 1 {
		t.Errorf("%d connections", n)
	}
}

// TestRefusedUnread has a server refuse a request of which it has read the header alone.
func TestRefusedUnread(t *testing.T) {
	s := talking(t, func(_ int64, c *talk) {
		_, _ = http.ReadRequest(c.in)
		c.say("HTTP/1.1 413 Content Too Large\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}")
		_ = c.CloseWrite()
		_, _ = io.Copy(io.Discard, c.in)
	})
	for _, n := range []int{10 << 10, 60 << 10, 8 << 20} {
		status, _, err := Server{"the server", NewClient()}.Post(t.Context(), s.url, make([]byte, n), 99)
		if status != http.StatusRequestEntityTooLarge || err != nil {
			t.Errorf("%d bytes: %d %v", n, status, err)
		}
	}
}

// TestTheRest sends what goes by http.Transport: over TLS, by a proxy and with a long body; and a
// password in an address, which goes as a header.
func TestTheRest(t *testing.T) {
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		user, password, _ := r.BasicAuth()
		_, _ = fmt.Fprint(w, r.Host, " ", len(body), " ", user, password)
	})
	secure, plain := httptest.NewTLSServer(h), httptest.NewServer(h)
	defer secure.Close()
	defer plain.Close()
	here, err := url.Parse(plain.URL)
	if err != nil {
		t.Fatal(err)
	}
	client := NewClient()
	client.proxy = func(r *http.Request) (*url.URL, error) {
		if r.URL.Host == "elsewhere.example" {
			return here, nil
		}
		return nil, nil //nolint:nilnil // as http.Transport has it
	}
	inner := client.rest.Transport.(*http.Transport)
	inner.Proxy, inner.TLSClientConfig = client.proxy, secure.Client().Transport.(*http.Transport).TLSClientConfig
	defer inner.CloseIdleConnections()
	for address, c := range map[string]struct {
		length int
		want   string
	}{
		secure.URL:                      {5, secure.Listener.Addr().String() + " 5 "},
		plain.URL:                       {200 << 10, here.Host + " 204800 "},
		"http://elsewhere.example/x":    {5, "elsewhere.example 5 "},
		"http://me:secret@" + here.Host: {5, here.Host + " 5 mesecret"},
	} {
		status, body, err := Server{"the server", client}.Post(t.Context(), address, make([]byte, c.length), 999)
		if status != http.StatusOK || string(body) != c.want || err != nil {
			t.Errorf("%s: %d %q %v, want %q", address, status, body, err, c.want)
		}
	}
	if n := len(client.idle[here.Host]); n != 1 {
		t.Errorf("%d connections are kept, want that of the password alone", n)
	}
}

// TestIdleConnectionsEnd has connections idle: those that have for too long are closed, and no more
// are kept than mostIdle.
func TestIdleConnectionsEnd(t *testing.T) {
	var open atomic.Int64
	ready := make(chan struct{})
	s := talking(t, func(_ int64, c *talk) {
		open.Add(1)
		defer open.Add(-1)
		for c.hear() {
			if c.of.heard.Load() == mostIdle+5 {
				close(ready)
			}
			<-ready
			c.say(fine)
		}
	})
	client := NewClient()
	var all sync.WaitGroup
	for range mostIdle + 5 {
		all.Go(func() {
			if _, _, err := s.post(t, client); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	waittest.Until(t, "the connections above the bound are closed", func() bool { return open.Load() == mostIdle })
	client.mu.Lock()
	for _, list := range client.idle {
		for _, l := range list[:mostIdle-1] {
			l.since = time.Now().Add(-idleTime)
		}
	}
	client.mu.Unlock()
	client.sweep()
	waittest.Until(t, "one is left", func() bool { return open.Load() == 1 })
}

// TestClientAtOnce has callers share a client whose server closes connections at will, and leave at
// will: each answer is that of its request.
func TestClientAtOnce(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n := len(r.URL.Path)
		if n%5 == 0 {
			w.Header().Set("Connection", "close")
		}
		_, _ = fmt.Fprint(w, r.URL.Path, strings.Repeat("x", n*n))
		if n%7 == 0 {
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		}
	}))
	server.Config.ErrorLog = nil
	defer server.Close()
	client := NewClient()
	var all sync.WaitGroup
	for k := range 8 {
		all.Go(func() {
			for i := range 60 {
				path := "/" + strings.Repeat(string(rune('a'+k)), 1+i%40)
				ctx, leave := context.WithCancel(t.Context())
				if i%3 == 0 {
					go leave()
				}
				_, body, err := Server{"the server", client}.Get(ctx, server.URL+path, 1<<20)
				broken := len(path)%7 == 0
				switch want := path + strings.Repeat("x", len(path)*len(path)); {
				case err == nil && (string(body) != want || broken):
					t.Errorf("%s: %.50q", path, body)
				case err != nil && !broken && !errors.Is(err, context.Canceled):
					t.Errorf("%s: %v", path, err)
				}
				leave()
			}
		})
	}
	all.Wait()
}
